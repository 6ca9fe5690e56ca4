"""Splitting a message into sentences, for readers that take one sentence at a time."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Sequence

from holdtrue.language.names import pattern_of

PICTURE = "[\u2600-\u27bf\u2b50-\u2b55\U0001f000-\U0001faff]"
"""A sign that is a picture, such as a smiley or a tick."""
# A mark that may end a sentence, with closing quotes, brackets or pictures, before a space or the end; or a line's end.
# Pictures alone end one before a capital, and so does a space before the number of an item, such as (2) or 3.
# Possessive, and anchored before the run, so that long runs of dots cost linear time.
_PICTURES = rf"(?:{PICTURE}[ \ufe0f\u200d]*+)++"
_END = re.compile(
    rf"(?:(?<![.!?])[.!?]++[\"'\u201d\u2019)\]]*+|;)(?=\s|$)(?: ?{_PICTURES}(?=[^\W\d_a-z]|\n|$))?"
    rf"|(?<=\S ){_PICTURES}(?=[^\W\d_a-z]|\n|$)|\n+"
    r"|(?<=[.:;,]) (?=\(?(?:\d{1,2}|[a-z])\) +[A-Z])|(?<=[.:;]) (?=\d{1,2}\. +[A-Z])"
)
_BULLET = re.compile(r"(?:[-*+•]|\(?(?:\d{1,3}[.)]|[a-z]\)))\s+")
# Only 'also' and its like: words that withdraw or amend ('instead', 'but') carry meaning and stay.
_CONNECTIVE = re.compile(
    r"(?:and|also|plus|additionally|furthermore|moreover|in\s+addition|besides)(?:\s*,\s*|\s+)", re.IGNORECASE
)
_MARK = re.compile(r"[.!?;](?=\s|$)")
_NEW_SENTENCE = re.compile(r"\s*$|\s+[A-Z\u00c0-\u00de\"'\u201c\u2018]")
_LAST_WORD = re.compile(r"(\S+)$")
_NEVER_LAST = frozenset({"dr", "mr", "mrs", "ms", "prof", "st", "vs", "e.g", "i.e", "approx", "cf"})
_LAST_BEFORE_CAPITAL = frozenset({"etc", "a.m", "p.m", "inc", "ltd", "jr", "sr"})
_LONGEST_WORD, _LONGEST_NAME, _LONGEST_SENTENCE = 40, 4, 200
_SAYS = re.compile(
    r"\s+(?:is|has|must|should|will|cannot|can't|works|starts|moves|goes|takes|sits|gets|needs)\b(?![^.!?\n]*\?)"
)
"""How a sentence goes on behind who it is about, where it asks nothing."""
_QUESTION = re.compile(
    r"(?:and|but|so|ok|okay|well|then|wait)?\W*(?:is|are|am|was|were|isn't|aren't|does|do|did|doesn't|don't|didn't|has"
    r"|have|had|what(?! about| if)|which|who|whom|whose|where|when|why(?! not| don't)|how(?! about))\b",
    re.IGNORECASE,
)


def split_sentences(message: str, names: Collection[str] = ()) -> list[str]:
    """The sentences of a message, in order, without bullets, leading 'Also,' and final full stops.

    Sentences end at `.`, `!`, `?`, `;` before a space, and at line ends; not inside numbers (`3.5`), after
    abbreviations (`Dr. Lee`, `e.g. this`) and initials (`John F. Kennedy`). `names` are left whole, whatever is in
    them: "Plus One" is no connective, "Yahoo! sync" no end. Linear in the message's length.
    """
    whole = _places(message, names)
    sentences: list[str] = []
    start = 0
    for mark in _END.finditer(message):
        place = bisect_right(whole, (mark.start(), len(message))) - 1
        within = whole[place] if place >= 0 else (0, 0)
        if mark.start() < within[1]:
            # The name's own mark; it ends a sentence only where it also ends the name and a new sentence begins.
            if mark.end() < within[1] or not _NEW_SENTENCE.match(message, mark.end()):
                continue
        elif _belongs(message, start, mark):
            continue
        sentences.append(_clean(message, start, mark.end(), whole))
        start = mark.end()
    sentences.append(_clean(message, start, len(message), whole))
    return [sentence for sentence in sentences if sentence]


def _belongs(message: str, start: int, mark: re.Match[str]) -> bool:
    """Return whether a mark ends no sentence: the dot of an abbreviation, or the mark of a name."""
    if mark.group().startswith("."):
        return not _ends_sentence(message, start, mark)
    return mark.group() == "!" and _ends_name(message, start, mark)


def _ends_name(message: str, start: int, mark: re.Match[str]) -> bool:
    """Return whether a mark belongs to a name that nobody knows: 'Zyx! is on day 6' says that of 'Zyx!'."""
    behind = message[mark.end() : mark.end() + _LONGEST_SENTENCE]
    says = _SAYS.match(behind)
    return says is not None and len(message[start : mark.start()].split()) <= _LONGEST_NAME


def _places(message: str, names: Collection[str]) -> list[tuple[int, int]]:
    """Return the places, from start to end, of those names that splitting would cut."""
    cut = [name for name in names if _CONNECTIVE.match(f"{name} ") or _BULLET.match(f"{name} ") or _MARK.search(name)]
    if not cut:
        return []
    found = re.finditer(rf"(?<!\w)(?:{pattern_of(cut)})(?!\w)", message, re.IGNORECASE)
    return [(match.start(), match.end()) for match in found]


def is_question(sentence: str) -> bool:
    """Return whether a sentence asks and demands nothing; "Could you ...?" and "How about ...?" demand."""
    return sentence.endswith("?") and bool(_QUESTION.match(sentence))


def _ends_sentence(message: str, start: int, mark: re.Match[str]) -> bool:
    """Return whether the full stop at `mark` ends the sentence that began at `start`."""
    before = message[max(start, mark.start() - _LONGEST_WORD) : mark.start()]
    found = _LAST_WORD.search(before)
    if found is None:
        return True
    word = found.group(1).lstrip("(\"'\u201c\u2018")
    earlier = before[: found.start()].strip()
    if not earlier and word.isdecimal():
        return False  # the number of a list item
    if len(word) == 1 and word.isalpha() and word.isupper():
        # An initial stands at the start of a sentence or after another name; elsewhere ('next to B.') the
        # letter is a name of its own.
        return bool(earlier) and not earlier.split()[-1][0].isupper()
    folded = word.casefold()
    following = message[mark.end() : mark.end() + 3].lstrip()
    if folded == "no":
        return not following[:1].isdecimal()
    if folded in _LAST_BEFORE_CAPITAL:
        return not following or following[0].isupper()
    return folded not in _NEVER_LAST


def _clean(message: str, start: int, end: int, whole: Sequence[tuple[int, int]]) -> str:
    """The sentence without what only joins it to others; nothing of a name is cut off."""
    kept = {place for name in whole for place in name}
    while start < end and message[start].isspace():
        start += 1
    if (bullet := _BULLET.match(message, start, end)) and start not in kept:
        start = bullet.end()
    while start not in kept and (word := _CONNECTIVE.match(message, start, end)):
        start = word.end()
    while end > start and end not in kept and (message[end - 1] in ".;" or message[end - 1].isspace()):
        end -= 1
    return message[start:end].strip()
