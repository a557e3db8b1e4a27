from algorithms.families.mixtures.gaussian_mixture.algorithm import ALGORITHM as ALGORITHM
