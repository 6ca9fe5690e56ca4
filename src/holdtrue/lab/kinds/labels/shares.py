"""How often the queries of cases have each label."""

from __future__ import annotations

from collections.abc import Sequence

from holdtrue.kinds.labels.case import Case
from holdtrue.record import Label


def label_counts(cases: Sequence[Case]) -> dict[str, int]:
    """How many queries have each label."""
    labels = [query.label for case in cases for query in case.queries]
    return {label.value: labels.count(label) for label in Label}


def label_shares(cases: Sequence[Case]) -> dict[Label, float]:
    """The share of the queries that has each label; 0 of none."""
    counts = label_counts(cases)
    return {label: counts[label] / max(1, sum(counts.values())) for label in Label}
