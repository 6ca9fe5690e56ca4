"""Recognise the listings of calls that the guard wrote, in what an assistant says to the user."""

from __future__ import annotations

import re
from collections.abc import Mapping

from holdtrue.language.yes_words import answer_of

_MARKUP = re.compile(
    r"(?<!\w)(?:\*\*|__|`)|(?:\*\*|__|`)(?!\w)|</?[a-z][a-z0-9]*>|(?m:^[ \t]*(?:[#>*\u2022-]+[ \t]+)+)"
)
"""Signs for emphasis stand beside words: within one they are a part of it."""
_BULLET = re.compile(r"(?:\d{1,3}[.)])?[\s#>*\u2022-]*$")
"""What stands before an item of a list."""


def listed_at_end(message: str, listings: Mapping[str, str]) -> tuple[tuple[str, ...], bool]:
    """Return which listings, by the ids of their decisions, a message ends with, and whether it says nothing else.

    White space and markup do not matter, nor does a courtesy before the listings. Other words before them may make
    something else of a yes, and what stands behind them is the last that the user hears, so that nothing may.
    """
    found = list[str]()
    rest = message
    while True:
        ended = {id: before for id, text in listings.items() if (before := _before(rest, text)) is not None}
        if not ended:
            break
        # Decisions on the same call have one listing.
        rest = next(iter(ended.values()))
        found += [id for id in ended if id not in found]
    return tuple(found), not rest.strip() or answer_of(rest) != "more"


def _before(message: str, listing: str) -> str | None:
    """Return what stands before a listing with which a message ends, or None where it does not end with it."""
    if not listing:
        return None
    # What has signs of markup itself has to stand there to the letter.
    pairs = [(" ".join(message.split()), " ".join(listing.split()))]
    if not _MARKUP.search(listing):
        pairs.append((" ".join(_MARKUP.sub(" ", message).split()), pairs[0][1]))
        pairs.append((" ".join(_MARKUP.sub("", message).split()), pairs[0][1]))
    before = next((text.removesuffix(own) for text, own in pairs if text.endswith(own)), None)
    return None if before is None else _BULLET.sub("", before)
