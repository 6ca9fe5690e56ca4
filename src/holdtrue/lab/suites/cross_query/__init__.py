"""The Cross-Query Contradiction Benchmark: many queries about one case, whose answers have to fit together."""

from holdtrue.lab.kinds.labels import KIND
from holdtrue.lab.kinds.labels.setup import LabelSetup
from holdtrue.lab.kit.suite import Suite

NAME = "cross_query"
SUITE = Suite(
    NAME,
    KIND,
    "The Cross-Query Contradiction Benchmark: many queries about one case, whose answers have to fit together.",
    LabelSetup(),
)
