"""Mark the values of a call in a text: its dates, times, choices and ids, and the rival values of other calls.

A text may list the values of several calls. The marks alone show which values belong together, in bullets, tables,
blocks of fields or one long sentence.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from holdtrue.guard.conversation.shown_entities import ShownEntities
from holdtrue.guard.conversation.utterance import Utterance, is_choice, leaves
from holdtrue.guard.policy_parts import Tool
from holdtrue.language.requests.word_values import is_id_like, plain, word_places, word_tokens
from holdtrue.language.requests.written_moments import WrittenDate, WrittenTime, dates_in, times_in, weekdays_in
from holdtrue.language.slot_values.spelled_numbers import folded_words, number_places, spoken_digits
from holdtrue.language.yes_words import is_yes_or_no
from holdtrue.logic.value_sorts import DATE, TIME, Calendar
from holdtrue.rules.types import Name, Type, without_null
from holdtrue.rules.values import show

_LETTER, _DIGITS = re.compile(r"[^\W\d_]"), re.compile(r"\d+")
_CHOICE = "choice of "
_SHORTEST, _TAIL = 2, 4
"""The least number of letters of a choice, and the number of last digits that identify an id."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A place in a text with a date, a time, an id or a choice of an argument, which is its `kind`.

    If `is_own` is true, it is the call's value; otherwise a rival.
    """

    start: int
    end: int
    kind: str
    is_own: bool

    @property
    def is_choice(self) -> bool:
        """Return whether the value is a choice of an argument."""
        return self.kind.startswith(_CHOICE)


def marks_in(said: Utterance, tool: Tool, call: Mapping[str, Any], things: ShownEntities) -> list[Mark]:
    """Return the marks of a text for a call, in order. They have the kinds of the call's values.

    A call without a date or a time gets those of the shown entities that it names.
    """
    values: dict[Type, list[Any]] = {}
    for _, _, value, type in leaves(call, tool.arguments, ""):
        values.setdefault(type, []).append(value)
    names = [type for type in values if isinstance(type, Name)]
    ids = {str(own) for type in names if type.kind for own in values[type]}
    ids |= {token for type in names for own in values[type] for token in word_tokens(str(own)) if is_id_like(token)}
    for type in (DATE, TIME):
        values.setdefault(type, list(things.moments(ids, type)))
    texts = {word for type in names if not type.kind for own in values[type] for word in plain(str(own)).split()}
    named = {words: own for id in ids for words, own in things.names(id, choices_of(tool)) if texts.isdisjoint(words)}
    found = list(_ids(said, ids, named))
    for type, own in values.items():
        if isinstance(type, Calendar) and own:
            found += _moments(said, type, own)
        elif is_choice(type) and isinstance(type, Name):
            found += _choices(said.text, type, {str(each) for each in own})
    return sorted(found, key=lambda own: (own.start, own.end))


def choices_of(tool: Tool) -> set[str]:
    """Return the choices of all arguments of a tool, in the form of `plain`."""
    types = (without_null(own.type) for own in tool.arguments.fields.values())
    return {plain(each) for own in types if isinstance(own, Name) for each in own.values or ()}


def _moments(said: Utterance, type: Calendar, values: list[Any]) -> list[Mark]:
    """Return the marks of dates or times in any language, and of spoken ones in the conversation's language.

    An ambiguous form counts only if it can be a value of the call.
    """
    shown = {show(own, type) for own in values}
    days, today = [date.fromordinal(own) for own in values] if type == DATE else [], said.now.date()
    wanted = {(int(own[:2]), int(own[3:5])) for own in shown} if type == TIME else set()
    dates = dates_in(said.text, said.languages) if type == DATE else ()
    times = times_in(said.text, said.languages) if type == TIME else ()
    found: list[tuple[WrittenDate | WrittenTime, bool, str]] = [
        (own, any(own.means(day, today) for day in days), "") for own in dates
    ]
    found += [(own, not wanted.isdisjoint(own.options), own.form) for own in times]
    taken = id_places(said.text)
    taken += [(start, end) for start, end, _ in spoken_digits(said.text, said.languages)]
    found = [each for each in found if not any(start < each[0].end and each[0].start < end for start, end in taken)]
    is_known = any(is_own for own, is_own, _ in found if own.is_plain)
    forms = {form for own, is_own, form in found if is_own and form and not is_known}
    marks = [
        Mark(own.start, own.end, type.kind, is_own) for own, is_own, form in found if own.is_plain or form in forms
    ]
    weekdays = {own.weekday() for own in days}
    for span, read in said.places(type):
        # These are weekdays and words such as tomorrow. `found` has the dates with digits or number words.
        is_new = not any(own.start < span.end and span.start < own.end for own, _, _ in found)
        is_same = not weekdays.isdisjoint(weekdays_in(span.text, said.languages))
        if read and is_new and not is_same and not number_places(span.text, said.languages):
            marks.append(Mark(span.start, span.end, type.kind, not shown.isdisjoint(read)))
    if not any(own.is_own for own in marks):
        bare = [Mark(each.start, each.end, type.kind, is_own) for each, is_own, _ in found if not each.is_plain]
        mine = [own for own in bare if own.is_own]
        # Bare numbers with the same neighbouring words are rivals: 'at 10' and 'at 11', '10 Uhr' and '11 Uhr'.
        near = {(place, word) for own in mine for place, word in enumerate(_beside(said.text, own)) if word}
        others = (own for own in bare if not any(own.start < each.end and each.start < own.end for each in mine))
        marks += [*mine, *(own for own in others if not near.isdisjoint(enumerate(_beside(said.text, own))))]
    return marks


def _beside(text: str, own: Mark) -> tuple[str, str]:
    """Return the words just before and after a mark, or "", in small letters."""
    before, behind = text[: own.start].split(" ")[-2:-1], text[own.end :].split(" ")[1:2]
    words = ["".join(each).casefold() for each in (before, behind)]
    return words[0] if words[0].isalpha() else "", words[1] if words[1].isalpha() else ""


def id_places(text: str) -> list[tuple[int, int]]:
    """Return the places of ids in a text that are not all digits."""
    return [(start, end) for start, end, own in word_places(text) if is_id_like(own) and not own.isdigit()]


def _choices(text: str, type: Name, own: set[str]) -> Iterator[Mark]:
    """Yield the marks of the literal choices of an argument. The longest of overlapping choices counts."""
    words = folded_words(text)
    taken = set[int]()
    named = {value: tuple(word for _, _, word in folded_words(value)) for value in type.values or ()}
    forms = Counter(named.values())  # The letters alone do not distinguish 'A+' and 'A-'.
    for value, form in sorted(named.items(), key=lambda each: -len(each[1])):
        if sum(map(len, form)) < _SHORTEST or forms[form] > 1 or is_yes_or_no(value):
            continue
        for place in range(len(words) - len(form) + 1):
            at = range(place, place + len(form))
            if tuple(words[each][2] for each in at) == form and taken.isdisjoint(at):
                taken.update(at)
                yield Mark(words[place][0], words[at[-1]][1], f"{_CHOICE}{type.values}", value in own)


def _ids(said: Utterance, own: set[str], named: Mapping[tuple[str, ...], str]) -> Iterator[Mark]:
    """Yield the marks of the call's ids and of other ids of the same form.

    An id may be written literally, by its last digits, or in number words. A name in `named` also counts.
    """
    tails = {token[-_TAIL:] for token in own if token[-_TAIL:].isdigit()}
    found = [each for each in word_places(said.text) if is_id_like(each[2]) or each[2] in own]
    forms = {_form(token) for token in (*own, *(each[2] for each in found if each[2] in tails))}
    for start, end, token in found:
        if token in own or token in tails or _form(token) in forms:
            yield Mark(start, end, "id", token in own or token in tails)
    digits = {"".join(filter(str.isdigit, token)) for token in own}
    for start, end, spoken in spoken_digits(said.text, said.languages):
        if len(spoken) in map(len, digits):
            yield Mark(start, end, "id", spoken in digits)
    words = folded_words(said.text)
    for size in set(map(len, named)):
        for place in range(len(words) - size + 1):
            id = named.get(tuple(word for _, _, word in words[place : place + size]))
            if id is not None:
                yield Mark(words[place][0], words[place + size - 1][1], "id", id in own)


def _form(id: str) -> str:
    """Return the pattern of an id. With letters and digits alone, the pattern is only its length."""
    if id.isalnum() and not id.isdigit():
        return f"{len(id)} signs"
    return _DIGITS.sub("9" if not id.isdigit() else "9" * len(id), _LETTER.sub("A", id))
