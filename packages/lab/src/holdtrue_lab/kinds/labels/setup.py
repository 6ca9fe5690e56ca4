"""The setup of suites whose answers are labels, and counts of gold labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from holdtrue.kinds.labels.case import Case
from holdtrue.record import Label
from holdtrue_lab.kit.registry import find_suite


@dataclass(frozen=True, slots=True)
class LabelSetup:
    """The way in which a suite asks its queries.

    If `dialogue` is true, the suite asks one yes-or-no question at a time, and beliefs are revised in between.
    """

    dialogue: bool = False


def is_dialogue(suite: str) -> bool:
    """Return whether the suite of that name asks in dialogues. Raises `SettingsError` if there is no such suite."""
    setup = find_suite(suite).setup
    return isinstance(setup, LabelSetup) and setup.dialogue


def label_counts(cases: Sequence[Case]) -> dict[str, int]:
    """Return the number of queries with each label."""
    labels = [query.label for case in cases for query in case.queries]
    return {label.value: labels.count(label) for label in Label}


def label_shares(cases: Sequence[Case]) -> dict[Label, float]:
    """Return the share of queries with each label; without queries, all shares are 0."""
    counts = label_counts(cases)
    return {label: counts[label] / max(1, sum(counts.values())) for label in Label}
