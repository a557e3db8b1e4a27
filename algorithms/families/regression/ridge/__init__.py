from algorithms.families.regression.ridge.algorithm import ALGORITHM as ALGORITHM
