from algorithms.families.estimation.beta_bernoulli.algorithm import ALGORITHM as ALGORITHM
