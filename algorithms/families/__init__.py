"""The algorithms, a folder a family."""
