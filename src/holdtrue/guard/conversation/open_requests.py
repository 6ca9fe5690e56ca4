"""The user's requests in the ledger: apply the operations of a message to them, and find the one that a call serves.

An *operation* is one change of the requests that a reader found in a message. The *object* of a request is the thing to
act on, such as an order, given by its id.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from holdtrue.guard.call_commitments import comparable, is_short_for
from holdtrue.language.requests.operation import Act
from holdtrue.language.requests.plain_reader import SAID
from holdtrue.ledger.entries import Event, EventKind, Source
from holdtrue.ledger.requests import Request, RequestLedger, RequestWord, same_content
from holdtrue.record import ALL_REQUESTS

_SURE_OFFER = 0.9
"""The assistant's offer replaces the user's value only if the user accepted it with at least this confidence."""
_SURE_CORRECTION = 0.98
"""A reader needs this confidence to move an open request to another object."""

Taken = Mapping[str, Any]
"""An operation of a reader, in the form of events."""


def take_operations(acts: Mapping[str, Act], ledger: RequestLedger, taken: Sequence[Taken], turn: int) -> Iterator[str]:
    """Apply the operations of one message to the ledger, and yield the acts that changed."""
    message = _Message(acts, ledger, taken, turn, {})
    for own in taken:
        events, changes = len(ledger.events), ledger.changes
        message.take(own)
        is_news = any(each.kind is not EventKind.RESTATED for each in ledger.events[events:])
        if is_news or ledger.changes != changes:
            yield own["act"]


@dataclass(frozen=True, slots=True)
class _Message:
    """The operations of one message. `ids` maps an act and a reader's label to the id of a request."""

    acts: Mapping[str, Act]
    ledger: RequestLedger
    taken: Sequence[Taken]
    turn: int
    ids: dict[tuple[str, str], str]

    def take(self, own: Taken) -> None:
        is_of_object = self._is_of_object(own)
        is_denied = is_of_object and own.get("relation", "is") == "not"
        # The exclusion of an object applies to all requests.
        for request in [ALL_REQUESTS] if is_denied else self._requests_of(own):
            if own["do"] == "withdraw":
                self.ledger.become(request, "withdrawn", own.get("quote", ""))
            elif own["do"] != "open" and not self._gives_way(own, request):
                self.ledger.set(self._word(own, request))
                if is_of_object and not is_denied:
                    self._want(own)

    def _word(self, own: Taken, request: str) -> RequestWord:
        return RequestWord(
            "",
            request,
            own["act"],
            own["argument"],
            None if own["do"] == "free" else own["value"],
            own.get("quote", ""),
            self.turn,
            Source(own.get("source", "user")),
            own.get("confidence", 1.0),
            own.get("relation", "is"),
            tuple(own.get("others", ())),
        )

    def _want(self, own: Taken) -> None:
        """Withdraw the exclusion of an object that the user now asks for."""
        for word in self.ledger.of(ALL_REQUESTS, own["argument"]):
            is_same = word.act == own["act"] and word.relation == "not" and same_content(word.value, own["value"])
            if is_same and word.turn < self.turn:
                self.ledger.append(Event(EventKind.WITHDRAWN, self.turn, word))

    def _requests_of(self, own: Taken) -> list[str]:
        """Return the ids of the requests that an operation is on. Another object means a new request."""
        act: str = own["act"]
        label: str = own.get("request", "")
        key = act, label
        if act == SAID:
            return [SAID]
        if label == ALL_REQUESTS:
            return self._all(own)
        object = self._object_of(own)
        request = self.ledger.requests.get(self.ids.get(key, label))
        if request is not None and request.is_open and request.act == act:
            if self._can_be_on(request, object):
                return [request.id]
            if own.get("confidence", 1.0) >= _SURE_CORRECTION:
                self.ids[key] = self._moved(request, own.get("quote", ""))
                return [self.ids[key]]
        fits = [each.id for each in self.ledger.open_requests(act) if self._can_be_on(each, object)]
        named = [
            each
            for each in fits
            if object is not None and each not in self.ids.values() and self._is_on(each, act, object)
        ]
        # A new label means a new request, unless a request from before the message has its object.
        known = named or ([] if label else fits[-1:])
        if not known and own["do"] == "withdraw" and sum(each.get("request", "") == label for each in self.taken) < 2:
            return []  # The withdrawal names no known request.
        self.ids[key] = known[0] if known else self._opened(own)
        return [self.ids[key]]

    def _all(self, own: Taken) -> list[str]:
        """Return the open requests that a statement for all requests is on.

        A free text, such as a name, also holds for later requests.
        """
        if own["do"] == "withdraw":
            return [each.id for each in self.ledger.open_requests(own["act"])]
        if self.acts[own["act"]].arguments[own["argument"]].is_text:
            return [ALL_REQUESTS]
        fits = [each.id for each in self.ledger.open_requests() if own["argument"] in self.acts[each.act].arguments]
        return fits or [ALL_REQUESTS]

    def _opened(self, own: Taken) -> str:
        return self.ledger.open(own["act"], self.turn, own.get("quote", ""), own.get("confidence", 1.0)).id

    def _moved(self, request: Request, quote: str) -> str:
        """Replace a request by one with the same values for another object, and return the id of the new one."""
        new = self.ledger.open(request.act, self.turn, request.quote, request.confidence)
        for word in list(self.ledger.words_of(request.id)):
            if word.argument != self.acts[request.act].object:
                self.ledger.set(replace(word, request=new.id))
        self.ledger.become(request.id, "withdrawn", quote)
        return new.id

    def _is_of_object(self, own: Taken) -> bool:
        act = self.acts.get(own["act"])
        return bool(act is not None and own["do"] == "set" and own.get("argument") == act.object)

    def _object_of(self, own: Taken) -> Any:
        """Return the object that the message names for an operation's request, or None."""
        label = own.get("request", "")
        same = [own] if not label else [each for each in self.taken if each.get("request", "") == label]
        named = (each for each in same if each["act"] == own["act"] and self._is_of_object(each))
        return next((each["value"] for each in named if each.get("relation", "is") == "is"), None)

    def _is_on(self, request: str, act: str, object: Any) -> bool:
        value = self.ledger.value_of(request, self.acts[act].object)
        return value is not None and same_content(value, object)

    def _can_be_on(self, request: Request, object: Any) -> bool:
        is_free = self.ledger.value_of(request.id, self.acts[request.act].object) is None
        return object is None or is_free or self._is_on(request.id, request.act, object)

    def _gives_way(self, own: Taken, request: str) -> bool:
        """Return whether an uncertainly accepted offer must not replace the user's own value."""
        if own["do"] != "set" or own.get("source") != "assistant":
            return False
        held = [each for each in self.ledger.of(request, own["argument"]) if each.source is Source.USER]
        against = [each for each in held if not each.allows(own["value"])]
        return any(each.relation != "is" or own.get("confidence", 1.0) < _SURE_OFFER for each in against)


def served(act: Act, ledger: RequestLedger, call: Mapping[str, Any]) -> Request | None:
    """Return the open request that a call serves, or None. The arguments in `call` are JSON values.

    The request has the same object as the call. Among several, choose the request with the fewest values that the call
    breaks, and among equals the latest.
    """
    fits = [own for own in ledger.open_requests(act.name) if is_on(act, ledger, own, call)]
    return min(reversed(fits), key=lambda own: broken(ledger, own, call), default=None)


def is_on(act: Act, ledger: RequestLedger, request: Request, call: Mapping[str, Any]) -> bool:
    """Return whether a request has the object of a call, or one of them names none."""
    called = call.get(act.object)
    if not act.object or called is None:
        return True
    wanted = ledger.value_of(request.id, act.object)
    return wanted is None or same_content(wanted, called)


def broken(ledger: RequestLedger, request: Request, call: Mapping[str, Any]) -> int:
    """Return the number of values of a request that a call breaks."""
    return sum(not _keeps(own, call) for own in ledger.words_of(request.id))


def _keeps(own: RequestWord, call: Mapping[str, Any]) -> bool:
    called = call.get(own.argument)
    if called is None or own.value is None:
        return own.relation != "is" or own.value is None
    return own.allows(called) or (own.relation == "is" and is_same_value(own.value, called))


def is_same_value(said: Any, called: Any) -> bool:
    """Return whether two values are equal, or two spellings or short forms of one name."""
    if not isinstance(said, str) or not isinstance(called, str):
        return same_content(said, called)
    return comparable(said) == comparable(called) or is_short_for(said, called)
