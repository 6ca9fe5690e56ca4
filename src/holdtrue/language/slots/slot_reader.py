"""Read which slots a message settles: by code alone, or with the view of a model, each value with its probability."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from holdtrue.language.reading import Act, Extraction, MessageContext, Reading, SettledSlot
from holdtrue.language.slots.candidates import Candidate, candidates_in, with_view
from holdtrue.language.slots.features import Features
from holdtrue.language.slots.id_words import find_ids
from holdtrue.language.slots.limit_words import relation_of
from holdtrue.language.slots.model_view import ask_view
from holdtrue.language.slots.slot_reading import SlotAct, SlotContext, Unread
from holdtrue.language.slots.slot_weights import SlotWeights, shipped_weights
from holdtrue.language.slots.slot_words import words_of
from holdtrue.language.slots.slot_world import SlotWorld
from holdtrue.language.slots.spans import Span
from holdtrue.language.slots.talk import is_asked_about
from holdtrue.logic.value_sorts import WEEKDAYS, Calendar
from holdtrue.models.chat import ChatModel
from holdtrue.record import SlotRelation
from holdtrue.rules.types import Flag, Name, without_null


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
        scored = [(probability, own) for probability, own in scored if not _only_asks(own, message, context)]
        chosen = find_ids(world, message, choose(scored, self.weights.accepted))
        read = [_reading(own, probability, message, _rival(own, scored, message)) for probability, own in chosen]
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
    types = {type(without_null(own.slot.type)) for own in (one, other)}
    # 'Friday evening' can be a day and a choice of morning or evening.
    both = types == {Calendar, Name} and any(own.slot.choices is not None for own in (one, other))
    return Flag not in types and not both and one.span.overlaps(other.span)


_ACTS: Mapping[SlotAct, Act] = {"set": "states", "free": "frees", "drop": "withdraws"}


_FACT = re.compile(
    r"\b(?:(?:do|does|did) (?:you|they|it|he|she|the)|(?:is|are) there|how (?:much|many|long|far|big|often)|"
    r"what(?:'s| is| are) the (?:difference|price|cost)|(?:is|was) (?:it|that|the)|gibt es|hay)\b"
    r"(?![^.!?]*\bI (?:need|want))[^.!?]*$",
    re.IGNORECASE,
)
"""The beginning of a question about what is so; 'how about' and 'can you' ask for something to be done."""


def _only_asks(own: Candidate, message: str, context: SlotContext) -> bool:
    """Return whether a message only asks about another value of a slot that has one: that changes nothing."""
    if own.said != "user" or own.span is None or own.slot.id not in context.held:
        return False
    return is_asked_about(message, own.span.end) and _FACT.search(message[: own.span.end]) is not None


CLASH = "the same message also says"
"""The beginning of the reason of a reading beside which its message says something else of the same slot."""
_CORRECTING = re.compile(
    r"\b(?:no|nope|wait|actually|instead|rather|sorry|mean|meant|make (?:it|that)|change|better|scratch|correction"
    r"|or|oops|"
    r"nein|doch|lieber|mejor|perd[o\u00f3]n)\b",
    re.IGNORECASE,
)
_CLASHING_NAMES = 0.8
"""Names are said of many things, so that what else may be one of a slot has to be surer."""
_CLASHING = 0.5
"""A reading is at most so sure, if the same message says something else of its slot, and takes neither back."""


def _rival(own: Candidate, scored: Sequence[tuple[float, Candidate]], message: str) -> Candidate | None:
    """Return what else a message says of the same slot, where neither takes the other back."""
    if own.act != "set" or own.said != "user" or own.span is None or _CORRECTING.search(message):
        return None
    is_open = own.slot.choices is None and isinstance(without_null(own.slot.type), Name)
    least = _CLASHING_NAMES if is_open else _CLASHING
    for probability, other in scored:
        beside = other.slot is own.slot and other.act == "set" and other.said == "user" and other.value != own.value
        if not beside or probability < least or other.span is None or other.span.overlaps(own.span):
            continue
        first, second = sorted((own.span, other.span), key=lambda span: span.start)
        is_one_name = is_open and message[first.end : second.start].strip(" ") == ","
        if not is_one_name and not _is_rather_another(other, probability, scored):
            return other
    return None


def _is_rather_another(own: Candidate, probability: float, scored: Sequence[tuple[float, Candidate]]) -> bool:
    """Return whether a span is rather a value of another slot: of two dates one can be the first day of a stay."""
    return any(
        more >= probability
        and other.slot is not own.slot
        and other.act == "set"
        and other.span is not None
        and own.span is not None
        and other.span.overlaps(own.span)
        for more, other in scored
    )


def _reading(own: Candidate, probability: float, message: str, rival: Candidate | None) -> Reading:
    quote = own.span.text if own.span is not None else ""
    grounding = "offer" if own.said == "assistant" else own.grounding
    relation: SlotRelation = "is"
    if own.act == "set" and own.said == "user" and own.span is not None:
        relation = relation_of(message, own.span, own.slot.type)
    value = own.value
    if relation == "not" and isinstance(without_null(own.slot.type), Calendar) and own.span is not None:
        value = _any_weekday(message, own.span) or value
    slot, act = SettledSlot(own.slot.id, value, relation), _ACTS[own.act]
    reason = None
    if rival is not None and rival.span is not None and relation == "is":
        probability, reason = min(probability, _CLASHING), f"{CLASH} {rival.span.text!r}"
    return Reading(
        quote, "accepted", None, probability, reason, act=act, slot=slot, source=own.said, grounding=grounding
    )


_WEEKDAY = re.compile(rf"\b(?P<any>an?|any) (?P<one>{'|'.join(WEEKDAYS)})\b|\b(?P<all>{'|'.join(WEEKDAYS)})s\b", re.I)


def _any_weekday(message: str, span: Span) -> str | None:
    """Return the day of the week that a message excludes, where it speaks of all of them: not on a Wednesday."""
    for match in _WEEKDAY.finditer(message):
        if match.start() < span.end and span.start < match.end():
            return (match["one"] or match["all"]).capitalize()
    return None


def _why(own: Unread) -> str:
    return f"for {own.slot or 'any slot'}: {own.why}"
