"""What is left of a word without its inflection, so that its forms meet: practises, practised, practicing."""

from __future__ import annotations

from holdtrue.kinds.claims.prompts.spelling import one_spelling

_ENDINGS = ("ing", "ies", "ied", "ed", "es", "ly", "s", "e", "y", "i")
_SHORTEST = 3
"""Letters that a stem keeps at least."""


def word_stem(word: str) -> str:
    """The word (small letters) in one spelling, without the endings that inflection adds, as long as it has any."""
    stem = one_spelling(word)
    while (ending := next((ending for ending in _ENDINGS if _ends(stem, ending)), None)) is not None:
        stem = stem.removesuffix(ending)
    return stem


def _ends(word: str, ending: str) -> bool:
    return word.endswith(ending) and len(word) - len(ending) >= _SHORTEST and not word.endswith("ss")
