"""Names in formulas: as text, as identifiers made of words (`the Red Boat` is `RedBoat`), and which look like one."""

from __future__ import annotations

import re
import zlib
from collections.abc import Container

from holdtrue.logic.value_sorts import CALENDAR_PATTERN

UNNAMED = "?"
"""With this begins what facts call a thing that has no name."""

WORDS = {
    "forall": "∀",
    "exists": "∃",
    "not": "¬",
    "and": "∧",
    "or": "∨",
    "xor": "⊕",
    "implies": "→",
    "iff": "↔",
}
"""Words for operators, in small or in capital letters; no names unless in quotes."""

# Inside a name, signs that join: Anti-abortion, mr.smith, O'Brien, 42.3billion.
_JOINED = r"[\w$€%]++(?:[-.'’][\w$€%]++)*+"
# A name ends in plus signs only where it stands alone or ends an argument (c++), because elsewhere they add numbers.
PLAIN = _JOINED + r"(?:\++(?=\s*(?:[,)\]}]|$)))?"
QUOTED = r""""(?:[^"\\]|\\.)*+"|'(?:[^'\\]|\\.)*+'"""

_PLAIN = re.compile(_JOINED)
_NUMBER = re.compile(r"0|[1-9][0-9]{0,17}")
DECIMAL = r"[0-9]{1,18}\.[0-9]{1,18}"
PERCENT = r"[0-9]{1,18}(?:\.[0-9]{1,18})?%"
_VALUE = re.compile(rf"{DECIMAL}$|{PERCENT}$|(?:{CALENDAR_PATTERN})(?!\w)")
"""A name that begins as a value does, or is one: a decimal, a share, a date."""
_FREE = re.compile(r"[u-z][0-9]?")
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


def unnamed_label(place: int) -> str:
    """Return what facts call the unnamed thing at a place, which counts from 1."""
    return f"{UNNAMED}{place}"


def is_number(name: str) -> bool:
    """Return whether the name is read as a whole number: digits as numbers are written, and not too many of them."""
    return _NUMBER.fullmatch(name) is not None


def is_operator(name: str) -> bool:
    return (name if name.islower() else name.lower() if name.isupper() else "") in WORDS


def is_free_shaped(name: str) -> bool:
    """Return whether the name is a variable wherever nothing binds it: x, y1 (but y1987 is a year)."""
    return _FREE.fullmatch(name) is not None


def name_text(name: str) -> str:
    """The name as it stands in a formula: in quotes where it would be read as something else."""
    if _PLAIN.fullmatch(name) and not is_operator(name) and not is_number(name) and not _VALUE.match(name):
        return name
    return in_quotes(name)


def thing_text(name: str, bound: Container[str] = ()) -> str:
    """A thing's name where these variables are `bound`: in quotes also where it would be a variable."""
    if name in bound or is_free_shaped(name):
        return f'"{name}"'
    return name_text(name)


def in_quotes(name: str, sign: str = '"') -> str:
    return sign + name.replace("\\", "\\\\").replace(sign, f"\\{sign}") + sign


def unquoted(text: str) -> str:
    """The name that stands between quotes."""
    return _ESCAPED.sub(r"\1", text[1:-1])


_SIGNS = re.compile(r"[\W_]+")
_SHORTEST = 4
"""Shorter words keep their s: `bus`, `gas`, `as`."""


def stem(name: str) -> str:
    """Return what is left of a name without capitals, signs and the ending of a plural; near names have the same."""
    plain = _SIGNS.sub("", name).casefold() or name
    if len(plain) < _SHORTEST or plain.endswith(("ss", "us", "is")):
        return plain
    if plain.endswith("ies"):
        return plain[:-3] + "y"
    if plain.endswith(("sses", "uses", "ches", "shes", "xes")):
        return plain[:-2]
    return plain.removesuffix("s")


def stems(text: str) -> set[str]:
    """Return the stems of the words of a text."""
    return {stem(word.casefold()) for word in name_words(text)}


def near(one: str, other: str) -> bool:
    """Return whether two names differ in nothing but capitals, signs and a plural: Platypus and platypuses."""
    return stem(one) == stem(other)


CAPITALS, LETTERS = "A-ZÀ-ÖØ-ÞĀ-ž", "A-Za-zÀ-ÖØ-öø-ž"
"""What stands in a class of characters for Latin letters, with all their signs."""
THING_PATTERN = f"^[{CAPITALS}0-9][{LETTERS}0-9]+$"
"""What a thing or a predicate is called where a backend enforces it."""
LONGEST = 60
"""Characters of a name; a longer one ends in a checksum, so that two of them are not one."""
_LETTERS = re.compile(r"[^\W\d_]+|[0-9]+")
_ARTICLES = ("a", "an", "the")


def name_words(text: str) -> list[str]:
    """The words of a text or a name; capitals begin one (`RedBoat`), whatever the alphabet, and numbers are words."""
    words: list[str] = []
    for run in _LETTERS.findall(text):
        begin = 0
        for at in range(1, len(run)):
            # A capital begins a word behind a small letter, and before one where capitals stand together.
            follows = run[at - 1].islower() or (at + 1 < len(run) and run[at + 1].islower())
            if run[at].isupper() and follows:
                words.append(run[begin:at])
                begin = at
        words.append(run[begin:])
    return words


def thing_identifier(text: str) -> str:
    """A name that `read_fol` reads as a thing or a predicate; empty where the text has no word."""
    words = name_words(text)
    # Vitamin A keeps its letter.
    last = len(words) - 1
    kept = [own for at, own in enumerate(words) if own.lower() not in _ARTICLES or (at == last > 0 and own == "A")]
    name = "".join(word[:1].upper() + word[1:] for word in kept or words)
    if len(name) > LONGEST:
        name = f"{name[: LONGEST - 8]}{zlib.crc32(name.encode()):08x}"
    return f"{name}_" if is_operator(name) or is_free_shaped(name) else name


def function_identifier(text: str) -> str:
    """A name that begins with a small letter: functions are told apart from predicates by it."""
    name = thing_identifier(text)
    name = name[:1].lower() + name[1:]
    return f"{name}_" if is_operator(name) or is_free_shaped(name) else name
