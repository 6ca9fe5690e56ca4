"""Read what a message settles: by code alone, or with the view of a model, each event with its probability."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from holdtrue.language.slots.candidates import Candidate, candidates_in, with_view
from holdtrue.language.slots.features import Features
from holdtrue.language.slots.model_view import ask_view
from holdtrue.language.slots.slot_reading import SlotContext, SlotEvent, SlotReading
from holdtrue.language.slots.slot_weights import SlotWeights, shipped_weights
from holdtrue.language.slots.slot_words import words_of
from holdtrue.language.slots.slot_world import SlotWorld
from holdtrue.models.chat import ChatModel
from holdtrue.rules.types import Flag, without_null


class SlotReader(Protocol):
    """A `SlotReader` reads messages as events of slots."""

    @property
    def name(self) -> str: ...

    async def read(self, world: SlotWorld, message: str, context: SlotContext) -> SlotReading:
        """Return what a message settles. Raises `ModelError` if a model that it asks cannot answer."""
        ...


class ScoredSlotReader:
    """A `ScoredSlotReader` lists all that a message can settle and keeps what is probable.

    Without a model it reads by code alone. With one it asks it once a message, and the model's view is one more thing
    that speaks for or against a candidate. An event at least as probable as `accepted` is read: what the weights say,
    where it is None.
    """

    def __init__(
        self, model: ChatModel | None = None, weights: SlotWeights | None = None, *, accepted: float | None = None
    ) -> None:
        self.model = model
        self.weights = weights or shipped_weights("rules" if model is None else "model")
        self.accepted = self.weights.accepted if accepted is None else accepted

    @property
    def name(self) -> str:
        return "rules" if self.model is None else "llm"

    async def read(self, world: SlotWorld, message: str, context: SlotContext) -> SlotReading:
        """Return what a message settles, with the probability of each event. Raises `ModelError`."""
        view = None if self.model is None else await ask_view(self.model, world, message, context)
        found = with_view(world, message, candidates_in(world, message, context), context, view)
        features = Features(world, words_of(world), message, context, found, view)
        scored = [(self.weights.sureness(self.weights.probability(features.of(own))), own) for own in found]
        events = tuple(_event(own, probability) for probability, own in choose(scored, self.accepted))
        if view is None:
            return SlotReading(events)
        return SlotReading(events, view.unread, view.calls)


def choose(scored: Sequence[tuple[float, Candidate]], accepted: float) -> list[tuple[float, Candidate]]:
    """Return the most probable candidates, one for each slot and, but for flags, one for each place in the text."""
    taken: list[tuple[float, Candidate]] = []
    for probability, own in sorted(scored, key=lambda each: -each[0]):
        if probability < accepted:
            break
        if not any(own.slot is each.slot or _share_words(own, each) for _, each in taken):
            taken.append((probability, own))
    return taken


def _share_words(one: Candidate, other: Candidate) -> bool:
    if one.span is None or other.span is None or (one.said, one.age) != (other.said, other.age):
        return False
    flags = isinstance(without_null(one.slot.type), Flag) or isinstance(without_null(other.slot.type), Flag)
    return not flags and one.span.overlaps(other.span)


def _event(own: Candidate, probability: float) -> SlotEvent:
    quote = own.span.text if own.span is not None else ""
    grounding = "offer" if own.said == "assistant" else own.grounding
    return SlotEvent(own.act, own.slot.id, own.value, quote, own.said, grounding, probability)
