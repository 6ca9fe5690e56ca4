"""Tell by words which end of a range a sentence gives, where it names one number: 'by slot 4' or 'from slot 4 on'."""

from __future__ import annotations

import re
from typing import Literal

from holdtrue.language.masked_text import mask
from holdtrue.language.qualifying_words import EARLIEST, LATEST
from holdtrue.world.instance import Instance

Side = Literal["earliest", "latest"]

_DENIED = r"\b(?:not|no|never|nothing|cannot|nor|neither|none|without)\b[^,;:.]{0,40}?\b"
_DENIED_LATER = re.compile(rf"{_DENIED}(?:(?<!\bor )later|after|past|beyond|exceed\w*)\b")
_UP_TO = re.compile(r"\bup (?:to|until|till)\b(?: and including)?(?= (?:\w+ ){0,3}[NM]\b)")
_DENIED_EARLIER = re.compile(rf"{_DENIED}(?:earlier|sooner|before|prior|until|ahead)\b")


def given_end(instance: Instance, sentence: str) -> Side | None:
    """Return which end of a range the words give, or None where they give both, or none that is known."""
    text = mask(instance, sentence, ()).text.replace("n't", " not")
    later, earlier = _DENIED_LATER.search(text), _DENIED_EARLIER.search(text)
    if later or earlier:
        return None if later and earlier else "latest" if later else "earliest"
    from_on, until = EARLIEST.search(text), LATEST.search(text) or _UP_TO.search(text)
    if bool(from_on) == bool(until):
        return None
    return "earliest" if from_on else "latest"
