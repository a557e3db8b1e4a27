"""Classifiers that keep their rows and ask the nearest."""
