"""This module holds the numbers of the data-set card, such as those of cases by domain and of queries by case."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from holdtrue.errors import SettingsError
from holdtrue.record import Label

SIZES = (5, 8)
"""The fewest and the most queries of a bundle, which is the list of a case's queries."""
UNIQUE = 0.82
"""The smallest allowed share of different texts among the queries (published: 82.4%)."""
WITHIN = 0.04
"""The largest allowed difference between a label's share in a domain and its share on the card."""


@dataclass(frozen=True, slots=True)
class DomainCard:
    """A `DomainCard` is a domain's row on the card.

    It has the type of logic, the numbers of cases and queries, and the shares of labels.
    """

    logic_type: str
    cases: int
    queries: int
    labels: Mapping[Label, float]


def _row(logic_type: str, cases: int, queries: int, entailed: float, contradicted: float, unknown: float) -> DomainCard:
    return DomainCard(
        logic_type,
        cases,
        queries,
        MappingProxyType({Label.ENTAILED: entailed, Label.CONTRADICTED: contradicted, Label.UNKNOWN: unknown}),
    )


CARD: Mapping[str, DomainCard] = MappingProxyType(
    {
        "relational": _row("propositional", 120, 787, 0.16, 0.30, 0.54),
        "temporal": _row("linear_arithmetic", 100, 637, 0.11, 0.32, 0.57),
        "policy": _row("first_order_ground", 80, 506, 0.06, 0.32, 0.62),
        "underspecified": _row("partial_information", 90, 585, 0.18, 0.36, 0.46),
    }
)
CASES = sum(row.cases for row in CARD.values())


def share_out(total: int) -> dict[str, int]:
    """Return the number of cases of each domain, in the card's proportions (largest remainders)."""
    if total < 1:
        raise SettingsError("the number of cases must be at least 1")
    shares = {name: total * row.cases / CASES for name, row in CARD.items()}
    counts = {name: int(share) for name, share in shares.items()}
    by_remainder = sorted(shares, key=lambda name: counts[name] - shares[name])
    for name in by_remainder[: total - sum(counts.values())]:
        counts[name] += 1
    return counts


def is_balanced(labels: Sequence[Label]) -> bool:
    """Return whether a bundle's labels are balanced. No label may have more than n - 2 of the n queries."""
    return max(map(labels.count, Label)) <= len(labels) - 2
