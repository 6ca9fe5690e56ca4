"""Recognize by words alone whether a sentence withdraws or amends something, and whether a condition restricts that."""

from __future__ import annotations

import re
from dataclasses import replace

from holdtrue.language.amendments import Amendment, spot_amendment
from holdtrue.language.cancellations import split_commands, spot_aim, spot_cancellation, spot_topic
from holdtrue.language.sentences import is_question
from holdtrue.language.small_talk import plain, without_courtesy
from holdtrue.language.withdrawals import Withdrawal, spot_withdrawal, without_lead

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
    """Return whether the text has a condition, such as 'if it rains'."""
    return bool(_CONDITION.search(text))


def find_reservation(cue: Withdrawal, *, listed: bool) -> str | None:
    """Return the reason why a withdrawal must not be carried out, or None if there is none.

    It has a condition, or it is about all or several things and makes an exception: "Drop everything but C001" would
    otherwise drop C001.
    """
    found = _CONDITION.search(f"{cue.content} {cue.rest}") or _NOT_SO.match(cue.rest)
    if found is None and listed:
        found = _EXCEPTION.search(cue.content) or _EXCEPTION.match(cue.rest)
    return f"with {found.group()!r} it is not clear what is meant" if found else None


# 'No more than', 'not any later than', 'no fewer meetings than' limit something, and none of their words is a cue.
# 'No longer works later than' ends something, so 'longer' is one of them only right before 'than'.
_COMPARED = re.compile(
    r"(?:\bno (?:(?!longer\b)\w+ ){0,3}?|(?:\b(?:not|never)|n't) (?:(?:need|want|have|require) )?(?:any )?)"
    r"(?:more|less|fewer|longer(?= than)|(?!longer)\w{2,}er) (?:\w+ ){0,3}?(?<!rather )(?<!other )than\b",
    re.IGNORECASE,
)
_JOIN = "\ua500"  # a letter for a pattern, of no script that a user of the Latin one writes, and of no hidden name
_LONGEST_SENTENCE = 1000  # what is longer is no remark about an earlier one, and patterns stay quick
_REQUEST = re.compile(r"(?:can|could|would|will) (?:you|we|i)\b", re.IGNORECASE)


def join_comparisons(text: str) -> str:
    """Return the text with comparisons such as 'no more than' as one word each, in which no pattern finds a cue."""
    return _COMPARED.sub(lambda found: found.group().replace(" ", _JOIN), text)


def part_comparisons(text: str) -> str:
    """Return a text, or a part of one, with the comparisons that `join_comparisons` made one word as they were."""
    return text.replace(_JOIN, " ")


def detect_change(sentence: str) -> Withdrawal | Amendment | None:
    """Return the withdrawal or amendment that a sentence may be by its words, or None if it only states or asks.

    Names should be hidden (`Names.hide`), so that no word of a name is taken for a word of the sentence.
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
    """Split a sentence that makes several changes into these; empty for any other sentence."""
    if len(text) > _LONGEST_SENTENCE:
        return []
    commands = split_commands(text)
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
    """Return whether the cue is a withdrawal that names nothing: 'drop that'."""
    return isinstance(cue, Withdrawal) and not (cue.content or cue.counted or (cue.every and not cue.latest))
