from algorithms.families.linear.perceptron.algorithm import ALGORITHM as ALGORITHM
