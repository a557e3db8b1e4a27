from algorithms.families.linear.least_squares_classifier.algorithm import ALGORITHM as ALGORITHM
