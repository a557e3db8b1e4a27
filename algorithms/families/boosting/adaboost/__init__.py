from algorithms.families.boosting.adaboost.algorithm import ALGORITHM as ALGORITHM
