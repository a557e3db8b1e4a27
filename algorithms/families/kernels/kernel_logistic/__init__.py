from algorithms.families.kernels.kernel_logistic.algorithm import ALGORITHM as ALGORITHM
