"""Recognize by ordinary words that a sentence replaces one thing by another: "instead", "change ... to", "A, not B".

These words belong to no domain. They only tell which part of the sentence is about the old and which about the new.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from holdtrue.language.withdrawals import without_lead

AmendmentKind = Literal["instead", "contrast", "correction"]


@dataclass(frozen=True, slots=True)
class Amendment:
    """An `Amendment` is a sentence that puts something in the place of something else.

    `stated`: what is to hold now. `displaced`: what the sentence says it replaces. `kind`: `instead` (it replaces
    something), `contrast` ("A, not B": only if B was agreed), `correction` ("actually": only what clashes).
    """

    stated: str
    displaced: str | None = None
    kind: AmendmentKind = "instead"


_INSTEAD_OF = re.compile(r"[\s,]*\b(?:instead of|rather than|in place of)\s+", re.IGNORECASE)
_INSTEAD = re.compile(r"[\s,]*\binstead\b[\s,]*", re.IGNORECASE)
_CHANGE = re.compile(
    r"(?:(?P<sure>change|switch|update|alter|amend|revise|correct)|move|shift|reschedule)\s+(?P<what>.+?)"
    r"(?:\s+from\s+(?P<displaced>.+?))?(?P<to>\s+(?:in)?to\s+.+)$",
    re.IGNORECASE,
)
# "Postpone" and the like say in which direction something moves, which the new time says already.
_POSTPONE = re.compile(
    r"(?:postpone|delay|push|bring|pull|advance|relocate|transfer|reschedule)\s+(?P<what>.+?)(?: (?:back|forward|up"
    r"|over|on))?"
    r"\s+(?:(?:in|on)?to|for|until|till)\s+(?P<to>.+)$",
    re.IGNORECASE,
)
_HAS_MOVED = re.compile(
    r"(?P<what>.+?)(?: (?:has|have|is|was|'s)(?: been| being)? (?:moved|shifted|rescheduled|postponed|pushed(?: back)?)"
    r"| moves| is moving| has to move)\s+(?:in|on)?to\s+(?P<to>.+)$",
    re.IGNORECASE,
)
_IS_NOW = re.compile(r"\b(?P<verb>is|are) now (?=\S)", re.IGNORECASE)
_NOW_AT_THE_END = re.compile(r"(?P<stated>.+\b(?:is|are)\b.+?),? (?:now|after all)$", re.IGNORECASE)
_MAKE_IT = re.compile(r"make (?:it|that)\s+(?P<stated>.+)$", re.IGNORECASE)
_MAKE_SURE = re.compile(r"^(?:make|see to) (?:it(?: so)?|sure|that)(?: that|:)\s+", re.IGNORECASE)
# "Day 5 instead of day 2 for the demo": what it is about stands last; hidden names are in letters of the Yi script.
_FOR_NAME = re.compile(r"\s+for (?:the )?([\ua000-\ua48c])\d+\1$", re.IGNORECASE)
_REPLACE = re.compile(
    r"replace\s+(?P<displaced>.+?)\s+(?:with|by)\b[\s:,]+(?:the (?:rule|constraint) that\s+)?(?P<stated>.+)$",
    re.IGNORECASE,
)
_NOT_BUT = re.compile(r"\bnot (?P<displaced>[^,]+?),? but (?:rather )?(?P<stated>.+)$", re.IGNORECASE)
_AND_NOT = re.compile(r"(?:,|,? and|,? but) not (?P<displaced>[^,]+)$", re.IGNORECASE)
_CORRECTION = re.compile(
    r"(?:(?:oh|ok|okay|hm+|well|so|but|and|sorry|please)\b[\s,]*)*"
    r"(?:actually|on second thoughts?|on reflection|correction(?=\s*[:,])|i meant(?: to say)?(?: that)?|no,? wait"
    r"|wait,? no|i(?:'ve| have)? changed my mind|or rather|no(?=,(?! wait))"
    r"|change of plans?|new plan|change(?=:)|update(?=:)|oops|my mistake|my bad|i was wrong|scratch that(?=[,:;])"
    r"|better(?=[,:]))\b[\s,:;\u2014\u2013-]+(?P<stated>.+)$",
    re.IGNORECASE,
)


def spot_amendment(text: str) -> Amendment | None:
    """Return the amendment that a sentence makes by its words, or None; `text` has single spaces."""
    text = _MAKE_SURE.sub("", text.rstrip(" .!"))
    if found := _INSTEAD_OF.search(text):
        before, after = without_lead(text[: found.start()]), text[found.end() :]
        if before and (about := _FOR_NAME.search(after)):
            before, after = before + about.group(), after[: about.start()]
        return _spot_instead_of(before, after)
    if found := _INSTEAD.search(text):
        return Amendment(f"{without_lead(text[: found.start()])} {text[found.end() :]}".strip())
    bare = without_lead(text)
    if found := _CHANGE.match(bare):
        # 'Move' may be an ordinary demand: it only replaces what cannot be kept beside it.
        kind: AmendmentKind = "instead" if found["sure"] or found["displaced"] else "correction"
        return Amendment(f"{bare[: found.end('what')]}{found['to']}", found["displaced"], kind)
    if found := _POSTPONE.match(bare) or _HAS_MOVED.match(bare):
        return Amendment(f"move {found['what']} to {found['to']}", kind="correction")
    if found := _REPLACE.match(bare):
        return Amendment(found["stated"], found["displaced"])
    if found := _NOT_BUT.search(bare):
        return Amendment(f"{bare[: found.start()]}{found['stated']}", found["displaced"], "contrast")
    if found := _AND_NOT.search(bare):
        return Amendment(bare[: found.start()], found["displaced"], "contrast")
    if found := _CORRECTION.match(text):
        return Amendment(found["stated"], kind="correction")
    if found := _MAKE_IT.match(bare):
        return Amendment(bare, kind="correction")
    if found := _IS_NOW.search(bare):
        return Amendment(f"{bare[: found.end('verb')]} {bare[found.end() :]}", kind="correction")
    if found := _NOW_AT_THE_END.match(bare):
        return Amendment(found["stated"], kind="correction")
    return None


def _spot_instead_of(before: str, after: str) -> Amendment | None:
    """'X instead of D' and 'Instead of D, X'."""
    if before:
        return Amendment(before, after.strip(" ,"))
    displaced, comma, stated = after.partition(",")
    return Amendment(stated.strip(), displaced.strip()) if comma and stated.strip() else None
