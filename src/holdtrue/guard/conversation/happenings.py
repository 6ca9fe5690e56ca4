"""The parts of a conversation as its state remembers them: words, promises, decisions, and calls that were begun."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from holdtrue.guard.fetching import call_text
from holdtrue.guard.listening import PendingCall
from holdtrue.guard.policy_parts import ConsentWay
from holdtrue.ledger.requests import RequestWord

Speaker = Literal["user", "assistant"]


@dataclass(frozen=True, slots=True)
class Words:
    """Somebody's words, the moment, and the turn: of the assistant's words, that of the message that answers them.

    `is_old` says that they may have been said before: a yes in them does not count again.
    """

    who: Speaker
    text: str
    at: str
    turn: int
    seq: int
    is_old: bool = False


@dataclass(frozen=True, slots=True)
class Yes:
    """A yes of the user to a decision: the number of its event, and how it is known."""

    seq: int
    way: ConsentWay


@dataclass(frozen=True, slots=True)
class Promise:
    """A sentence in which the assistant promised something.

    `done` says whether the tool that does it was called, and `values` what it said of the call's arguments.
    """

    id: str
    sentence: str
    tool: str
    turn: int
    values: tuple[RequestWord, ...] = ()
    done: bool = False


@dataclass(frozen=True, slots=True)
class DecidedCall:
    """A decision as the conversation remembers it.

    `keys` are its findings that a person may let pass, and `listing` is what the user is told before a yes counts.
    """

    id: str
    kind: str
    tool: str
    arguments: Any
    keys: tuple[str, ...] = ()
    listing: str = ""


@dataclass(frozen=True, slots=True)
class Begun:
    """A call that was let through, with the number of the event that let it through."""

    call: PendingCall
    decision: str
    seq: int
    spends: tuple[str, ...] = ()


def same_call(own: DecidedCall, tool: str, arguments: Any) -> bool:
    """Return whether a call is just the one that was decided on."""
    return own.tool == tool and call_text(own.arguments) == call_text(arguments)
