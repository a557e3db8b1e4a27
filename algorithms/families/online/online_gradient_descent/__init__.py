from algorithms.families.online.online_gradient_descent.algorithm import ALGORITHM as ALGORITHM
