"""Selection: which of several models to trust."""
