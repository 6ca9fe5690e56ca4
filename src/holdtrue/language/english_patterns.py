"""Load the English that is read without a model: patterns and lists of words from the table `english.txt`.

A pattern matches if any line under its name matches. A line that begins with a blank continues the line before it.
`{name}` inserts the pattern of another name of the table, or one of the names in this module.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

CARDINALS = tuple("zero one two three four five six seven eight nine ten eleven twelve".split())
ORDINALS = tuple("zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split())
COUNTING_WORDS = {word: number for words in (CARDINALS, ORDINALS) for number, word in enumerate(words)}
NUMBER_WORDS = {**COUNTING_WORDS, "single": 1, "couple": 2, "pair": 2}
ENTITY, VALUE = "\ua000\\d+\ua000", "\ua001\\d+\ua001"
"""Patterns of the placeholders of an entity and of a value (`sentence_parts.hide`)."""
NAME = f"(?:{ENTITY}|{VALUE})"
LETTERS = "EXVWNM"
"""The letters of masked text that replace names, values and numbers (`masked_text`)."""

_KNOWN = {
    "cardinals": "|".join(CARDINALS),
    "counting_words": "|".join(COUNTING_WORDS),
    "number_words": "|".join(NUMBER_WORDS),
    "entity": ENTITY,
    "value": VALUE,
    "name": NAME,
    "letters": LETTERS,
}
_HEAD, _INSIDE = re.compile(r"\[([a-z_.]+)\]"), re.compile(r"\{([a-z_.]+)\}")


def english(name: str) -> re.Pattern[str]:
    """Return a pattern of the table for ordinary text, in upper or lower case."""
    return re.compile(fragment(name), re.IGNORECASE)


def masked(name: str) -> re.Pattern[str]:
    """Return a pattern of the table for text in small letters with capitals for names and numbers (`masked_text`)."""
    return re.compile(fragment(name))


def fragment(name: str) -> str:
    """Return a pattern of the table as a part of a larger one."""
    return _INSIDE.sub(lambda found: _part(found[1]), "|".join(_table()[name]))


def words(name: str) -> tuple[str, ...]:
    """Return the words of a list in the table."""
    return tuple(" ".join(_table()[name]).split())


def rows(name: str) -> tuple[str, ...]:
    """Return the lines under a name, each a separate pattern."""
    return tuple(_table()[name])


def _part(name: str) -> str:
    if name in _KNOWN:
        return _KNOWN[name]
    text = fragment(name)
    return text if len(_table()[name]) == 1 else f"(?:{text})"


@cache
def _table() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    own: list[str] = []
    for line in files("holdtrue.language").joinpath("english.txt").read_text(encoding="utf-8").splitlines():
        if head := _HEAD.fullmatch(line):
            own = found[head[1]] = []
        elif line.startswith(" "):
            own[-1] += line.lstrip()
        elif line and not line.startswith("#"):
            own.append(line)
    return found
