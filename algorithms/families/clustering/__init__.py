"""Clustering: groups of rows that lie together."""
