"""Duality: multipliers in place of constraints."""
