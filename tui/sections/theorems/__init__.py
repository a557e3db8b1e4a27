"""Theorems: in rows, opened, in large digits, and of several runs."""
