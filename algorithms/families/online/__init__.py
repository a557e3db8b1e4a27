"""Online learning: predictions that are paid for as the rows come, against what one could have known afterwards."""
