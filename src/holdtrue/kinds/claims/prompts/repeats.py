"""Statements that say the same: each is kept once, and one that others make up is not kept at all."""

from __future__ import annotations

import re
from collections.abc import Sequence

from holdtrue.kinds.claims.prompts.content import content_words, denies

_NOT = re.compile(r"\b(is|are|was|were|does|do|did|has|have|ca|wo)n t\b")
_CANNOT = re.compile(r"\b(?:can ?not|ca not|must not|could not) be\b")
_MUST = re.compile(r"\b(?:must|has to|have to) be\b")
_NEEDLESS = re.compile(r"\b(?:also|therefore|thus|hence|consequently|clearly|indeed|definitely|certainly)\b")
# 'Neither A nor B is', 'both A and B are', 'A and B are': the first of those of which it is said.
_JOINED = re.compile(r"(?:(?:neither|both)\s+)?(.{1,60}?)(?:\s*,\s*|\s+(?:and|nor)\s+)", re.IGNORECASE)
_WHOLE = re.compile(r"\b(?:if|when|unless|or|either|together)\b", re.IGNORECASE)


def same_key(statement: str) -> str:
    """What is the same in two forms of one statement: 'cannot be' and 'is not', 'must therefore be' and 'is'."""
    plain = " ".join(re.sub(r"\W+", " ", statement.casefold()).split())
    plain = _NEEDLESS.sub(" ", _NOT.sub(r"\1 not", plain))
    plain = _MUST.sub("is", _CANNOT.sub("is not", " ".join(plain.split())))
    return re.sub(r"\bare\b", "is", plain)


def made_up(statement: str, others: Sequence[str]) -> bool:
    """Whether others say one by one what the statement says of several: 'neither A nor B is old'."""
    joined = _JOINED.match(statement)
    if joined is None or _WHOLE.search(statement):
        return False
    whole, first = content_words(statement), content_words(joined[1])
    parts = [
        words for other in others if denies(other) == denies(statement) and (words := content_words(other)) < whole
    ]
    if len(parts) < 2:
        return False
    common = frozenset.intersection(*parts)
    heads = [words - common for words in parts]
    # All say the same, each of another, and nobody is left out.
    return (
        bool(common)
        and all(heads)
        and sum(map(len, heads)) + len(common) == len(whole)
        and first.isdisjoint(common)
        and frozenset.union(*parts) == whole
    )
