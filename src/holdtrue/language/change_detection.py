"""Recognize by words alone whether a sentence withdraws or amends something, and whether a condition restricts that.

A *withdrawal* takes an earlier commitment back. An *amendment* puts another one in its place.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal

from holdtrue.language.english_patterns import english
from holdtrue.language.sentences import is_question, plain, without_courtesy
from holdtrue.language.withdrawals import (
    Withdrawal,
    spot_aim,
    spot_cancellation,
    spot_topic,
    spot_withdrawal,
    without_lead,
)

AmendmentKind = Literal["instead", "contrast", "correction"]


@dataclass(frozen=True, slots=True)
class Amendment:
    """An `Amendment` is the analysis of a sentence that puts one thing in the place of another.

    `stated` are the words for the new constraint, and `displaced` those for the replaced thing. An amendment of the
    kind `instead` replaces something. A `contrast` ("A, not B") does so only if B was agreed. A `correction`
    ("actually") replaces only contradicting commitments.
    """

    stated: str
    displaced: str | None = None
    kind: AmendmentKind = "instead"


_INSTEAD_OF = re.compile(r"[\s,]*\b(?:instead of|rather than|in place of)\s+", re.IGNORECASE)
_INSTEAD = re.compile(r"[\s,]*\binstead\b[\s,]*", re.IGNORECASE)
_CHANGE = english("change_detection.change")
_POSTPONE = english("change_detection.postpone")
_HAS_MOVED = english("change_detection.has_moved")
_IS_NOW = re.compile(r"\b(?P<verb>is|are) now (?=\S)", re.IGNORECASE)
_NOW_AT_THE_END = re.compile(r"(?P<stated>.+\b(?:is|are)\b.+?),? (?:now|after all)$", re.IGNORECASE)
_MAKE_IT = re.compile(r"make (?:it|that)\s+(?P<stated>.+)$", re.IGNORECASE)
_MAKE_SURE = re.compile(r"^(?:make|see to) (?:it(?: so)?|sure|that)(?: that|:)\s+", re.IGNORECASE)
_REPLACE = english("change_detection.replace")
_NOT_BUT = re.compile(r"\bnot (?P<displaced>[^,]+?),? but (?:rather )?(?P<stated>.+)$", re.IGNORECASE)
_AND_NOT = re.compile(r"(?:,|,? and|,? but) not (?P<displaced>[^,]+)$", re.IGNORECASE)
_CORRECTION = english("change_detection.correction")


def spot_amendment(text: str) -> Amendment | None:
    """Return the amendment in a sentence, or None. `text` has single spaces."""
    text = _MAKE_SURE.sub("", text.rstrip(" .!"))
    if found := _INSTEAD_OF.search(text):
        before, after = without_lead(text[: found.start()]), text[found.end() :]
        return _spot_instead_of(before, after)
    if found := _INSTEAD.search(text):
        return Amendment(f"{without_lead(text[: found.start()])} {text[found.end() :]}".strip())
    bare = without_lead(text)
    if found := _CHANGE.match(bare):
        # 'Move' may be an ordinary demand, which replaces only contradicting commitments.
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
    """Return the amendment in 'X instead of D' or 'Instead of D, X'."""
    if before:
        return Amendment(before, after.strip(" ,"))
    displaced, comma, stated = after.partition(",")
    return Amendment(stated.strip(), displaced.strip()) if comma and stated.strip() else None


_CONDITION = english("change_detection.condition")
_EXCEPTION = english("change_detection.exception")
_NOT_SO = re.compile(r"(?:not|except|only)\b", re.IGNORECASE)


def has_condition(text: str) -> bool:
    """Return whether the text has a condition, such as 'if it rains'."""
    return bool(_CONDITION.search(text))


def find_reservation(cue: Withdrawal, *, listed: bool) -> str | None:
    """Return the reason why a withdrawal must not be carried out, or None.

    The reason is a condition, or an exception from several things: "Drop everything but C001" must not drop C001.
    """
    found = _CONDITION.search(f"{cue.content} {cue.rest}") or _NOT_SO.match(cue.rest)
    if found is None and listed:
        found = _EXCEPTION.search(cue.content) or _EXCEPTION.match(cue.rest)
    return f"with {found.group()!r} it is not clear what is meant" if found else None


_COMPARED = english("change_detection.compared")
_AND_ALSO = english("withdrawals.and_also")
_JOIN = "\ua500"  # a letter for patterns, which no placeholder and no Latin text has
_LONGEST_SENTENCE = 1000  # a longer sentence is no change, so patterns stay quick
_REQUEST = re.compile(r"(?:can|could|would|will) (?:you|we|i)\b", re.IGNORECASE)


def join_comparisons(text: str) -> str:
    """Return the text with each comparison, such as 'no more than', joined to one word that is not a cue."""
    return _COMPARED.sub(lambda found: found.group().replace(" ", _JOIN), text)


def part_comparisons(text: str) -> str:
    """Return a text with the effect of `join_comparisons` undone."""
    return text.replace(_JOIN, " ")


def detect_change(sentence: str) -> Withdrawal | Amendment | None:
    """Return the withdrawal or amendment in a sentence, or None if it only states or asks.

    Names should be hidden (`Names.hide`), so that their words are not taken for cues.
    """
    if len(sentence) > _LONGEST_SENTENCE:
        return None
    match _detect_change(join_comparisons(plain(sentence))):
        case Withdrawal(content, rest=rest) as cue:
            return replace(cue, content=part_comparisons(content), rest=part_comparisons(rest))
        case Amendment(stated, displaced) as cue:
            return replace(cue, stated=part_comparisons(stated), displaced=displaced and part_comparisons(displaced))
    return None


def _detect_change(text: str) -> Withdrawal | Amendment | None:
    if text.endswith("?") and (is_question(text) or not _REQUEST.match(without_lead(text, of_requests=False))):
        return None
    text = without_courtesy(text)
    if found := spot_withdrawal(text):
        return found if found.sure else spot_cancellation(text) or found
    amendment = spot_amendment(text)
    if amendment is None or amendment.kind == "correction":  # 'Actually, cancel it' is no correction
        return spot_cancellation(text) or amendment
    return amendment


def spot_commands(text: str) -> list[str]:
    """Split a sentence with several changes into one text for each; return [] for any other sentence."""
    if len(text) > _LONGEST_SENTENCE:
        return []
    commands = [part for part in _AND_ALSO.split(text) if part.strip()]
    cues = [detect_change(command) for command in commands]
    return commands if all(cue is not None and not points_back(cue) for cue in cues) else []


def spot_named_before(text: str) -> Withdrawal | None:
    """Return the withdrawal in a sentence that names its object first, such as "The one with Ann: take it back"."""
    if len(text) > _LONGEST_SENTENCE or text.endswith("?"):
        return None
    parted = spot_topic(without_courtesy(text))
    if parted is None:
        return None
    topic, command = parted
    found, that = detect_change(topic), detect_change(command)
    if not isinstance(that, Withdrawal) or that.content or that.rest or isinstance(found, Amendment):
        return None
    return found or spot_aim(without_lead(topic))


def points_back(cue: Withdrawal | Amendment) -> bool:
    """Return whether the cue is a withdrawal without an object: 'drop that'."""
    return isinstance(cue, Withdrawal) and not (cue.content or cue.counted or (cue.every and not cue.latest))
