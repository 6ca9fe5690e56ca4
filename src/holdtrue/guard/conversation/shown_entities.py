"""The values and records that tools showed. A message may refer to such an entity by a name, a day or a time."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from holdtrue.errors import FormulaError
from holdtrue.guard.conversation.utterance import Utterance
from holdtrue.language.requests.word_values import plain, stands_in
from holdtrue.logic.value_sorts import DATE, TIME, Calendar, read_calendar

_LONGEST, _MOST_TEXTS = 60, 40
"""Longer texts, and records with more texts, do not describe an entity."""


def shown_texts(given: Any) -> Iterator[str]:
    """Yield the field names and the plain values of a result as texts."""
    stack = [parsed_result(given)]
    while stack:
        own = stack.pop()
        match own:
            case Mapping():
                stack += own.values()
                yield from map(str, own)
            case list() | tuple():
                stack += own
            case bool() | None:
                continue
            case _:
                yield str(own)


def shown_records(given: Any) -> Iterator[dict[str, str]]:
    """Yield the short texts of each record in a result, by field name."""
    stack = [parsed_result(given)]
    while stack:
        own = stack.pop()
        stack += own.values() if isinstance(own, Mapping) else own if isinstance(own, list | tuple) else ()
        if isinstance(own, Mapping):
            texts = {str(name): each for name, each in own.items() if isinstance(each, str) and each}
            if 1 < len(texts) <= _MOST_TEXTS:
                yield {name: each for name, each in texts.items() if len(each) <= _LONGEST}


def parsed_result(given: Any) -> Any:
    """Return the object or list in a JSON text, and any other value unchanged."""
    if not isinstance(given, str):
        return given
    try:
        parsed = json.loads(given)
    except (ValueError, RecursionError):
        return given
    return parsed if isinstance(parsed, dict | list) else given


_DAY, _CLOCK = re.compile(r"\d{4}-\d\d-\d\d"), re.compile(r"[0-2]\d:[0-5]\d(?::[0-5]\d)?")
_SHORTEST = 4
"""The least number of letters of a part of a name."""
_MOST_ENTITIES = 300
"""If a kind has more entities, only an id identifies one."""


@dataclass(frozen=True, slots=True)
class ShownEntities:
    """`ShownEntities` are the records that tools showed in a conversation: texts by field name."""

    records: Sequence[Mapping[str, str]] = ()

    def alike(self, id: str) -> dict[str, set[str]]:
        """Return the texts of an entity and of all of its kind, by id. A kind is a field that has this id somewhere."""
        fields = {name for own in self.records for name, each in own.items() if each == id}
        found: dict[str, set[str]] = {}
        for own in self.records:
            for name in fields & own.keys():
                found.setdefault(own[name], set()).update(each for each in own.values() if each != own[name])
        return found if len(found) <= _MOST_ENTITIES else {}

    def describes(self, said: Utterance, id: str, choices: Collection[str]) -> bool:
        """Return whether a text mentions something that only this entity has. Texts in `choices` do not count."""
        things = self.alike(id)
        own = {text for text in things.pop(id, ()) if plain(text) not in choices and _mentions(said, text)}
        is_named = any(name == id and stands_in(" ".join(words), said.text) for words, name in self.names(id, choices))
        return is_named or (bool(own) and not any(own <= others for others in things.values()))

    def moments(self, ids: Collection[str], type: Calendar) -> Iterator[int]:
        """Yield the dates or the times of entities."""
        for text in (text for id in ids for text in self.alike(id).get(id, ())):
            if (moment := _moment(text)) is not None and moment[1] == type:
                yield moment[0]

    def names(self, id: str, choices: Collection[str]) -> Iterator[tuple[tuple[str, ...], str]]:
        """Yield the texts, first words and single words that only one entity of a kind has, each with its id."""
        found: dict[str, set[tuple[str, ...]]] = {}
        for each, texts in self.alike(id).items():
            words = [tuple(plain(text).split()) for text in texts if _moment(text) is None]
            parts = [own[:size] for own in words for size in range(1, len(own))] + [
                (one,) for own in words for one in own
            ]
            found[each] = {*words, *(own for own in parts if len("".join(own)) >= _SHORTEST)} - {()}
        known = Counter(name for names in found.values() for name in names)
        for each, names in found.items():
            yield from ((name, each) for name in names if known[name] == 1 and " ".join(name) not in choices)


def _mentions(said: Utterance, text: str) -> bool:
    moment = _moment(text)
    return stands_in(text, said.text) if moment is None else said.mentions("", *moment)


def _moment(text: str) -> tuple[int, Calendar] | None:
    """Return the date or the time of day in a text that consists of it, or None."""
    type = DATE if _DAY.fullmatch(text) else TIME if _CLOCK.fullmatch(text) else None
    try:
        return None if type is None else (int(read_calendar(text).value), type)
    except FormulaError:
        return None
