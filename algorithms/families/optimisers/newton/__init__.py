from algorithms.families.optimisers.newton.algorithm import ALGORITHM as ALGORITHM
