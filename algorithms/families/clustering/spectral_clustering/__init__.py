from algorithms.families.clustering.spectral_clustering.algorithm import ALGORITHM as ALGORITHM
