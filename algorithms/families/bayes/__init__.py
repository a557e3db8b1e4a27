"""Classifiers that model how rows come about: naive Bayes, Gaussian discriminants, the whole joint table."""
