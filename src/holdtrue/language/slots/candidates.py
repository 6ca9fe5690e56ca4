"""List what a message can settle: every slot with every value that its words, or an offer before them, can be."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from holdtrue.language.reading import Said
from holdtrue.language.slot_values.slot_value import read_slot_value
from holdtrue.language.slots.slot_reading import Grounding, SlotAct, SlotContext, SlotReading
from holdtrue.language.slots.slot_words import stems
from holdtrue.language.slots.slot_world import Slot, SlotWorld
from holdtrue.language.slots.spans import Span, spans_in
from holdtrue.language.slots.value_grounding import as_json, matches, plain, trimmed
from holdtrue.logic.value_sorts import Calendar
from holdtrue.rules.types import Flag, Name, Number, without_null

MOST_EARLIER = 2
"""So many messages of the assistant before the last one can hold an offer that is accepted later."""
JsonValue = str | int | float | bool
_ANY = re.compile(
    r"\b(?:any(?:thing|where| \w+)? (?:is|will|would|works?|do)|do(?:es)?n'?t (?:care|matter|mind)|no preference|"
    r"whatever|on any|not (?:picky|particular|important)|either is|up to you|no matter)\b",
    re.IGNORECASE,
)
_NOT = re.compile(
    r"\b(?:no|not|don'?t|doesn'?t|without|non|isn'?t|won'?t|needn'?t|never|alone|private)\b|n't\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A `Candidate` is an event that a message may state; `span` is the words for it, None where there are none.

    `others` counts what else the words can mean, and `age` the messages of the assistant behind the one with an offer.
    """

    slot: Slot
    act: SlotAct
    value: JsonValue | None
    said: Said
    grounding: Grounding
    span: Span | None
    others: int = 0
    age: int = 0


def candidates_in(world: SlotWorld, message: str, context: SlotContext) -> list[Candidate]:
    """Return all that a message can settle, without what holds already."""
    spans = spans_in(message, context.now, context.locale)
    texts = [(context.assistant or "", 0), *((own, age) for age, own in enumerate(context.earlier[:MOST_EARLIER], 1))]
    found: list[Candidate] = []
    for slot in world.slots.values():
        found += _of_slot(slot, message, spans, "user", context)
        for text, age in texts:
            offered = [own for own in spans_in(text, context.now, context.locale) if own.kind != "words"]
            found += [replace(own, age=age) for own in _of_slot(slot, text, offered, "assistant", context)]
        if _ANY.search(message):
            found.append(Candidate(slot, "free", None, "user", "none", None))
    held = {id: plain(str(value)) for id, value in context.held.items()}
    news = (own for own in found if own.value is None or held.get(own.slot.id) != plain(str(own.value)))
    # What was offered last counts where the same was offered before, so the latest come first.
    kept: dict[tuple[str, str, str, str], Candidate] = {}
    for own in news:
        kept.setdefault((own.slot.id, own.act, plain(str(own.value)), own.said), own)
    return list(kept.values())


def with_view(
    world: SlotWorld, message: str, candidates: Sequence[Candidate], context: SlotContext, view: SlotReading | None
) -> list[Candidate]:
    """Return candidates with those that only a model sees, such as names in small letters."""
    found = list(candidates)
    known = {(own.slot.id, own.act, plain(str(own.value))) for own in found}
    for own in view.events if view is not None else ():
        key = (own.slot, own.act, plain(str(own.value)))
        held = context.held.get(own.slot)
        if key in known or (own.act == "set" and held is not None and plain(str(held)) == key[2]):
            continue
        text = message if own.said == "user" else context.assistant or ""
        at = text.find(own.quote) if own.quote else -1
        span = Span(at, at + len(own.quote), own.quote, "words") if at >= 0 else None
        found.append(Candidate(world.slots[own.slot], own.act, own.value, own.said, own.grounding, span))
    return found


def _of_slot(slot: Slot, text: str, spans: Sequence[Span], said: Said, context: SlotContext) -> Iterator[Candidate]:
    own = without_null(slot.type)
    match own:
        case Flag():
            yield from _flags(slot, text, said)
        case Name(_, None):
            for span in spans:
                value = trimmed(span.text)
                if span.kind in ("name", "words") and value and _can_be(slot, value):
                    yield Candidate(slot, "set", value, said, "literal", span)
        case Name(_, values):
            for value, grounding, span in _chosen(text, values or ()):
                yield Candidate(slot, "set", value, said, grounding, span)
        case Calendar() | Number():
            wanted = own.kind if isinstance(own, Calendar) else "number"
            # '11' can be a day or an hour, where no other words are.
            wanted = wanted if any(span.kind == wanted for span in spans) else "number"
            if own == _TIME and said == "user":
                for span in spans:
                    hour = _offered_hour(text, span, context) if span.kind == "number" else None
                    if hour is not None:
                        yield Candidate(slot, "set", hour, said, "code", span)
            for span in spans:
                if span.kind == wanted and not (wanted == "number" and _is_of_something(text, span, said, context)):
                    values = read_slot_value(span.text, own, context.now, context.locale).shown
                    for value in _by_day(values) if own == _TIME else [each for each in values if "/" not in each]:
                        yield Candidate(slot, "set", as_json(value, own), said, "code", span, len(values) - 1)


_NAME_BEFORE = re.compile(r"(?<![.!?] )(?<!^)\b(?:[A-Z][a-z]+|[a-z]+[A-Z]\w*) $")
_CALLED = frozenset("at on for in by from to the under over about around platform room table gate of and or".split())


def _is_of_something(text: str, span: Span, said: Said, context: SlotContext) -> bool:
    """Return whether a number is a part of a name, or is the hour of the one time that the assistant has offered."""
    return _is_of_a_name(text, span) or (said == "user" and _offered_hour(text, span, context) is not None)


def _offered_hour(text: str, span: Span, context: SlotContext) -> str | None:
    """Return the time that a bare number takes up: '8 is fine' after '8 pm would be possible'."""
    number = re.fullmatch(r"\d{1,2}", span.text)
    if number is None or context.assistant is None or re.match(r" [a-z]+s\b(?!\w)", text[span.end :]) is not None:
        return None
    offered = [own for own in spans_in(context.assistant, context.now, context.locale) if own.kind == "time"]
    found = [value for own in offered for value in own.values if int(value[:2]) % 12 == int(number[0]) % 12]
    return found[0] if len(found) == 1 and found[0].endswith(":00") else None


def _is_of_a_name(text: str, span: Span) -> bool:
    """Return whether a number is a part of a name, as in 'my Pixel 8'."""
    before = _NAME_BEFORE.search(text[: span.start])
    return before is not None and span.text.isdigit() and before[0].strip().casefold() not in _CALLED


def _can_be(slot: Slot, value: str) -> bool:
    """Return whether a text can be what an open slot is called: addresses of mail and numbers of phones have a form."""
    words = set(stems(slot.name))
    if "email" in words or "mail" in words:
        return "@" in value
    return not words & {"phone", "mobil", "telephon"} or sum(own.isdigit() for own in value) >= 5


_TIME = Calendar("time")
_DAY = ("07:00", "21:59")


def _by_day(times: Sequence[str]) -> Sequence[str]:
    """Return the times of twelve hours that are by day, if any is: who means eleven at night says so."""
    return [own for own in times if _DAY[0] <= own <= _DAY[1]] or times


def _chosen(text: str, values: Iterable[str]) -> Iterator[tuple[str, Grounding, Span]]:
    words = [(own.start(), own.end()) for own in re.finditer(r"[^\s,.;!?()]+", text)]
    for value, grounding in matches(text, values):
        size = len(plain(value).split())
        spans = [
            Span(words[at][0], words[at + more - 1][1], text[words[at][0] : words[at + more - 1][1]], "name")
            for more in (size, size + 1, max(1, size - 1))
            for at in range(len(words) - more + 1)
        ]
        yield (
            value,
            grounding,
            next((own for own in spans if matches(own.text, (value,))), Span(0, len(text), text, "name")),
        )


def _flags(slot: Slot, text: str, said: Said) -> Iterator[Candidate]:
    """Yield what is said of something that is so or not, where its name is spoken of."""
    names = {
        word
        for word in stems(slot.name)
        if len(word) > 2 and word not in ("has", "for", "good", "allow", "option", "is")
    }
    for clause in re.finditer(r"[^.;!?]+", text):
        if names & set(stems(clause[0])):
            value = not _NOT.search(clause[0])
            yield Candidate(slot, "set", value, said, "literal", Span(clause.start(), clause.end(), clause[0], "words"))
