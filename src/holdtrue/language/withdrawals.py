"""Recognize by ordinary words that a sentence takes something back: "forget", "drop the rule that", "no longer has to".

These words belong to no domain. They only tell which part of the sentence is about what was said; whether that was
agreed at all is decided in `holdtrue.language.message_hearing`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """A `Withdrawal` is a sentence that takes something back.

    Attributes:
        content: The words about what is taken back; empty for a mere 'that'.
        every: Everything that fits is meant, and not one thing.
        latest: Without content, what was said last is meant, and not anything at all.
        sure: The words can mean nothing else; otherwise a sentence that fits nothing agreed is a statement.
        two: With `every`, there must be two such things ("both").
        counted: What is meant is known by its number among what was said ("rule 2").
        strict: The command can be about anything ("clear", "lift"), so its object must be a name, or worded like
            something agreed.
        rest: The words behind it ("Forget that, Ann is first"): a sentence of their own, or a name for what is meant.
    """

    content: str = ""
    every: bool = False
    latest: bool = True
    sure: bool = True
    two: bool = False
    counted: bool = False
    strict: bool = False
    rest: str = ""


# What may open any sentence and changes nothing about it. 'No' and 'wait' only before a comma: "No two ...".
_OPENING = (
    r"please|pls|plz|kindly|just|sorry|oh|ok|okay|hm+|well|(?:oh )?no(?=\s*[,.!])|wait(?=\s*[,.!])|actually"
    r"|alright"
    r"|all right|so|but|and|then|(?:hey|hi|hello)(?: (?:there|all|team|everyone|folks))?|oops|ah|ugh|yes|yeah|right"
    r"|also|too|(?:thanks(?: a lot)?|thank you)(?=\s*[,;:])|unfortunately|folks|(?:oh )?dear|my (?:mistake|bad)"
    r"|by the way|btw|never ?mind(?=\s*,)|in fact|on second thoughts?|on reflection|sadly|alas|regrettably"
    r"|(?:fyi|update|(?:bad |good )?news|heads[ -]up|note|ps|p\.s|correction|change)(?=\s*[,:.])"
    r"|i(?:'ve| have)? changed my mind(?=\s*[,:;.])|change of plans?(?=\s*[,:;.])"
)
_REQUEST = (
    r"let's|let us|(?:can|could|would|will) (?:you|we|i)|you (?:can|may|should)"
    r"|(?:we|i) (?:can|should|need to|have to|must)|only|i(?:'d| would) like (?:you )?to|i (?:want|wish) (?:you )?to"
    r"|if (?:you (?:like|want|can|please|don't mind)|possible|that's ok(?:ay)?)(?=\s*,)"
    r"|go ahead and|i(?:'ll| will)|i(?= (?:hereby )?(?:withdraw|take|retract|revoke)\b)|hereby"
)
_BREAK = r"[\s,;:!.\u2014\u2013-]*"
OPENING = re.compile(rf"(?:(?:{_OPENING})\b{_BREAK})*", re.IGNORECASE)
# What may stand before a command. 'We could' and 'we may' only think of it.
LEAD = re.compile(rf"(?:(?:{_OPENING}|{_REQUEST})\b{_BREAK})*", re.IGNORECASE)
_REQUESTED = re.compile(r"\b(?:can|could|would|will) (?:you|we|i)\b", re.IGNORECASE)
# Nouns for what somebody said; the general ones may also name things of a domain.
_SAYING = (
    r"(?:rule|constraint|condition|requirement|restriction|commitment|statement|demand|wish|request|instruction"
    r"|agreement|preference|sentence|remark)"
)
_GENERAL = r"(?:one|thing|bit|part|point|message|idea|note|line)"
_LAST = r"(?:last|latest|previous|newest|most recent)"
_WE_SAID = (
    r"(?:(?:i|we)(?:'ve| have| had)?|was|has been) (?:just |ever )?"
    r"(?:said|told you|asked(?: for)?|wanted|wrote|agreed(?: on)?|mentioned|demanded)"
)
# "The rule that we agreed on", "the wish I had": whose it is, and when it was said, tells nothing.
WE_SAID = re.compile(
    rf"(?:as |about |as for |regarding |concerning )?{_WE_SAID}(?: that)?\s+|(?:about|as for)\s+", re.IGNORECASE
)
SAID_BEFORE = re.compile(
    rf"\s+(?:that |which )?(?:{_WE_SAID}|(?:i|we) (?:have|had|made|set|put in))(?: (?:on|before|earlier"
    rf"|last time))?[\s.!]*$",
    re.IGNORECASE,
)
_ANY_MORE = r"(?:any ?more|any longer)"

# These speak of what was said, whatever stands behind them.
_FORGET = re.compile(
    r"(?P<plain>forget(?: about)?|never ?mind(?: about)?|disregard)\s+"
    r"|(?:scratch|scrap|withdraw|retract|revoke|undo|ignore|discard|take back)\s+",
    re.IGNORECASE,
)
# These may be about anything: they need an object that was said.
_REMOVE = re.compile(
    r"(?:drop|cancel|remove|delete|lift|strike|erase|clear|waive|rescind|repeal|abandon|annul|get rid of|do away with)"
    r"\s+",
    re.IGNORECASE,
)
_UNDO = re.compile(r"undo[\s.!]*$", re.IGNORECASE)
_TAKE_IT_BACK = re.compile(r"take (?P<that>that|it|this|them|those) back\b", re.IGNORECASE)
_NOT_NEEDED = re.compile(
    r"it(?:'s| is) (?:no longer (?:necessary|required|needed)"
    rf"|not (?:necessary|required|needed) {_ANY_MORE}) (?:that|for|to)\s+"
    rf"|it (?:no longer matters|does(?:n't| not) matter(?: {_ANY_MORE})) (?:that|whether)\s+"
    r"|(?:i|we) no longer (?:need|require|insist on|insist that)\s+",
    re.IGNORECASE,
)
_ID = re.compile(r"c\d{3,}\b", re.IGNORECASE)

_THAT = re.compile(
    rf"(?:(?P<several>them|those|these|both)|that|this|it|what {_WE_SAID}"
    rf"|(?:the|my|our)(?= (?:very )?(?:{_LAST}|{_SAYING}|{_GENERAL})\b))"
    rf"(?P<last> (?:very )?{_LAST})?(?: (?:{_SAYING}|{_GENERAL})(?P<plural>s)?)?(?: (?:just now|before|again|last))?"
    r"(?:[\s,]+(?:please|again|then|now|too|as well|for now|entirely|altogether))*"
    r"(?:[\s.!]*$|(?:\s*[,;\u2014]\s*|\s+[\u2013-]+\s+|\s+(?=and |but ))(?:and |but )?(?P<rest>\S.*)$)",
    re.IGNORECASE,
)
_ALL = re.compile(
    rf"(?:everything|it all|all of (?:it|them|that)|all)(?: (?:that )?{_WE_SAID})?(?: so far)?[\s.!]*$", re.IGNORECASE
)
# 'The last two rules' and 'rule 2' count what was said, in an order that nobody knows for certain.
_COUNTED = re.compile(
    rf"(?:the |my |our )?(?:(?:{_LAST}|first|other) )?"
    r"(?:\d+(?:st|nd|rd|th)?|two|three|four|five|six|second|third|fourth|fifth|sixth) "
    rf"(?:(?P<saying>{_SAYING})|{_GENERAL})s?\b"
    rf"|(?:the |my |our )?(?:(?P<rule>{_SAYING})|{_GENERAL}) (?:number |no\.? ?|#)?\d+\b",
    re.IGNORECASE,
)
_OBJECT = re.compile(
    r"(?:(?P<all>all|every|each|both|any(?! of\b| one\b))\b (?:of )?(?:the |my |our |those |these )?"
    r"|(?:the|my|our|that|this|your) )"
    rf"(?:(?:(?P<last>{_LAST})|(?P<other>old|earlier|first|whole|other)) )?"
    rf"(?:(?P<saying>{_SAYING})|{_GENERAL})(?P<plural>s)?\b"
    rf"|(?P<everything>everything|anything|whatever|all)(?: (?:that )?(?P<we>{_WE_SAID}))?\b"
    rf"|(?P<what>what {_WE_SAID})\b",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"(?:that|this|it|the following)\s*:\s+(?=\S)", re.IGNORECASE)
_LINK = re.compile(
    r"[\s,:]*(?:(?:(?P<speech>that says|which says|saying|about|regarding|concerning|involving|to do with)"
    r"|(?:that|which) (?:involves?|concerns?|mentions?|names?)|where|that|which|of|on|for|with)\b"
    r"[\s:]*)?",
    re.IGNORECASE,
)
_VOID = re.compile(
    r"\s+(?:no longer (?:applies|apply|holds?|counts?|stands?|matters?)"
    r"|(?:is|are) no longer (?:needed|necessary|required)"
    rf"|do(?:es)?(?: not|n't) (?:apply|hold|count|matter) {_ANY_MORE}"
    r"|(?:is|are) (?:void|withdrawn|cancell?ed))[\s.!]*$",
    re.IGNORECASE,
)
# A duty that has ended. 'Must no longer' forbids, and is none.
_NO_LONGER = re.compile(
    r"\s+(?:no longer (?:has|have|needs?) to|(?:is|are) no longer (?:required|obliged|forced) to|needs? no longer)\s+",
    re.IGNORECASE,
)
_NO_DUTY = re.compile(
    r"\s+(?:do(?:es)?(?: not|n't) (?:have|need) to|need not|needn't"
    r"|(?:is|are)(?: not|n't) (?:required|obliged|forced) to)\s+",
    re.IGNORECASE,
)
# Words of taking back in a form that is none of these: whoever uses them is told that nothing came of it.
_REMARK = re.compile(
    r"\b(?:forget|forgot|disregard|scratch|scrap|withdr|retract|revoke|undo|undid|ignor|discard|drop|cancel|remov|delet"
    rf"|lift|strik|eras|clear|waiv|rescind|repeal|abandon|annul)\w* (?:\w+ ){{0,3}}{_SAYING}s?\b|\b{_ID.pattern}",
    re.IGNORECASE,
)
_AT_THE_END = re.compile(rf"[\s,]+(?:{_ANY_MORE}|after all)[\s.!]*$", re.IGNORECASE)


def spot_withdrawal(text: str) -> Withdrawal | None:
    """Return the withdrawal in a sentence, or None if its words take nothing back.

    The text has single spaces and straight apostrophes.
    """
    bare = without_lead(text)
    return _spot_command(bare) or _spot_ended_duty(bare) or _spot_void(bare)


def remarks_on_it(text: str) -> bool:
    """Return whether the text has words of taking something back, in whatever form."""
    return bool(_REMARK.search(text))


def without_lead(text: str, *, of_requests: bool = True) -> str:
    """The sentence without such words as 'please' and 'actually' before it, and as 'could you', if these too."""
    lead = LEAD.match(text)
    if lead is None:
        return text
    request = None if of_requests else _REQUESTED.search(lead.group())
    return text[request.start() if request else lead.end() :]


def _spot_command(text: str) -> Withdrawal | None:
    """'Forget that', 'Drop the rule that ...', 'It is no longer necessary that ...'."""
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
    """Return the object of a command, if it is something that was said, such as 'the rule about Ann'."""
    if quoted := _QUOTED.match(text):
        return Withdrawal(text[quoted.end() :])
    named = _OBJECT.match(text)
    quotes = named is not None and text.startswith(":", named.end())  # 'the rule: ...' says which one
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
    """A mere 'that'; 'the rules' may be any of them, 'the last rules' and 'those' are all that was said last."""
    if not (found := _THAT.match(text)):
        return None
    every = bool(found["several"] or (found["plural"] and found["last"]))
    two = (found["several"] or "").casefold() == "both"
    return Withdrawal(every=every, latest=every or not found["plural"], two=two, rest=found["rest"] or "")


def _spot_ended_duty(text: str) -> Withdrawal | None:
    """'Ann no longer has to ...', 'Ann doesn't need to ... any more'; without 'any more' it is not sure."""
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


def _spot_void(text: str) -> Withdrawal | None:
    """'The rule that ... no longer applies'."""
    found = _VOID.search(text)
    return spot_object(text[: found.start()]) if found else None
