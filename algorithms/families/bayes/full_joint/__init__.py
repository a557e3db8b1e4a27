from algorithms.families.bayes.full_joint.algorithm import ALGORITHM as ALGORITHM
