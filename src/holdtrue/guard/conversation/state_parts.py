"""The values in the state of a conversation: messages, promises, decisions, and calls that were begun."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile
from typing import Any, Literal

from holdtrue.guard.conversation.utterance import Utterance
from holdtrue.guard.fetching import call_text
from holdtrue.guard.listening import PendingCall
from holdtrue.guard.moment_texts import local_time
from holdtrue.guard.policy_parts import ConsentWay
from holdtrue.language.requests.spans import LONGEST_TEXT
from holdtrue.language.yes_words import answer_of, denies
from holdtrue.ledger.requests import RequestWord

Speaker = Literal["user", "assistant"]


@dataclass(frozen=True, slots=True)
class Words:
    """A message.

    The turn of an assistant's message is that of the user's reply. A yes in a message that `is_old` does not count
    again.
    """

    who: Speaker
    text: str
    at: str
    turn: int
    seq: int
    is_old: bool = False


@dataclass(frozen=True, slots=True)
class Yes:
    """A yes of the user to a decision: the number of its event, and how it was recognized."""

    seq: int
    way: ConsentWay


@dataclass(frozen=True, slots=True)
class Promise:
    """A promised call of `tool`. `done` says whether the call was made, and `values` are its promised arguments."""

    id: str
    sentence: str
    tool: str
    turn: int
    values: tuple[RequestWord, ...] = ()
    done: bool = False


@dataclass(frozen=True, slots=True)
class DecidedCall:
    """A decision. `keys` name the findings that a person may let pass, and `listing` is the text to say yes to."""

    id: str
    kind: str
    tool: str
    arguments: Any
    keys: tuple[str, ...] = ()
    listing: str = ""


@dataclass(frozen=True, slots=True)
class Begun:
    """An allowed call, with the number of the event of its decision. `spends` are the answers that it used up."""

    call: PendingCall
    decision: str
    seq: int
    spends: tuple[str, ...] = ()


def same_call(own: DecidedCall, tool: str, arguments: Any) -> bool:
    """Return whether a decision is on this tool with these arguments."""
    return own.tool == tool and call_text(own.arguments) == call_text(arguments)


class SpokenWords:
    """`SpokenWords` are the messages of user and assistant, oldest first."""

    def __init__(self, locale: str) -> None:
        self.all: list[Words] = []
        self._undenied_turns: set[int] = set()
        """The turns in which the user denied nothing."""
        self._locale = locale
        self._said: list[Utterance] = []

    def said_or_heard(self) -> Iterator[Utterance]:
        """Yield the user's utterances, and the assistant's if the user's next message denies nothing."""
        new = self.all[len(self._said) :]
        self._said += [Utterance(own.text, local_time(own.at), self._locale) for own in new]
        heard = (own for own in new if own.who == "user" and len(own.text) <= LONGEST_TEXT)
        self._undenied_turns.update(own.turn for own in heard if not denies(own.text))
        for own, said in zip(self.all, self._said, strict=True):
            if own.who == "user" or own.turn in self._undenied_turns:
                yield said

    def before(self, turn: int) -> str:
        """Return the assistant's text before the user's message of a turn."""
        later = takewhile(lambda own: own.turn >= turn, reversed(self.all))
        return "\n".join([own.text for own in later if own.who == "assistant" and own.turn == turn][::-1])

    def answers(self) -> Iterator[Words]:
        """Yield the user's messages from the last one back to the first that is more than a courtesy."""
        for own in reversed(self.all):
            if own.who == "user":
                yield own
                if answer_of(own.text) != "courtesy":
                    return
