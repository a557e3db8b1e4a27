"""Painting: arrays to cells, cells to what a terminal shows. Knows no machine learning and no widgets."""
