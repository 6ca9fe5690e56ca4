"""Claims held against a context: puzzles and premises with gold answers, and what models really wrote about them."""

from holdtrue.lab.kinds.claims import KIND
from holdtrue.lab.kit.suite import Suite

NAME = "verge"
SUITE = Suite(NAME, KIND, "Answers to questions about contexts, tested claim by claim.")
