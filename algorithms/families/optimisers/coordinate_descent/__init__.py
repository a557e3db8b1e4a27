from algorithms.families.optimisers.coordinate_descent.algorithm import ALGORITHM as ALGORITHM
