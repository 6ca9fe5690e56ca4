"""Generate the cross-query benchmark: cases of all domains with the card's numbers, labels and splits.

Every case has its own random stream. The number of its queries and their labels also depend on the cases before it in
its domain, because error diffusion keeps both to the card's shares. So case 7 of a domain is the same however many
cases come after it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random

from holdtrue.errors import SettingsError
from holdtrue.kinds.labels.case import Case
from holdtrue.lab.suites.cross_query.build import build_case
from holdtrue.lab.suites.cross_query.card import CARD
from holdtrue.lab.suites.cross_query.quotas import Quotas
from holdtrue.lab.suites.cross_query.subdomain import Subdomain
from holdtrue.lab.suites.cross_query.subdomains import SUBDOMAINS

HELD_OUT = 0.1
"""The share of a domain's cases in the split `dev`, and the same in `test`; the rest is `train`."""
COUNTS: Mapping[str, int] = {name: row.cases for name, row in CARD.items()}


def generate(
    seed: int, counts: Mapping[str, int] = COUNTS, *, subdomains: Mapping[str, Subdomain] = SUBDOMAINS
) -> list[Case]:
    """Return `counts` cases of each domain, spread evenly over its `subdomains`.

    The same seed gives the same cases. Raises `SettingsError` for an unknown domain, and where a subdomain cannot give
    what is asked of it.
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
