"""DRIFT-Bench: constraints that pile up over a conversation."""

from holdtrue.lab.kinds.assignment import KIND
from holdtrue.lab.kit.suite import Suite

NAME = "drift"
SUITE = Suite(NAME, KIND, "DRIFT-Bench: constraints that pile up over a conversation.")
