"""The parts of a conversation as its state remembers them: words, promises, decisions, and calls that were begun."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile
from typing import Any, Literal

from holdtrue.guard.conversation.said import Said
from holdtrue.guard.fetching import call_text
from holdtrue.guard.listening import PendingCall
from holdtrue.guard.moment_texts import local_time
from holdtrue.guard.policy_parts import ConsentWay
from holdtrue.language.yes_words import answer_of
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


class SpokenWords:
    """The `SpokenWords` of both, the oldest first; each text is searched once somebody looks for values in it.

    Attributes:
        all: The words, as they were heard.
        undenied_turns: The turns in which the user said nothing against what was said before.
    """

    def __init__(self, locale: str) -> None:
        self.all: list[Words] = []
        self.undenied_turns: set[int] = set()
        self._locale = locale
        self._said: list[Said] = []

    def said_or_heard(self) -> Iterator[Said]:
        """Yield what the user said, and what the assistant said before words of the user that deny nothing."""
        self._said += [Said(own.text, local_time(own.at), self._locale) for own in self.all[len(self._said) :]]
        for own, said in zip(self.all, self._said, strict=True):
            if own.who == "user" or own.turn in self.undenied_turns:
                yield said

    def before(self, turn: int) -> str:
        """Return what the assistant said before the user's message of a turn."""
        later = takewhile(lambda own: own.turn >= turn, reversed(self.all))
        return "\n".join([own.text for own in later if own.who == "assistant" and own.turn == turn][::-1])

    def answers(self) -> Iterator[Words]:
        """Yield the words of the user that may answer what was said last, the latest first: thanks end no yes."""
        for own in reversed(self.all):
            if own.who == "user":
                yield own
                if answer_of(own.text) != "courtesy":
                    return
