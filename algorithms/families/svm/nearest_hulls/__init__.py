from algorithms.families.svm.nearest_hulls.algorithm import ALGORITHM as ALGORITHM
