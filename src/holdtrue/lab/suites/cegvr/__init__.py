"""Candidate-first search: does feedback from a solver help a model find a solution, beyond trying as often?"""

from holdtrue.lab.kinds.search import KIND
from holdtrue.lab.kit.suite import Suite

NAME = "cegvr"
SUITE = Suite(
    NAME,
    KIND,
    "Candidate-first search: values that satisfy all constraints, or a claim that there are none.",
)
