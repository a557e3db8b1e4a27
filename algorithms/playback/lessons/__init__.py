"""Lessons on their runs: what a moment shows and says, what is right, and what of a lesson is no longer so."""
