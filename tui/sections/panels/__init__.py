"""Panels of a scene: plots, tables and trees, and the names of rows in them."""
