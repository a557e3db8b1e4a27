from algorithms.families.kernels.kernel_perceptron.algorithm import ALGORITHM as ALGORITHM
