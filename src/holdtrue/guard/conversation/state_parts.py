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
from holdtrue.language.yes_words import answer_of
from holdtrue.ledger.requests import RequestWord

Speaker = Literal["user", "assistant"]


@dataclass(frozen=True, slots=True)
class Words:
    """A message. `turn` is the number of the user's message; the assistant's message has the turn of the answer to it.

    If `is_old` is true, the message may be a repeated one, and a yes in it does not count again.
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
    """A sentence in which the assistant promised a call of `tool`.

    `done` says whether the tool was called since. `values` are the arguments that the sentence states.
    """

    id: str
    sentence: str
    tool: str
    turn: int
    values: tuple[RequestWord, ...] = ()
    done: bool = False


@dataclass(frozen=True, slots=True)
class DecidedCall:
    """A decision in the state of the conversation.

    `keys` name the findings that a person may let pass. `listing` is the text that the user sees before a yes counts.
    """

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
    """`SpokenWords` are the messages of both speakers, oldest first, with a cache of their `Utterance` objects.

    Attributes:
        all: The messages.
        undenied_turns: The turns in which the user's message denies nothing.
    """

    def __init__(self, locale: str) -> None:
        self.all: list[Words] = []
        self.undenied_turns: set[int] = set()
        self._locale = locale
        self._said: list[Utterance] = []

    def said_or_heard(self) -> Iterator[Utterance]:
        """Yield the user's utterances, and the assistant's if the user's next message denies nothing."""
        self._said += [Utterance(own.text, local_time(own.at), self._locale) for own in self.all[len(self._said) :]]
        for own, said in zip(self.all, self._said, strict=True):
            if own.who == "user" or own.turn in self.undenied_turns:
                yield said

    def before(self, turn: int) -> str:
        """Return the assistant's text before the user's message of a turn."""
        later = takewhile(lambda own: own.turn >= turn, reversed(self.all))
        return "\n".join([own.text for own in later if own.who == "assistant" and own.turn == turn][::-1])

    def answers(self) -> Iterator[Words]:
        """Yield the user's messages that may answer the assistant, latest first. A courtesy such as thanks does not end
        the search.
        """
        for own in reversed(self.all):
            if own.who == "user":
                yield own
                if answer_of(own.text) != "courtesy":
                    return
