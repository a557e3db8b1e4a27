from algorithms.families.kernels.kernel_regression.algorithm import ALGORITHM as ALGORITHM
