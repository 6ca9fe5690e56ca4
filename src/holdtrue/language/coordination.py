"""Split a statement about joined names: 'Neither Ann nor Bob sits next to Cy' becomes one statement for each name.

All texts here have placeholders for entities and values, so that a name of several words, or with an 'and', stays
whole.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, pairwise

from holdtrue.language.denials_and_limits import denied
from holdtrue.language.english_patterns import CARDINALS, COUNTING_WORDS, ENTITY, NAME, VALUE, english

_AND = r"(?:\s*,?\s*\b(?:and|or|nor|as well as|plus)\b\s*|\s*[,&/]\s*)"
_ARTICLE = r"(?:(?:ahead of|next to|to|of|with|by|from|beside|before|after)\s+)?(?:(?:the|our|my|a|an|not)\s+)?"
_JOINED = re.compile(
    r"(?P<neither>\bneither\s+(?:the\s+)?)?(?P<list>"
    + "|".join(rf"{one}(?:'s)?(?:{_AND}{_ARTICLE}{one}(?:'s)?)+" for one in (ENTITY, VALUE))
    + ")",
    re.IGNORECASE,
)
_CONJUNCTION = re.compile(r"\b(?:and|or|nor|plus|as well as)\b|[&/]", re.IGNORECASE)
_MEMBER, _ENTITY = re.compile(NAME), re.compile(ENTITY)
_LEFT_OUT = english("coordination.left_out")
_SAYS_MORE = english("coordination.says_more")
_NUMBERS = re.compile(r"\b\d{1,9}(?:\s*(?:,|\band\b|,\s*and\b)\s*\d{1,9})+\b")
_EACH = english("coordination.each")
_DENIAL = re.compile(r"\b(?:not?|never|neither|nor|cannot|nobody|without)\b|n't\b|n\u2019t\b", re.IGNORECASE)
_RANGE = re.compile(r"\b(?:between|from|within|to|range|or)\b", re.IGNORECASE)

Complete = Callable[[str], bool]
"""Return whether a text is one whole statement: a constraint of the instance that uses everything the text names."""


def names_in(text: str) -> list[str]:
    """Return the placeholders of entities in a text, each once, in order."""
    return list(dict.fromkeys(_ENTITY.findall(text)))


def denies(text: str) -> bool:
    return bool(_DENIAL.search(text))


def says_each(text: str) -> bool:
    """Return whether a text says that it means each of its joined names: 'both', 'each', 'neither'."""
    return any(found["neither"] for found in _JOINED.finditer(text)) or bool(
        _JOINED.search(text) and re.search(r"\b(?:both|each)\b(?! (?:other|sides?)\b)", text, re.IGNORECASE)
    )


def take_apart(text: str, complete: Complete) -> list[str]:
    """Return the statement about each of a text's joined names, or [] if that is not clear."""
    for found in _JOINED.finditer(text):
        members = _MEMBER.findall(found["list"])
        joined_by_or = re.search(r"\b(?:or|nor)\b|/", found["list"]) is not None
        if not _CONJUNCTION.search(found["list"]) and not text[found.end() :].lstrip().startswith(":"):
            continue
        outside = f"{text[: found.start()]} {text[found.end() :]}"
        of_others = text[found.end() :].lstrip().startswith(":") and names_in(outside)
        # 'Of Ann, Bob and Cy, Bob has seat 1': a name that occurs twice is no member of one list.
        # 'Ann keeps away from Bob, and Cy must not either': Cy is the subject of the second clause.
        if _LEFT_OUT.match(text, found.end()):
            continue
        # 'Ann sits next to Cy and Bob has seat 1': Bob begins a second statement.
        if _SAYS_MORE.match(text, found.end()) and names_in(text[: found.start()]):
            continue
        if of_others or len(set(members)) < len(members) or any(member in outside for member in members):
            continue
        if joined_by_or and not found["neither"] and not denies(outside):
            continue
        for made in _ways(text, found, members):
            if len(made) > 1 and all(map(complete, made)):
                return made
    return _chain(text, complete)


def _ways(text: str, found: re.Match[str], members: Sequence[str]) -> Iterator[list[str]]:
    """Yield the lists of statements that a text with joined names may mean, the likeliest first."""
    before, behind = _EACH.sub("", text[: found.start()]), text[found.end() :]
    if found["neither"]:
        # 'Ann can not start' for 'neither Ann nor Bob can start'.
        yield [f"{before}{member}{denied(behind) or f' must not{behind}'}" for member in members]
        return
    yield from _side_by_side(text, found, members)
    plain = _EACH.sub("", behind)
    last = "'s" if found["list"].rstrip().endswith("'s") else ""
    yield [f"{before}{member}{last}{plain}" for member in members]
    if len(members) > 2:
        yield [f"{before}{one} and {other}{plain}" for one, other in combinations(members, 2)]


def _side_by_side(text: str, found: re.Match[str], members: Sequence[str]) -> Iterator[list[str]]:
    """Yield joined names paired with as many joined values or numbers: 'Ann and Bob have seats 2 and 5'."""
    others = [one for one in (*_JOINED.finditer(text), *_NUMBERS.finditer(text)) if one.start() >= found.end()]
    for other in others:
        items = re.findall(rf"{NAME}|\d+", other.group())
        if _ENTITY.match(items[0]) and not re.search(r"\brespectively\b", text, re.IGNORECASE):
            continue
        if len(items) != len(members) or _RANGE.search(text[found.end() : other.start()]) or "or" in other.group():
            continue
        made = []
        for member, item in zip(members, items, strict=True):
            between, behind = _EACH.sub("", text[found.end() : other.start()]), _EACH.sub("", text[other.end() :])
            made.append(f"{_EACH.sub('', text[: found.start()])}{member}{between}{item}{behind}")
        yield made


def _chain(text: str, complete: Complete) -> list[str]:
    """Return the links of a chain such as 'Ann before Bob before Cy', each as a statement."""
    found = list(_ENTITY.finditer(text))
    gaps = [text[one.end() : other.start()] for one, other in pairwise(found)]
    words = {re.sub(r"\W+", " ", gap).strip().removeprefix("and ").removeprefix("then ") for gap in gaps}
    if len(found) < 3 or len(words) != 1 or not words - {"", "and", "or", "nor"}:
        return []
    start, end = text[: found[0].start()], text[found[-1].end() :]
    links = [
        f"{start}{one.group()}{gap}{other.group()}{end}"
        for (one, other), gap in zip(pairwise(found), gaps, strict=True)
    ]
    return links if all(map(complete, links)) else []


_COUNT = re.compile(
    rf"\b(?:all |both |of )?(?:the |my |our |those |these )?(?P<number>[2-9]|{'|'.join(CARDINALS[2:10])})(?: of)?"
    rf"(?: [a-z]+)?(?: the)?[,:]?\s+(?P<list>(?:the )?{ENTITY}(?:(?:, and | and |, |/)(?:the )?{ENTITY})+)",
    re.IGNORECASE,
)
_SOME_OF = english("coordination.some_of")
_TOPIC = english("coordination.topic")
_ANY_ORDER = english("coordination.any_order")
# 'Ann, our peacemaker, gets seat 4' is about Ann.
_APPOSITION = re.compile(rf"(?P<name>{ENTITY}), (?:our|my|the|an?) (?:[a-z'-]+ ?){{1,4}}, ", re.IGNORECASE)
_EVEN_ONE = frozenset({"any", "either"})


def without_asides(text: str) -> str:
    """Return a text without counts of its names, remarks on an open order, and appositions."""
    return _APPOSITION.sub(r"\g<name> ", _ANY_ORDER.sub("", _without_count(text)))


def topic_of(text: str) -> tuple[str, str] | None:
    """Return the list of names at the start of a text, and the words about them. Return None if there is no such list.

    'Of Ann, Bob and Cy, the first has seat 1' states something of Ann alone.
    """
    found = _TOPIC.match(text)
    return None if found is None else (found["who"], text[found.end() :])


def speaks_of_some(text: str) -> bool:
    """Return whether a text is about some of its names without saying which: 'at least one of Ann and Bob'."""
    some = _SOME_OF.search(text)
    return some is not None and not (some["count"].casefold() in _EVEN_ONE and denies(text))


def _without_count(text: str) -> str:
    """Return a text without a number that only counts the names behind it: 'all three of Ann, Bob and Cy'."""

    def bare(found: re.Match[str]) -> str:
        number = found["number"].casefold()
        count = COUNTING_WORDS[number] if number in COUNTING_WORDS else int(number)
        return found["list"] if len(re.findall(ENTITY, found["list"])) == count else found.group()

    return _COUNT.sub(bare, text)
