from algorithms.families.neural.multilayer_perceptron.algorithm import ALGORITHM as ALGORITHM
