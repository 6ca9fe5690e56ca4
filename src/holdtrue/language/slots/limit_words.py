"""Tell by the words around a value whether it is the value itself, or a limit: at least, at most, or not this one."""

from __future__ import annotations

import re

from holdtrue.language.slots.spans import Span
from holdtrue.logic.value_sorts import Calendar
from holdtrue.record import SlotRelation
from holdtrue.rules.types import Flag, Number, Type, without_null

_ABOUT = r"(?: (?:about|around|like|the|a|an|on|in|at|is|of|for|to|us|me))*[ $\u20ac\u00a3]*$"
_MOST_BEFORE = re.compile(
    r"(?:\bat (?:the )?most|\bno (?:more|higher|later|longer|further) than|\bnot? (?:more|higher|later|longer) than|"
    r"\bmax(?:imum|imal)?|\bup to|\bunder|\bbelow|\b(?:less|cheaper|fewer|lower|earlier|sooner) than|\bwithin|"
    r"\bnot? (?:over|above|exceed(?:ing)?|after|past|beyond)|n't (?:want to |wanna )?(?:spend|pay|go|be|cost|exceed)"
    r"(?: any)?(?: more than| over| above| beyond)?|\bbudget(?: of|'s)?|\blimit(?: of)?|\bby|\bbefore|\buntil|\btill|"
    r"\bno later than|\bmaximal|\bh\u00f6chstens|\bbis|\bcomo m\u00e1ximo|\bhasta)" + _ABOUT,
    re.IGNORECASE,
)
_LEAST_BEFORE = re.compile(
    r"(?:\bat (?:the )?least|\bno (?:less|fewer|earlier|sooner|lower) than|\bnot? (?:less|fewer|earlier|sooner"
    r"|before|under|"
    r"below) ?(?:than)?|\bmin(?:imum|imal)?|\bover|\babove|\b(?:more|later|higher|longer) than|\bafter|\bpast|"
    r"n't [a-z ]{0,20}(?:before|earlier than|sooner than)|\bmindestens|\bnach|\bcomo m\u00ednimo|\bdespu\u00e9s de)"
    + _ABOUT,
    re.IGNORECASE,
)
_MOST_AFTER = re.compile(
    r"\W*(?:or (?:less|fewer|under|below|earlier|before|sooner|cheaper)|at (?:the )?(?:very )?(?:most|latest)"
    r"|max(?:imum)?|"
    r"tops)\b",
    re.IGNORECASE,
)
_LEAST_AFTER = re.compile(
    r"\W*(?:or (?:more|over|above|later|after|higher|longer)|at (?:the )?(?:very )?(?:least|earliest)|min(?:imum)?"
    r"|onwards?|"
    r"and up)\b",
    re.IGNORECASE,
)
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
        # "no earlier than" is a least, and has "earlier than" in it, which is a most.
        if _LEAST_BEFORE.search(before) or _LEAST_AFTER.match(after):
            return "at_least"
        if _MOST_BEFORE.search(before) or _MOST_AFTER.match(after):
            return "at_most"
    return "not" if _NOT_BEFORE.search(before) else "is"


_START = re.compile(r"[.!?;,](?=\s)|\b(?:but|and|or|so)\b(?! (?:for|to)\b)")
_LEADING = re.compile(r"(?:before|after|by|until|till|under|over|up to|at least|at most|bis|nach)\b", re.IGNORECASE)


def _clause_before(text: str, end: int) -> str:
    """Return what stands before a place in its clause."""
    return _START.split(text[:end])[-1]


def _leading(text: str) -> str:
    match = _LEADING.match(text)
    return match[0] if match else ""
