"""Find ids in what users say: numbers of orders and parcels, codes and the like, which no sentence has to explain."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from holdtrue.language.slots.candidates import Candidate, Scored
from holdtrue.language.slots.slot_words import is_id, is_open, stems
from holdtrue.language.slots.slot_world import Slot, SlotWorld
from holdtrue.language.slots.spans import Span

_TOKEN = re.compile(r"(?<![\w@.-])#?([A-Za-z0-9]+(?:[-_/][A-Za-z0-9]+)*)(?![\w@])")
_DIGITS = 5
"""A word of digits alone is an id if it has so many, for numbers of things are shorter."""
SURE = 0.9
"""The probability of an id that stands in a message whose app asks for one id alone."""


def find_ids(world: SlotWorld, message: str, chosen: Sequence[Scored]) -> list[Scored]:
    """Return what was chosen, with the id that a message has, where there is one id and one slot that it can be of.

    An amount that was made of the same digits gives way.
    """
    chosen = _with_names(world, message, _with_forms(world, message, chosen))
    slots = [own for own in world.slots.values() if is_id(own) and _form_of(own) is None]
    tokens = list(_ids(message, [own for _, own in chosen if own.span is not None and own.said == "user"]))
    if len(slots) != 1 or len({own.text for own in tokens}) != 1:
        return list(chosen)
    [slot], span = slots, tokens[0]
    if any(own.slot is slot for _, own in chosen):
        return list(chosen)
    rest = [each for each in chosen if each[1].span is None or not each[1].span.overlaps(span)]
    return [*rest, (SURE, Candidate(slot, "set", span.text, "user", "literal", span))]


_FORMS: tuple[tuple[frozenset[str], re.Pattern[str]], ...] = (
    (frozenset(stems("email mail e-mail")), re.compile(r"(?<![\w@.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+")),
    (
        frozenset(stems("phone telephone mobile cell")),
        re.compile(
            r"(?<![\w+./(-])(?!\d{4}-\d\d-\d\d)(?=[+(0]|\d+[ -])\+?(?:\(\d{1,5}\) ?)?\d(?:[ -]?\d){6,14}(?![\w/-]|\.\d)"
        ),
    ),
    (
        frozenset(stems("plate registration")),
        re.compile(
            r"(?<![\w-])(?=(?:[ -]?[A-Z0-9]){5})(?:[A-Z]{1,3}[ -]?\d{1,4}(?:[ -]?[A-Z]{1,3})?|\d[A-Z]{3}\d{3}"
            r"|[A-Z]{1,3}[ -][A-Z]{1,2}[ -]?\d{1,4})(?![\w-])"
        ),
    ),
)
"""What values of some slots look like, by words of the slots' names: addresses of mail, telephones and plates."""


def _with_forms(world: SlotWorld, message: str, chosen: Sequence[Scored]) -> list[Scored]:
    """Return what was chosen, with values that by their form only one slot can have: nobody has to say of what"
    " they are.

    Of two values of a form in one message nobody knows which is meant.
    """
    found = list(chosen)
    for _, form in _FORMS:
        slots = [own for own in world.slots.values() if _form_of(own) is form]
        values = {match[0]: match for match in form.finditer(message)}
        if len(slots) != 1 or len(values) != 1:
            continue
        [(text, match)] = values.items()
        span = Span(match.start(), match.end(), text, "name")
        found = [each for each in found if each[1].slot is not slots[0] and not _is_of(each[1], span)]
        found.append((SURE, Candidate(slots[0], "set", text, "user", "literal", span)))
    return found


_CALLED = (
    r"(?: (?:number|no\.?|code|id|ref|reference)(?:['\u2019]s| is|:)?|['\u2019]s| is|:) "
    r"#?(?P<id>(?=[\w/-]*\d)[\w/-]+)"
)
"""What stands between the name of something and its id: 'number is', 'code:'."""


def _with_names(world: SlotWorld, message: str, chosen: Sequence[Scored]) -> list[Scored]:
    """Return what was chosen, with what a message calls by the name of a slot: 'our PO number is 5561'."""
    found = list(chosen)
    for slot in filter(is_open, world.slots.values()):
        name = re.escape(slot.name.replace("_", " "))
        words = re.compile(rf"\b{name}{_CALLED}", re.IGNORECASE)
        values = {match["id"]: match for match in words.finditer(message)}
        if len(values) != 1 or any(own.slot is slot for _, own in found):
            continue
        [(text, match)] = values.items()
        span = Span(match.start("id"), match.end("id"), text, "name")
        found = [each for each in found if not _is_of(each[1], span)]
        found.append((SURE, Candidate(slot, "set", text, "user", "literal", span)))
    return found


def _is_of(own: Candidate, span: Span) -> bool:
    return own.said == "user" and own.span is not None and own.span.overlaps(span)


def _form_of(slot: Slot) -> re.Pattern[str] | None:
    """Return what the values of a slot look like, where its name says so and it takes any text."""
    if not is_open(slot):
        return None
    name = set(stems(slot.name.replace("_", " ")))
    return next((form for words, form in _FORMS if not words.isdisjoint(name)), None)


def _ids(message: str, chosen: Iterable[Candidate]) -> Iterable[Span]:
    """Yield the words that are ids: with digits and letters, or of many digits; but for those of dates and times."""
    taken = [own.span for own in chosen if own.span is not None and own.span.kind in ("date", "time")]
    for match in _TOKEN.finditer(message):
        word = match[1]
        span = Span(match.start(1), match.end(1), word, "name")
        digits = sum(letter.isdigit() for letter in word)
        mixed = bool(digits) and any(letter.isalpha() for letter in word) and _ORDINAL.fullmatch(word) is None
        if (mixed or (word.isdigit() and digits >= _DIGITS)) and not any(span.overlaps(own) for own in taken):
            yield span


_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th|am|pm|h|kg|km|gb|mb|min|hrs?|pax|x|g|cm|m|d)|\d{1,2}h\d{2}", re.IGNORECASE)
