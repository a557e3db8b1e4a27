from algorithms.families.svm.smo.algorithm import ALGORITHM as ALGORITHM
