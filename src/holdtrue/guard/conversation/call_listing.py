"""Decide by code whether a text lists one certain call, and nothing that contradicts it.

A text may list several calls. The marks in it show which part describes the call. A *rival* is a value that the text
gives for the same argument of another call.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from holdtrue.guard.conversation.listing_marks import Mark, choices_of, id_places, marks_in
from holdtrue.guard.conversation.listing_parts import Part, item_ends, parts_of
from holdtrue.guard.conversation.shown_entities import ShownEntities
from holdtrue.guard.conversation.utterance import Utterance, clauses, is_choice, is_chosen, leaves
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
NO_ENTITIES = ShownEntities()


@dataclass(frozen=True, slots=True)
class _Listing:
    """A text that may list a call, with its marks. `bare` is the text with blanks for all dates, times and ids."""

    said: Utterance
    tool: Tool
    call: Mapping[str, Any]
    marks: list[Mark]
    bare: str
    known: frozenset[str]
    things: ShownEntities

    def text(self, part: Part, *, shared: bool = True, bare: bool = False) -> Utterance:
        """Return the text of a part. If `shared` is true, the text that applies to every call is added."""
        text = self.bare if bare else self.said.text
        spans = (part.own, *part.shared) if shared else (part.own,)
        return self.said.part("\n".join(text[start:end] for start, end in sorted(spans)))


def lists_just(
    said: Utterance, tool: Tool, call: Mapping[str, Any], known: frozenset[str], things: ShownEntities = NO_ENTITIES
) -> bool:
    """Return whether code finds all values of a call in one part of a text, without rival values or denials.

    A model's reading of the text as a listing of the call has to pass this check. Text on other subjects is ignored.
    Ids in `known` may be absent. The text may name the entities in `things` by their names, days or times.
    """
    if said.is_cut:
        return False
    said = Utterance(said.text, said.now, said.locale, languages_of(said.text))
    if len(_DIGITS.findall(said.text)) > _MOST_NUMBERS:
        return False  # No user would check this many numbers before a yes.
    own = _Listing(said, tool, call, marks_in(said, tool, call, things), _bare(said), known, things)
    return any(_is_just(own, part) for part in parts_of(said.text, own.marks))


def _bare(said: Utterance) -> str:
    """Return the text with blanks for dates, times, ids and item numbers, so that the other numbers remain."""
    places = [(own.start, own.end) for own in dates_in(said.text, said.languages) if own.is_plain]
    places += [(own.start, own.end) for own in times_in(said.text, said.languages) if own.is_plain]
    places += [*id_places(said.text), *(own.span() for own in _LISTED.finditer(said.text))]
    bare = list(said.text)
    for start, end in places:
        bare[start:end] = " " * (end - start)
    return "".join(bare)


def _is_just(own: _Listing, part: Part) -> bool:
    """Return whether a part has every value of a call and denies none. The reader has to find paraphrased values."""
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
    """Return whether a part has a value. A date, time or id without rivals may be anywhere in the text."""
    if isinstance(type, Number):
        if own.text(part, shared=False, bare=True).mentions(name, value, type):
            return True
        # A number that is stated for all calls does not apply to a part with another number.
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
    """Return whether a part has a number in digits that the call lacks."""
    rest = own.text(part, shared=False, bare=True).text
    values = [(value, type) for _, _, value, type in leaves(own.call, own.tool.arguments, "")]
    numbers = [(value, type) for value, type in values if isinstance(type, Number)]
    texts = " ".join(str(value) for value, type in values if isinstance(type, Name))
    found = (each[0] for each in _NUMBER.finditer(rest) if not stands_in(each[0], texts))
    return any(not any(own.said.part(each).mentions("", value, type) for value, type in numbers) for each in found)


def _is_denied(part: Utterance, tool: Tool, call: Mapping[str, Any]) -> bool:
    """Return whether the items with values of a call have more denials than the call has negative values."""
    values = [(name, value, type) for _, name, value, type in leaves(call, tool.arguments, "")]
    ends = [0, *(place for span in item_ends(part.text) for place in span), len(part.text)]
    items = [part.text[start:end] for start, end in zip(ends[::2], ends[1::2], strict=True) if end > start]
    about = [any(part.part(own).mentions(*each) for each in values if not isinstance(each[2], Flag)) for own in items]
    headed = [own.rstrip().endswith(":") and any(about[place:]) for place, own in enumerate(items)]
    rest = "\n".join(own for place, own in enumerate(items) if about[place] or headed[place]).casefold()
    said = [str(value).replace("_", " ").casefold() for _, value, type in values if isinstance(type, Name)]
    for own in filter(None, said):
        rest = rest.replace(own, " ")  # A denial inside of a value, such as 'no longer needed', does not count.
    # A false flag, a zero, a choice such as 'none', and an absent argument are negative values.
    chosen = [str(value).replace("_", " ") for _, value, type in values if is_chosen(type)]
    false = sum(value in (False, 0) for _, value, _ in values) + sum(map(denies, chosen))
    denied = [own for own in clauses(rest) if denies(own, part.languages)]
    left = [name for name in tool.arguments.fields if name not in call]
    parts = sum(leaves_out(own, part.languages) or any(_names(own, name) for name in left) for own in denied)
    return len(denied) - parts > false or len(denied) > false + len(left)


def _names(text: str, argument: str) -> bool:
    return any(stands_in(own, text) for own in argument.split("_") if len(own) > _SHORT)
