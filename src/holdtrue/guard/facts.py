"""`Facts` are the records that tools have shown in a conversation, and the calls that took effect.

The value is immutable.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import zip_longest
from typing import Any

from holdtrue.rules.types import Type
from holdtrue.rules.values import FactKey, Fault, NotSeen, key_text

Keys = tuple[Any, ...]
_WORD = re.compile(r"[\w.@+-]+")
"""A word that may be an id: letters, digits and the signs common in ids."""
MOST_WRITTEN = 2_000
"""At most this many possible ids from users' messages are kept."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A `Seen` is a record that a tool showed. `at` is the moment when it was shown, or None if that is unknown."""

    record: Mapping[str, Any]
    tool: str
    at: int | Fraction | None = None


@dataclass(frozen=True, slots=True)
class Absent:
    """An `Absent` is a tool's statement at a moment (None if unknown) that a record does not exist."""

    tool: str
    at: int | Fraction | None = None


class NoSuchRecord(Fault):
    """A rule needs a value of a record that does not exist."""


class NoRecord(dict[str, Any]):
    """A `NoRecord` stands for a record that does not exist. Access to a field raises `NoSuchRecord`."""

    def __init__(self, why: str) -> None:
        super().__init__()
        self.why = why

    def __missing__(self, name: str) -> Any:
        raise NoSuchRecord(self.why)


@dataclass(frozen=True, slots=True)
class Answer:
    """An `Answer` is a reading call that has returned. `error` is its error message, or "" for a result."""

    arguments: Any
    at: int | Fraction | None = None
    error: str = ""


class DoneCall(dict[str, Any]):
    """A `DoneCall` holds the arguments of a call that took effect.

    `encoded` is the form in which a record writes them. It is cached here, because each decision of a long conversation
    writes all its calls (`bench.conversations`, late to early).
    """

    __slots__ = ("encoded",)
    encoded: Any


@dataclass(frozen=True, slots=True)
class Facts:
    """`Facts` are all records and calls that tools have shown so far.

    Attributes:
        records: The records, by kind and keys.
        done: The calls that took effect, by tool, oldest first. Each has its arguments, and `at` if it is known.
        written: The words of users' messages that may be ids, literally.
        listened: Whether users' messages were searched for ids at all.
        overflows: Whether users wrote more possible ids than are kept. Then it is unknown which ids they wrote.
        notes: A line for each result or effect that could not be read, with the place.
        unread: The reason why the newest version of a record is unknown, by kind and keys.
        absent: The records that a tool reported as missing, by kind and keys.
        answered: The reading calls that have returned since the last change, by tool and arguments.
    """

    records: Mapping[str, Mapping[Keys, Seen]] = field(default_factory=dict)
    done: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    written: tuple[str, ...] = ()
    listened: bool = False
    notes: tuple[str, ...] = ()
    unread: Mapping[tuple[str, Keys], str] = field(default_factory=dict)
    overflows: bool = False
    absent: Mapping[tuple[str, Keys], Absent] = field(default_factory=dict)
    answered: Mapping[str, Mapping[str, Answer]] = field(default_factory=dict)

    @staticmethod
    def none() -> Facts:
        return Facts()

    def with_record(self, kind: str, keys: Keys, seen: Seen) -> Facts:
        """Return these facts with a record added or replaced."""
        own = {**self.records.get(kind, {}), keys: seen}
        unread = {other: why for other, why in self.unread.items() if other != (kind, keys)}
        absent = {other: why for other, why in self.absent.items() if other != (kind, keys)}
        return replace(self, records={**self.records, kind: own}, unread=unread, absent=absent)

    def without_record(self, kind: str, keys: Keys) -> Facts:
        """Return these facts without a record, so that it is unknown."""
        own = {other: seen for other, seen in self.records.get(kind, {}).items() if other != keys}
        absent = {other: why for other, why in self.absent.items() if other != (kind, keys)}
        return replace(self, records={**self.records, kind: own}, absent=absent)

    def without_kind(self, kind: str) -> Facts:
        absent = {other: why for other, why in self.absent.items() if other[0] != kind}
        return replace(self, records={**self.records, kind: {}}, absent=absent)

    def with_absent(self, kind: str, keys: Keys, absent: Absent) -> Facts:
        """Return these facts after a tool has reported that a record does not exist."""
        found = self.without_record(kind, keys)
        unread = {other: why for other, why in self.unread.items() if other != (kind, keys)}
        return replace(found, unread=unread, absent={**found.absent, (kind, keys): absent})

    def with_answer(self, tool: str, text: str, answer: Answer) -> Facts:
        """Return these facts with a reading call that has returned; `text` is the text of its arguments."""
        return replace(self, answered={**self.answered, tool: {**self.answered.get(tool, {}), text: answer}})

    def without_answers(self, tools: Iterable[str]) -> Facts:
        """Return these facts without the answers of these tools, because a change may have outdated them."""
        stale = self.answered.keys() & {*tools}
        if not stale:
            return self
        return replace(self, answered={tool: own for tool, own in self.answered.items() if tool not in stale})

    def with_unread(self, kind: str, keys: Keys, why: str, *, keep: bool = False) -> Facts:
        """Return these facts with a record that could not be read. If `keep` is true, its earlier version stays."""
        found = self if keep else self.without_record(kind, keys)
        return replace(found, unread={**found.unread, (kind, keys): why})

    def with_call(self, tool: str, call: Any) -> Facts:
        """Return these facts with a call that took effect. `NotSeen` stands for a call with unreadable arguments."""
        if isinstance(call, dict):
            call = DoneCall(call)
        return replace(self, done={**self.done, tool: (*self.done.get(tool, ()), call)})

    def with_note(self, note: str) -> Facts:
        return replace(self, notes=(*self.notes, note))

    def with_words(self, text: str) -> Facts:
        """Return these facts with the words of a user's message that may be ids or codes."""
        found = dict.fromkeys(self.written)
        for part in dict.fromkeys(text.split()):
            for word in (own[0].strip("._@+-") for own in _WORD.finditer(part)):
                if word and (not word.isalpha() or word.isupper()):
                    found[word] = None
            if self.overflows or len(found) > MOST_WRITTEN:
                return replace(self, written=(), listened=True, overflows=True)
        if self.listened and len(found) == len(self.written):
            return self
        return replace(self, written=tuple(found), listened=True)

    def record(self, kind: str, keys: Keys) -> Seen | None:
        return self.records.get(kind, {}).get(keys)


def fact_path(kind: str, keys: Keys, types: Iterable[Type] = ()) -> str:
    """Return the path by which rules name a record: `facts.KIND(KEYS)`. `types` are the types of the keys."""
    shown = (repr(own) if type is None else key_text(own, type) for own, type in zip_longest(keys, types))
    return f"facts.{kind}({', '.join(shown)})"


def not_seen(kind: str, keys: Keys, record: Type, types: Iterable[Type] = (), *, fits: bool = True) -> NotSeen:
    """Return the marker for a record that was not seen."""
    return NotSeen(fact_path(kind, keys, types), record, FactKey(kind, keys), fits=fits)
