"""Random constraints of this suite, and an independent reader of their notation and words."""

from __future__ import annotations

import re
from collections.abc import Mapping

from hypothesis import strategies as st

from holdtrue.logic.formula import (
    NEGATED,
    AllDifferent,
    And,
    Compare,
    Comparison,
    Constant,
    Formula,
    Not,
    Or,
    Sum,
    Term,
    Variable,
)
from holdtrue.logic.sorts import IntSort

X, Y, Z = Variable("x1", IntSort(0, 3)), Variable("x2", IntSort(-2, 1)), Variable("x3", IntSort(1, 2))
VARIABLES = (X, Y, Z)
BY_NAME: Mapping[str, Term] = {variable.name: variable for variable in VARIABLES}

_some = st.lists(st.sampled_from(VARIABLES), min_size=1, max_size=3, unique=True)
_factors = st.integers(-13, 13).filter(bool)


@st.composite
def linear_constraints(draw: st.DrawFn) -> Formula:
    """Sums of one to three variables, compared in every way."""
    parts = tuple((draw(_factors), variable) for variable in draw(_some))
    return Compare(draw(st.sampled_from(sorted(NEGATED))), Sum(parts), Constant(draw(st.integers(-12, 12))))


_different = st.builds(
    AllDifferent, st.lists(st.sampled_from(VARIABLES), min_size=2, max_size=3, unique=True).map(tuple)
)


def _larger(inner: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
    operands = st.lists(inner, min_size=2, max_size=3).map(tuple)
    return (
        st.builds(And, operands)
        | st.builds(Or, operands)
        | st.builds(Not, inner)
        | st.builds(lambda premise, then: Or((Not(premise), then)), inner, inner)
    )


constraints: st.SearchStrategy[Formula] = st.recursive(linear_constraints() | _different, _larger, max_leaves=3)

_WORDS: Mapping[str, Comparison] = {
    "is at least": ">=", "is not less than": ">=", "must not be below": ">=", ">=": ">=",
    "is at most": "<=", "is not more than": "<=", "must not be above": "<=", "<=": "<=",
    "is equal to": "==", "is exactly": "==", "has to be": "==", "=": "==",
    "is less than": "<", "has to be below": "<", "<": "<",
    "is more than": ">", "has to be above": ">", ">": ">",
    "is not": "!=", "must differ from": "!=", "!=": "!=",
}  # fmt: skip
_COMPARED = re.compile(f"(.+?) ({'|'.join(sorted(map(re.escape, _WORDS), key=len, reverse=True))}) (.+)")
_DIFFERENT = re.compile(
    r"all_different\((?P<a>.*)\)|no two of (?P<b>.*) have the same value|(?P<c>.*) have different values throughout"
    r"|(?P<d>.*) all differ|(?P<e>.*) differ|(?P<f>.*) do not have the same value"
)
_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def read_notation(text: str) -> Formula:
    """Return the constraint that a notation states. Raises `ValueError` for any other text."""
    if _enclosed(text):
        return read_notation(text[1:-1])
    if text.startswith("if "):
        premise, then = _split(text.removeprefix("if "), " then ")
        return Or((Not(read_notation(premise)), read_notation(then)))
    if len(parts := _split(text, " or ")) > 1:
        return Or(tuple(map(read_notation, parts)))
    if len(parts := _split(text, " and ")) > 1:
        return And(tuple(map(read_notation, parts)))
    if text.startswith("not "):
        return Not(read_notation(text.removeprefix("not ")))
    return _read_plain(text)


def read_words(text: str) -> Formula:
    """Return the constraint that words state. Raises `ValueError` for any other text."""
    if _enclosed(text):
        return read_words(text[1:-1])
    if text.startswith("it is not true that "):
        return Not(read_words(text.removeprefix("it is not true that ")))
    for opened, between in (("if ", ", then "), ("whenever ", ", also ")):
        if text.startswith(opened):
            premise, then = _split(text.removeprefix(opened), between)
            return Or((Not(read_words(premise)), read_words(then)))
    for frame in ("at least one of these holds: ", "one of these is true, or more of them: "):
        if text.startswith(frame):
            return Or(tuple(map(read_words, _split(text.removeprefix(frame), "; "))))
    for frame in ("all of these hold: ", "each of these is true: "):
        if text.startswith(frame):
            return And(tuple(map(read_words, _split(text.removeprefix(frame), "; "))))
    return _read_plain(text)


def _read_plain(text: str) -> Formula:
    if found := _COMPARED.fullmatch(text):
        return Compare(_WORDS[found[2]], _side(found[1]), _side(found[3]))
    if found := _DIFFERENT.fullmatch(text):
        listed = next(group for group in found.groups() if group is not None)
        return AllDifferent(tuple(BY_NAME[name] for name in re.split(", | and ", listed)))
    raise ValueError(f"not understood: {text}")


def _side(text: str) -> Term:
    """Return a sum, in notation or in words."""
    if text.startswith("the sum of "):
        return Sum(tuple((1, _side(part)) for part in re.split(", | and ", text.removeprefix("the sum of "))))
    signed = re.split(r" (\+|-|plus|minus) ", text)
    signs = ["+", *signed[1::2]]
    return Sum(
        tuple((-1 if sign in ("-", "minus") else 1, _item(part)) for sign, part in zip(signs, signed[::2], strict=True))
    )


def _item(text: str) -> Term:
    if re.fullmatch(r"-?\d+", text):
        return Constant(int(text))
    found = re.fullmatch(
        r"(?:(?P<twice>twice) |(?P<times>\w+)(?: times |\*)|(?P<minus>-)(?:(?P<of>\d+)\*)?)?(x\d)", text
    )
    if found is None:
        raise ValueError(f"not a term: {text}")
    if found["twice"]:
        factor = 2
    elif found["times"]:
        factor = _NUMBERS.index(found["times"]) if found["times"] in _NUMBERS else int(found["times"])
    else:
        factor = -int(found["of"] or 1) if found["minus"] else 1
    return Sum(((factor, BY_NAME[found[5]]),))


def _enclosed(text: str) -> bool:
    """Return whether one pair of parentheses encloses the whole text."""
    depth = 0
    for place, sign in enumerate(text):
        depth += {"(": 1, ")": -1}.get(sign, 0)
        if depth == 0:
            return place > 0 and place == len(text) - 1
    raise ValueError(f"unbalanced: {text}")


def _split(text: str, between: str) -> list[str]:
    """Return the parts of a text, cut at `between` outside of parentheses."""
    parts, depth, start = [], 0, 0
    for place, sign in enumerate(text):
        depth += {"(": 1, ")": -1}.get(sign, 0)
        if depth == 0 and place >= start and text.startswith(between, place):
            parts.append(text[start:place])
            start = place + len(between)
    return [*parts, text[start:]]
