from algorithms.families.svm.dual_coordinate_descent.algorithm import ALGORITHM as ALGORITHM
