"""Spell the values of enumerations in a message as the instance spells them: '2nd' for Second, 'Tues' for Tuesday.

What stands for the same number, day, month or time is certain; a number counts only beside the name of its attribute.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial

from holdtrue.language.grounding import CARDINALS, ORDINALS
from holdtrue.language.instance_cache import cached_per_instance
from holdtrue.language.values import read_values
from holdtrue.logic.sorts import EnumSort
from holdtrue.world.instance import Instance

_SHORT = {
    "monday": "mon", "tuesday": "tues?", "wednesday": "weds?", "thursday": "thu(?:rs?)?", "friday": "fri",
    "saturday": "sat", "sunday": "sun", "january": "jan", "february": "feb", "march": "mar", "april": "apr",
    "june": "june?", "july": "july?", "august": "aug", "september": "sept?", "october": "oct", "november": "nov",
    "december": "dec",
}  # fmt: skip
# Short forms that are words of their own count only with a capital or a full stop.
_WORDS = frozenset({"wed", "sat", "sun", "mar"})
_ENDINGS = {1: "st", 2: "nd", 3: "rd"}


def respell_values(instance: Instance, message: str) -> str:
    """Return the message with values in the spelling of the instance."""
    for pattern, label in _patterns(instance):
        message = pattern.sub(partial(_spelled, label), message)
    return _with_times(instance, message)


def _spelled(label: str, found: re.Match[str]) -> str:
    written = found.group("short") if "short" in found.re.groupindex else ""
    if written and written.casefold() in _WORDS and written.islower() and not found.group().endswith("."):
        return found.group()
    before, behind = (found.groupdict().get(name) or "" for name in ("before", "behind"))
    return f"{before}{label}{behind}"


@cached_per_instance
def _patterns(instance: Instance) -> Sequence[tuple[re.Pattern[str], str]]:
    found: list[tuple[re.Pattern[str], str]] = []
    for attribute in instance.attributes.values():
        labels = attribute.sort.labels if isinstance(attribute.sort, EnumSort) else ()
        for label in labels:
            if short := _SHORT.get(label.casefold()):
                found.append((re.compile(rf"\b(?P<short>{short})\b\.?(?!\w)", re.IGNORECASE), label))
            if (number := _number(label)) is not None:
                found += [(pattern, label) for pattern in _numbered(number, label, re.escape(attribute.label))]
    return found


def _number(label: str) -> int | None:
    folded = label.casefold()
    for words in (CARDINALS, ORDINALS):
        if folded in words:
            return words.index(folded)
    return int(folded) if re.fullmatch(r"\d{1,2}", folded) and int(folded) < len(CARDINALS) else None


def _numbered(number: int, label: str, attribute: str) -> Iterator[re.Pattern[str]]:
    """Yield what stands for a number: '2nd' for an ordinal, and 'floor two' or 'the 2nd floor' beside its attribute."""
    ordinal = rf"(?:{number}{_ENDINGS.get(number, 'th')}|{ORDINALS[number]})"
    cardinal = rf"(?:{number}|{CARDINALS[number]})"
    if label.casefold() in ORDINALS:
        yield re.compile(rf"\b{number}{_ENDINGS.get(number, 'th')}\b", re.IGNORECASE)
    yield re.compile(rf"\b(?P<before>{attribute}\s+)(?:number\s+|no\.?\s*|#\s*)?{cardinal}\b", re.IGNORECASE)
    yield re.compile(rf"\b{ordinal}\b(?P<behind>\s+{attribute}\b)", re.IGNORECASE)


@cached_per_instance
def _times(instance: Instance) -> dict[object, str]:
    """The labels that are times of day or dates, by what they stand for."""
    known: dict[object, str] = {}
    for attribute in instance.attributes.values():
        for label in attribute.sort.labels if isinstance(attribute.sort, EnumSort) else ():
            read = read_values(label).values
            if len(read) == 1 and (read[0].start, read[0].end) == (0, len(label)) and ":" in read[0].formula:
                known[read[0].formula] = label
    return known


def _with_times(instance: Instance, message: str) -> str:
    known = _times(instance)
    if not known:
        return message
    parts: list[str] = []
    end = 0
    for one in read_values(message).values:
        if one.formula in known and one.start >= end:
            parts += [message[end : one.start], known[one.formula]]
            end = one.end
    return "".join([*parts, message[end:]])
