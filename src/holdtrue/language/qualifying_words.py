"""This module has regular expressions for words that show that a sentence is not a plain statement.

All patterns are for masked text (`masked_text`). E is an entity of the constraint that was read, and X any other
entity. V and W are values, and N and M numbers.
"""

from __future__ import annotations

import re
from typing import Literal

from holdtrue.language.english_patterns import fragment, masked, words

Kind = Literal[
    "alternative",
    "condition",
    "hedge",
    "report",
    "comparison",
    "negation",
    "quantity",
    "question",
    "past",
    "name",
    "unexplained",
    "length",
]


REQUEST = masked("qualifying_words.request")
TAIL = masked("qualifying_words.tail")
IDLE = masked("qualifying_words.idle")

LOWER = masked("qualifying_words.lower")
UPPER = masked("qualifying_words.upper")
EARLIEST = masked("qualifying_words.earliest")
LATEST = masked("qualifying_words.latest")
EXACT = re.compile(r"\b(?:exactly|precisely|just|only)(?= [NM]\b)")

ALTERNATIVE = masked("qualifying_words.alternative")
CONDITION = masked("qualifying_words.condition")
SOFT_CONDITION = masked("qualifying_words.soft_condition")

# 'May' and 'can' permit something, unless they state a limit (`LIMITED`).
PERMISSION = re.compile(r"\b(?:may|can)\b(?! ?(?:not|n't|never|only|no)\b)")
LIMITED = masked("qualifying_words.limited")

PAST = masked("qualifying_words.past")

COMPARISON = masked("qualifying_words.comparison")
QUANTITY = masked("qualifying_words.quantity")

# Words for something that is only likely, hoped or tried.
HEDGE = masked("qualifying_words.hedge")

# Words that report an opinion, a statement or a wish.
REPORT = masked("qualifying_words.report")


def _inflect(verb: str) -> tuple[str, str]:
    """Return patterns for the present and past forms of a regular verb, and for its form in -ing."""
    if verb.endswith("e"):
        return rf"{verb}(?:s|d)?", rf"{verb[:-1]}ing"
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return rf"(?:{verb}|{verb[:-1]}ie[sd])", rf"{verb}ing"
    if verb.endswith(("sh", "ch", "ss")):
        return rf"{verb}(?:es|ed)?", rf"{verb}ing"
    doubled = rf"{verb[-1]}?"
    return rf"{verb}(?:s|{doubled}ed)?", rf"{verb}{doubled}ing"


_PLAIN, _GOING_ON = ("|".join(forms) for forms in zip(*map(_inflect, words("qualifying_words.telling")), strict=True))
_PLAIN_THAT, _GOING_ON_THAT = (
    "|".join(forms) for forms in zip(*map(_inflect, words("qualifying_words.telling_that")), strict=True)
)
_ALWAYS = (
    r"(?:is|are|was|were|be|been|'s|'re|keeps?|kept|starts?|started|begins?|began|stops?|stopped|goes on|went on"
    r"|go on|insists on|never tires of|always|forever|constantly)"
)
SPEECH = re.compile(
    rf"\b{fragment('qualifying_words.minded')}\b(?! with\b)"
    rf"|\b(?:{fragment('qualifying_words.irregular')}|{_PLAIN})\b(?! (?:on|upon|it)\b)"
    # These verbs have other meanings too, and report something only before 'that'.
    rf"|\b(?:{_PLAIN_THAT}) that\b(?! (?:one|day|slot|seat|room)\b)"
    rf"|\b{_ALWAYS} (?:\w+ ){{0,2}}?(?:saying|telling|asking|hearing|feeling|insisting|begging|demanding"
    rf"|requesting|pushing|{_GOING_ON}|(?:{_GOING_ON_THAT}) that)\b"
)
