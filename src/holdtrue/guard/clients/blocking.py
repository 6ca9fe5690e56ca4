"""The ways to go on after a stopped call, and the error that reports it."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any, Literal

from holdtrue.errors import HoldtrueError, SettingsError
from holdtrue.guard.decision import Decision, Mend

OnBlock = Literal["tell_model", "refuse", "mend", "raise"]
"""`tell_model`: the model gets the reasons and answers anew. `refuse`: the user gets the reasons. `mend`: the nearest
allowed call is made instead; if none is proved nearest, the model gets the reasons. `raise`: `CallStopped` is raised.
"""
WAYS: tuple[OnBlock, ...] = ("tell_model", "refuse", "mend", "raise")
_log = logging.getLogger(__name__)


class CallStopped(HoldtrueError):
    """The guard stopped calls. `decisions` has a decision on each of them."""

    def __init__(self, decisions: Sequence[Decision]) -> None:
        self.decisions = tuple(decisions)
        super().__init__("\n".join(own.for_model for own in self.decisions))


def check_on_block(on_block: Any, attempts: Any = 1) -> None:
    """Raise `SettingsError` for an unknown `on_block`, or an invalid number of attempts."""
    if on_block not in WAYS:
        raise SettingsError(f"on_block is one of {', '.join(WAYS)}, not {on_block!r:.40}")
    if not isinstance(attempts, int) or isinstance(attempts, bool) or attempts < 1:
        raise SettingsError(f"attempts is a whole number from 1, not {attempts!r:.40}")


def mend_of(decision: Decision) -> Mend | None:
    """Return the call to make in place of a stopped one, or None if no call is proved nearest."""
    if decision.mend is None or decision.mend.optimal:
        return decision.mend
    _log.warning("%s is not mended: no call that keeps all was proved nearest within the limit", decision.tool)
    return None


def for_user(decisions: Sequence[Decision]) -> str:
    """Return the text for a user whose calls were stopped."""
    return "\n".join(dict.fromkeys(own.for_user or own.for_model for own in decisions))
