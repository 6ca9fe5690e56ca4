"""Tell which request of the user a call serves: same act, same object, and of several the one that it keeps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from holdtrue.guard.call_commitments import comparable, is_short_for
from holdtrue.language.requests.operation import Act
from holdtrue.ledger.requests import Request, RequestLedger, RequestWord, same_content


def served(act: Act, ledger: RequestLedger, call: Mapping[str, Any]) -> Request | None:
    """Return the open request that a call serves, whose arguments are given as JSON has them; None where none is.

    It is on the same object; of several it is the one of which the call breaks least, the latest one of equals.
    """
    fits = [own for own in ledger.open_requests(act.name) if is_on(act, ledger, own, call)]
    return min(reversed(fits), key=lambda own: broken(ledger, own, call), default=None)


def is_on(act: Act, ledger: RequestLedger, request: Request, call: Mapping[str, Any]) -> bool:
    """Return whether a request is on the object of a call, or one of both names none."""
    called = call.get(act.object)
    if not act.object or called is None:
        return True
    wanted = ledger.value_of(request.id, act.object)
    return wanted is None or same_content(wanted, called)


def broken(ledger: RequestLedger, request: Request, call: Mapping[str, Any]) -> int:
    """Return how much of what was said of a request a call breaks."""
    return sum(not _keeps(own, call) for own in ledger.words_of(request.id))


def _keeps(own: RequestWord, call: Mapping[str, Any]) -> bool:
    called = call.get(own.argument)
    if called is None or own.value is None:
        return own.relation != "is" or own.value is None
    return own.allows(called) or (own.relation == "is" and is_same_value(own.value, called))


def is_same_value(said: Any, called: Any) -> bool:
    """Return whether two values are one, or two names of one thing by their letters."""
    if not isinstance(said, str) or not isinstance(called, str):
        return same_content(said, called)
    return comparable(said) == comparable(called) or is_short_for(said, called)
