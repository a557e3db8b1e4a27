"""Charts: curves, their axes and legends, and what is seen of them."""
