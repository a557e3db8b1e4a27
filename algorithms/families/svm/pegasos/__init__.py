from algorithms.families.svm.pegasos.algorithm import ALGORITHM as ALGORITHM
