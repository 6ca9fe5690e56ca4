"""Names for formulas, made of words as people write them: `the Red Boat` is `RedBoat`."""

from __future__ import annotations

import re

from holdtrue.logic.fol.names import is_free_shaped, is_operator

THING_PATTERN = "^[A-Z0-9][A-Za-z0-9]+$"
"""What a thing or a predicate is called where a backend enforces it."""
FUNCTION_PATTERN = "^[a-z][A-Za-z]+$"
LONGEST = 60
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W\d_]+")
_ARTICLES = ("a", "an", "the")


def name_words(text: str) -> list[str]:
    """The words of a text or a name; capitals begin one (`RedBoat`), and numbers are words."""
    return _WORD.findall(text)


def thing_identifier(text: str) -> str:
    """A name that `read_fol` reads as a thing or a predicate; empty where the text has no word."""
    words = [word for word in name_words(text) if word.lower() not in _ARTICLES] or name_words(text)
    name = "".join(word[:1].upper() + word[1:] for word in words)[:LONGEST]
    return f"{name}_" if is_operator(name) or is_free_shaped(name) else name


def function_identifier(text: str) -> str:
    """A name that begins with a small letter: functions are told apart from predicates by it."""
    name = thing_identifier(text)
    name = name[:1].lower() + name[1:]
    return f"{name}_" if is_operator(name) or is_free_shaped(name) else name
