"""Tell by the words around a value whether it is the value itself, or a limit: at least, at most, or not this one."""

from __future__ import annotations

import re
from collections.abc import Mapping

from holdtrue.language.slots.spans import Span
from holdtrue.logic.value_sorts import Calendar
from holdtrue.record import SlotRelation
from holdtrue.rules.types import Flag, Number, Type, without_null

_ABOUT = r"(?: (?:about|around|like|the|a|an|on|in|at|is|of|for|to|us|me|than|that|any))*[ $\u20ac\u00a3]*$"
_NOT = r"(?:\bno|\bnot|\b\w+n't [a-z ]{0,24}?|\bnever [a-z ]{0,12}?)"
_BEFORE: tuple[tuple[SlotRelation, str], ...] = (
    # What is denied comes first: 'no earlier than' is no 'earlier than'.
    ("at_most", _NOT + r" ?(?:more|higher|later|longer|further|over|above|exceed(?:ing)?|after|past|beyond)"),
    ("at_least", _NOT + r" ?(?:less|fewer|earlier|sooner|lower|cheaper|shorter|before|under|below)"),
    (
        "at_most",
        r"(?:at (?:the )?most|max(?:imum|imal)?|up to|within|budget(?:'s| of)?|limit(?: of)?|by|before|h\u00f6chstens|"
        r"como m\u00e1ximo|hasta|no later|(?:spend|pay|go|cost) up)",
    ),
    (
        "at_least",
        r"(?:at (?:the )?least|min(?:imum|imal)?|after|mindestens|como m\u00ednimo|despu\u00e9s de|starting at)",
    ),
    ("less_than", r"(?:under|below|less|cheaper|fewer|lower|earlier|sooner|shorter)"),
    ("more_than", r"(?:over|above|more|later|higher|longer|past)"),
)
_AFTER: tuple[tuple[SlotRelation, str], ...] = (
    (
        "at_most",
        r"or (?:less|fewer|under|below|earlier|before|sooner|cheaper)|at (?:the )?(?:very )?(?:most|latest)|"
        r"max(?:imum)?|tops",
    ),
    (
        "at_least",
        r"or (?:more|over|above|later|after|higher|longer)|at (?:the )?(?:very )?(?:least|earliest)|min(?:imum)?|"
        r"onwards?|and up",
    ),
)
_BEFORE_WORDS = tuple((own, re.compile(rf"(?<!\w){words}{_ABOUT}", re.IGNORECASE)) for own, words in _BEFORE)
_AFTER_WORDS = tuple((own, re.compile(rf"\W*(?:{words})\b", re.IGNORECASE)) for own, words in _AFTER)
_NOT_BEFORE = re.compile(
    r"(?:\bnot|\bexcept(?: for)?|\banything but|\banyone but|\bany day but|\bother than|\bno|\bavoid|\bnever|"
    r"\banything except|n't (?:want|like|do|take|make|be|have|go|come|come in|work|book)(?: it| that| this)?)"
    r"(?: (?:on|in|at|with|by|to|from|the|a|an|any|for|want|like|be|do|of|go))*\s*$",
    re.IGNORECASE,
)


def relation_of(text: str, span: Span, type: Type) -> SlotRelation:
    """Return what a text says of the value in a span of it: the value itself, unless words beside it make it a limit.

    >>> text = "no more than 200 dollars"
    >>> relation_of(text, Span(13, 24, "200 dollars", "number"), Number())
    'at_most'
    """
    own = without_null(type)
    if isinstance(own, Flag):
        return "is"
    before, after = _clause_before(text, span.start), text[span.end :]
    if isinstance(own, Number | Calendar):
        # "before noon" may be the span as a whole.
        before = f"{before}{_leading(span.text)}"
        found = [name for name, words in _BEFORE_WORDS if words.search(before)]
        found += [name for name, words in _AFTER_WORDS if words.match(after)]
        if found:
            is_calendar = isinstance(own, Calendar)
            return _INCLUSIVE.get(found[0], found[0]) if is_calendar else found[0]
    return "not" if _NOT_BEFORE.search(before) else "is"


_INCLUSIVE: Mapping[SlotRelation, SlotRelation] = {"less_than": "at_most", "more_than": "at_least"}
"""'Later than nine' is mostly said of what begins at nine, too: of days and times a limit is taken to be allowed."""
_START = re.compile(r"[.!?;,](?=\s)|\b(?:(?<!anything )(?<!anyone )(?<!any day )but|and|or|so)\b(?! (?:for|to)\b)")
_LEADING = re.compile(r"(?:before|after|by|under|over|up to|at least|at most|bis|nach)\b", re.IGNORECASE)


def _clause_before(text: str, end: int) -> str:
    """Return what stands before a place in its clause."""
    return _START.split(text[:end])[-1]


def _leading(text: str) -> str:
    match = _LEADING.match(text)
    return match[0] if match else ""
