from algorithms.families.clustering.lloyd.algorithm import ALGORITHM as ALGORITHM
