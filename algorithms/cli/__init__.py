"""What `python -m algorithms` prints: the catalogue, an algorithm, a run line by line, a report."""
