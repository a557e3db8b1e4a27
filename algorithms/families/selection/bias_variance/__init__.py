from algorithms.families.selection.bias_variance.algorithm import ALGORITHM as ALGORITHM
