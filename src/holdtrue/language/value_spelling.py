"""Spell the values of enumerations in a message as the instance spells them: '2nd' for Second, 'Tues' for Tuesday.

What stands for the same number, day, month or time is certain, 'half past nine' too where only one value can be that. A
number that may count something else is a value only beside the name of its attribute.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import partial

from holdtrue.language.grounding import CARDINALS, COUNTING_WORDS, ORDINALS
from holdtrue.language.instance_cache import cached_per_instance
from holdtrue.language.slot_values.slot_value import read_slot_value
from holdtrue.language.text_edits import with_edits
from holdtrue.language.values import read_values
from holdtrue.logic.sorts import EnumSort
from holdtrue.logic.value_sorts import Calendar
from holdtrue.world.declaration import Attribute
from holdtrue.world.domain import Integer
from holdtrue.world.instance import Instance

_SHORT = {
    "monday": "mon", "tuesday": "tues?", "wednesday": "weds?", "thursday": "thu(?:rs?)?", "friday": "fri",
    "saturday": "sat", "sunday": "sun", "january": "jan", "february": "feb", "march": "mar", "april": "apr",
    "june": "june?", "july": "july?", "august": "aug", "september": "sept?", "october": "oct", "november": "nov",
    "december": "dec",
}  # fmt: skip
# Short forms that are words of their own count only with a capital or a full stop.
_WORDS = frozenset({"wed", "sat", "sun", "mar"})
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_TEENS = ("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen")
_UNITS = "|".join(CARDINALS[1:10])
_ENDS_IN_Y = re.compile(r"[^aeiou\W]y$", re.IGNORECASE)
_OFTEN_LOOSE = 2  # 'first' and 'second' often count nothing
_TIME, _ANY_DAY = Calendar("time"), datetime(2000, 1, 1)
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
    owners = instance.attributes.values()
    counted = [own for own in owners if any(_number(label) is not None for label in _labels(own))]
    # Where no constraint counts anything and one list alone has numbers, a number is one of its values.
    counts = any(isinstance(argument, Integer) for kind in instance.types.values() for argument in kind.arguments)
    alone = len(counted) == 1 and not counts
    for attribute in owners:
        for label in _labels(attribute):
            if short := _SHORT.get(label.casefold()):
                found.append((re.compile(rf"\b(?P<short>{short})\b\.?(?!\w)", re.IGNORECASE), label))
            if _ENDS_IN_Y.search(label):
                found.append((re.compile(rf"\b{re.escape(label[:-1])}ies\b", re.IGNORECASE), label))
            if (words := _in_words(label)) and sum(label in _labels(own) for own in owners) == 1:
                found.append((re.compile(rf"\b{words}\b(?![- ](?:{_UNITS})\b)", re.IGNORECASE), label))
            if (number := _number(label)) is not None:
                found += [(one, label) for one in _numbered(number, label, re.escape(attribute.label), alone=alone)]
    return found


def _labels(attribute: Attribute) -> Sequence[str]:
    return attribute.sort.labels if isinstance(attribute.sort, EnumSort) else ()


def _number(label: str) -> int | None:
    folded = label.casefold()
    if folded in COUNTING_WORDS:
        return COUNTING_WORDS[folded]
    digits = re.fullmatch(r"(\d{1,2})(?:st|nd|rd|th)?", folded)
    return int(digits[1]) if digits and int(digits[1]) < len(CARDINALS) else None


def _in_words(label: str) -> str:
    """Return a pattern of a number from 13 to 99 in words, which seldom counts anything; '' for any other label."""
    if not re.fullmatch(r"\d{2}", label) or int(label) < len(CARDINALS):
        return ""
    if int(label) < len(CARDINALS) + len(_TEENS):
        return _TEENS[int(label) - len(CARDINALS)]
    tens, unit = divmod(int(label), 10)
    return _TENS[tens - 2] + (rf"[- ]?{CARDINALS[unit]}" if unit else "")


def _is_ordinal(label: str) -> bool:
    return label.casefold() in ORDINALS or re.fullmatch(r"\d+(?:st|nd|rd|th)", label.casefold()) is not None


def _numbered(number: int, label: str, attribute: str, *, alone: bool) -> Iterator[re.Pattern[str]]:
    """Yield what stands for a number: '2nd' for an ordinal, and 'floor two' or 'the 2nd floor' beside its attribute."""
    short = f"{number}{_ENDINGS.get(number, 'th')}"
    ordinal, cardinal = rf"(?:{short}|{ORDINALS[number]})", rf"(?:{number}|{CARDINALS[number]})"
    if _is_ordinal(label):
        yield re.compile(rf"\b{short}\b", re.IGNORECASE)
        yield re.compile(rf"\b{ORDINALS[number]}\b(?= (?:place|position|spot)\b|\W*$)", re.IGNORECASE)
        yield re.compile(rf"\b(?P<before>(?:came|comes?|finish(?:ed|es)?|is|was) (?:in )?){ordinal}\b", re.IGNORECASE)
        yield re.compile(rf"\b(?P<before>in )?(?:number|no\.) {cardinal}\b", re.IGNORECASE)
        if number > _OFTEN_LOOSE:
            yield re.compile(rf"\b{ORDINALS[number]}\b", re.IGNORECASE)
    elif alone and number > 1:
        yield re.compile(rf"(?<![\d.,:$\u20ac#-])\b{cardinal}\b(?![.,:]\d|-)", re.IGNORECASE)
    yield re.compile(rf"\b(?P<before>{attribute}\s+)(?:number\s+|no\.?\s*|#\s*)?{cardinal}\b", re.IGNORECASE)
    yield re.compile(rf"\b{ordinal}\b(?P<behind>\s+{attribute}\b)", re.IGNORECASE)


@cached_per_instance
def _times(instance: Instance) -> dict[str, str]:
    """The labels that are times of day or dates, by what they stand for."""
    known: dict[str, str] = {}
    for attribute in instance.attributes.values():
        for label in _labels(attribute):
            read = read_values(label).values
            if len(read) == 1 and (read[0].start, read[0].end) == (0, len(label)) and ":" in read[0].formula:
                known[read[0].formula] = label
    return known


def _with_times(instance: Instance, message: str) -> str:
    known = _times(instance)
    if not known:
        return message
    read, spans = read_values(message), list[tuple[int, int, str]]()
    spans += [(one.start, one.end, known[one.formula]) for one in read.values if one.formula in known]
    for doubt in read.doubts:
        halves = read_slot_value(message[doubt.start : doubt.end], _TIME, _ANY_DAY).values
        meant = {label for formula, label in known.items() if _seconds(formula) in halves}
        if len(meant) == 1:  # 'half past nine' where there is one of the two
            spans.append((doubt.start, doubt.end, meant.pop()))
    return with_edits(message, sorted(spans))


def _seconds(formula: str) -> int | None:
    """Return the second of the day of a time of day, and None for any other value."""
    found = re.fullmatch(r"(\d{2}):(\d{2})", formula)
    return None if found is None else int(found[1]) * 3600 + int(found[2]) * 60
