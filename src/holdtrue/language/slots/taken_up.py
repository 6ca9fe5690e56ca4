"""Read what a yes takes up: an offer that is accepted says what it would if the user had said it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from holdtrue.language.slots.candidates import Candidate, Scored, candidates_in, is_restated, names_two
from holdtrue.language.slots.consent_words import is_clear_yes
from holdtrue.language.slots.limit_words import relation_of
from holdtrue.language.slots.slot_reading import SlotContext
from holdtrue.language.slots.slot_words import is_open
from holdtrue.language.slots.slot_world import SlotWorld
from holdtrue.language.slots.talk import sentence_at, with_ends
from holdtrue.language.slots.value_grounding import plain

_UNSURE = 0.5
"""Of two values that one sentence offers, either may be meant."""
_ENDS = re.compile(r"[.!?]+(?= |$|\n)")


def take_up(
    world: SlotWorld,
    message: str,
    context: SlotContext,
    chosen: Sequence[Scored],
    score: Callable[[str, SlotContext, Sequence[Candidate]], list[Scored]],
    accepted: float,
) -> list[Scored]:
    """Return what was chosen, with what the message takes up of the assistant's last one.

    `score` gives the probabilities of candidates in a text; what is at least as probable as `accepted` is read. What
    the user says themselves stands before what was offered.
    """
    if not context.assistant or not is_clear_yes(message, "?" in context.assistant):
        return list(chosen)
    offer = context.assistant.replace("?", ".")
    before = replace(context, assistant=(context.earlier or (None,))[0], earlier=context.earlier[1:])
    found = [
        own for own in candidates_in(world, offer, before, is_offer=True) if own.act == "set" and own.said == "user"
    ]
    found = [own for own in found if not (is_restated(own, context) and names_two(own, found))]
    found = [
        own
        for own in found
        if own.span is not None
        and not (is_open(own.slot) and not _may_be_named(world, own, context.assistant))
        and not _repeats(own, context)
        and _is_possible(own, offer)
        and relation_of(offer, own.span, own.slot.type) == "is"
    ]
    said = {own.slot.id for _, own in chosen if own.said == "user"}
    taken = dict[str, Scored]()
    for probability, own, is_main in _offered(context.assistant, score(offer, before, found), accepted):
        # What is settled changes only by what was asked, not by what was told beside it.
        if own.slot.id not in said and (is_main or own.slot.id not in context.held):
            taken[own.slot.id] = (probability, replace(own, said="assistant", grounding="offer"))
    settled = taken.keys() | (context.held.keys() - context.doubted)
    kept = [
        each
        for each in chosen
        if each[1].said == "user"
        or each[1].age > 0
        or (each[1].slot.id not in settled and _is_possible(each[1], offer) and not _is_taken(each[1], taken.values()))
    ]
    return [*kept, *taken.values()]


def _is_taken(own: Candidate, taken: Iterable[Scored]) -> bool:
    """Return whether the words of an offer were taken for a value of another slot."""
    return any(
        own.span is not None and each.span is not None and own.slot is not each.slot and own.span.overlaps(each.span)
        for _, each in taken
    )


_IMPOSSIBLE = re.compile(
    r"\b(?:nobody|no one|booked|full|closed|taken|gone|unavailable|impossible|sold out|no longer|cannot|unable|"
    r"too late|not)\b|n['\u2019]t\b",
    re.IGNORECASE,
)
"""Words of a sentence that offers nothing: 'Friday is fully booked'."""


def _is_possible(own: Candidate, offer: str) -> bool:
    """Return whether the sentence of an offer in which a value stands does not say that it cannot be."""
    if own.span is None:
        return True
    return _IMPOSSIBLE.search(sentence_at(offer, own.span.start, own.span.end, ".!?\n")) is None


def _may_be_named(world: SlotWorld, own: Candidate, offer: str) -> bool:
    """Return whether words of an offer can name what an open slot is to be.

    Where an app has several services, names are told of many things; only what is asked about is taken up.
    """
    if own.span is None or own.span.kind == "words" or not any(mark.isalpha() for mark in own.span.text):
        return False
    end = re.search(r"[.!?](?=\s|$)", with_ends(offer)[own.span.end :])
    return len({slot.group for slot in world.slots.values()}) == 1 or (end is not None and end[0] == "?")


def _repeats(own: Candidate, context: SlotContext) -> bool:
    """Return whether an offer tells again what holds: the value of another slot of the group, or beside it its own."""
    value, held = plain(str(own.value)), plain(str(context.held.get(own.slot.id, "")))
    if own.span is not None and value != held and held in map(plain, own.span.values):
        return True  # 'Next Tuesday' can mean the one that holds.
    if is_open(own.slot) and held and own.span is not None and f" {held} " in f" {plain(context.assistant or '')} ":
        return value != held
    return any(
        id != own.slot.id and id.rpartition(".")[0] == own.slot.group and plain(str(held)) == value
        for id, held in context.held.items()
    )


def _offered(text: str, scored: Sequence[Scored], accepted: float) -> list[tuple[float, Candidate, bool]]:
    """Return one value for each slot, and whether it is of the main offer: the question, or else the last sentence.

    Of each slot a value in a question counts, else that of the last sentence which has one.
    """
    places = [0, *(own.end() for own in _ENDS.finditer(with_ends(text)))]
    asked = {sum(at <= own.start() for at in places) for own in re.finditer(r"\?", text)}
    best: dict[str, tuple[tuple[bool, int, float], Scored]] = {}
    rivals: dict[str, set[tuple[int, object]]] = {}
    taken: list[Scored] = []
    for probability, own in sorted(scored, key=lambda each: -each[0]):
        if probability < accepted or own.span is None:
            continue
        if any(
            own.slot is not each.slot and each.span is not None and own.span.overlaps(each.span) for _, each in taken
        ):
            continue
        taken.append((probability, own))
        sentence = sum(at <= own.span.start for at in places)
        rank = (sentence in asked, sentence, probability)
        # Two questions offer alternatives, as two values in one of them do.
        rivals.setdefault(own.slot.id, set()).add((-1 if sentence in asked else sentence, own.value))
        if own.slot.id not in best or rank > best[own.slot.id][0]:
            best[own.slot.id] = (rank, (probability, own))
    found = []
    main = max(((is_asked, sentence) for (is_asked, sentence, _), _ in best.values()), default=(False, 0))
    for id, ((is_asked, sentence, _), (probability, own)) in best.items():
        alone = len({value for at, value in rivals[id] if at == (-1 if is_asked else sentence)}) == 1
        # Where a question has no value of its own, what stands right before it is what it asks about.
        is_about = not asked or is_asked or sentence + 1 in asked
        sure = probability if alone and is_about else min(probability, _UNSURE)
        found.append((sure, own, is_asked if main[0] else sentence == main[1]))
    return found
