"""The screen: it shows any algorithm that the catalogue finds, and names none."""
