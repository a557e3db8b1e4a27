from algorithms.families.optimisers.gradient_descent.algorithm import ALGORITHM as ALGORITHM
