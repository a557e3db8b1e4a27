from algorithms.families.regression.least_squares.algorithm import ALGORITHM as ALGORITHM
