"""Split a message into sentences, for readers that take one sentence at a time."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Sequence

from holdtrue.language.english_patterns import english, fragment, masked
from holdtrue.language.names import pattern_of

_ENDINGS = fragment("sentences.endings")
_COURTESY = re.compile(rf"(?:[\s,;:.!?\u2014\u2013-]+{_ENDINGS})+[\s.!?]*$", re.IGNORECASE)
_TALK = english("sentences.talk")
_NO_APOSTROPHE = english("sentences.no_apostrophe")


def with_apostrophes(text: str) -> str:
    """Return the text with 'dont' and the like spelled with an apostrophe."""
    return _NO_APOSTROPHE.sub(r"\1n't", text)


def plain(text: str) -> str:
    """Return the text with single spaces and straight apostrophes."""
    return " ".join(text.replace("\u2019", "'").split())


def without_courtesy(text: str) -> str:
    """Return the sentence without the 'please', 'thanks' and marks at its end."""
    return _COURTESY.sub("", text).rstrip(" ?")


def is_small_talk(text: str) -> bool:
    """Return whether the sentence only greets, thanks or acknowledges."""
    return bool(_TALK.fullmatch(plain(text)))


PICTURE = fragment("sentences.picture")
"""A regular expression for a character that is a picture, such as a smiley or a tick."""
_END = masked("sentences.end")
_BULLET = re.compile(r"(?:[-*+•]|\(?(?:\d{1,3}[.)]|[a-z]\)))\s+")
_CONNECTIVE = english("sentences.connective")
_MARK = re.compile(r"[.!?;](?=\s|$)")
_NEW_SENTENCE = re.compile(r"\s*$|\s+[A-Z\u00c0-\u00de\"'\u201c\u2018]")
_LAST_WORD = re.compile(r"(\S+)$")
_NEVER_LAST = frozenset({"dr", "mr", "mrs", "ms", "prof", "st", "vs", "e.g", "i.e", "approx", "cf"})
_LAST_BEFORE_CAPITAL = frozenset({"etc", "a.m", "p.m", "inc", "ltd", "jr", "sr"})
_LONGEST_WORD, _LONGEST_NAME, _LONGEST_SENTENCE = 40, 4, 200
_SAYS = masked("sentences.says")
"""The words that follow the subject of a statement."""
_QUESTION = english("sentences.question")


def split_sentences(message: str, names: Collection[str] = ()) -> list[str]:
    """Return the sentences of a message, in order, without bullets, leading 'Also,' and final full stops.

    Sentences end at line ends, and at `.`, `!`, `?` or `;` before a space. They do not end inside numbers (`3.5`),
    after abbreviations (`Dr. Lee`, `e.g. this`) or after initials (`John F. Kennedy`). `names` stay whole: "Plus One"
    is no connective, and "Yahoo! sync" holds no sentence end. The time is linear in the length of the message.
    """
    whole = _places(message, names)
    sentences: list[str] = []
    start = 0
    for mark in _END.finditer(message):
        place = bisect_right(whole, (mark.start(), len(message))) - 1
        within = whole[place] if place >= 0 else (0, 0)
        if mark.start() < within[1]:
            # The mark is part of a name. It also ends the sentence if it ends the name and a new sentence follows.
            if mark.end() < within[1] or not _NEW_SENTENCE.match(message, mark.end()):
                continue
        elif not _ends_sentence(message, start, mark):
            continue
        sentences.append(_clean(message, start, mark.end(), whole))
        start = mark.end()
    sentences.append(_clean(message, start, len(message), whole))
    return [sentence for sentence in sentences if sentence]


def whole_sentences(text: str) -> list[str]:
    """Return the sentences of a paragraph, in order, with all their words and marks, on one line each.

    No sentence ends before a small letter, or after a single letter or a number alone (`2.3. Fees`). None ends between
    a short name and its number (`Art. 5`). So two sentences may stay one, but none is torn.
    """
    text, start = " ".join(text.split()), 0
    found: list[str] = []
    for mark in _END.finditer(text):
        own, after = text[start : mark.start()], text[mark.end() :].lstrip()
        if mark.group()[0] in ".!?" and not _goes_on(own, after) and _ends_sentence(text, start, mark):
            found.append(text[start : mark.end()].strip())
            start = mark.end()
    found.append(text[start:].strip())
    return [own for own in found if own]


_SHORT_NAME = re.compile(r"(?:^|\W)[A-Z\u00c0-\u00de][^\W\d_]{0,3}$")
_SINGLE_LETTER = re.compile(r"(?:^|\W)[^\W\d_]$")


def _goes_on(before: str, after: str) -> bool:
    """Return whether a mark between these texts is surely no end of a sentence."""
    if after[:1].islower() or not any(own.isalpha() for own in before):
        return True
    return bool(_SINGLE_LETTER.search(before)) or (after[:1].isdecimal() and bool(_SHORT_NAME.search(before)))


def _places(message: str, names: Collection[str]) -> list[tuple[int, int]]:
    cut = [name for name in names if _CONNECTIVE.match(f"{name} ") or _BULLET.match(f"{name} ") or _MARK.search(name)]
    if not cut:
        return []
    found = re.finditer(rf"(?<!\w)(?:{pattern_of(cut)})(?!\w)", message, re.IGNORECASE)
    return [(match.start(), match.end()) for match in found]


def is_question(sentence: str) -> bool:
    """Return whether a sentence only asks. "Could you ...?" and "How about ...?" demand something."""
    return sentence.endswith("?") and bool(_QUESTION.match(sentence))


def _ends_sentence(message: str, start: int, mark: re.Match[str]) -> bool:
    """Return whether a mark ends the sentence that began at `start`, and belongs to no abbreviation or name."""
    if mark.group() == "!":
        # 'Zyx! is on day 6': the mark may belong to an unknown name.
        says = _SAYS.match(message[mark.end() : mark.end() + _LONGEST_SENTENCE])
        return says is None or len(message[start : mark.start()].split()) > _LONGEST_NAME
    if not mark.group().startswith("."):
        return True
    before = message[max(start, mark.start() - _LONGEST_WORD) : mark.start()]
    found = _LAST_WORD.search(before)
    if found is None:
        return True
    word = found.group(1).lstrip("(\"'\u201c\u2018")
    earlier = before[: found.start()].strip()
    if not earlier and word.isdecimal():
        return False  # the number of a list item
    if len(word) == 1 and word.isalpha() and word.isupper():
        # An initial begins a sentence or follows another name. Elsewhere ('next to B.') the letter is itself
        # a name.
        return bool(earlier) and not earlier.split()[-1][0].isupper()
    folded = word.casefold()
    following = message[mark.end() : mark.end() + 3].lstrip()
    if folded == "no":
        return not following[:1].isdecimal()
    if folded in _LAST_BEFORE_CAPITAL:
        return not following or following[0].isupper()
    return folded not in _NEVER_LAST


def _clean(message: str, start: int, end: int, whole: Sequence[tuple[int, int]]) -> str:
    """Return the sentence without its bullet, connectives and final marks. Names are never shortened."""
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
