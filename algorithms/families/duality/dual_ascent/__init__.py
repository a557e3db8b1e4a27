from algorithms.families.duality.dual_ascent.algorithm import ALGORITHM as ALGORITHM
