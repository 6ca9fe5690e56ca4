"""All that was said in a conversation, in its order, and what of it counts as the user's."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile

from holdtrue.guard.conversation.happenings import Words
from holdtrue.guard.conversation.said import Said
from holdtrue.guard.moments import local_time
from holdtrue.language.yes_words import answer_of


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
