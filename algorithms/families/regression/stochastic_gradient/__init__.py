from algorithms.families.regression.stochastic_gradient.algorithm import ALGORITHM as ALGORITHM
