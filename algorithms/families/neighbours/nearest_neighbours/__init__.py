from algorithms.families.neighbours.nearest_neighbours.algorithm import ALGORITHM as ALGORITHM
