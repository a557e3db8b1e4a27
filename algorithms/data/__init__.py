"""Data sets: bundled ones, made ones with a known truth, and the reader's own files."""
