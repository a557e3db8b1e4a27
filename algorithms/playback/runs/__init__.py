"""Runs that are watched: as they are asked for, opened, forked, edited and kept."""
