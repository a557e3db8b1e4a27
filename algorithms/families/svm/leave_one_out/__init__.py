from algorithms.families.svm.leave_one_out.algorithm import ALGORITHM as ALGORITHM
