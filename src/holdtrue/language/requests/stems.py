"""Take the endings off English words, so that `leaving` and `leaves` are one."""

from __future__ import annotations

import re

_WORD = re.compile(r"[^\W\d_]+")


def stem(word: str) -> str:
    """Return a word without its common endings, so that 'leaving' and 'leaves' are one."""
    word = word.casefold()
    for ending in ("ings", "ing", "edly", "ies", "ed", "es", "s", "ly", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


def stems(text: str) -> list[str]:
    """Return the stems of the words of a text, in their order."""
    return [stem(word) for word in _WORD.findall(text.replace("_", " ").replace("-", " "))]
