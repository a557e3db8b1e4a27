from algorithms.families.optimisers.lbfgs.algorithm import ALGORITHM as ALGORITHM
