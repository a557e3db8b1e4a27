"""Watching runs without a screen: players, viewers, comparisons, and what a command line asks to be opened."""
