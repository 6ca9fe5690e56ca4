"""List what a message can settle: every slot with every value that its words, or an offer before them, can be."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from holdtrue.language.reading import Said
from holdtrue.language.slots.number_sense import can_count
from holdtrue.language.slots.slot_reading import Grounding, SlotAct, SlotContext, SlotReading
from holdtrue.language.slots.slot_words import TITLED, begins_alike, is_numbered, is_open, name_class, stems
from holdtrue.language.slots.slot_world import Slot, SlotWorld
from holdtrue.language.slots.span_values import MOST_EARLIER, is_of_something, offered_hour, values_of
from holdtrue.language.slots.spans import Span, spans_in
from holdtrue.language.slots.value_grounding import as_json, matches, plain, trimmed
from holdtrue.logic.value_sorts import TIME, Calendar
from holdtrue.rules.types import Flag, Name, Number, without_null

JsonValue = str | int | float | bool
_ANY = re.compile(
    r"\b(?:any(?:thing|where| \w+)? (?:is|will|would|works?|do)|do(?:es)?n'?t (?:care|matter|mind)|no preference|"
    r"whatever|on any|not (?:picky|particular|important)|either is|up to you|no matter)\b",
    re.IGNORECASE,
)
_GREETING = re.compile(
    r"^\W*(?:(?:hi|hello|hey)(?: there)?,? )?(?:good )?(?:morning|afternoon|evening)(?=[,.!]|$)", re.I
)
"""'Morning. 12 cases please' greets, and wants nothing in the morning."""
_NOT = re.compile(
    r"\b(?:no|not|none|don'?t|doesn'?t|without|non|isn'?t|won'?t|needn'?t|never|alone|private|(?:my|our) own)\b|n't\b",
    re.IGNORECASE,
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


Scored = tuple[float, Candidate]
"""A candidate with its probability."""


def candidates_in(world: SlotWorld, message: str, context: SlotContext, *, is_offer: bool = False) -> list[Candidate]:
    """Return all that a message can settle, without what holds already and is in no doubt.

    Of what a message says twice the first place counts, of an offer the last.
    """
    message = _GREETING.sub(lambda match: " " * len(match[0]), message)
    spans = spans_in(message, context.now, context.locale)
    texts = [(context.assistant or "", 0), *((own, age) for age, own in enumerate(context.earlier[:MOST_EARLIER], 1))]
    found: list[Candidate] = []
    groups: dict[str, list[Slot]] = {}
    for slot in world.slots.values():
        groups.setdefault(slot.group, []).append(slot)
    for slot in world.slots.values():
        beside = groups[slot.group]
        said = list(_of_slot(slot, message, spans, "user", context, beside))
        found += reversed(said) if is_offer else said
        for text, age in texts:
            offered = [own for own in spans_in(text, context.now, context.locale) if own.kind != "words"]
            # What an offer says twice it asks about last: 'We open at 9. Would 9 do?'
            latest = reversed(list(_of_slot(slot, text, offered, "assistant", context, beside)))
            found += [replace(own, age=age) for own in latest]
        if _ANY.search(message):
            found.append(Candidate(slot, "free", None, "user", "none", None))
    held = {id: plain(str(value)) for id, value in context.held.items() if id not in context.doubted}
    news = (own for own in found if own.value is None or not _is_known(own, held.get(own.slot.id)))
    # What was offered last counts where the same was offered before, so the latest come first.
    kept: dict[tuple[str, str, str, str], Candidate] = {}
    for own in news:
        kept.setdefault((own.slot.id, own.act, plain(str(own.value)), own.said), own)
    return list(kept.values())


def _is_known(own: Candidate, held: str | None) -> bool:
    """Return whether a candidate is what holds; of an offer in words that can mean it, nothing else is news."""
    if held is None:
        return False
    meanings = own.span.values if own.span is not None and own.said == "assistant" else ()
    return held in (plain(str(own.value)), *map(plain, meanings))


def is_restated(own: Candidate, context: SlotContext) -> bool:
    """Return whether a candidate is the value that its slot has already."""
    return own.act == "set" and plain(str(context.held.get(own.slot.id, ""))) == plain(str(own.value))


def names_two(own: Candidate, found: Sequence[Candidate]) -> bool:
    """Return whether a text names another value of a slot, too, and so confirms neither."""
    return any(
        (each.slot.id, each.said, each.age) == (own.slot.id, own.said, own.age) and each.value != own.value
        for each in found
    )


def with_view(
    world: SlotWorld, message: str, candidates: Sequence[Candidate], context: SlotContext, view: SlotReading | None
) -> list[Candidate]:
    """Return candidates with those that only a model sees, such as names in small letters."""
    found = list(candidates)
    known = {(own.slot.id, own.act, plain(str(own.value))) for own in found}
    for own in view.events if view is not None else ():
        key = (own.slot, own.act, plain(str(own.value)))
        held = None if own.slot in context.doubted else context.held.get(own.slot)
        if key in known or (own.act == "set" and held is not None and plain(str(held)) == key[2]):
            continue
        text = message if own.said == "user" else context.assistant or ""
        at = text.find(own.quote) if own.quote else -1
        span = Span(at, at + len(own.quote), own.quote, "words") if at >= 0 else None
        found.append(Candidate(world.slots[own.slot], own.act, own.value, own.said, own.grounding, span))
    return found


def _of_slot(
    slot: Slot, text: str, spans: Sequence[Span], said: Said, context: SlotContext, beside: Sequence[Slot]
) -> Iterator[Candidate]:
    own = without_null(slot.type)
    match own:
        case Flag():
            yield from _flags(slot, text, said, beside)
        case Name(_, None):
            for span in spans:
                value = trimmed(span.text)
                if span.kind in ("name", "words") and value and _can_be(slot, value, beside):
                    yield Candidate(slot, "set", value, said, "literal", span)
        case Name(_, choices):
            for value, grounding, span in _chosen(text, choices or ()):
                if _names_another(text, span, slot, beside):
                    continue
                yield Candidate(slot, "set", value, said, grounding, span)
        case Calendar() | Number():
            wanted = own.kind if isinstance(own, Calendar) else "number"
            # '11' can be a day or an hour, where no other words are.
            wanted = wanted if any(span.kind == wanted for span in spans) else "number"
            if own == TIME and said == "user":
                for span in spans:
                    hour = offered_hour(text, span, context) if span.kind == "number" else None
                    if hour is not None:
                        yield Candidate(slot, "set", hour, said, "code", span)
            for span in spans:
                if isinstance(own, Number) and span.kind == wanted and not can_count(slot, text, span, beside):
                    continue
                if said == "user" and _EXPLAINED.match(text[span.end :]) is not None:
                    continue
                if span.kind == wanted and not (wanted == "number" and is_of_something(text, span, said, context)):
                    shown, others = values_of(slot, span, text, own, said, context)
                    for value in shown:
                        yield Candidate(slot, "set", as_json(value, own), said, "code", span, others)


def _names_another(text: str, span: Span, slot: Slot, beside: Sequence[Slot]) -> bool:
    """Return whether a choice stands in the name of another slot: the 'monthly' of a monthly fee is no term."""
    for own in beside:
        name = own.name.replace("_", " ")
        at = text.casefold().find(name.casefold()) if own is not slot and " " in name else -1
        if at >= 0 and at <= span.start and span.end <= at + len(name):
            return True
    return False


_EXPLAINED = re.compile(r"\s+(?:was|were|came|had)\b(?! (?:great|good|fine|perfect|better|best|nice)\b)")
"""Words behind what somebody tells of, and does not ask for: 'the 35 was from an old list'."""
_PHONES = frozenset(stems("phone mobile telephone"))
_POSTCODES = frozenset(stems("postcode zip zipcode plz"))


def _can_be(slot: Slot, value: str, beside: Sequence[Slot]) -> bool:
    """Return whether a text can be what an open slot is called: addresses of mail and numbers of phones have a form.

    Somebody with a title is a person, where an app has names of people.
    """
    if TITLED.match(value) is not None and name_class(slot) != "person":
        return not any(is_open(own) and name_class(own) == "person" for own in beside)
    words, digits = set(stems(slot.name)), sum(own.isdigit() for own in value)
    if "email" in words or "mail" in words:
        return "@" in value
    if words & _PHONES:
        return digits >= 5
    if words & _POSTCODES:
        return digits > 0
    return not is_numbered(slot) or (" " not in value and (digits > 2 or (digits > 0 and not value.isdigit())))


_MADE = frozenset(
    stems(
        "serves serve included include includes needed required wanted option available allowed with in "
        "unit additional free extra service report live good outdoor seating add wrap"
    )
)
"""Words in names of flags that need not be said where the others are."""
_COUNTS = frozenset(stems("one two three four five six seven eight nine ten"))


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


def _flags(slot: Slot, text: str, who: Said, beside: Sequence[Slot]) -> Iterator[Candidate]:
    """Yield what is said of something that is so or not, where its name is spoken of.

    Words of its name that name something else, too, say nothing: a child seat is not spoken of by 'two seats'.
    """
    names = {
        word
        for word in stems(slot.name)
        if len(word) > 2 and word not in ("has", "for", "good", "allow", "option", "is") and word not in _COUNTS
    }
    others = {word for own in beside if own is not slot for word in stems(f"{own.name} {own.about}")}
    names = names - others or names
    telling = names - _MADE or names
    for clause in re.finditer(r"[^.;!?]+", text):
        said = stems(clause[0])
        if telling and all(any(begins_alike(word, each) for each in said) for word in telling):
            value = not _NOT.search(clause[0])
            yield Candidate(slot, "set", value, who, "literal", Span(clause.start(), clause.end(), clause[0], "words"))
