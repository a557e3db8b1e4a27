from algorithms.families.clustering.k_means_plus_plus.algorithm import ALGORITHM as ALGORITHM
