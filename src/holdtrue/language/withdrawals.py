"""Recognize by ordinary words that a sentence takes something back: "forget", "drop the rule that", "cancel the demo".

These words belong to no domain. They only show which part of the sentence is the object; `message_reader` decides
whether that was agreed. "Cancel" and the like can be about anything, so they count only if their object is a known
name. All texts have placeholders for names (`Names.hide`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from holdtrue.language.english_patterns import english, fragment

_PARTED = english("withdrawals.parted")
_COMMAND = english("withdrawals.command")
_STATE = english("withdrawals.state")
_NO_MORE = english("withdrawals.no_more")
_ENDED = english("withdrawals.ended")
_NEEDED_NO_MORE = english("withdrawals.needed_no_more")
_LET_US_NOT = english("withdrawals.let_us_not")
_IS_NO_LONGER = english("withdrawals.is_no_longer")
_NEEDS_NO_MORE = english("withdrawals.needs_no_more")
_MAY_AGAIN = english("withdrawals.may_again")
_NOT_ANY_MORE = english("withdrawals.not_any_more")
_ALL_OF = english("withdrawals.all_of")
# "The one with X: take it back", "X? Forget it".
_BEFORE_COMMAND = re.compile(r"\s*(?:[,:;?\u2014]|\s[\u2013-])\s*")


def spot_cancellation(text: str) -> Withdrawal | None:
    """Return the withdrawal in a sentence that takes back a named thing, or None."""
    bare = without_lead(text)
    return (
        _spot_cancelling(bare)
        or _spot_let_us_not(text)
        or _spot_plain(_NO_MORE, bare)
        or _spot_plain(_ENDED, bare)
        or _spot_plain(_NEEDED_NO_MORE, bare, strict=True)
        or _spot_plain(_STATE, bare)
        or _spot_no_longer(bare)
    )


def spot_topic(text: str) -> tuple[str, str] | None:
    """Split "the one with X: take it back" into its object and the command; None for any other sentence."""
    for mark in _BEFORE_COMMAND.finditer(text):
        topic, command = text[: mark.start()], without_lead(text[mark.end() :])
        if topic and (_COMMAND.match(command) or _PARTED.match(command)):
            return topic, command
    return None


def spot_aim(content: str) -> Withdrawal:
    """Return the withdrawal of the object of a command: 'both rules about X', 'everything with X', 'X'."""
    content = SAID_BEFORE.sub("", WE_SAID.sub("", content))
    if found := spot_object(content):
        return replace(found, sure=True)
    if found_all := _ALL_OF.match(content):
        return Withdrawal(content[found_all.end() :], every=True, two=bool(found_all["two"]))
    return Withdrawal(content)


def _spot_cancelling(text: str) -> Withdrawal | None:
    if found := _PARTED.match(text):
        return spot_aim(found["content"] or found["left"])
    if found := _COMMAND.match(text):
        cue = spot_aim(found["content"])
        if found["strong"]:
            return cue
        return replace(cue, strict=True) if cue.content else None  # 'skip it' names nothing
    return None


def _spot_let_us_not(text: str) -> Withdrawal | None:
    found = _LET_US_NOT.search(text)
    before = LEAD.match(text, 0, found.start()) if found else None
    if found is None or before is None or before.end() != found.start():
        return None
    return _named(found["content"], strict=not found["after"])


def _spot_plain(pattern: re.Pattern[str], text: str, *, strict: bool = False) -> Withdrawal | None:
    found = pattern.match(text)
    return _named(next(part for part in found.groups() if part), strict=strict) if found else None


def _named(content: str, *, strict: bool = False) -> Withdrawal | None:
    """Return the withdrawal if it names its object, else None: 'it is off' may be about the heating."""
    cue = spot_aim(content)
    return replace(cue, strict=strict, sure=not strict) if cue.content else None


def _spot_no_longer(text: str) -> Withdrawal | None:
    """Return the withdrawal in 'Ann is no longer on day 2'. It is a withdrawal only if that was agreed."""
    if found := _IS_NO_LONGER.search(text):
        verb = found["verb"] or found["does"]
        return Withdrawal(f"{text[: found.start()]} {verb} {text[found.end() :]}".strip(), sure=False)
    if found := _NOT_ANY_MORE.search(text):
        verb = found["be"] or f"must {found['verb']}"
        return Withdrawal(f"{text[: found.start()]}{verb} {found['rest']}", sure=False)
    if found := _NEEDS_NO_MORE.match(text):
        return Withdrawal(f"{found['who']} with {found['what']}", sure=False)
    if found := _MAY_AGAIN.match(text):
        not_so = "is not" if found["verb"].casefold() == "be" else f"does not {found['verb']}"
        return Withdrawal(f"{found['who']} {not_so} {found['what']}", sure=False)
    return None


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """A `Withdrawal` is the analysis of a sentence that takes something back.

    Attributes:
        content: The words for the object; empty for a mere 'that'.
        every: Whether everything that fits is meant, and not one thing.
        latest: Whether the newest commitments are meant if there is no content.
        sure: Whether the words can mean nothing else. Otherwise a sentence without a matching commitment is a
            statement.
        two: Whether `every` means exactly two things ("both").
        counted: Whether the object is given by its number among the commitments ("rule 2").
        strict: Whether the command can be about anything ("clear", "lift"). Its object must then be a name, or worded
            like a commitment.
        rest: The words behind the object ("Forget that, Ann is first"): a further sentence, or a name for the object.
    """

    content: str = ""
    every: bool = False
    latest: bool = True
    sure: bool = True
    two: bool = False
    counted: bool = False
    strict: bool = False
    rest: str = ""


# Words that may open any sentence. 'No' and 'wait' are such only before a comma, because of "No two ...".
_OPENING = fragment("withdrawals.opening")
_REQUEST = fragment("withdrawals.request")
_BREAK = r"[\s,;:!.\u2014\u2013-]*"
OPENING = re.compile(rf"(?:(?:{_OPENING})\b{_BREAK})*", re.IGNORECASE)
# Words that may precede a command. 'We could' and 'we may' only consider it.
LEAD = re.compile(rf"(?:(?:{_OPENING}|{_REQUEST})\b{_BREAK})*", re.IGNORECASE)
_REQUESTED = re.compile(r"\b(?:can|could|would|will) (?:you|we|i)\b", re.IGNORECASE)
WE_SAID = english("withdrawals.as_we_said")
SAID_BEFORE = english("withdrawals.said_before")
_ANY_MORE = fragment("withdrawals.any_more")

_FORGET = english("withdrawals.forget")
_REMOVE = english("withdrawals.remove")
_UNDO = re.compile(r"undo[\s.!]*$", re.IGNORECASE)
_TAKE_IT_BACK = re.compile(r"take (?P<that>that|it|this|them|those) back\b", re.IGNORECASE)
_NOT_NEEDED = english("withdrawals.not_needed")
_ID = english("withdrawals.id")

_THAT = english("withdrawals.that")
_ALL = english("withdrawals.all")
_COUNTED = english("withdrawals.counted")
_OBJECT = english("withdrawals.object")
_QUOTED = re.compile(r"(?:that|this|it|the following)\s*:\s+(?=\S)", re.IGNORECASE)
_LINK = english("withdrawals.link")
_VOID = english("withdrawals.void")
_NO_LONGER = english("withdrawals.no_longer")
_NO_DUTY = english("withdrawals.no_duty")
_REMARK = english("withdrawals.remark")
_AT_THE_END = re.compile(rf"[\s,]+(?:{_ANY_MORE}|after all)[\s.!]*$", re.IGNORECASE)


def spot_withdrawal(text: str) -> Withdrawal | None:
    """Return the withdrawal in a sentence, or None. The text has single spaces and straight apostrophes."""
    bare = without_lead(text)
    if cue := _spot_command(bare) or _spot_ended_duty(bare):
        return cue
    found = _VOID.search(bare)  # 'The rule that ... no longer applies'
    return spot_object(bare[: found.start()]) if found else None


def remarks_on_it(text: str) -> bool:
    """Return whether the text has words for taking something back, in any form."""
    return bool(_REMARK.search(text))


def without_lead(text: str, *, of_requests: bool = True) -> str:
    """Return the sentence without a leading 'please' or 'actually'. With `of_requests`, 'could you' is left out too."""
    lead = LEAD.match(text)
    if lead is None:
        return text
    request = None if of_requests else _REQUESTED.search(lead.group())
    return text[request.start() if request else lead.end() :]


def _spot_command(text: str) -> Withdrawal | None:
    """Return the withdrawal in 'Forget that', 'Drop the rule that ...', 'It is no longer necessary that ...'."""
    if found := _TAKE_IT_BACK.match(text):
        return _spot_that(found["that"] + text[found.end() :])
    if found := _NOT_NEEDED.match(text):
        return Withdrawal(text[found.end() :])
    if _UNDO.match(text):
        return Withdrawal()
    if found := _REMOVE.match(text):
        return spot_object(text[found.end() :])
    if found := _FORGET.match(text):
        aim = text[found.end() :]
        content = re.sub(r"^that\s+", "", aim, flags=re.IGNORECASE)
        cue = spot_object(aim) or Withdrawal(content, sure=False)
        return replace(cue, sure=True) if found["plain"] else cue
    return None


def spot_object(text: str) -> Withdrawal | None:
    """Return the withdrawal of a command's object if it is a commitment: 'the rule about Ann'."""
    if quoted := _QUOTED.match(text):
        return Withdrawal(text[quoted.end() :])
    named = _OBJECT.match(text)
    quotes = named is not None and text.startswith(":", named.end())  # 'the rule: ...' quotes one
    if not quotes and (found := _spot_that(text)):
        return found
    if _ALL.match(text):
        return Withdrawal(every=True, latest=False)
    if counted := _COUNTED.match(text):
        return Withdrawal(latest=False, sure=bool(counted["saying"] or counted["rule"]), counted=True)
    if _ID.match(text):
        return Withdrawal(text)
    if named is None:
        return None
    link = _LINK.match(text, named.end())
    content = text[link.end() if link else named.end() :]
    every, last = bool(named["all"] or named["everything"]), (named["last"] or "").casefold()
    if named["all"] and last == "previous":
        last = ""  # 'all previous rules' are all that there are
    vague = not content and bool(named["other"] or (named["plural"] and not last))
    sure = bool(named["saying"] or named["we"] or named["what"] or (link and link["speech"]))
    two = (named["all"] or "").casefold() == "both"
    return Withdrawal(content, every, latest=not vague, sure=sure, two=two)


def _spot_that(text: str) -> Withdrawal | None:
    """Return the withdrawal of a mere 'that'.

    'The rules' may mean any rules; 'the last rules' and 'those' mean all rules of the newest turn.
    """
    if not (found := _THAT.match(text)):
        return None
    every = bool(found["several"] or (found["plural"] and found["last"]))
    two = (found["several"] or "").casefold() == "both"
    return Withdrawal(every=every, latest=every or not found["plural"], two=two, rest=found["rest"] or "")


def _spot_ended_duty(text: str) -> Withdrawal | None:
    """Return the withdrawal in 'Ann doesn't need to ... any more'; without 'any more' it is not sure."""
    ended = _NO_LONGER.search(text)
    found = ended or _NO_DUTY.search(text)
    if found is None:
        return None
    who = text[: found.start()]
    duty, endings = _AT_THE_END.subn("", text[found.end() :])
    sure = bool(ended or endings)
    if not sure and re.search(r"\b(?:i|we)$", who, re.IGNORECASE):
        return None  # 'I don't have to repeat ...'
    return Withdrawal(f"{who} must {duty}", sure=sure)
