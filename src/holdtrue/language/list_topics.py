"""Strip a sentence of what says nothing by itself, and find the list of names that it only opens with.

Texts have placeholders for names (`coordination`).
"""

from __future__ import annotations

import re

from holdtrue.language.coordination import ENTITY, denies
from holdtrue.language.grounding import CARDINALS, COUNTING_WORDS

_COUNT = re.compile(
    rf"\b(?:all |both |of )?(?:the |my |our |those |these )?(?P<number>[2-9]|{'|'.join(CARDINALS[2:10])})(?: of)?"
    rf"(?: [a-z]+)?(?: the)?[,:]?\s+(?P<list>(?:the )?{ENTITY}(?:(?:, and | and |, |/)(?:the )?{ENTITY})+)",
    re.IGNORECASE,
)
# 'At least one of Ann, Bob and Cy' says nothing of any of them.
_SOME_OF = re.compile(
    r"\b(?P<count>one|some|any|either|most|many|few|half|several|which(?:ever)?|only|just|exactly|\d+"
    rf"|{'|'.join(CARDINALS)}) (?:(?:more|less|fewer|person|people|event|others?) )?(?:out )?of"
    rf" (?:the |these |those |our )?(?:\w+ )?:?\s*(?:the )?{ENTITY}"
    rf"(?:(?:, and |, or | and | or |, |/)(?:the )?{ENTITY})+",
    re.IGNORECASE,
)
_TOPIC = re.compile(
    rf"^\W*(?:(?:so|ok|okay|well|now|and|right)\W+)*(?P<who>(?:out of|of"
    rf"|among)(?: (?!{ENTITY})[a-z]+){{0,3}},? (?:the )?{ENTITY}"
    rf"(?:, (?:the )?{ENTITY})*,? and (?:the )?{ENTITY}"
    rf"|(?:the )?{ENTITY}(?:, (?:the )?{ENTITY})*,? and (?:the )?{ENTITY}"
    r"(?=\s*[,:;] [^.]*\bthe (?:first|former|second|last|latter|other (?:two|three|ones?))\b))\s*[,:;]\s+(?=\S)",
    re.IGNORECASE,
)
# That the order is open says nothing beyond what is said without an order.
_ANY_ORDER = re.compile(
    r",? ?\b(?:whichever|whatever)(?: (?:one|way|of (?:them|the two|those|these)))*(?: (?:round|around))?(?: \w+){0,4}?"
    r" (?:first|last|second|earlier|later)\b"
    r"|,? ?\b(?:it )?(?:does not|doesn['\u2019]t|don['\u2019]t|do not) matter (?:which|who)(?: \w+){0,5}? (?:first"
    r"|last)\b"
    r"|,? ?\b(?:irrespective|regardless) of (?:which|who|the order)(?: \w+){0,6}? (?:first|last)\b"
    r"|,? ?\b(?:irrespective|regardless) of (?:the )?order\b|,? ?\bin (?:either|any|whichever|whatever) order\b"
    r"|,? ?\b(?:i|we) (?:don['\u2019]t|do not|couldn['\u2019]t) (?:really )?(?:mind|care) (?:which|what)[^,.;:]*",
    re.IGNORECASE,
)
# 'Ann, our peacemaker, gets seat 4' says what it says of Ann.
_APPOSITION = re.compile(rf"(?P<name>{ENTITY}), (?:our|my|the|an?) (?:[a-z'-]+ ?){{1,4}}, ", re.IGNORECASE)
_EVEN_ONE = frozenset({"any", "either"})


def without_asides(text: str) -> str:
    """Return a text without counts of its names, without remarks on an open order, and without appositions."""
    return _APPOSITION.sub(r"\g<name> ", _ANY_ORDER.sub("", _without_count(text)))


def topic_of(text: str) -> tuple[str, str] | None:
    """Return the list of names that a text opens with, and what it says of them; None where it opens with none.

    'Of Ann, Bob and Cy, the first has seat 1' says that of Ann alone.
    """
    found = _TOPIC.match(text)
    return None if found is None else (found["who"], text[found.end() :])


def speaks_of_some(text: str) -> bool:
    """Return whether a text speaks of some of its names and of none in particular: 'at least one of Ann and Bob'."""
    some = _SOME_OF.search(text)
    return some is not None and not (some["count"].casefold() in _EVEN_ONE and denies(text))


def _without_count(text: str) -> str:
    """Return a text without a number that only counts the names behind it: 'all three of Ann, Bob and Cy'."""

    def bare(found: re.Match[str]) -> str:
        number = found["number"].casefold()
        count = COUNTING_WORDS[number] if number in COUNTING_WORDS else int(number)
        return found["list"] if len(re.findall(ENTITY, found["list"])) == count else found.group()

    return _COUNT.sub(bare, text)
