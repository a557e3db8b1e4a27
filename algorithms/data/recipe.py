"""Recipe: a data set written down, from which the same Dataset can be made again."""
