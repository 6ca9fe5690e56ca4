"""Spell names, values and limits in a message as the instance spells them, before anything is read.

Names may lack their accents. A name with one typing error is a guess: Marina may be another person than Martina. A
nickname that begins just one name is a guess, too.

A value is certain if it is the same number, day, month or time. 'Half past nine' is certain if only one value can mean
it. A number that may count something else is a value only next to the name of its attribute.

Limits that leave out their number are spelled with the number that they mean. 'After slot 5' becomes 'from slot 6 on',
because a model that chooses among the numbers of a sentence cannot count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import pairwise

from holdtrue.language.english_patterns import CARDINALS, COUNTING_WORDS, ORDINALS, english, fragment
from holdtrue.language.implied_words import is_familiar
from holdtrue.language.names import cached_per_instance, names_of, with_edits, without_accents
from holdtrue.language.requests.spans import spans_in
from holdtrue.language.slot_values.slot_value import read_slot_value
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
# Short forms that are also ordinary words count only with a capital or a full stop.
_SHORT_WORDS = frozenset({"wed", "sat", "sun", "mar"})
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_TEENS = ("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen")
_UNITS = "|".join(CARDINALS[1:10])
_ENDS_IN_Y = re.compile(r"[^aeiou\W]y$", re.IGNORECASE)
_OFTEN_LOOSE = 2  # 'first' and 'second' often count nothing
_ANY_DAY = datetime(2000, 1, 1)
_ENDINGS = {1: "st", 2: "nd", 3: "rd"}


def respell_values(instance: Instance, message: str) -> str:
    for pattern, label in _patterns(instance):
        message = pattern.sub(partial(_spelled, label), message)
    return _with_times(instance, message)


def _spelled(label: str, found: re.Match[str]) -> str:
    written = found.group("short") if "short" in found.re.groupindex else ""
    if written and written.casefold() in _SHORT_WORDS and written.islower() and not found.group().endswith("."):
        return found.group()
    before, behind = (found.groupdict().get(name) or "" for name in ("before", "behind"))
    return f"{before}{label}{behind}"


@cached_per_instance
def _patterns(instance: Instance) -> Sequence[tuple[re.Pattern[str], str]]:
    found: list[tuple[re.Pattern[str], str]] = []
    owners = instance.attributes.values()
    counted = [own for own in owners if any(_number(label) is not None for label in _labels(own))]
    # If no constraint counts anything and only one attribute has numbers, every number is one of its values.
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
    """Return a pattern for a number from 13 to 99 in words, which rarely counts anything; '' for any other label."""
    if not re.fullmatch(r"\d{2}", label) or int(label) < len(CARDINALS):
        return ""
    if int(label) < len(CARDINALS) + len(_TEENS):
        return _TEENS[int(label) - len(CARDINALS)]
    tens, unit = divmod(int(label), 10)
    return _TENS[tens - 2] + (rf"[- ]?{CARDINALS[unit]}" if unit else "")


def _numbered(number: int, label: str, attribute: str, *, alone: bool) -> Iterator[re.Pattern[str]]:
    """Yield patterns for a number: '2nd' for an ordinal, and 'floor two' or 'the 2nd floor' next to its attribute."""
    short = f"{number}{_ENDINGS.get(number, 'th')}"
    ordinal, cardinal = rf"(?:{short}|{ORDINALS[number]})", rf"(?:{number}|{CARDINALS[number]})"
    if label.casefold() in ORDINALS or re.fullmatch(r"\d+(?:st|nd|rd|th)", label.casefold()):
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
    labels = (label for attribute in instance.attributes.values() for label in _labels(attribute))
    read = ((label, read_slot_value(label, Calendar("time"), _ANY_DAY)) for label in labels)
    return {own.shown[0]: label for label, own in read if len(own.shown) == 1 and not label.isdigit()}


def _with_times(instance: Instance, message: str) -> str:
    """Return a message with its times as the instance spells them: 'half past nine' only if it fits just one value."""
    known = _times(instance)
    spans = spans_in(message, _ANY_DAY, "en-US") if known else ()
    meant = [(own, {known[each] for each in own.values if each in known}) for own in spans if own.kind == "time"]
    return with_edits(message, [(own.start, own.end, labels.pop()) for own, labels in meant if len(labels) == 1])


_UNIT = fragment("respelling.unit")
_NUMBER = fragment("respelling.number")
_IN_OR_AFTER = re.compile(rf"\b(?:at|on|in) or (?:after|later than) {_UNIT}{_NUMBER}\b", re.IGNORECASE)
_IN_OR_BEFORE = re.compile(rf"\b(?:at|on|in) or (?:before|earlier than) {_UNIT}{_NUMBER}\b", re.IGNORECASE)
# Each row has the wording of a limit with the step to its number, and then both for the denied limit.
_Limit = tuple[re.Pattern[str], str, int, str, int]
_RANGES: tuple[_Limit, ...] = (
    (_IN_OR_AFTER, "from {unit}{number} on", 0, "after {unit}{number}", -1),
    (_IN_OR_BEFORE, "by {unit}{number} at the latest", 0, "before {unit}{number}", 1),
    (english("respelling.after"), "from {unit}{number} on", 1, "", 0),
    (english("respelling.before"), "by {unit}{number} at the latest", -1, "", 0),
)
_LEAST: tuple[_Limit, ...] = ((english("respelling.more_than"), "at least {number}", 1, "", 0),)
_NEAR = 80  # characters before a limit in which a word may deny it
_DENIED = english("respelling.denied")


def count_on(instance: Instance, message: str) -> str:
    """Return the message with each limit expressed by its number, if the domain has no word for the limit.

    A denied limit means the number itself and stays: 'not before slot 3', 'no later than slot 5'.
    """
    ranges, least = _countable(instance)
    for pattern, wording, step, denied, denied_step in (*(_RANGES if ranges else ()), *(_LEAST if least else ())):
        message = pattern.sub(partial(_restated, message, wording, step, denied, denied_step), message)
    return message


def _restated(message: str, wording: str, step: int, denied: str, denied_step: int, found: re.Match[str]) -> str:
    """Return a limit expressed by the number that it means: 'from slot 4 on' for 'after slot 3'."""
    if _DENIED.search(message[max(0, found.start() - _NEAR) : found.start()]):
        wording, step = denied, denied_step
    written = found["number"].casefold()
    number = (int(written) if written.isdecimal() else COUNTING_WORDS[written]) + step
    unit = found.groupdict().get("unit") or ""
    return wording.format(unit=unit, number=number) if wording and number > 0 else found.group()


@cached_per_instance
def _countable(instance: Instance) -> tuple[bool, bool]:
    """Return whether the domain has ranges, and least numbers, but no words such as 'after' for their limits."""
    kinds = list(instance.types.values())
    said = " ".join(wording for kind in kinds for wording in (kind.sentence, *kind.wordings)).casefold()
    own_order = any(
        re.search(rf"\b(?:after|before|past|later than|earlier than) (?:\w+ ){{0,2}}\{{{place}\}}", wording.casefold())
        for kind in kinds
        for wording in (kind.sentence, *kind.wordings)
        for place, argument in enumerate(kind.arguments)
        if isinstance(argument, Integer)
    )
    ranges = any(sum(isinstance(one, Integer) for one in kind.arguments) > 1 for kind in kinds)
    return ranges and not own_order, "at least" in said and "more than" not in said


_TOKEN = re.compile(r"[^\W\d_]+(?:['\u2019-][^\W\d_]{2,})*")
_LEAST_LETTERS = 4
_LEAST_PREFIX = 3
_MOST_TOKENS = 400  # longer messages get no respelling, so that they stay quick
_PLAIN = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d"})
_WITHOUT = re.compile(r"(?<!\w)w/o(?!\w)")


@dataclass(frozen=True, slots=True)
class Respelled:
    """A message with names as the instance spells them. `guessed` maps each guessed name to its original words."""

    text: str
    guessed: Mapping[str, str]


def respell(instance: Instance, message: str, *, guess: bool = True) -> Respelled:
    """Return the message with names, values and limits as the instance spells them; 'w/o' becomes 'without'.

    Correct names stay as they are. If `guess` is false, only missing accents are corrected.
    """
    message = count_on(instance, respell_values(instance, _WITHOUT.sub("without", message)))
    known = names_of(instance).find(message)
    words = _TOKEN.finditer(message)
    tokens = [one for one in words if all(one.end() <= own.start or own.end <= one.start() for own in known)]
    edits: list[tuple[int, int, str]] = []
    guessed: dict[str, str] = {}
    at = 0 if len(tokens) <= _MOST_TOKENS else len(tokens)
    while at < len(tokens):
        found = _name_at(instance, message, tokens, at, guess=guess)
        if found is not None:
            name, last, sure = found
            start, end = tokens[at].start(), tokens[last].end()
            edits.append((start, end, name))
            guessed |= {} if sure else {name: message[start:end]}
            at = last
        at += 1
    return Respelled(with_edits(message, edits), guessed)


def _name_at(
    instance: Instance, message: str, tokens: Sequence[re.Match[str]], at: int, *, guess: bool
) -> tuple[str, int, bool] | None:
    """Return the name that begins at a token, its last token, and whether it is certain; None without a name."""
    flat = _flat_names(instance)
    longest = max((len(words) for words in flat), default=1)
    for last in range(min(longest, len(tokens) - at) + at - 1, at - 1, -1):
        own = tokens[at : last + 1]
        if any(message[a.end() : b.start()].strip() for a, b in pairwise(own)):
            continue
        words = tuple(_flat(one.group()) for one in own)
        if (name := flat.get(words)) is not None:
            written = " ".join(message[own[0].start() : own[-1].end()].split())
            # `Names.find` did not take it for a name, so it is a word if only its capitals differ.
            return (name, last, True) if written.casefold() != name.casefold() else None
        if guess and not all(map(is_familiar, words)):
            near = [one for known, one in flat.items() if len(known) == len(words) and _is_slip(words, known)]
            # 'Olu' for Olumide
            if len(near) != 1 and len(own) == 1 and (own[0].group()[0].isupper() or message.islower()):
                short = words[0] if len(words[0]) >= _LEAST_PREFIX else None
                near = [one for (known, *_), one in flat.items() if short and known[:-2].startswith(short)]
            if len(near) == 1:
                return near[0], last, False
    return None


def _is_slip(words: Sequence[str], known: Sequence[str]) -> bool:
    """Return whether two names differ by one typing error: a missing, extra or other letter, or two swapped letters.

    The first letter must agree. A plural, or a name with more letters behind it, is no error: 'Anna' is not Ann.
    """
    said, name = " ".join(words), " ".join(known)
    if len(name) < _LEAST_LETTERS or said[0] != name[0] or said.startswith(name) or name.startswith(said):
        return False
    same = _alike(said, name)
    one, other = said[same:], name[same:]
    behind = _alike(one[::-1], other[::-1])
    one, other = one[: len(one) - behind], other[: len(other) - behind]
    return max(len(one), len(other)) <= 1 or (len(one) == 2 and one == other[::-1])


def _alike(one: str, other: str) -> int:
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


@cached_per_instance
def _flat_names(instance: Instance) -> Mapping[tuple[str, ...], str]:
    """Return the names of entities and values by their flattened words, without words that two names share."""
    names = names_of(instance)
    found: dict[tuple[str, ...], str] = {}
    shared: set[tuple[str, ...]] = set()
    for name in dict.fromkeys((*names.entities, *names.values)):
        words = tuple(_flat(one.group()) for one in _TOKEN.finditer(name))
        if not words or " ".join(words) != _flat(" ".join(name.split())):
            continue  # a name with digits or signs is not compared
        shared |= {words} if words in found else set()
        found[words] = name
    return {words: name for words, name in found.items() if words not in shared}


def _flat(word: str) -> str:
    return without_accents(word.casefold()).translate(_PLAIN)
