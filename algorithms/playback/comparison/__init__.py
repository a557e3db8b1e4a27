"""Several runs at once: what they are aligned by, where they stand, and what tells them apart."""
