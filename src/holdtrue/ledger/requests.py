"""This module has the ledger of a user's requests, with the words about their arguments and their status.

A request has an act (a writing tool, or several tools for one purpose), and words about its arguments. One argument may
be its object, which is the id of the thing that the act changes. Another object makes another request.

Another value for an argument amends the present one, and the same value restates it. The user can also allow any value.
If a value and a limit exclude each other, the newer one stays.
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
    """A `Request` is an act that a user asked for in a turn, with a quote of the message."""

    id: str
    act: str
    turn: int
    quote: str = ""
    status: Status = "open"
    confidence: float = 1.0

    @property
    def is_open(self) -> bool:
        """Return whether the request is neither done nor withdrawn."""
        return self.status not in ("done", "withdrawn")


@dataclass(frozen=True, slots=True)
class RequestWord:
    """A `RequestWord` is a statement about one argument of a request, with a `quote` of the message.

    A `value` of None allows any value. `relation` compares the argument with the value: `is`, `not`, `at_least` and so
    on. `others` are further values that the quote may mean.
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
        """Return the statement as a sentence."""
        if self.value is None:
            return f"{self.argument} may be anything"
        return f"{self.argument} {_IN_WORDS[self.relation]} {self.value}"

    @property
    def content(self) -> tuple[str, tuple[str | int, ...]]:
        """Return the argument with its act, and the value, preceded by the relation unless that is `is`."""
        name = f"{self.act}.{self.argument}" if self.act else self.argument
        if self.value is None:
            return name, ()
        value = self.value if isinstance(self.value, int) else str(self.value)
        return name, (value,) if self.relation == "is" else (self.relation, value)

    def allows(self, value: Content) -> bool:
        """Return whether the argument can have a value; a limit allows every value of another type."""
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
    """A `RequestLedger` has the requests of one conversation. It accepts every statement without a check."""

    def __init__(self, events: Iterable[Event[RequestWord]] = ()) -> None:
        self.requests: dict[str, Request] = {}
        self._open: dict[str, Request] = {}
        self.changes = 0
        """The number of changes of requests, besides those of words."""
        self._of: dict[str, dict[str, tuple[RequestWord, ...]]] = {}
        """The active words of each request by argument."""
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

    # Active words

    def open_requests(self, act: str | None = None) -> tuple[Request, ...]:
        """Return the open requests, all or those of an act, the oldest first."""
        return tuple(own for own in self._open.values() if act in (None, own.act))

    def words_of(self, request: str) -> Iterator[RequestWord]:
        """Yield the active words about a request, argument by argument."""
        return (own for words in self._of.get(request, {}).values() for own in words)

    def of(self, request: str, argument: str) -> tuple[RequestWord, ...]:
        """Return the active words about one argument of a request."""
        return self._of.get(request, {}).get(argument, ())

    def value_of(self, request: str, argument: str) -> Content | None:
        """Return the value of an argument of a request, or None if it has none or may have any."""
        return next((own.value for own in self.of(request, argument) if own.relation == "is"), None)

    # Changes

    def open(self, act: str, turn: int, quote: str = "", confidence: float = 1.0) -> Request:
        """Open a request, and return it."""
        own = Request(f"Q{len(self.requests) + 1:03d}", act, turn, quote, "open", confidence)
        self.requests[own.id] = self._open[own.id] = own
        self.changes += 1
        return own

    def become(self, request: str, status: Status, quote: str = "") -> None:
        """Change the status of a request; `quote` is the user's text that withdraws it."""
        own = self.requests[request]
        new = self.requests[request] = replace(own, status=status, quote=quote or own.quote)
        self.changes += new != own
        if not new.is_open:
            self._open.pop(request, None)
        elif own.is_open:
            self._open[request] = new
        else:  # It takes its old place again.
            self._open = {id: each for id, each in self.requests.items() if each.is_open}

    def set(self, new: RequestWord) -> Event[RequestWord]:
        """Add or restate a word, and return the event; the ledger gives it a new id.

        Words that exclude the new one become `amended` first, and the event that adds the new one names them.
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
        """Withdraw all words about an argument of a request."""
        for own in self.of(request, argument):
            self.append(Event(EventKind.WITHDRAWN, turn, own))


def _restated(old: RequestWord, new: RequestWord) -> RequestWord:
    """Return a restated word, with the greater confidence and the quote of the later statement.

    An assistant's statement does not replace the quote of the user.
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
    """Return whether a newer word about the same argument replaces a word."""
    if new.value is None:
        return old.relation == "is" or old.turn < new.turn  # "Not Friday, else I don't mind" means both.
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
    """Return whether two values are equal, ignoring case and spaces of texts."""
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
