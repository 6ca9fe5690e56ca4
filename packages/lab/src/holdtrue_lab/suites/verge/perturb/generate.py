"""This module generates pairs of items. Each pair has its own random stream, so the number of pairs does not matter."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from random import Random
from types import MappingProxyType

from holdtrue.errors import SettingsError
from holdtrue_claims.fol.conventions import CONVENTIONS
from holdtrue_claims.kind.gold_logic import STATEMENT, GoldLogic
from holdtrue_lab.kinds.claims.dialogue import Statement
from holdtrue_lab.kinds.claims.item import TRUTH_OPTIONS, Item
from holdtrue_lab.suites.verge import NAME
from holdtrue_lab.suites.verge.gold_logic import proved_option
from holdtrue_lab.suites.verge.perturb.drawing import (
    Draft,
    draw_exclusion,
    draw_inversion,
    draw_sequence,
    draw_threshold,
)

PERTURBATIONS: Mapping[str, Callable[[Random], Draft]] = MappingProxyType(
    {
        "logic_inversion": draw_inversion,
        "numeric_threshold": draw_threshold,
        "sequence_swap": draw_sequence,
        "mutual_exclusion": draw_exclusion,
    }
)
"""The kinds of changes of the sentence (VERGE, table 8)."""

_DRAWS = 100
DATASET = "perturbed"


def generate_pairs(seed: int, count: int = 40) -> list[Item]:
    """Return the items of `count` pairs, equally many of each kind: an original item, and then its changed form.

    A solver proves the answers of both items from their gold logic, and these answers differ. Raises `SettingsError`
    for a count below 1.
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


def make_pair(draft: Draft, id: str, perturbation: str) -> tuple[Item, Item] | None:
    """Return the original and the changed item, or None if an answer cannot be proved or both answers are the same."""
    original = _item(draft, id, draft.original)
    changed = _item(draft, f"{id}_changed", draft.changed)
    if original is None or changed is None or original.answer == changed.answer:
        return None
    return original, replace(changed, perturbs=original.id, perturbation=perturbation)


def _item(draft: Draft, id: str, own: Statement) -> Item | None:
    statements = (*draft.common[: draft.place], own, *draft.common[draft.place :])
    if isinstance(draft.asked, Statement):
        asked, options, statement = {STATEMENT: draft.asked}, TRUTH_OPTIONS, draft.asked.text
        question = f"{draft.question} {statement}"
    else:
        asked, statement, question = dict(draft.asked), None, draft.question
        options = {letter: option.text for letter, option in asked.items()}
    gold = GoldLogic(
        replace(draft.vocabulary, stated=CONVENTIONS),
        {f"P{number}": one.sentence for number, one in enumerate(statements, start=1)},
        {name: one.sentence for name, one in asked.items()},
    )
    item = Item(
        id=id,
        context=" ".join(one.text for one in statements),
        question=question,
        options=options,
        answer="",
        sentences=tuple(one.text for one in statements),
        statement=statement,
        dataset=DATASET,
        gold=gold,
    )
    answer = proved_option(item)
    return None if answer is None else replace(item, answer=answer)
