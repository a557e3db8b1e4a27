from algorithms.families.ensembles.majority_vote.algorithm import ALGORITHM as ALGORITHM
