from algorithms.families.boosting.gradient_boosting.algorithm import ALGORITHM as ALGORITHM
