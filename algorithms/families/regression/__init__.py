"""Regression: a number from features."""
