"""Fit the weights of a reader on dialogues with gold: which features speak for a candidate, and how much.

Every message is read as it would be if all before it had been read rightly, so that an early mistake teaches nothing
wrong about what follows. The figures are of dialogues with a service that the weights have not seen (leave one service
out); the weights are then fitted on all. Nothing here asks a model: views are given.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from datetime import time as clock

import numpy as np

from holdtrue.lab.kinds.readings.calibration import calibration_of, logistic_regression
from holdtrue.lab.kinds.readings.entry import Judged
from holdtrue.lab.kinds.readings.problem import Dialogue, GoldEvent, comparable
from holdtrue.language.reading import MessageContext, SlotContent
from holdtrue.language.slots.candidates import Candidate, candidates_in, with_view
from holdtrue.language.slots.features import Features
from holdtrue.language.slots.slot_reader import choose
from holdtrue.language.slots.slot_reading import SlotContext, SlotReading
from holdtrue.language.slots.slot_weights import SlotWeights
from holdtrue.language.slots.slot_words import words_of

RIDGE = 0.5
"""The strength of the prior that a weight is 0: of 0.3, 0.5, 1 and 3 the two smaller gave the best F1."""
SHOWN = 0.2
"""Candidates at least so probable take part in fitting how sure a chosen one is."""
_SMALLEST = 0.02
Views = Mapping[tuple[str, int], SlotReading]
"""The readings of a model, by dialogue and place of the message."""


@dataclass(frozen=True, eq=False)
class Example:
    """One message with its candidates: their features, and whether each is right, None for soft gold."""

    dialogue: str
    services: frozenset[str]
    candidates: Sequence[Candidate]
    features: Sequence[Mapping[str, float]]
    right: Sequence[bool | None]
    gold: int


@dataclass(frozen=True, slots=True)
class Fit:
    """Fitted weights, and what they are worth on services that they have not seen."""

    weights: SlotWeights
    precision: float | None
    recall: float | None
    f1: float | None
    error: float | None
    events: int
    gold: int


def context_of(dialogue: Dialogue, place: int, locale: str) -> MessageContext:
    """Return what is known before a message, if all messages before it had been read rightly."""
    held: dict[str, SlotContent] = {}
    for turn in dialogue.messages[:place]:
        for own in turn.gold:
            held.pop(own.slot, None)
            if own.value is not None:
                held[own.slot] = own.value
    said = [turn.system for turn in dialogue.messages[:place] if turn.system]
    return MessageContext(
        place + 1,
        held=held,
        assistant=dialogue.messages[place].system,
        earlier=tuple(said[::-1][:3]),
        now=datetime.combine(dialogue.today, clock(9)),
        locale=locale,
    )


def examples_of(dialogues: Sequence[Dialogue], views: Views | None, locale: str) -> list[Example]:
    """Return the examples of dialogues; with `views` those of messages that a model read."""
    found = []
    for dialogue in dialogues:
        words = words_of(dialogue.world)
        for place, turn in enumerate(dialogue.messages):
            view = None if views is None else views.get((dialogue.id, place))
            if views is not None and view is None:
                continue
            context = SlotContext.of(context_of(dialogue, place, locale))
            listed = candidates_in(dialogue.world, turn.user, context)
            candidates = with_view(dialogue.world, turn.user, listed, context, view)
            features = Features(dialogue.world, words, turn.user, context, candidates, view)
            gold = {own.slot: own for own in turn.gold}
            found.append(
                Example(
                    dialogue.id,
                    frozenset(slot.group for slot in dialogue.world.slots.values()),
                    candidates,
                    [features.of(own) for own in candidates],
                    [_is_right(own, gold.get(own.slot.id)) for own in candidates],
                    sum(not own.soft for own in turn.gold),
                )
            )
    return found


def _is_right(own: Candidate, gold: GoldEvent | None) -> bool | None:
    if gold is not None and gold.soft:
        return None
    if gold is None or (gold.value is None) is (own.act == "set"):
        return False
    return own.act != "set" or comparable(own.value) in gold.forms


def fit(examples: Sequence[Example], provenance: str, told: Callable[[str], None] = lambda text: None) -> Fit:
    """Return the weights of all examples, and what others like them find on services that they have not seen."""
    services = sorted({service for own in examples for service in own.services})
    held_out: dict[int, list[list[float]]] = {}
    for service in services:
        told(f"without {service}")
        rest = _weights([own for own in examples if service not in own.services])
        for place, own in enumerate(examples):
            if service in own.services:
                scores = [SlotWeights(rest).probability(each) for each in own.features]
                held_out.setdefault(place, []).append(scores)
    probable = {
        place: [sum(each) / len(each) for each in zip(*found, strict=True)] for place, found in held_out.items()
    }
    scale, shift = _sureness(examples, probable)
    weights = SlotWeights(_weights(examples), provenance, scale, shift)
    return _figures(examples, probable, weights)


def _figures(examples: Sequence[Example], probable: Mapping[int, Sequence[float]], weights: SlotWeights) -> Fit:
    judged: list[list[Judged]] = []
    for place, own in enumerate(examples):
        sure = [weights.sureness(each) for each in probable.get(place, ())]
        right = {id(each): is_right for each, is_right in zip(own.candidates, own.right, strict=True)}
        taken = choose(list(zip(sure, own.candidates, strict=True)), weights.accepted)
        known = [(confidence, right[id(each)]) for confidence, each in taken]
        judged.append([Judged(confidence, is_right) for confidence, is_right in known if is_right is not None])
    events = [own for each in judged for own in each]
    hits, gold = sum(own.right for own in events), sum(own.gold for own in examples)
    return Fit(
        weights=weights,
        precision=hits / len(events) if events else None,
        recall=hits / gold if gold else None,
        f1=2 * hits / (len(events) + gold) if events or gold else None,
        error=calibration_of(judged).error,
        events=len(events),
        gold=gold,
    )


def _weights(examples: Sequence[Example]) -> dict[str, float]:
    """Return the weights of a logistic regression with a ridge, by features; the smallest are left out."""
    rows = [
        (features, is_right)
        for own in examples
        for features, is_right in zip(own.features, own.right, strict=True)
        if is_right is not None
    ]
    names = {name: place for place, name in enumerate(sorted({name for features, _ in rows for name in features}))}
    matrix = np.zeros((len(rows), len(names)))
    for row, (features, _) in enumerate(rows):
        for name, value in features.items():
            matrix[row, names[name]] = value
    found = logistic_regression(matrix, np.array([is_right for _, is_right in rows], dtype=float), RIDGE)
    return {name: round(float(found[place]), 3) for name, place in names.items() if abs(found[place]) >= _SMALLEST}


def _sureness(examples: Sequence[Example], probable: Mapping[int, Sequence[float]]) -> tuple[float, float]:
    """Return scale and shift that make probabilities of chosen candidates out of those of single ones.

    A candidate that is chosen has beaten its rivals, which its own probability does not know.
    """
    rows = []
    for place, own in enumerate(examples):
        right = {id(each): is_right for each, is_right in zip(own.candidates, own.right, strict=True)}
        for single, each in choose(list(zip(probable.get(place, ()), own.candidates, strict=False)), SHOWN):
            if right[id(each)] is not None:
                rows.append((math.log(single / (1 - single)), float(bool(right[id(each)]))))
    if not rows:
        return 1.0, 0.0
    matrix = np.array([[odds, 1.0] for odds, _ in rows])
    scale, shift = logistic_regression(matrix, np.array([is_right for _, is_right in rows]), 1e-6)
    return round(float(scale), 3), round(float(shift), 3)
