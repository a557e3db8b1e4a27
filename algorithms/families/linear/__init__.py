"""Linear classifiers: a hyperplane between two classes."""
