from algorithms.families.linear.dual_logistic_regression.algorithm import ALGORITHM as ALGORITHM
