from algorithms.families.linear.softmax_regression.algorithm import ALGORITHM as ALGORITHM
