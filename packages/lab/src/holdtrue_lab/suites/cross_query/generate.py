"""This module generates the cross-query benchmark: cases of all domains with the card's numbers, labels and splits.

A *bundle* is the list of a case's queries. Every case has its own random stream. Its labels also depend on earlier
cases of its domain, because error diffusion keeps to the card's shares. So case 7 of a domain does not depend on later
cases.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from random import Random

from holdtrue.errors import SettingsError
from holdtrue.kinds.labels.case import Case
from holdtrue.record import Label
from holdtrue_lab.suites.cross_query.build import build_case
from holdtrue_lab.suites.cross_query.card import CARD, SIZES, DomainCard
from holdtrue_lab.suites.cross_query.families import SUBDOMAINS
from holdtrue_lab.suites.cross_query.subdomain import Subdomain

JITTER = 1.2
"""The random change of the numbers of a bundle's labels, so that bundles differ."""
SIZE_JITTER = 1.0
"""The random change of a bundle's size."""


class Quotas:
    """A `Quotas` keeps the running totals of one domain, so that later bundles balance surpluses and deficits."""

    def __init__(self, row: DomainCard) -> None:
        self._row = row
        self._cases = 0
        self._given = dict.fromkeys(Label, 0)

    def next_counts(self, rng: Random) -> dict[Label, int]:
        """Return the number of queries with each label that the next bundle should have."""
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
        # After as many cases as on the card, the number of queries is exactly that on the card.
        due = self._row.queries * made / self._row.cases + (push if made % self._row.cases else 0)
        return min(max(round(due) - sum(self._given.values()), SIZES[0]), SIZES[1])


HELD_OUT = 0.1
"""The share of a domain's cases in the split `dev`, and also in `test`; the other cases are in `train`."""
COUNTS: Mapping[str, int] = {name: row.cases for name, row in CARD.items()}


def generate(
    seed: int, counts: Mapping[str, int] = COUNTS, *, subdomains: Mapping[str, Subdomain] = SUBDOMAINS
) -> list[Case]:
    """Return `counts` cases of each domain, spread evenly over its `subdomains`.

    The same seed gives the same cases. Raises `SettingsError` for an unknown domain, and if a subdomain cannot give a
    wanted case.
    """
    cases: list[Case] = []
    for domain, count in counts.items():
        kinds = [own for own in subdomains.values() if own.domain == domain]
        if domain not in CARD or not kinds or count < 0:
            raise SettingsError(f"{count} cases of the domain {domain!r}: there are {', '.join(CARD)}")
        made = _domain(seed, domain, kinds, count)
        splits = _splits(seed, domain, count)
        cases += [replace(case, split=split) for case, split in zip(made, splits, strict=True)]
    return cases


def _domain(seed: int, domain: str, kinds: Sequence[Subdomain], count: int) -> list[Case]:
    quotas = Quotas(CARD[domain])
    cases: list[Case] = []
    for index in range(count):
        subdomain = kinds[index % len(kinds)]
        rng = Random(f"{seed}/{domain}/{index}")
        wanted = quotas.next_counts(rng)
        case = build_case(rng, subdomain, wanted, f"{domain}_{subdomain.name}_{index:04d}")
        quotas.note(query.label for query in case.queries)
        cases.append(case)
    return cases


def _splits(seed: int, domain: str, count: int) -> list[str]:
    held_out = round(HELD_OUT * count)
    drawn = Random(f"{seed}/{domain}/split").sample(range(count), 2 * held_out)
    named = dict.fromkeys(drawn[:held_out], "dev") | dict.fromkeys(drawn[held_out:], "test")
    return [named.get(index, "train") for index in range(count)]
