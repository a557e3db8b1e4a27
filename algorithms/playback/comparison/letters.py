"""What runs beside each other are called."""

LETTERS = "ABCD"  # on charts and in tables
MOST = len(LETTERS)
