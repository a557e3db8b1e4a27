"""Reduction: few directions that hold most of the data."""
