from algorithms.families.clustering.choose_k.algorithm import ALGORITHM as ALGORITHM
