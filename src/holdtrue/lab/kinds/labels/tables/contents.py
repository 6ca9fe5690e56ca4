"""Which tables a report about queries has, in order."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from holdtrue.figures.table import Table, with_lines
from holdtrue.lab.kinds.labels.report import LabelReport
from holdtrue.lab.kinds.labels.setup import is_dialogue
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

Sections = Sequence[tuple[str, Sequence[Callable[[LabelReport], Table]]]]

_LABELS: Sections = (
    ("Results", (results, paired_figures, results_by_domain)),
    ("Labels and consistency", (labels, consistency, confusion, outcomes)),
    ("Revision and cost", (revision, overhead)),
)
_DIALOGUES: Sections = (
    ("Results", (dialogues, retractions, paired_figures)),
    ("Labels and consistency", (labels, consistency_of_dialogues, confusion, outcomes)),
    ("Revision and cost", (revision, overhead)),
)
_SHORT = (results, results_by_domain, labels, consistency, revision, overhead, paired_figures)
_SHORT_OF_DIALOGUES = (dialogues, retractions, labels, consistency_of_dialogues, overhead, paired_figures)


def sections(report: LabelReport) -> list[tuple[str, list[Table]]]:
    """Every table that has a line, by section."""
    found = _DIALOGUES if is_dialogue(report.suite) else _LABELS
    return [(title, with_lines(make(report) for make in makers)) for title, makers in found]


def short_tables(report: LabelReport) -> list[Table]:
    """Those that a terminal shows, the most important one first."""
    makers = _SHORT_OF_DIALOGUES if is_dialogue(report.suite) else _SHORT
    return with_lines(make(report) for make in makers)
