"""Conversation as belief revision: questions about a small world, asked one after the other."""

from holdtrue.lab.kinds.labels import KIND
from holdtrue.lab.kinds.labels.setup import LabelSetup
from holdtrue.lab.kit.suite import Suite

NAME = "belief"
SUITE = Suite(
    NAME,
    KIND,
    "Belief revision: questions about small worlds, and what is believed by one or more policies.",
    LabelSetup(dialogue=True),
)
