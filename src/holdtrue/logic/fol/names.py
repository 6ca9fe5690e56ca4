"""Names in formulas as text: which stand for themselves, and which need quotes."""

from __future__ import annotations

import re
from collections.abc import Container

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
_FREE = re.compile(r"[u-z][0-9]?")
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


def is_number(name: str) -> bool:
    """Whether it is read as a whole number: digits as numbers are written, and not too many of them."""
    return _NUMBER.fullmatch(name) is not None


def is_operator(name: str) -> bool:
    return (name if name.islower() else name.lower() if name.isupper() else "") in WORDS


def is_free_shaped(name: str) -> bool:
    """Whether it is a variable wherever nothing binds it: x, y1 (but y1987 is a year)."""
    return _FREE.fullmatch(name) is not None


def name_text(name: str) -> str:
    """The name as it stands in a formula: in quotes where it would be read as something else."""
    if _PLAIN.fullmatch(name) and not is_operator(name) and not is_number(name):
        return name
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


def thing_text(name: str, bound: Container[str] = ()) -> str:
    """A thing's name where these variables are `bound`: in quotes also where it would be a variable."""
    if name in bound or is_free_shaped(name):
        return f'"{name}"'
    return name_text(name)


def unquoted(text: str) -> str:
    """The name that stands between quotes."""
    return _ESCAPED.sub(r"\1", text[1:-1])
