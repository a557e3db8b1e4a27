from algorithms.families.linear.surrogate_losses.algorithm import ALGORITHM as ALGORITHM
