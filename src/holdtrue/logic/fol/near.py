"""Names that look like one: written differently, or one the plural of the other."""

from __future__ import annotations

import re

_SIGNS = re.compile(r"[\W_]+")
_SHORTEST = 4
"""Shorter words keep their s: `bus`, `gas`, `as`."""


def stem(name: str) -> str:
    """What is left of a name without capitals, signs and the ending of a plural; near names have the same."""
    plain = _SIGNS.sub("", name).casefold() or name
    if len(plain) < _SHORTEST or plain.endswith(("ss", "us", "is")):
        return plain
    if plain.endswith("ies"):
        return plain[:-3] + "y"
    if plain.endswith(("sses", "uses", "ches", "shes", "xes")):
        return plain[:-2]
    return plain.removesuffix("s")


def near(one: str, other: str) -> bool:
    """Whether two names differ in nothing but capitals, signs and a plural: Platypus and platypuses."""
    return stem(one) == stem(other)
