from algorithms.families.trees.random_forest.algorithm import ALGORITHM as ALGORITHM
