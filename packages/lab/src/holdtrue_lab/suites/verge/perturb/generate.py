"""Generate pairs of items, each from its own random stream: pair 7 of a seed is the same however many are made."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from types import MappingProxyType

from holdtrue.errors import SettingsError
from holdtrue_lab.kinds.claims.item import Item
from holdtrue_lab.suites.verge import NAME
from holdtrue_lab.suites.verge.perturb.exclusion import draw_exclusion
from holdtrue_lab.suites.verge.perturb.inversion import draw_inversion
from holdtrue_lab.suites.verge.perturb.pair import Draft, make_pair
from holdtrue_lab.suites.verge.perturb.sequence import draw_sequence
from holdtrue_lab.suites.verge.perturb.threshold import draw_threshold

PERTURBATIONS: Mapping[str, Callable[[Random], Draft]] = MappingProxyType(
    {
        "logic_inversion": draw_inversion,
        "numeric_threshold": draw_threshold,
        "sequence_swap": draw_sequence,
        "mutual_exclusion": draw_exclusion,
    }
)
"""VERGE, table 8: what the one sentence is about in which the two items of a pair differ."""

_DRAWS = 100


def generate_pairs(seed: int, count: int = 40) -> list[Item]:
    """Return `count` pairs, equally many of each kind: an original item, and then its changed form.

    The answers of both are proved by a solver from their gold logic, and are not the same. Raises `SettingsError` for
    a count below 1.
    """
    if count < 1:
        raise SettingsError("there has to be one pair at least")
    kinds = list(PERTURBATIONS)
    return [item for number in range(count) for item in _pair(seed, kinds[number % len(kinds)], number // len(kinds))]


def _pair(seed: int, kind: str, number: int) -> tuple[Item, Item]:
    rng = Random(f"{seed}/{NAME}/{kind}/{number}")
    for _ in range(_DRAWS):
        pair = make_pair(PERTURBATIONS[kind](rng), f"{kind}_{number:03d}", kind)
        if pair is not None:
            return pair
    raise SettingsError(f"{_DRAWS} draws of the seed {seed} gave no pair of the kind {kind} with two answers")
