from algorithms.families.linear.multiclass_svm.algorithm import ALGORITHM as ALGORITHM
