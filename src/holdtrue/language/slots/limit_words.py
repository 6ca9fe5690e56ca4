"""Tell by the words around a value whether it is the value itself, or a limit: at least, at most, or not this one."""

from __future__ import annotations

import re
from collections.abc import Mapping

from holdtrue.language.slots.spans import Span
from holdtrue.logic.value_sorts import WEEKDAYS, Calendar
from holdtrue.record import SlotRelation
from holdtrue.rules.types import Flag, Number, Type, without_null

_SIGN = r"[ $\u20ac\u00a3]*$"
_NEAR = r"(?: (?:about|around|like|roughly|the|a|an|some))*" + _SIGN
"""What may stand between a word such as 'under' and its value: 'come over on Friday' is no limit."""
_THAN = r" th[ae]n(?: (?:about|around|roughly|the|a|an|on|in|at|for|to))*" + _SIGN
"""'Earlier than Thursday' is a limit, 'earlier on Thursday' is none."""
_OF = r"(?:'s|:)?(?: (?:is|of|at|about|around|roughly|the|a|an))*" + _SIGN
_NOT = (
    r"(?:\b(?:no|nothing|none|nobody|no one|never)(?: [a-z]+){0,3}?|"
    r"\b(?:not|cannot|without|avoid|\w+n't)(?! (?:know|sure|mind|care|matter|only|just|i|you|we|they|there|it|bad)\b)"
    r"(?: (?!only|just|mind|if)[a-z]+){0,5}?)"
)
_MORE = r"(?:more(?: [a-z]+)?|higher|later|longer|further)"
_LESS = r"(?:(?:less|fewer)(?: [a-z]+)?|earlier|sooner|lower|cheaper|shorter)"
_MAX = (
    r"(?:(?-i:max|MAX)\b\.?|(?:^\s*|\bmy |\bthe |\ba )max\b\.?|maxim(?:um|al)(?: \w+ of)?|"
    r"h\u00f6chstens|como m\u00e1ximo|hasta)"
)
_MIN = (
    r"(?:(?<!\d )(?-i:min|MIN)\b\.?|(?:^\s*|\bmy |\bthe |\ba )min\b\.?|minim(?:um|al)(?: \w+ of)?|"
    r"mindestens|como m\u00ednimo)"
)
_BEFORE: tuple[tuple[SlotRelation, str], ...] = (
    # What is denied comes first: 'no earlier than' is no 'earlier than'.
    ("at_most", rf"{_NOT} {_MORE}{_THAN}"),
    ("at_least", rf"{_NOT} {_LESS}{_THAN}"),
    ("at_most", rf"{_NOT} (?:over|above|exceed(?:ing)?|after|past|beyond){_NEAR}"),
    ("at_least", rf"{_NOT} (?:before|under|below|until|till){_NEAR}"),
    ("at_most", r"no later" + _NEAR),
    ("at_least", r"no (?:earlier|sooner)" + _NEAR),
    (
        "at_most",
        rf"(?:at (?:the )?(?:most|latest)(?: for)?|{_MAX}|(?<!no )(?:budget|limit)(?: (?:for|"
        rf"on) [\w ]{{1,24}}? is)?){_OF}",
    ),
    ("at_most", rf"(?:up to|within|before|(?:spend|pay|go|cost) up to){_NEAR}"),
    ("at_least", rf"(?:at (?:the )?(?:least|earliest)(?: for)?|{_MIN}){_OF}"),
    ("at_least", rf"(?:after|despu\u00e9s de){_NEAR}"),
    ("less_than", rf"(?:{_LESS}{_THAN}|(?:less|cheaper|fewer) then{_SIGN})"),
    ("more_than", rf"{_MORE}{_THAN}"),
)
_OF_NUMBERS: tuple[tuple[SlotRelation, str], ...] = (
    ("less_than", rf"(?:under|below){_NEAR}"),
    ("more_than", rf"(?:over|above){_NEAR}"),
    ("at_least", rf"(?:starting (?:at|from)|upwards of){_NEAR}"),
)
"""Of days and times 'over' says no limit: 'over lunch', 'over the weekend'."""
_OF_TIMES: tuple[tuple[SlotRelation, str], ...] = (
    ("at_most", rf"(?<!stop )(?<!drop )(?<!swing )(?<!pass )(?<!pop )(?<!passed )(?<!come )by{_NEAR}"),
    ("at_least", rf"(?<!the )(?<!this )(?<!half )(?<!quarter )past{_NEAR}"),
)
_LATER = (
    r"(?:one|two|three|four|five|\d+|a|an|the|half an?|couple of|few)(?: \w+)? (?:minutes?|hours?|days?|nights?|"
    r"mornings?|evenings?|weeks?|months?|years?)"
)
_SHIFTED = re.compile(
    rf"\b(?:{_LATER}|the (?:morning|evening|night|day)) (?:after|before|from|later than){_NEAR}", re.I
)
"""'The day after Friday' is another day than Friday, and no limit."""
_NO_NUMBER = (
    r"(?!\W*(?:of |about |around )?(?:[\d$\u20ac\u00a3]|(?:one|two|three|four|five|six|seven|eight|nine|ten)\b))"
)
_ENDS = r"(?=\s*(?:$|[.,;:!?)]|(?:please|is|would|if|works?|for|that|but|and|or|per|in total)\b))"
_AFTER: tuple[tuple[SlotRelation, str], ...] = (
    (
        "at_most",
        rf"(?:or (?:less|fewer|earlier|sooner|cheaper)|(?:no|not) (?:later|more))\b(?! than)|or (?:under|below|"
        rf"before){_ENDS}|"
        rf"(?:(?:an?|per) \w+ )?is (?:the (?:most|maximum|max|limit)|my (?:max|maximum|limit|budget))\b|"
        rf"at (?:the )?(?:very )?(?:most|latest)\b{_NO_NUMBER}|(?:(?-i:max|MAX)\b\.?|maximum\b|"
        rf"tops\b){_NO_NUMBER}{_ENDS}",
    ),
    (
        "at_least",
        rf"(?:or (?:more|later|higher|longer)|(?:no|not) (?:earlier|sooner|less|fewer))\b(?! than)|or (?:over|"
        rf"above|after){_ENDS}|"
        rf"at (?:the )?(?:very )?(?:least|earliest)\b{_NO_NUMBER}|(?:minimum\b|(?-i:min|MIN)\b\.?){_NO_NUMBER}{_ENDS}|"
        rf"onwards?\b|and up(?:wards)?{_ENDS}",
    ),
)


def _compiled(words: tuple[tuple[SlotRelation, str], ...]) -> tuple[tuple[SlotRelation, re.Pattern[str]], ...]:
    return tuple((own, re.compile(rf"(?<!\w)(?:{each})", re.IGNORECASE)) for own, each in words)


_ALL_BEFORE, _NUMBERS_BEFORE, _TIMES_BEFORE = _compiled(_BEFORE), _compiled(_OF_NUMBERS), _compiled(_OF_TIMES)
_AFTER_WORDS = tuple((own, re.compile(rf"[\s,(]*(?:{words})", re.IGNORECASE)) for own, words in _AFTER)
_MINUTES = re.compile(r"\s*-?min(?:s|utes?)?\b\.?", re.IGNORECASE)
_COUNTED = re.compile(r" (?!at\b|or\b|and\b|in\b|on\b|for\b|max|min|tops|onward|the\b|by\b|to\b)[a-z]+(?= )")
"""A word for what is counted, behind its number: '5 guests at most'."""
_VERBS = (
    r"(?:want|like|do|take|make|be|have|go|come in|come|work|book|reserve|mean|meet|free|available|possible|there|able|"
    r"around|see|put|give|send|use|pick|choose|stay|need|start|come|deliver|bring)"
)
_NOT_BEFORE = re.compile(
    r"(?:\bnot|\bneither|\bnor|\bcannot|\bunder no circumstances|\bexcept(?: for)?|\banything but|\banyone but|"
    r"\bany day but|\bother than|\bavoid|\bnever|"
    rf"\b(?:instead of|rather than|apart from|aside from)|\bno longer|\bno|"
    rf"(?:n't|\b(?:dont|wont|cant)) {_VERBS}(?: (?:it|that|this|him|her|us|me|them))?)"
    rf"(?: (?:on|in|at|with|by|to|from|under|the|a|an|any|for|of|{_VERBS}))*\s*$",
    re.IGNORECASE,
)
_NOT_AFTER = re.compile(
    r"\s+(?:[a-z]+s (?=is|are))?(?:(?:(?:does|do|will|would|is|are)(?:n't| not)|won't|can't|cannot)"
    r"(?: really| be| an)* (?:work|suit|fit|possible|ok|okay|good|option|convenient)|"
    r"(?:is|are) (?:no good|out|impossible|too (?:late|early|many|much))|"
    r"(?:is|are|does|do|will|would)(?:n't| not)(?=\s*(?:[.,;!]|$))"
    r")\b(?![^.!?]*\?)",
    re.IGNORECASE,
)
_IF = re.compile(r"\b(?:if|in case|unless|when)\b", re.IGNORECASE)
_NO_ALONE = re.compile(r"\bno\s*$", re.IGNORECASE)
_OPENS = re.compile(r"\W*no\s*$", re.IGNORECASE)
_MANY = re.compile(r"(?:s|days)$|^ \w+s\b")
_STARS = re.compile(r"[ -]?(?:stars?|bed\w*)\b", re.IGNORECASE)
_NO_DENIAL = re.compile(
    r"\b(?:why|if|whether or) not\b|\b(?:why|how about|what about) (?:don't|can't|couldn't|shouldn't) (?:we|i|you)\b|"
    r"\bwhy (?:do|can|could|should) (?:we|i|you) not\b|\bnot (?:only|just)\b|\bno limit\b",
    re.IGNORECASE,
)
"""Words that deny nothing: 'why not Friday?' wants Friday."""
_ALSO_NOT = re.compile(
    r"\b(?:not|neither|except(?: for)?|avoid|no|other than)(?: (?:on|at|for|in|with))? [A-Z\d][\w.]*(?: [A-Z][\w.]*)?"
    r" (?:or|nor)(?: (?:on|at|for|in|with))? $"
)
"""'Not Monday or Tuesday' denies both."""


def relation_of(text: str, span: Span, type: Type) -> SlotRelation:
    """Return what a text says of the value in a span of it: the value itself, unless words beside it make it a limit.

    >>> text = "no more than 200 dollars"
    >>> relation_of(text, Span(13, 24, "200 dollars", "number"), Number())
    'at_most'
    """
    own = without_null(type)
    if isinstance(own, Flag):
        return "is"
    text = text.replace("\u2019", "'")
    before, after = _clause_before(text, span.start), text[span.end :]
    before = _NO_DENIAL.sub(" ", before)
    if isinstance(own, Number | Calendar):
        # "before noon" may be the span as a whole.
        leading = _leading(span.text)
        if re.match(r"'s \w", after) is not None:
            return "is"  # 'past Friday's meeting' speaks of what is on Friday.
        if _SHIFTED.search(f"{before}{leading}") is not None:
            return "not"
        found = _limit_before(f"{before}{leading}", own) or _limit_after(after, span.text, own)
        if found is not None:
            return _INCLUSIVE.get(found, found) if isinstance(own, Calendar) else found
        if _NO_ALONE.search(before) is not None and _corrects(text, span, before, own):
            return "is"
    denied = _NOT_BEFORE.search(before) is not None or _ALSO_NOT.search(text[: span.start]) is not None
    # 'Friday does not work'; 'if Friday does not work' still wants it.
    denied = denied or (_NOT_AFTER.match(after) is not None and _IF.search(before) is None)
    return "not" if denied else "is"


_INCLUSIVE: Mapping[SlotRelation, SlotRelation] = {"less_than": "at_most", "more_than": "at_least"}
"""'Later than nine' is mostly said of what begins at nine, too: of days and times a limit is taken to be allowed."""
_START = re.compile(
    r"[.!?;,:](?=\s)|\b(?:(?<!anything )(?<!anyone )(?<!any day )but|and|or|so)\b(?! (?:for|to)\b)", re.IGNORECASE
)
_SHORT = re.compile(r"\b(max|min)\.", re.IGNORECASE)
_LEADING = re.compile(r"(?:before|after|by|under|over|up to|at least|at most|bis|nach)\b", re.IGNORECASE)


def _limit_before(before: str, type: Number | Calendar) -> SlotRelation | None:
    """Return the limit that the words before a value make of it, if any."""
    own = _NUMBERS_BEFORE if isinstance(type, Number) else _TIMES_BEFORE
    if _OPENS.match(before) is None and re.match(r"\W*no (?:after|before|over|under|past|below|above)\b", before, re.I):
        # 'No after 5 pm' corrects what was asked; only 'no later than' is a limit.
        before = re.sub(r"^\W*no ", "", before, flags=re.IGNORECASE)
    return next((name for name, words in (*_ALL_BEFORE, *own) if words.search(before)), None)


def _limit_after(after: str, said: str, type: Number | Calendar) -> SlotRelation | None:
    """Return the limit that the words behind a value make of it, if any; 'min' behind a bare number is minutes."""
    if isinstance(type, Number):
        minutes = _MINUTES.match(after) if said.strip()[-1:].isdigit() else None
        minutes = minutes if minutes is not None and not after.strip().casefold().startswith("minim") else None
        counted = minutes or _COUNTED.match(after)
        if minutes is not None:
            after = after[minutes.end() :]
        elif counted is not None and not _AFTER_WORDS[0][1].match(after) and not _AFTER_WORDS[1][1].match(after):
            after = after[counted.end() :]
    return next((name for name, words in _AFTER_WORDS if words.match(after)), None)


def _corrects(text: str, span: Span, before: str, type: Number | Calendar) -> bool:
    """Return whether a bare 'no' before a value answers what was asked: 'no 5 guests' after 'for 4?' means 5.

    What is denied of its kind is spoken of as many: 'no Mondays', 'no 7 pm flights'.
    """
    after = text[span.end :]
    if isinstance(type, Number):
        return _STARS.match(after) is None
    sentence = re.split(r"[.!?]\s", text[: span.start])[-1]
    any_other = re.search(r"\b(?:any|every|all|whatever|whenever)\w*\b", sentence, re.IGNORECASE)
    is_many = _MANY.search(span.text) is not None or re.match(r" [a-z]+s\b", after) is not None
    return _OPENS.fullmatch(before) is not None and any_other is None and not is_many


def _clause_before(text: str, end: int) -> str:
    """Return what stands before a place in its clause; the dot of 'max.' ends none."""
    return _START.split(_SHORT.sub(r"\1", text[:end]))[-1]


def _leading(text: str) -> str:
    match = _LEADING.match(text)
    return match[0] if match else ""


_DAYS = "|".join(WEEKDAYS)
_WEEKDAY = re.compile(
    rf"\b(?:an?|any|any day (?:but|except(?: for)?)(?: on)?(?: an?)?) (?P<one>{_DAYS})\b|\b(?P<all>{_DAYS})s\b", re.I
)


def any_weekday(text: str, span: Span) -> str | None:
    """Return the day of the week that a text excludes, where it speaks of all of them: not on a Wednesday."""
    for match in _WEEKDAY.finditer(text):
        if match.start() < span.end and span.start < match.end():
            return (match["one"] or match["all"]).capitalize()
    return None
