from algorithms.families.trees.smallest_tree.algorithm import ALGORITHM as ALGORITHM
