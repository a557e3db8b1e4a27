"""Ensembles: votes of many, and when they are wiser than one."""
