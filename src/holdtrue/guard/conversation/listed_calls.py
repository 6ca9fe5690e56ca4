"""Tell by code whether a text lists just a call: which part of it is about the call, and what that says of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from holdtrue.guard.conversation.listed_marks import Mark, choices_of, id_places, marks_in
from holdtrue.guard.conversation.listed_parts import Part, item_ends, parts_of
from holdtrue.guard.conversation.said import Said, clauses, is_choice, is_chosen, leaves
from holdtrue.guard.conversation.shown_things import ShownThings
from holdtrue.guard.policy_parts import Tool
from holdtrue.language.requests.word_values import stands_in
from holdtrue.language.requests.written_moments import dates_in, times_in
from holdtrue.language.slot_values.spelled_numbers import languages_of
from holdtrue.language.yes_words import denies, leaves_out
from holdtrue.logic.value_sorts import Calendar
from holdtrue.rules.types import Flag, Name, Number, Type

_NUMBER = re.compile(r"(?<![\w.,])(?:\d{1,3}(?:[.,'\u2019 ]\d{3})+|\d+)(?:[.,]\d{1,2})?(?![\d:])")
_LISTED = re.compile(r"(?m)^[^\S\n]*(?:[-*\u2022|]\s*)?\(?\d{1,2}[.)]")
_DIGITS, _MOST_NUMBERS = re.compile(r"\d+"), 250
_SHORT = 2
NO_THINGS = ShownThings()


@dataclass(frozen=True, slots=True)
class _Listing:
    """A text that may list a call, with its marks; `bare` has blanks for all dates, times and ids in it."""

    said: Said
    tool: Tool
    call: Mapping[str, Any]
    marks: list[Mark]
    bare: str
    known: frozenset[str]
    things: ShownThings

    def text(self, part: Part, *, shared: bool = True, bare: bool = False) -> Said:
        """Return what a part says by itself, or with what is said for all."""
        text = self.bare if bare else self.said.text
        spans = (part.own, *part.shared) if shared else (part.own,)
        return self.said.part("\n".join(text[start:end] for start, end in sorted(spans)))


def lists_just(
    said: Said, tool: Tool, call: Mapping[str, Any], known: frozenset[str], things: ShownThings = NO_THINGS
) -> bool:
    """Return whether code finds a call in a text, and nothing else in the place of any of it, and no denial.

    That is what a model's reading of a text as the listing of a call has to stand. What a text says of other things is
    left aside. Ids that are `known` need not stand there again, and `things` that tools showed may be told by their
    names, days or times.
    """
    if said.is_cut:
        return False
    said = Said(said.text, said.now, said.locale, languages_of(said.text))
    if len(_DIGITS.findall(said.text)) > _MOST_NUMBERS:
        return False  # Nobody says yes to a message with so many numbers and means each.
    own = _Listing(said, tool, call, marks_in(said, tool, call, things), _bare(said), known, things)
    return any(_is_just(own, part) for part in parts_of(said.text, own.marks))


def _bare(said: Said) -> str:
    """Return a text with blanks for dates, times, ids and the numbers of items: they number nothing else."""
    places = [(own.start, own.end) for own in dates_in(said.text, said.languages) if own.is_plain]
    places += [(own.start, own.end) for own in times_in(said.text, said.languages) if own.is_plain]
    places += [*id_places(said.text), *(own.span() for own in _LISTED.finditer(said.text))]
    bare = list(said.text)
    for start, end in places:
        bare[start:end] = " " * (end - start)
    return "".join(bare)


def _is_just(own: _Listing, part: Part) -> bool:
    """Return whether a part of a text has all of a call, and denies none of it.

    A choice in other words, and a flag, are the reader's to find; but a choice that stands in its own letters in items
    of other calls alone is not this one's.
    """
    said = own.text(part)
    for path, name, value, type in leaves(own.call, own.tool.arguments, ""):
        if path in own.tool.schema.defaults and own.tool.schema.defaults[path] == value:
            continue
        if is_choice(type):
            items = own.text(Part(part.items, part.items, part.shared))
            if own.said.mentions(name, value, type) and not items.mentions(name, value, type):
                return False
        elif not isinstance(type, Flag) and not _is_said(own, part, name, value, type):
            return False
    return not _is_denied(said, own.tool, own.call)


def _is_said(own: _Listing, part: Part, name: str, value: Any, type: Type) -> bool:
    """Return whether a part says a value. Dates, times and ids without rivals may stand anywhere in the text."""
    if isinstance(type, Number):
        if own.text(part, shared=False, bare=True).mentions(name, value, type):
            return True
        # What is said for all is not said of a part that has another number in its place.
        return not _has_other_number(own, part) and own.text(part, bare=True).mentions(name, value, type)
    if own.text(part).mentions(name, value, type):
        return True
    is_id = isinstance(type, Name) and bool(type.kind)
    if is_id and own.things.describes(own.text(part), str(value), choices_of(own.tool)):
        return True
    kind = type.kind if isinstance(type, Calendar) else "id" if is_id else ""
    is_alone = bool(kind) and not any(mark.kind == kind and not mark.is_own for mark in own.marks)
    return is_alone and (own.said.mentions(name, value, type) or (is_id and str(value) in own.known))


def _has_other_number(own: _Listing, part: Part) -> bool:
    """Return whether a part by itself has a number in digits that is none of the call's."""
    rest = own.text(part, shared=False, bare=True).text
    values = [(value, type) for _, _, value, type in leaves(own.call, own.tool.arguments, "")]
    numbers = [(value, type) for value, type in values if isinstance(type, Number)]
    texts = " ".join(str(value) for value, type in values if isinstance(type, Name))
    found = (each[0] for each in _NUMBER.finditer(rest) if not stands_in(each[0], texts))
    return any(not any(own.said.part(each).mentions("", value, type) for value, type in numbers) for each in found)


def _is_denied(part: Said, tool: Tool, call: Mapping[str, Any]) -> bool:
    """Return whether items with values of a call, or a heading before such an item, say more denials than it has."""
    values = [(name, value, type) for _, name, value, type in leaves(call, tool.arguments, "")]
    ends = [0, *(place for span in item_ends(part.text) for place in span), len(part.text)]
    items = [part.text[start:end] for start, end in zip(ends[::2], ends[1::2], strict=True) if end > start]
    about = [any(part.part(own).mentions(*each) for each in values if not isinstance(each[2], Flag)) for own in items]
    headed = [own.rstrip().endswith(":") and any(about[place:]) for place, own in enumerate(items)]
    rest = "\n".join(own for place, own in enumerate(items) if about[place] or headed[place]).casefold()
    said = [str(value).replace("_", " ").casefold() for _, value, type in values if isinstance(type, Name)]
    for own in filter(None, said):
        rest = rest.replace(own, " ")  # A reason such as 'no longer needed' denies nothing.
    # A flag that is false, no money and a choice such as 'none' are told by a denial, as is what is left out.
    chosen = [str(value).replace("_", " ") for _, value, type in values if is_chosen(type)]
    false = sum(value in (False, 0) for _, value, _ in values) + sum(map(denies, chosen))
    denied = [own for own in clauses(rest) if denies(own, part.languages)]
    left = [name for name in tool.arguments.fields if name not in call]
    parts = sum(leaves_out(own, part.languages) or any(_names(own, name) for name in left) for own in denied)
    return len(denied) - parts > false or len(denied) > false + len(left)


def _names(text: str, argument: str) -> bool:
    """Return whether a text has a word of the name of an argument."""
    return any(stands_in(own, text) for own in argument.split("_") if len(own) > _SHORT)
