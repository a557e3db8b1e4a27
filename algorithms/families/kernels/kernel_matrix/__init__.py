from algorithms.families.kernels.kernel_matrix.algorithm import ALGORITHM as ALGORITHM
