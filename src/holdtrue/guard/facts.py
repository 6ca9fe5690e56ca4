"""`Facts` are what tools have shown in a conversation, and which calls took effect: a value that is never changed."""

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
"""A word that may be an id: letters, digits and the signs that ids are written with."""
MOST_WRITTEN = 2_000
"""So many words of users that may be ids are kept."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A record that a tool showed; `at` is the moment (see `Policy.moment`), None where nobody said when."""

    record: Mapping[str, Any]
    tool: str
    at: int | Fraction | None = None


@dataclass(frozen=True, slots=True)
class Absent:
    """A tool has said that there is no such record; `at` is the moment, None where nobody said when."""

    tool: str
    at: int | Fraction | None = None


class NoSuchRecord(Fault):
    """A value was needed of a record that is known not to exist."""


class NoRecord(dict[str, Any]):
    """A record that is known not to exist: it has no fields, and asking for one says why."""

    def __init__(self, why: str) -> None:
        super().__init__()
        self.why = why

    def __missing__(self, name: str) -> Any:
        raise NoSuchRecord(self.why)


@dataclass(frozen=True, slots=True)
class Answer:
    """A call that reads and has answered, whatever it showed: `error` is what it gave in place of a result."""

    arguments: Any
    at: int | Fraction | None = None
    error: str = ""


class DoneCall(dict[str, Any]):
    """The arguments of a call that took effect.

    `encoded` is the form in which a record writes them. It is kept with the call, because each decision of a long
    conversation writes all of its calls (`bench.conversations`, late to early).
    """

    __slots__ = ("encoded",)
    encoded: Any


@dataclass(frozen=True, slots=True)
class Facts:
    """`Facts` are what was seen so far.

    Attributes:
        records: Records by their kind and keys.
        done: The calls of each tool that took effect, oldest first: their arguments, and `at` where it is known.
        written: The words of users that may be ids: what they wrote literally, and no reading of it.
        listened: Whether what users wrote was looked at, at all.
        overflows: Whether users wrote more words that may be ids than are kept: then it is not known which they wrote.
        notes: Results and effects that could not be read, with their places.
        unread: Why the last that a tool has shown of a record is not known, by its kind and keys.
        absent: The records of which a tool has said that they do not exist, by their kinds and keys.
        answered: The reading calls that have answered since the last change, by tool and arguments.
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
        """Return the facts of a conversation that has just begun."""
        return Facts()

    def with_record(self, kind: str, keys: Keys, seen: Seen) -> Facts:
        """Return these facts and a record, which takes the place of an older one."""
        own = {**self.records.get(kind, {}), keys: seen}
        unread = {other: why for other, why in self.unread.items() if other != (kind, keys)}
        absent = {other: why for other, why in self.absent.items() if other != (kind, keys)}
        return replace(self, records={**self.records, kind: own}, unread=unread, absent=absent)

    def without_record(self, kind: str, keys: Keys) -> Facts:
        """Return these facts without a record: nothing is known of it."""
        own = {other: seen for other, seen in self.records.get(kind, {}).items() if other != keys}
        absent = {other: why for other, why in self.absent.items() if other != (kind, keys)}
        return replace(self, records={**self.records, kind: own}, absent=absent)

    def without_kind(self, kind: str) -> Facts:
        """Return these facts without any record of a kind."""
        absent = {other: why for other, why in self.absent.items() if other[0] != kind}
        return replace(self, records={**self.records, kind: {}}, absent=absent)

    def with_absent(self, kind: str, keys: Keys, absent: Absent) -> Facts:
        """Return these facts after a tool has said that there is no such record."""
        found = self.without_record(kind, keys)
        unread = {other: why for other, why in self.unread.items() if other != (kind, keys)}
        return replace(found, unread=unread, absent={**found.absent, (kind, keys): absent})

    def with_answer(self, tool: str, text: str, answer: Answer) -> Facts:
        """Return these facts and a reading call that has answered; `text` are its arguments."""
        return replace(self, answered={**self.answered, tool: {**self.answered.get(tool, {}), text: answer}})

    def without_answers(self, tools: Iterable[str]) -> Facts:
        """Return these facts after a change: calls of these tools may now show something else."""
        stale = self.answered.keys() & {*tools}
        if not stale:
            return self
        return replace(self, answered={tool: own for tool, own in self.answered.items() if tool not in stale})

    def with_unread(self, kind: str, keys: Keys, why: str, *, keep: bool = False) -> Facts:
        """Return these facts after a tool has shown a record that could not be read.

        Unless the call can have changed nothing (`keep`), what was seen before is past.
        """
        found = self if keep else self.without_record(kind, keys)
        return replace(found, unread={**found.unread, (kind, keys): why})

    def with_call(self, tool: str, call: Any) -> Facts:
        """Return these facts and a call that took effect; one of which nothing is known but that is `NotSeen`."""
        if isinstance(call, dict):
            call = DoneCall(call)
        return replace(self, done={**self.done, tool: (*self.done.get(tool, ()), call)})

    def with_note(self, note: str) -> Facts:
        """Return these facts and a line on what could not be read."""
        return replace(self, notes=(*self.notes, note))

    def with_words(self, text: str) -> Facts:
        """Return these facts and the words of a user's message that may be ids or codes."""
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
        """Return a record, or None where it was not seen."""
        return self.records.get(kind, {}).get(keys)


def fact_path(kind: str, keys: Keys, types: Iterable[Type] = ()) -> str:
    """Return how rules write the record of a kind with these keys; `types` are those of the keys."""
    shown = (repr(own) if type is None else key_text(own, type) for own, type in zip_longest(keys, types))
    return f"facts.{kind}({', '.join(shown)})"


def not_seen(kind: str, keys: Keys, record: Type, types: Iterable[Type] = (), *, fits: bool = True) -> NotSeen:
    """Return the marker of a record that was not seen."""
    return NotSeen(fact_path(kind, keys, types), record, FactKey(kind, keys), fits=fits)
