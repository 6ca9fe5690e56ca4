"""Candidate-first search: does feedback from a solver help a model find a solution, beyond trying as often?"""

SUITE = "cegvr"
