"""Names in formulas: as text, as identifiers of joined words (`the Red Boat` is `RedBoat`), and their similarity."""

from __future__ import annotations

import re
import zlib
from collections.abc import Container

from holdtrue.logic.value_sorts import CALENDAR_PATTERN

UNNAMED = "?"
"""The prefix of labels for things without a name."""

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
"""Words for operators, in lower or upper case; they are names only in quotes."""

# Signs that join parts of a name: Anti-abortion, mr.smith, O'Brien, 42.3billion.
_JOINED = r"[\w$€%]++(?:[-.'’][\w$€%]++)*+"
# A name ends in plus signs only if it stands alone or ends an argument (c++); elsewhere they add numbers.
PLAIN = _JOINED + r"(?:\++(?=\s*(?:[,)\]}]|$)))?"
QUOTED = r""""(?:[^"\\]|\\.)*+"|'(?:[^'\\]|\\.)*+'"""

_PLAIN = re.compile(_JOINED)
_NUMBER = re.compile(r"0|[1-9][0-9]{0,17}")
DECIMAL = r"[0-9]{1,18}\.[0-9]{1,18}"
PERCENT = r"[0-9]{1,18}(?:\.[0-9]{1,18})?%"
_VALUE = re.compile(rf"{DECIMAL}$|{PERCENT}$|(?:{CALENDAR_PATTERN})(?!\w)")
"""A name that is a value or begins like one: a decimal, a percentage, a date."""
_FREE = re.compile(r"[u-z][0-9]?")
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


def unnamed_label(place: int) -> str:
    """Return the label of the unnamed thing with this number, from 1."""
    return f"{UNNAMED}{place}"


def is_number(name: str) -> bool:
    """Return whether the name reads as a whole number: digits in the usual form, and not too many."""
    return _NUMBER.fullmatch(name) is not None


def is_operator(name: str) -> bool:
    return (name if name.islower() else name.lower() if name.isupper() else "") in WORDS


def is_free_shaped(name: str) -> bool:
    """Return whether the name is a variable if nothing binds it: x, y1 (but y1987 is a year)."""
    return _FREE.fullmatch(name) is not None


def name_text(name: str) -> str:
    """Return the name as a formula shows it: in quotes if it would be read as something else."""
    if _PLAIN.fullmatch(name) and not is_operator(name) and not is_number(name) and not _VALUE.match(name):
        return name
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def thing_text(name: str, bound: Container[str] = ()) -> str:
    """Return a thing's name among these `bound` variables: in quotes also if it would be a variable."""
    if name in bound or is_free_shaped(name):
        return f'"{name}"'
    return name_text(name)


def unquoted(text: str) -> str:
    """Return the name between quotes."""
    return _ESCAPED.sub(r"\1", text[1:-1])


_SIGNS = re.compile(r"[\W_]+")
_SHORTEST = 4
"""The least length of words that lose their s; `bus`, `gas` and `as` keep it."""


def stem(name: str) -> str:
    """Return a name without capitals, signs and the ending of a plural. Similar names have the same stem."""
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
    """Return whether two names differ only in capitals, signs and a plural: Platypus and platypuses."""
    return stem(one) == stem(other)


CAPITALS, LETTERS = "A-ZÀ-ÖØ-ÞĀ-ž", "A-Za-zÀ-ÖØ-öø-ž"
"""The ranges of Latin letters, accents included, for character classes."""
THING_PATTERN = f"^[{CAPITALS}0-9][{LETTERS}0-9]+$"
"""The pattern of names of things and predicates that a backend enforces."""
LONGEST = 60
"""The largest number of characters of a name. A longer one ends in a checksum, which keeps names distinct."""
_LETTERS = re.compile(r"[^\W\d_]+|[0-9]+")
_ARTICLES = ("a", "an", "the")


def name_words(text: str) -> list[str]:
    """Return the words of a text or a name. Capitals begin a word (`RedBoat`) in any alphabet; numbers are words."""
    words: list[str] = []
    for run in _LETTERS.findall(text):
        begin = 0
        for at in range(1, len(run)):
            # A capital begins a word after a small letter, and before one if capitals stand together.
            follows = run[at - 1].islower() or (at + 1 < len(run) and run[at + 1].islower())
            if run[at].isupper() and follows:
                words.append(run[begin:at])
                begin = at
        words.append(run[begin:])
    return words


def thing_identifier(text: str) -> str:
    """Return a name that `read_fol` reads as a thing or a predicate; "" if the text has no word."""
    words = name_words(text)
    # Vitamin A keeps its letter.
    last = len(words) - 1
    kept = [own for at, own in enumerate(words) if own.lower() not in _ARTICLES or (at == last > 0 and own == "A")]
    name = "".join(word[:1].upper() + word[1:] for word in kept or words)
    if len(name) > LONGEST:
        name = f"{name[: LONGEST - 8]}{zlib.crc32(name.encode()):08x}"
    return f"{name}_" if is_operator(name) or is_free_shaped(name) else name


def function_identifier(text: str) -> str:
    """Return a name that begins with a small letter, which distinguishes functions from predicates."""
    name = thing_identifier(text)
    name = name[:1].lower() + name[1:]
    return f"{name}_" if is_operator(name) or is_free_shaped(name) else name
