"""Trees: questions about one feature at a time, asked until the classes come apart."""
