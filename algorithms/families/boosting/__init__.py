"""Boosting: weak learners, each on what the ones before it got wrong."""
