from algorithms.families.linear.one_vs_one.algorithm import ALGORITHM as ALGORITHM
