"""Runs in files: sessions that are run again, run logs of what happened, and exports for other programs."""
