"""Choose which labels the next bundle of a domain should have, so that the card's shares are met (error diffusion)."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from holdtrue.lab.suites.cross_query.card import SIZES, DomainCard
from holdtrue.record import Label

JITTER = 1.2
"""The random change, in queries, of a bundle's labels, so that bundles differ."""
SIZE_JITTER = 1.0
"""The random change of a bundle's size."""


class Quotas:
    """The running totals of one domain: later bundles make up for what earlier ones have too much or too little of."""

    def __init__(self, row: DomainCard) -> None:
        self._row = row
        self._cases = 0
        self._given = dict.fromkeys(Label, 0)

    def next_counts(self, rng: Random) -> dict[Label, int]:
        """Return how many queries with each label the next bundle should have; their sum is one of `SIZES`."""
        size = self._size(rng)
        queries = sum(self._given.values()) + size
        due = {label: self._row.labels[label] * queries - self._given[label] for label in Label}
        due = {label: share + rng.uniform(-JITTER, JITTER) for label, share in due.items()}
        next_counts = dict.fromkeys(Label, 0)
        for _ in range(size):
            # See `card.is_balanced`.
            open_ones = [label for label in Label if next_counts[label] < size - 2]
            next_counts[max(open_ones, key=lambda label: due[label] - next_counts[label])] += 1
        return next_counts

    def note(self, labels: Iterable[Label]) -> None:
        """Record the labels of the bundle that was made."""
        self._cases += 1
        for label in labels:
            self._given[label] += 1

    def _size(self, rng: Random) -> int:
        push = rng.uniform(-SIZE_JITTER, SIZE_JITTER)
        made = self._cases + 1
        # After all cases of the card the sum is the card's.
        due = self._row.queries * made / self._row.cases + (push if made % self._row.cases else 0)
        return min(max(round(due) - sum(self._given.values()), SIZES[0]), SIZES[1])
