"""Which tables a report about queries has, in order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from holdtrue.report.label_report import LabelReport
from holdtrue.report.tables.beliefs import consistency_of_dialogues, dialogues, retractions
from holdtrue.report.tables.label_tests import paired_figures
from holdtrue.report.tables.queries import confusion, consistency, labels, outcomes, results, results_by_domain
from holdtrue.report.tables.revisions import overhead, revision
from holdtrue.report.tables.table import Table
from holdtrue.suites.belief import SUITE as BELIEF
from holdtrue.suites.cross_query import SUITE as CROSS_QUERY

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
