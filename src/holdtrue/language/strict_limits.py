"""Say limits that leave out their own number by the number that they mean: 'after slot 5' is from slot 6 on.

Domains give ranges and least numbers by their ends, and users do not: 'more than one seat' is two or more. A model that
is to choose among the numbers of a sentence cannot count on, so code does it before anything is read.
"""

from __future__ import annotations

import re

from holdtrue.language.grounding import COUNTING_WORDS
from holdtrue.language.instance_cache import cached_per_instance
from holdtrue.world.domain import Integer
from holdtrue.world.instance import Instance

_UNIT = r"(?P<unit>(?:the )?(?:time )?slots? (?:number )?|number )?"
_NUMBER = rf"(?P<number>\d{{1,9}}|{'|'.join(COUNTING_WORDS)})"
_AFTER = re.compile(
    rf"(?<!at or )(?<!on or )(?<!in or )\b(?:any ?time |strictly |sometime |only )?(?:after|later than|past"
    rf"|beyond) {_UNIT}{_NUMBER}\b(?! (?:slots?|seats?|hours?|days?|minutes?|weeks?|is|ends?|has)\b)",
    re.IGNORECASE,
)
_BEFORE = re.compile(
    rf"(?<!at or )(?<!on or )(?<!in or )\b(?:any ?time |strictly |sometime )?(?:before|earlier than|sooner than"
    rf"|prior to|ahead of) "
    rf"{_UNIT}{_NUMBER}\b"
    r"(?! (?:slots?|seats?|hours?|days?|minutes?|weeks?|is|starts?|begins?)\b)",
    re.IGNORECASE,
)
_IN_OR_AFTER = re.compile(rf"\b(?:at|on|in) or (?:after|later than) {_UNIT}{_NUMBER}\b", re.IGNORECASE)
_IN_OR_BEFORE = re.compile(rf"\b(?:at|on|in) or (?:before|earlier than) {_UNIT}{_NUMBER}\b", re.IGNORECASE)
_MORE = re.compile(
    rf"\b(?:more|greater) than {_NUMBER}\b(?=(?: \w+)? (?:seats?|slots?|chairs?|places?|spots?)\b)", re.I
)
_NEAR = 80  # characters before a limit in which a word may deny it
_DENIED = re.compile(
    r"(?:\b(?:not|no|never|nothing|cannot|without|nor|neither|none|dare)\b|n't\b|n\u2019t\b)[^,;:.]*$", re.I
)


def count_on(instance: Instance, message: str) -> str:
    """Return the message with such limits by the number that they mean, where the domain has no word for the limit.

    What denies a limit means the number itself, and stays: 'not before slot 3', 'no later than slot 5'.
    """
    ranges, least = _countable(instance)
    if ranges:
        message = _IN_OR_AFTER.sub(
            lambda found: _from(message, found, "from {unit}{number} on", "after {unit}{number}", -1), message
        )
        message = _IN_OR_BEFORE.sub(
            lambda found: _from(message, found, "by {unit}{number} at the latest", "before {unit}{number}", 1), message
        )
        message = _AFTER.sub(lambda found: _said(message, found, "from {unit}{number} on", 1), message)
        message = _BEFORE.sub(lambda found: _said(message, found, "by {unit}{number} at the latest", -1), message)
    if least:
        message = _MORE.sub(lambda found: _said(message, found, "at least {number}", 1), message)
    return message


def _from(message: str, found: re.Match[str], plain: str, denied: str, step: int) -> str:
    """Return 'in or after slot 4' as 'from slot 4 on', and where it is denied as what is left: 'not after slot 3'."""
    is_denied = _DENIED.search(message[max(0, found.start() - _NEAR) : found.start()])
    number = _number(found) + (step if is_denied else 0)
    wording = denied if is_denied else plain
    return wording.format(unit=found["unit"] or "", number=number) if number > 0 else found.group()


def _number(found: re.Match[str]) -> int:
    written = found["number"].casefold()
    return int(written) if written.isdecimal() else COUNTING_WORDS[written]


def _said(message: str, found: re.Match[str], wording: str, step: int) -> str:
    if _DENIED.search(message[max(0, found.start() - _NEAR) : found.start()]):
        return found.group()
    number = _number(found) + step
    unit = found.groupdict().get("unit") or ""
    return wording.format(unit=unit, number=number) if number > 0 else found.group()


@cached_per_instance
def _countable(instance: Instance) -> tuple[bool, bool]:
    """Return whether the domain has ranges, and least numbers, and words for neither that leave their number out."""
    kinds = list(instance.types.values())
    said = " ".join(wording for kind in kinds for wording in (kind.sentence, *kind.wordings)).casefold()
    own_order = any(
        re.search(rf"\b(?:after|before|past|later than|earlier than) (?:\w+ ){{0,2}}\{{{place}\}}", wording.casefold())
        for kind in kinds
        for wording in (kind.sentence, *kind.wordings)
        for place, argument in enumerate(kind.arguments)
        if isinstance(argument, Integer)
    )
    ranges = any(sum(isinstance(one, Integer) for one in kind.arguments) > 1 for kind in kinds)
    return ranges and not own_order, "at least" in said and "more than" not in said
