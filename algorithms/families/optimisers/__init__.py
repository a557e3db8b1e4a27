"""Optimisers: ways down to a minimum of a function."""
