"""Generative classifiers: how the rows of each class come about: naive Bayes, Gaussians, the whole joint table."""
