"""Tell of names that a model proposed and that are left out, with the sentences that cannot be said without them."""

from __future__ import annotations

import re

from holdtrue.kinds.claims.prompts.content_words import word_stem
from holdtrue.language.sentences import split_sentences
from holdtrue.logic.fol.alert import Alert
from holdtrue.logic.fol.naming import name_words

_LITTLE = frozenset("x y z w i is it the a an are of to in on at by for with not and or".split())
_CAPITALS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def left_out(name: str, why: str, text: str, meaning: str = "") -> Alert:
    """Return the alert that a name is left out: in words why, and the sentences of the text that mention it."""
    sentences = mentioning(text, name, meaning)
    cost = f"; it is mentioned in {len(sentences)} sentence{'' if len(sentences) == 1 else 's'}" if sentences else ""
    return Alert("dropped", f"{name} is left out: {why}{cost}", " ".join(f"{own}." for own in sentences))


def mentioning(text: str, name: str, meaning: str = "") -> list[str]:
    """Return the sentences of a text that have all content words of a name, or all of its meaning."""
    wanted = [own for own in (_stems(name), _stems(meaning)) if own]
    return [said for said in split_sentences(text) if any(own <= _stems(said) for own in wanted)]


def _stems(text: str) -> frozenset[str]:
    words = (word.casefold() for word in name_words(_CAPITALS.sub(" ", text)))
    return frozenset(word_stem(word) for word in words if word not in _LITTLE)
