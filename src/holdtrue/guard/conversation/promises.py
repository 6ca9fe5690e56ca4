"""Find what an assistant promises to do: sentences of its messages, each with the tool that would do it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from holdtrue.guard.policy_parts import Tool
from holdtrue.language.slots.slot_words import stems

_PROMISE = re.compile(
    r"\b(?:i|we)(?:['\u2019]ll| will| shall| am going to| are going to|['\u2019]m going to| promise to"
    r"| promise (?:that )?"
    r"i['\u2019]ll)\b(?! (?:need|have to|be able|not be able|try|see|wait|be happy|be glad|just need|let you know if))",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"\b(?:if|once|unless|when|should you|after you|as soon as you|would you like|shall i|do you want|in case)\b|\?",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[^.!?\n]+(?:[.!?]+(?=\s|$)|\n|$)|[^.!?\n]+")
_ANOTHER = re.compile(r",? and (?=(?:i|we)(?:['\u2019]ll| will)\b)|,? and (?=then )", re.IGNORECASE)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_EMPTY = frozenset(stems("the a an to for of my your it"))
_ALIKE: tuple[frozenset[str], ...] = tuple(
    frozenset(stems(words))
    for words in (
        "send email mail text forward message",
        "book reserve schedule arrange",
        "cancel call off undo",
        "change update modify move reschedule",
        "transfer pay send wire",
        "buy order purchase get",
        "add put include create set",
        "refund reimburse return",
        "ship send post deliver",
    )
)
"""Verbs of which one may stand for another; a tool's name has one of them."""


@dataclass(frozen=True, slots=True)
class Promised:
    """A sentence in which an assistant promises something, and the tool that does it."""

    sentence: str
    tool: str


def promises_in(message: str, tools: Iterable[Tool]) -> list[Promised]:
    """Return what an assistant's message promises without a condition, as far as one of these tools does it."""
    own = tuple(tools)
    found = []
    for match in _SENTENCE.finditer(message):
        if _CONDITION.search(match[0]):
            continue
        for part in _ANOTHER.split(match[0].strip()):
            begins = _PROMISE.search(part)
            tool = None if begins is None else _tool_for(part[begins.end() :], own)
            if tool is not None:
                found.append(Promised(part, tool))
    return found


def _tool_for(words: str, tools: tuple[Tool, ...]) -> str | None:
    """Return the tool whose name is spoken of, the one with most of its words; None where none or several are."""
    said = stems(words)
    scores = {own.name: _share(own, said) for own in tools}
    best = max(scores.values(), default=0.0)
    named = [name for name, score in scores.items() if score == best]
    return named[0] if best >= 0.5 and len(named) == 1 else None


def _share(tool: Tool, said: list[str]) -> float:
    """Return which share of the words of a tool's name are said; without its verb it is not spoken of."""
    words = [word for word in stems(_CAMEL.sub(" ", tool.name.rpartition(".")[2])) if word not in _EMPTY]
    if not words or not said or not any(_is_verb(words[0], other) for other in said[:3]):
        return 0.0
    hits = 1 + sum(any(_is_one(word, other) for other in said) for word in words[1:])
    if len(words) > 1 and hits == 1:
        return 0.0
    # Of two names with all their words the longer one says more.
    return hits / len(words) + 0.01 * hits


def _is_verb(word: str, other: str) -> bool:
    return _is_one(word, other) or any(word in own and other in own for own in _ALIKE)


def _is_one(word: str, other: str) -> bool:
    return word == other or (min(len(word), len(other)) >= 4 and (word.startswith(other) or other.startswith(word)))
