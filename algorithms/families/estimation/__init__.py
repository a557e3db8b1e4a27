"""Estimation: what a sample says of the distribution it was drawn from."""
