"""Nearest neighbours: classifiers that keep their rows and ask the nearest."""
