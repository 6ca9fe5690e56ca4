"""Which tables a report about queries has, in order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from holdtrue.report.label_report import LabelReport
from holdtrue.report.tables.beliefs import consistency_of_dialogues, dialogues, retractions
from holdtrue.report.tables.label_tests import paired_figures
from holdtrue.report.tables.queries import confusion, consistency, labels, outcomes, results, results_by_domain
from holdtrue.report.tables.revisions import overhead, revision
from holdtrue.report.tables.table import Table

Make = Callable[[LabelReport], Table]

SECTIONS: Mapping[str, Sequence[tuple[str, Sequence[Make]]]] = {
    "cross_query": (
        ("Results", (results, paired_figures, results_by_domain)),
        ("Labels and consistency", (labels, consistency, confusion, outcomes)),
        ("Revision and cost", (revision, overhead)),
    ),
    "belief": (
        ("Results", (dialogues, retractions, paired_figures)),
        ("Labels and consistency", (labels, consistency_of_dialogues, confusion, outcomes)),
        ("Revision and cost", (revision, overhead)),
    ),
}
SHORT: Mapping[str, Sequence[Make]] = {
    "cross_query": (results, results_by_domain, labels, consistency, revision, overhead, paired_figures),
    "belief": (dialogues, retractions, labels, consistency_of_dialogues, overhead, paired_figures),
}
