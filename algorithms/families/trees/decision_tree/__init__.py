from algorithms.families.trees.decision_tree.algorithm import ALGORITHM as ALGORITHM
