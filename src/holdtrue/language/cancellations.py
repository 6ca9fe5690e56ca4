"""Recognize by ordinary words that a sentence takes back what it names: "cancel the demo", "the demo is off".

Unlike the words in `withdrawals`, such as "forget that", these can be about anything, so they count only if their
object is a known name. All texts here have placeholders in the place of names (`Names.hide`).
"""

from __future__ import annotations

import re
from dataclasses import replace

from holdtrue.language.withdrawals import LEAD, SAID_BEFORE, WE_SAID, Withdrawal, spot_object, without_lead

_ANY_MORE = r"(?:any ?more|any longer|after all)"
_VERB = (
    r"(?:cancel|drop|forget(?: about)?|scrap|scratch|remove|delete|withdraw|take back|retract|undo|revoke"
    r"|never ?mind(?: about)?|ignore|disregard|discard|strike(?: out)?|call off|leave out|get rid of|do away with"
    r"|ditch|axe|erase|waive|rescind|repeal|abandon|annul|cross out|throw out|omit|unschedule|let go of)"
)
# Commands that are often about something else: they want a bare name, or the very words of what was agreed.
_WEAK_VERB = r"(?:skip|lift|clear|cut|kill|bin|nix|relax|release|void)"
_LISTED = (
    r"(?: (?:from|off|out of) (?:the|our|my) (?:list|agenda|schedule|plans?|calendar|board|programme|program|rota))"
)
_PARTED = re.compile(
    r"(?:(?:call|(?P<take>take)|cross|strike)\s+(?P<content>.+?)(?:\s+off|(?(take)\s+back|\s+off)|"
    rf"{_LISTED})|leave\s+(?P<left>.+?)\s+out)[\s.!]*$",
    re.IGNORECASE,
)
_DONE = (
    r"(?:cancell?ed|called off|scrapped|dropped|withdrawn|removed|deleted|retracted|revoked|abandoned|skipped|lifted)"
)
_DID = r"(?:cancell?ed|called off|scrapped|dropped|withdrawn)"
_DOING = r"(?:cancell?ing|calling off|scrapping|dropping|withdrawing|removing|deleting|skipping|abandoning|retracting)"
_COMMAND = re.compile(
    rf"(?:(?P<strong>{_VERB}|mind (?:{_DOING}|forgetting(?: about)?))|{_WEAK_VERB}(?!\s+(?:to|up|over"
    rf"|for)\b))\b:?\s+(?P<content>.+?){_LISTED}?[\s.!]*$",
    re.IGNORECASE,
)
_NOT_TO_BE = (
    rf"(?:(?:is|are|'s|has been|have been|was|were|got|gets) (?:now |all |just |officially )?"
    rf"(?:off(?: the (?:table|list|agenda))?|{_DONE}|void)"
    rf"|(?:is|are)(?:n't| not) (?:happening|taking place|going ahead|on)(?: {_ANY_MORE})?"
    r"|(?:is|are|'s) no longer (?:happening|taking place|going ahead|on|needed|necessary|required|valid|wanted)"
    rf"|(?:is|are)(?:n't| not) (?:needed|necessary|required|wanted) {_ANY_MORE}"
    rf"|(?:won't|will not) (?:happen|take place|be happening|be taking place|go ahead)(?: {_ANY_MORE})?"
    rf"|(?:can|should) (?:now )?be (?:{_DONE}|forgotten|ignored)"
    rf"|no longer (?:happens?|takes? place|appl(?:y|ies)|holds?|counts?|stands?|matters?))"
)
_STATE = re.compile(
    rf"(?P<content>.+?)\s*\b{_NOT_TO_BE}(?:[\s,]+(?:now|then|again|for good|{_ANY_MORE}))*[\s.!]*$", re.IGNORECASE
)
_NO_MORE = re.compile(
    rf"no more (?P<more>.+)$|no (?P<after>.+?),? {_ANY_MORE}[\s.!]*$"
    rf"|(?:there(?:'s| is) )?no (?:longer any |more )?need for (?P<need>.+?)(?:,? {_ANY_MORE})?[\s.!]*$",
    re.IGNORECASE,
)
_TO_HAVE = r"(?: to (?:have|do|hold|keep))?"
_ENDED = re.compile(
    rf"(?:we|i) (?:do(?:n't| not)|won't|will not) (?:need|want|require){_TO_HAVE} (?P<need>.+?),? {_ANY_MORE}[\s.!]*$"
    rf"|(?:we|i) no longer (?:need|want|require){_TO_HAVE} (?P<longer>.+?)[\s.!]*$"
    r"|(?:we|i)(?:'re| are|'m| am) no longer (?:doing|having|holding|keeping|going ahead with) (?P<doing>.+?)[\s.!]*$"
    r"|(?:we|i)(?:'re| are|'m| am) not (?:doing|having|holding|keeping|going ahead with) (?P<not>.+?)"
    rf",? {_ANY_MORE}[\s.!]*$"
    rf"|(?:we|i)(?:'re| are|'m| am|'ll be| will be) (?:just )?{_DOING} (?P<ending>.+)$"
    rf"|(?:we|i)(?:(?:'ve| have)(?: just)? {_DONE}| (?:just )?{_DID}) (?P<ended>.+)$"
    r"|(?:i|we)(?:'ve| have)? changed (?:my|our) minds? about (?P<minds>.+)$",
    re.IGNORECASE,
)
# Without 'any more' these forbid something, unless they are about a bare name: "we don't need Ann on day 2".
_NOT_NEEDED = re.compile(
    rf"(?:we|i) (?:do(?:n't| not)|won't|will not) need{_TO_HAVE} (?P<need>.+)$"
    r"|(?:we|i)(?:'re| are|'m| am) not (?:doing|having|holding|keeping|going ahead with) (?P<not>.+)$",
    re.IGNORECASE,
)
_LET_US_NOT = re.compile(
    r"let(?:'s| us) not (?:do|have|hold|keep|run|make|require|bother with|go (?:ahead )?with|insist on|put|place|seat) "
    rf"(?P<content>.+?)(?P<after>,? {_ANY_MORE})?[\s.!]*$",
    re.IGNORECASE,
)
_NO_LONGER = re.compile(
    r"\b(?P<verb>is|are) no longer (?=\S)"
    r"|(?<!must)(?<!may)(?<!can)(?<!should)(?<!shall)(?<!will)(?<!\bi)(?<!\bwe) no longer (?P<does>(?!has|have"
    r"|needs?\b)\w+\b)",
    re.IGNORECASE,
)
# "Ann no longer needs the hall", "Ann can be in the hall again".
_NEEDS_NO_MORE = re.compile(
    r"(?P<who>.+?) (?:no longer needs?|do(?:es)?(?: not|n't) need) (?!to\b)(?P<what>.+?)"
    r"(?:,? (?:any ?more|any longer|after all))?[\s.!]*$",
    re.IGNORECASE,
)
_MAY_AGAIN = re.compile(
    r"(?P<who>.+?) (?:can|may|is allowed to|are allowed to) (?P<verb>\w+) (?P<what>.+?),? (?:again|after all)[\s.!]*$",
    re.IGNORECASE,
)
_NOT_ANY_MORE = re.compile(
    r"\b(?:(?P<be>is|are)(?: not|n't)|do(?:es)?(?: not|n't) (?P<verb>(?!have|need)\w+)) (?P<rest>.+?),? "
    r"(?:any ?more|any longer)[\s.!]*$",
    re.IGNORECASE,
)
_ALL_OF = re.compile(
    r"(?:(?P<two>both)|all|every(?:thing)?|each)(?: of)?(?: the| my| our| its| their)?(?: (?:about|for|with|on|in"
    r"|of))? ",
    re.IGNORECASE,
)
# "The one with X: take it back", "X? Forget it".
_BEFORE_COMMAND = re.compile(r"\s*(?:[,:;?\u2014]|\s[\u2013-])\s*")


# "Cancel X and move Y to day 3" are two sentences.
_AND_ALSO = re.compile(
    rf"(?:[,;]\s*|[,;]?\s+and\s+)(?:then |also |please |but )*(?=(?:{_VERB}|{_WEAK_VERB}|move|change|shift|reschedule"
    r"|switch|update|put|replace|postpone|make|set)\b)",
    re.IGNORECASE,
)


def split_commands(text: str) -> list[str]:
    """Split one sentence, with its names hidden, into the commands that it gives."""
    return [part for part in _AND_ALSO.split(text) if part.strip()]


def spot_cancellation(text: str) -> Withdrawal | None:
    """Return what a sentence, with its names hidden, takes back by name, or None if it takes nothing back."""
    bare = without_lead(text)
    return (
        _spot_command(bare)
        or _spot_let_us_not(text)
        or _spot_plain(_NO_MORE, bare)
        or _spot_plain(_ENDED, bare)
        or _spot_plain(_NOT_NEEDED, bare, strict=True)
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
    """Read the object of a command: 'both rules about X', 'everything with X', 'X'."""
    content = SAID_BEFORE.sub("", WE_SAID.sub("", content))
    if found := spot_object(content):
        return replace(found, sure=True)
    if found_all := _ALL_OF.match(content):
        return Withdrawal(content[found_all.end() :], every=True, two=bool(found_all["two"]))
    return Withdrawal(content)


def _spot_command(text: str) -> Withdrawal | None:
    if found := _PARTED.match(text):
        return spot_aim(found["content"] or found["left"])
    if found := _COMMAND.match(text):
        cue = spot_aim(found["content"])
        if found["strong"]:
            return cue
        return replace(cue, strict=True) if cue.content else None  # 'skip it' is about nothing that was said
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
    """Return the withdrawal if it names what is told to be off, else None: 'it is off' may be about the heating."""
    cue = spot_aim(content)
    return replace(cue, strict=strict, sure=not strict) if cue.content else None


def _spot_no_longer(text: str) -> Withdrawal | None:
    """'Ann is no longer on day 2', 'Ann isn't on day 2 any more': whether that was agreed decides."""
    if found := _NO_LONGER.search(text):
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
