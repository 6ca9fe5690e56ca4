"""The words by which a sentence that changes something holds a part of it back: a condition, or an exception."""

from __future__ import annotations

import re

from holdtrue.language.withdrawals import Withdrawal

# Not 'if you like' and 'if possible', which are mere courtesy.
_CONDITION = re.compile(
    r"\b(?:if(?! (?:you (?:like|want|can|please|will|would|don't mind)|possible|not|so|that's)\b)|unless|only when"
    r"|in case|provided|assuming|suppos(?:e|ing)|as long as|as soon as|until)\b",
    re.IGNORECASE,
)
_EXCEPTION = re.compile(
    r"\b(?:but|except(?:ing)?|excluding|save|apart from|aside from|other than|besides|not|without|keep|leave|or|nor"
    r"|instead|rather)\b|n't\b",
    re.IGNORECASE,
)
_NOT_SO = re.compile(r"(?:not|except|only)\b", re.IGNORECASE)


def has_condition(text: str) -> bool:
    """Whether the text says under which condition it holds."""
    return bool(_CONDITION.search(text))


def find_reservation(cue: Withdrawal, *, listed: bool) -> str | None:
    """Why the sentence takes nothing back: it sets a condition or, where it lists or means all, makes an exception.

    "Drop everything but C001" would otherwise drop C001.
    """
    found = _CONDITION.search(f"{cue.content} {cue.rest}") or _NOT_SO.match(cue.rest)
    if found is None and listed:
        found = _EXCEPTION.search(cue.content) or _EXCEPTION.match(cue.rest)
    return f"with {found.group()!r} it is not clear what is meant" if found else None
