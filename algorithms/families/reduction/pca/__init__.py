from algorithms.families.reduction.pca.algorithm import ALGORITHM as ALGORITHM
