"""Runs made many times beside the one in hand."""
