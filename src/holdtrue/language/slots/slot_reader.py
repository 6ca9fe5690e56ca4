"""Read which slots a message settles: by code alone, or with the view of a model, each value with its probability."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from holdtrue.language.reading import Act, Extraction, MessageContext, Reading, SettledSlot
from holdtrue.language.slots.candidates import Candidate, candidates_in, with_view
from holdtrue.language.slots.features import Features
from holdtrue.language.slots.model_view import ask_view
from holdtrue.language.slots.slot_reading import SlotAct, SlotContext, Unread
from holdtrue.language.slots.slot_weights import SlotWeights, shipped_weights
from holdtrue.language.slots.slot_words import words_of
from holdtrue.language.slots.slot_world import SlotWorld
from holdtrue.models.chat import ChatModel
from holdtrue.rules.types import Flag, without_null


class ScoredSlotReader:
    """A `ScoredSlotReader` lists all that a message can settle and keeps what is probable.

    Without a model it reads by code alone. With one it asks it once a message, and the model's view is one more thing
    that speaks for or against a candidate. What is at least as probable as `accepted` of the weights is read.
    """

    def __init__(self, model: ChatModel | None = None, weights: SlotWeights | None = None) -> None:
        self.model = model
        self.weights = weights or shipped_weights("rules" if model is None else "model")

    async def read(self, world: SlotWorld, message: str, known: MessageContext) -> Extraction:
        """Return what a message settles, with the probability of each value. Raises `ModelError`."""
        context = SlotContext.of(known)
        view = None if self.model is None else await ask_view(self.model, world, message, context)
        found = with_view(world, message, candidates_in(world, message, context), context, view)
        features = Features(world, words_of(world), message, context, found, view)
        scored = [(self.weights.sureness(self.weights.probability(features.of(own))), own) for own in found]
        read = [_reading(own, probability) for probability, own in choose(scored, self.weights.accepted)]
        if view is None:
            return Extraction(tuple(read))
        unread = [Reading(own.quote, "rejected", None, 0.0, _why(own)) for own in view.unread]
        return Extraction((*read, *unread), view.calls)


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


_ACTS: Mapping[SlotAct, Act] = {"set": "states", "free": "frees", "drop": "withdraws"}


def _reading(own: Candidate, probability: float) -> Reading:
    quote = own.span.text if own.span is not None else ""
    grounding = "offer" if own.said == "assistant" else own.grounding
    slot, act = SettledSlot(own.slot.id, own.value), _ACTS[own.act]
    return Reading(quote, "accepted", None, probability, act=act, slot=slot, source=own.said, grounding=grounding)


def _why(own: Unread) -> str:
    return f"for {own.slot or 'any slot'}: {own.why}"
