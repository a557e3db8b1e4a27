from algorithms.families.selection.cross_validation.algorithm import ALGORITHM as ALGORITHM
