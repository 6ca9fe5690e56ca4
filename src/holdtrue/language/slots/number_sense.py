"""Tell what a number in a text counts: money, things of a kind, or nothing that is said."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal

from holdtrue.language.slots.slot_words import stem, stems
from holdtrue.language.slots.slot_world import Slot
from holdtrue.language.slots.spans import Span
from holdtrue.logic.units import SECOND, unit
from holdtrue.logic.value_sorts import TIME
from holdtrue.rules.types import Name, Number, without_null

Sense = Literal["money", "things", "bare"]
_MONEY_SIGN = re.compile(
    r"[$\u20ac\u00a3\u00a5]|\b(?:dollars?|bucks?|euros?|pounds?|quid|cents?|pence|francs?|yen|usd|eur|gbp|chf|grand)\b",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    r"\s?-?(?:(?!(?:and|or|at|in|on|for|to|of|is|are|was|by|the|an?|with|from|please|as|that|this|it|then|but|if)\b)"
    r"[a-z]+ )?"
    r"(?!(?:please|thanks|is|was|as|yes|its|this|perhaps|plus|minus|always|sometimes|works|sounds|does|suits|fits)\b)"
    r"(?P<word>[a-z]{2,}s|people|persons?|children|men|women|guest|night|day|week|month|hour|seat|ticket)\b"
)
_HOUR = re.compile(r"\bat \w+(?: please)?$", re.IGNORECASE)
_MONEY_NAMES = frozenset(
    stem(word)
    for word in "price cost amount fee total budget fare rate sum refund deposit balance salary tip payment charge "
    "rent bill value worth insured money euros dollars pounds currency discount premium quote limit spend".split()
)
_UNITS = frozenset(
    stems(
        "litre liter gram kilo kg kilogram pound ounce cm metre meter mm km mile inch foot feet minute min hour day "
        "night week month year percent degree"
    )
)
"""Units in names of slots, as in `pot_litres`: who wants four roses says nothing of how many litres they stand in."""
PEOPLE = frozenset(
    stems(
        "people persons guests passengers riders players skaters travellers travelers adults visitors participants "
        "attendees members party group diners pax heads swimmers walkers students"
    )
)
"""The stems of words for people who are counted."""
_FIRST = 3
"""What a description is about stands among so many first words of it."""
_MONEY_UNITS = frozenset(unit(name) for name in ("EUR", "USD", "GBP", "CHF", "JPY"))


def sense_of(text: str, span: Span) -> Sense:
    """Return what a number in a span of a text counts."""
    if _MONEY_SIGN.search(span.text) or text[: span.start].rstrip().endswith(("$", "\u20ac", "\u00a3")):
        return "money"
    if _MONEY_SIGN.match(text[span.end :].lstrip()):
        return "money"
    return "things" if counted(text, span) else "bare"


def counted(text: str, span: Span) -> str:
    """Return the stem of what a number counts, as in '40 people'; nothing where no word says it."""
    words = span.text.split()
    if len(words) > 1 and words[-1].isalpha() and _COUNTED.fullmatch(f" {words[-1].casefold()}"):
        return stem(words[-1])
    found = _COUNTED.match(text[span.end :])
    return stem(found["word"]) if found is not None else ""


def can_count(slot: Slot, text: str, span: Span, beside: Iterable[Slot]) -> bool:
    """Return whether a number can be of a slot: '40 people' is no price, and '$300' counts nothing beside a price."""
    sense, thing = sense_of(text, span), counted(text, span)
    others = {word for own in beside if own is not slot for word in stems(own.name)}
    if thing in others and thing not in stems(f"{slot.name} {slot.about}"):
        return False
    if counts_people(slot) and _is_of_a_choice(text, span, slot, beside):
        return False
    if sense == "things" and thing not in _UNITS and not is_money(slot) and not _UNITS.isdisjoint(stems(slot.name)):
        return False
    if is_money(slot):
        return sense != "things"
    if sense == "money":
        return not any(is_money(own) for own in beside)
    return sense == "things" or not (_HOUR.search(text[: span.end]) and any(own.type == TIME for own in beside))


def _is_of_a_choice(text: str, span: Span, slot: Slot, beside: Iterable[Slot]) -> bool:
    """Return whether a number stands before a value of another slot: 'one van' says nothing of passengers."""
    word = re.match(r" ([a-z]+)", text[span.end :])
    if word is None or stem(word[1]) in stems(f"{slot.name} {slot.about}"):
        return False
    kinds = (without_null(own.type) for own in beside if own is not slot)
    return any(stem(word[1]) in stems(each) for kind in kinds if isinstance(kind, Name) for each in kind.values or ())


def counts_people(slot: Slot) -> bool:
    """Return whether a slot is a number of people, by its name."""
    return isinstance(without_null(slot.type), Number) and not PEOPLE.isdisjoint(stems(slot.name))


def is_money(slot: Slot) -> bool:
    """Return whether the values of a slot are sums of money, by its type or its name."""
    own = without_null(slot.type)
    if not isinstance(own, Number) or own.sort.unit == SECOND:
        return False
    if own.sort.unit in _MONEY_UNITS:
        return True
    return bool({*stems(slot.name), *stems(slot.about)[:_FIRST]} & _MONEY_NAMES)
