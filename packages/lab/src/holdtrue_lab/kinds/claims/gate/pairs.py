"""Measure on minimal pairs how often a gate accepts a wrong formula, and refuses a right one.

A *gate* decides whether a formula may stand for a sentence. A minimal pair is a sentence with its formula, and a near
sentence with a formula that differs in one place.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from holdtrue.errors import FormulaError, RecordError
from holdtrue.fields import expect, field, naming
from holdtrue.language.asking import Asking
from holdtrue.models.chat import ChatModel
from holdtrue_claims.fol.meaning import state
from holdtrue_claims.fol.notation import read_fol
from holdtrue_claims.fol.syntax import Sentence
from holdtrue_claims.fol.vocabulary import Vocabulary
from holdtrue_claims.kind.formula_choice import choose_formula
from holdtrue_claims.kind.prompts.back_translation import back_translate, similarity
from holdtrue_claims.kind.prompts.logic_text import formula_text
from holdtrue_claims.kind.settings import FormalSettings
from holdtrue_lab.figures.statistics import Rate, wilson
from holdtrue_lab.kinds.claims.item import objects, read_vocabulary
from holdtrue_lab.kit.json_file import read_json

Gate = Literal["choice", "round_trip"]
ALL = "all"
_TEXTS = ("id", "kind", "sentence", "paraphrase", "near_sentence")
_SHORT = {"things": "entities", "of": "sorts", "is": "result"}
"""The names that a file of pairs has for fields of a vocabulary, each with the name of the field."""


@dataclass(frozen=True, slots=True)
class MinimalPair:
    """Two formulas that differ in one place, of the given `kind`, with sentences for each.

    `sentence` and `paraphrase` say `formula`, and `near_sentence` says `near_miss`.
    """

    id: str
    kind: str
    vocabulary: Vocabulary
    sentence: str
    paraphrase: str
    near_sentence: str
    formula: Sentence
    near_miss: Sentence

    @property
    def said(self) -> Mapping[str, Sentence]:
        """Return the formula of each of the three sentences."""
        return {self.sentence: self.formula, self.paraphrase: self.formula, self.near_sentence: self.near_miss}


def read_pairs(path: Path) -> tuple[MinimalPair, ...]:
    """Return the pairs of a JSON file, a list of objects. Raises `RecordError`, which names the place of a fault."""
    found = tuple(
        _pair(expect(one, dict, f"{path}[{at}]"), f"{path}[{at}]")
        for at, one in enumerate(expect(read_json(path), list, str(path)))
    )
    if not found:
        raise RecordError(f"{path}: there is no pair in it")
    return found


def _pair(record: dict[str, Any], where: str) -> MinimalPair:
    vocabulary = _vocabulary(field(record, "vocabulary", dict, where), f"{where}.vocabulary")
    formula, near_miss = (_formula(record, name, vocabulary, where) for name in ("formula", "near_miss"))
    texts = {name: field(record, name, str, where) for name in _TEXTS}
    return MinimalPair(vocabulary=vocabulary, formula=formula, near_miss=near_miss, **texts)


def _formula(record: dict[str, Any], name: str, vocabulary: Vocabulary, where: str) -> Sentence:
    text = field(record, name, str, where)
    read = read_fol(text)
    if read.sentence is None:
        raise RecordError(f"{where}.{name}: {'; '.join(alert.message for alert in read.alerts)}")
    with naming(f"{where}.{name}", FormulaError):
        return state(read.sentence, vocabulary).sentence


def _vocabulary(record: dict[str, Any], where: str) -> Vocabulary:
    """Return the vocabulary of a record with `things`, `closed`, `predicates` (with fields `of` and `meaning`) and
    `functions` (also `is`).
    """
    told = {_SHORT.get(name, name): value for name, value in record.items()}
    for name in ("predicates", "functions"):
        told[name] = [
            {_SHORT.get(key, key): own for key, own in one.items()} for one, _ in objects(record, name, where)
        ]
    return read_vocabulary(told, where)


@dataclass(frozen=True, slots=True)
class Decision:
    """The decision of a gate on one sentence and one formula of a pair.

    `right` says whether the formula expresses the sentence. `calls` counts calls to a model. `reason` is the reason for
    a refusal.
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
    """The figures of one gate on pairs of one kind: errors with Wilson intervals, and means per decision."""

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
    """Return the decisions of each gate on four questions about each pair, two of them with a right formula.

    `watch` is called with each decision as soon as it is made. Raises `ModelError`.
    """
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
    """Return a row for each gate and kind, and one over all kinds for each gate."""
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
