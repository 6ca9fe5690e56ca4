"""A reader of the plain English of worlds, which turns a sentence into a test of truth assignments.

It knows words and no constraint types, so that phrasings can be compared with formulas.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from holdtrue_lab.suites.belief.phrasing import THEMES

Truth = Mapping[str, bool]
Meaning = Callable[[Truth], bool]
ATOMS = frozenset(atom for theme in THEMES.values() for atom in theme)


def read(text: str) -> Meaning:
    for pattern, make in _PATTERNS:
        if found := re.fullmatch(pattern, text):
            return make(*map(read, found.groups()))
    parts = text.split(" and ")
    if len(parts) > 1:
        return _all(*map(read, parts))
    asserted = text.replace(" is not ", " is ").replace(" has not ", " has ")
    assert asserted in ATOMS, text
    return lambda truth: truth[asserted] == (asserted == text)


def _all(*parts: Meaning) -> Meaning:
    return lambda truth: all(part(truth) for part in parts)


def _implies(condition: Meaning, then: Meaning) -> Meaning:
    return lambda truth: not condition(truth) or then(truth)


def _because(then: Meaning, condition: Meaning) -> Meaning:
    return _implies(condition, then)


def _unless(what: Meaning, exception: Meaning) -> Meaning:
    return lambda truth: exception(truth) or what(truth)


def _never_unless(what: Meaning, exception: Meaning) -> Meaning:
    return lambda truth: exception(truth) or not what(truth)


def _not(what: Meaning) -> Meaning:
    return lambda truth: not what(truth)


def _same(what: Meaning) -> Meaning:
    return what


def _alike(one: Meaning, other: Meaning) -> Meaning:
    return lambda truth: one(truth) == other(truth)


def _either(one: Meaning, other: Meaning) -> Meaning:
    return lambda truth: one(truth) or other(truth)


def _at_most(most: int) -> Callable[..., Meaning]:
    return lambda *parts: lambda truth: sum(part(truth) for part in parts) <= most


_CLAUSE = r"(the [^,]+)"
_PATTERNS: tuple[tuple[str, Callable[..., Meaning]], ...] = (
    (
        f"if {_CLAUSE}, then {_CLAUSE}, and if {_CLAUSE}, then {_CLAUSE}",
        lambda a, b, c, d: _all(_implies(a, b), _implies(c, d)),
    ),
    (f"if it is true that {_CLAUSE}, then it is also true that {_CLAUSE}", _implies),
    (f"should it be so that {_CLAUSE}, then {_CLAUSE}", _implies),
    (f"if {_CLAUSE}, then {_CLAUSE}", _implies),
    (f"whenever {_CLAUSE}, {_CLAUSE}", _implies),
    (f"in every case in which {_CLAUSE}, {_CLAUSE}", _implies),
    (f"it cannot be that both {_CLAUSE}", _not),
    (f"it cannot be that {_CLAUSE} unless {_CLAUSE}", _never_unless),
    (f"it is never the case that {_CLAUSE}", _not),
    (f"at most one of these two is true: {_CLAUSE}, {_CLAUSE}", _at_most(1)),
    (f"at most two of these three are true: {_CLAUSE}, {_CLAUSE}, {_CLAUSE}", _at_most(2)),
    (f"at least one of these three is false: {_CLAUSE}, {_CLAUSE}, {_CLAUSE}", _at_most(2)),
    (f"either {_CLAUSE}, or {_CLAUSE}", _either),
    (f"{_CLAUSE} or {_CLAUSE}, or both", _either),
    (f"{_CLAUSE} if and only if {_CLAUSE}", _alike),
    (f"{_CLAUSE} exactly when {_CLAUSE}", _alike),
    (f"{_CLAUSE} only if {_CLAUSE}", _implies),
    (f"{_CLAUSE} unless {_CLAUSE}", _unless),
    (f"{_CLAUSE} (?:if|whenever) {_CLAUSE}", _because),
    (f"it is (?:certain|a fact|known) that {_CLAUSE}", _same),
    (f"it is not (?:true|the case) that {_CLAUSE}", _not),
    (f"not both: {_CLAUSE}, and {_CLAUSE}", _at_most(1)),
    (f"not all of these: {_CLAUSE}, {_CLAUSE}, and {_CLAUSE}", _at_most(2)),
)
