"""The ledger of requests: what a user asked for, what was said of each argument of it, and what became of it.

A request has an act (a writing tool, or tools of one end), and words about its arguments. One of the arguments may be
its object: the id of the thing that the act is on. Another object is another request. Another value for an argument
amends the one it has, whether or not the user says "instead"; the same value again restates it; an argument that is
freed may have any value. Of a value and a limit that exclude each other, the newer one stays.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date as calendar
from typing import Literal, Self

from holdtrue.ledger.entries import Entries, Event, EventKind, Source
from holdtrue.logic.value_sorts import WEEKDAYS
from holdtrue.record import SlotRelation

Content = str | int | float | bool
Status = Literal["open", "listed", "agreed", "done", "withdrawn"]
_LOW, _HIGH = frozenset({"at_least", "more_than"}), frozenset({"at_most", "less_than"})
_IN_WORDS: Mapping[SlotRelation, str] = {
    "is": "is",
    "not": "is not",
    "at_least": "is at least",
    "at_most": "is at most",
    "more_than": "is more than",
    "less_than": "is less than",
}


@dataclass(frozen=True, slots=True)
class Request:
    """A `Request` is what a user asked for: an act, as they said it in a turn. `value_of` the ledger has its object."""

    id: str
    act: str
    turn: int
    quote: str = ""
    status: Status = "open"
    confidence: float = 1.0

    @property
    def is_open(self) -> bool:
        """Return whether it still waits to be done."""
        return self.status not in ("done", "withdrawn")


@dataclass(frozen=True, slots=True)
class RequestWord:
    """A `RequestWord` is what was said of one argument of a request; `quote` is how, and `source` by whom.

    Its `value` is None where any will do. `relation` says whether the argument `is` the value, is `not`, or on which
    side of it, and `others` are values that the words can mean as well.
    """

    id: str
    request: str
    act: str
    argument: str
    value: Content | None
    quote: str
    turn: int
    source: Source = Source.USER
    confidence: float = 1.0
    relation: SlotRelation = "is"
    others: tuple[Content, ...] = ()

    @property
    def sentence(self) -> str:
        """Return the word in a sentence."""
        if self.value is None:
            return f"{self.argument} may be anything"
        return f"{self.argument} {_IN_WORDS[self.relation]} {self.value}"

    @property
    def content(self) -> tuple[str, tuple[str | int, ...]]:
        """Return the argument with its act, and its value; a limit has its relation before it."""
        name = f"{self.act}.{self.argument}" if self.act else self.argument
        if self.value is None:
            return name, ()
        value = self.value if isinstance(self.value, int) else str(self.value)
        return name, (value,) if self.relation == "is" else (self.relation, value)

    def allows(self, value: Content) -> bool:
        """Return whether an argument of which this was said can be a value; values of two types are not compared."""
        if self.value is None:
            return True
        if self.relation in ("is", "not"):
            same = any(same_content(own, value) for own in (self.value, *self.others)) or _falls_on(self.value, value)
            return same is (self.relation == "is")
        if not _are_ordered(self.value, value):
            return True
        low, high = (self.value, value) if self.relation in _LOW else (value, self.value)
        ordered: bool = low < high if self.relation in ("more_than", "less_than") else low <= high  # type: ignore[operator]
        return ordered


class RequestLedger(Entries[RequestWord]):
    """The requests of one conversation. It only records: whether a reading is sure enough is decided before."""

    def __init__(self, events: Iterable[Event[RequestWord]] = ()) -> None:
        self.requests: dict[str, Request] = {}
        self._of: dict[str, dict[str, tuple[RequestWord, ...]]] = {}
        """What holds of each request, by its arguments."""
        super().__init__(events)

    def fork(self) -> Self:
        """Return an independent copy."""
        twin = super().fork()
        twin._of = {request: dict(own) for request, own in self._of.items()}
        return twin

    def _enter(self, entry: RequestWord) -> None:
        own = self._of.setdefault(entry.request, {})
        own[entry.argument] = (*own.get(entry.argument, ()), entry)

    def _restate(self, event: Event[RequestWord]) -> None:
        super()._restate(event)
        new = event.entry
        old = self.of(new.request, new.argument)
        self._of[new.request][new.argument] = tuple(new if own.id == new.id else own for own in old)

    def _leave(self, entry: RequestWord) -> None:
        rest = tuple(own for own in self.of(entry.request, entry.argument) if own.id != entry.id)
        self._of[entry.request][entry.argument] = rest

    # What holds

    def open_requests(self, act: str | None = None) -> tuple[Request, ...]:
        """Return the requests that wait to be done, of an act or of all, the oldest first."""
        return tuple(own for own in self.requests.values() if own.is_open and act in (None, own.act))

    def words_of(self, request: str) -> Iterator[RequestWord]:
        """Yield what holds of a request, argument by argument."""
        return (own for words in self._of.get(request, {}).values() for own in words)

    def of(self, request: str, argument: str) -> tuple[RequestWord, ...]:
        """Return what holds of one argument of a request."""
        return self._of.get(request, {}).get(argument, ())

    def value_of(self, request: str, argument: str) -> Content | None:
        """Return the value that an argument of a request has, None where it has none or any will do."""
        return next((own.value for own in self.of(request, argument) if own.relation == "is"), None)

    # What is said

    def open(self, act: str, turn: int, quote: str = "", confidence: float = 1.0) -> Request:
        """Open a request, and return it."""
        own = Request(f"Q{len(self.requests) + 1:03d}", act, turn, quote, "open", confidence)
        self.requests[own.id] = own
        return own

    def become(self, request: str, status: Status, quote: str = "") -> None:
        """Change what became of a request; `quote` is how a user took it back."""
        own = self.requests[request]
        self.requests[request] = replace(own, status=status, quote=quote or own.quote)

    def set(self, new: RequestWord) -> Event[RequestWord]:
        """Take in a word, and return what that did: `added`, `restated`, or in the place of another.

        Its id is given here. Where others give way, they are `amended` first, and the event that adds the new one names
        them in `because`.
        """
        new = replace(new, id=f"S{len(self.known) + 1:03d}")
        before = self.of(new.request, new.argument)
        same = next((own for own in before if _says_the_same(own, new)), None)
        old = [own for own in before if own is not same and _gives_way(own, new)]
        if same is not None and (new.value is not None or not old):
            return self.append(Event(EventKind.RESTATED, new.turn, _restated(same, new)))
        for own in old:
            self.append(Event(EventKind.AMENDED, new.turn, own, None, (new.id,)))
        return self.append(Event(EventKind.ADDED, new.turn, new, None, tuple(own.id for own in old)))

    def drop(self, request: str, argument: str, turn: int) -> None:
        """Withdraw all that was said of an argument of a request."""
        for own in self.of(request, argument):
            self.append(Event(EventKind.WITHDRAWN, turn, own))


def _restated(old: RequestWord, new: RequestWord) -> RequestWord:
    """Return a word that was said again: it is as sure as the surer of both, and in the words of the later one.

    What an assistant offers again does not take the place of the user's own words.
    """
    sure = max(old.confidence, new.confidence)
    if old.source is Source.USER and new.source is not Source.USER:
        return replace(old, confidence=sure)
    return replace(old, turn=new.turn, quote=new.quote or old.quote, source=new.source, confidence=sure)


def _says_the_same(old: RequestWord, new: RequestWord) -> bool:
    if old.value is None or new.value is None:
        return old.value is new.value
    return old.relation == new.relation and same_content(old.value, new.value)


def _gives_way(old: RequestWord, new: RequestWord) -> bool:
    """Return whether a word cannot stay beside a newer one of its argument."""
    if new.value is None:
        return old.relation == "is" or old.turn < new.turn  # Who says "not Friday, else I don't mind" means both.
    if old.value is None:
        return True
    if old.relation == new.relation:
        return old.relation != "not"
    if {old.relation, new.relation} in (_LOW, _HIGH):
        return True
    if new.relation == "is":
        return not old.allows(new.value)
    if old.relation == "is":
        return not new.allows(old.value)
    if not {old.relation, new.relation} <= _LOW | _HIGH:
        return False
    low, high = (old, new) if old.relation in _LOW else (new, old)
    return low.value is None or high.value is None or not low.allows(high.value) or not high.allows(low.value)


def same_content(one: Content | None, other: Content) -> bool:
    """Return whether two values are one, however a text is written."""
    if isinstance(one, str) and isinstance(other, str):
        return " ".join(one.casefold().split()) == " ".join(other.casefold().split())
    return one == other and isinstance(one, bool) == isinstance(other, bool)


def _falls_on(day: Content, date: Content) -> bool:
    """Return whether a date is on a day of the week."""
    if day not in WEEKDAYS or not isinstance(date, str):
        return False
    try:
        return calendar.fromisoformat(date).toordinal() % 7 == WEEKDAYS.index(str(day))
    except ValueError:
        return False


def _are_ordered(one: Content, other: Content) -> bool:
    numbers = (int, float)
    if isinstance(one, str) and isinstance(other, str):
        return len(one) == len(other)  # Dates and times of day, as JSON writes them.
    return isinstance(one, numbers) and isinstance(other, numbers)
