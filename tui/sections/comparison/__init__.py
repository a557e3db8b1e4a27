"""Tables of several runs: a row a number, a field, a cluster, a theorem; a column a run."""
