"""Measure how often a gate lets a wrong formula pass, and a right one not, on minimal pairs."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from holdtrue.language.asking import Asking
from holdtrue.models.chat import ChatModel
from holdtrue_claims.fol.syntax import Sentence
from holdtrue_claims.kind.formula_choice import choose_formula
from holdtrue_claims.kind.prompts.back_translation import back_translate, similarity
from holdtrue_claims.kind.prompts.logic_text import formula_text
from holdtrue_claims.kind.settings import FormalSettings
from holdtrue_lab.figures.statistics import Rate, wilson
from holdtrue_lab.kinds.claims.gate.pairs import MinimalPair

Gate = Literal["choice", "round_trip"]
ALL = "all"


@dataclass(frozen=True, slots=True)
class Decision:
    """A `Decision` is what a gate did with one sentence and one formula of a pair.

    `right` says whether the formula says what the sentence says. `calls` counts calls to a model, and `reason` tells
    why the formula was refused.
    """

    pair: str
    kind: str
    gate: Gate
    text: str
    right: bool
    accepted: bool
    calls: int
    seconds: float
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class GateRow:
    """The figures of one gate on pairs of one kind: errors with Wilson intervals, calls and seconds a decision."""

    gate: Gate
    kind: str
    accepted_wrongly: Rate
    refused_wrongly: Rate
    calls: float
    seconds: float


async def decide_pairs(
    model: ChatModel,
    pairs: Sequence[MinimalPair],
    settings: FormalSettings,
    *,
    gates: Sequence[Gate] = ("choice", "round_trip"),
    watch: Callable[[Decision], None] = lambda _: None,
) -> list[Decision]:
    """Put four questions about each pair to each gate: two formulas are right, two are wrong. Raises `ModelError`."""
    found: list[Decision] = []
    for pair in pairs:
        for gate in gates:
            for text, formula, right in _questions(pair):
                found.append(await _decide(model, pair, gate, settings, text, formula, right))
                watch(found[-1])
    return found


def _questions(pair: MinimalPair) -> Iterator[tuple[str, Sentence, bool]]:
    yield pair.sentence, pair.formula, True
    yield pair.sentence, pair.near_miss, False
    yield pair.paraphrase, pair.formula, True
    yield pair.near_sentence, pair.formula, False


async def _decide(
    model: ChatModel,
    pair: MinimalPair,
    gate: Gate,
    settings: FormalSettings,
    text: str,
    formula: Sentence,
    right: bool,
) -> Decision:
    asking, began = Asking(model), time.perf_counter()
    if gate == "choice":
        chosen = await choose_formula(asking, pair.vocabulary, text, formula, settings)
        accepted, reason = chosen.accepted, chosen.reason
    else:
        told = await back_translate(asking, pair.vocabulary, formula_text(formula))
        accepted, reason = similarity(text, told) >= (settings.round_trip or 0), f"told again: {told}"
    seconds = time.perf_counter() - began
    shown = None if accepted else reason
    return Decision(pair.id, pair.kind, gate, text, right, accepted, len(asking.calls), seconds, shown)


def gate_rows(decisions: Iterable[Decision]) -> list[GateRow]:
    """Return a row for each gate and kind, and one for all kinds of each gate."""
    found = list(decisions)
    gates = dict.fromkeys(each.gate for each in found)
    kinds = (*dict.fromkeys(each.kind for each in found), ALL)
    return [
        _row(gate, kind, [each for each in found if each.gate == gate and kind in (each.kind, ALL)])
        for gate in gates
        for kind in kinds
    ]


def _row(gate: Gate, kind: str, found: Sequence[Decision]) -> GateRow:
    wrong = [each for each in found if not each.right]
    right = [each for each in found if each.right]
    return GateRow(
        gate,
        kind,
        wilson(sum(each.accepted for each in wrong), len(wrong)),
        wilson(sum(not each.accepted for each in right), len(right)),
        sum(each.calls for each in found) / len(found),
        sum(each.seconds for each in found) / len(found),
    )
