"""What an assistant promises to do: sentences of its messages, each with the tool that would do it."""

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
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_EMPTY = frozenset(stems("the a an to for of my your make do it get set new update"))


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
        sentence = match[0].strip()
        begins = _PROMISE.search(sentence)
        if begins is None or _CONDITION.search(sentence):
            continue
        tool = _tool_for(sentence[begins.end() :], own)
        if tool is not None:
            found.append(Promised(sentence, tool))
    return found


def _tool_for(words: str, tools: tuple[Tool, ...]) -> str | None:
    """Return the tool whose name is spoken of, the one with most of its words; None where none or several are."""
    said = set(stems(words))
    scores = {own.name: _share(own, said) for own in tools}
    best = max(scores.values(), default=0.0)
    named = [name for name, score in scores.items() if score == best]
    return named[0] if best >= 0.5 and len(named) == 1 else None


def _share(tool: Tool, said: set[str]) -> float:
    """Return which share of the words of a tool's name are said; without its verb it is not spoken of."""
    words = [word for word in stems(_CAMEL.sub(" ", tool.name.rpartition(".")[2])) if word not in _EMPTY]
    hits = [word for word in words if any(_is_one(word, other) for other in said)]
    if not words or not hits or (len(words) > 1 and words[0] not in hits):
        return 0.0
    # Of two names with all their words the longer one says more.
    return len(hits) / len(words) + 0.01 * len(hits)


def _is_one(word: str, other: str) -> bool:
    return word == other or (min(len(word), len(other)) >= 4 and (word.startswith(other) or other.startswith(word)))
