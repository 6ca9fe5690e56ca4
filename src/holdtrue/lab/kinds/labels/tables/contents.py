"""Which tables a report about queries has, in order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from holdtrue.figures.table import Table
from holdtrue.lab.kinds.labels.report import LabelReport
from holdtrue.lab.kinds.labels.tables.beliefs import consistency_of_dialogues, dialogues, retractions
from holdtrue.lab.kinds.labels.tables.queries import (
    confusion,
    consistency,
    labels,
    outcomes,
    results,
    results_by_domain,
)
from holdtrue.lab.kinds.labels.tables.revisions import overhead, revision
from holdtrue.lab.kinds.labels.tables.tests import paired_figures
from holdtrue.lab.suites.belief import SUITE as BELIEF
from holdtrue.lab.suites.cross_query import SUITE as CROSS_QUERY

Make = Callable[[LabelReport], Table]

SECTIONS: Mapping[str, Sequence[tuple[str, Sequence[Make]]]] = {
    CROSS_QUERY: (
        ("Results", (results, paired_figures, results_by_domain)),
        ("Labels and consistency", (labels, consistency, confusion, outcomes)),
        ("Revision and cost", (revision, overhead)),
    ),
    BELIEF: (
        ("Results", (dialogues, retractions, paired_figures)),
        ("Labels and consistency", (labels, consistency_of_dialogues, confusion, outcomes)),
        ("Revision and cost", (revision, overhead)),
    ),
}
SHORT: Mapping[str, Sequence[Make]] = {
    CROSS_QUERY: (results, results_by_domain, labels, consistency, revision, overhead, paired_figures),
    BELIEF: (dialogues, retractions, labels, consistency_of_dialogues, overhead, paired_figures),
}
