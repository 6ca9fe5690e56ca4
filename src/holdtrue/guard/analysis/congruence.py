"""Say what holds of all texts and maps: equal texts pass the same tests, and equal keys find the same entry."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations, islice

from holdtrue.logic.formula import Compare, Constant, Formula, Term
from holdtrue.rules.completion import TextTest, text_tests
from holdtrue.rules.symbolic_values import FALSE, compared, disj, neg
from holdtrue.rules.unknowns import Unknowns

MOST_PAIRS = 2_000
"""So many pairs of texts or keys are told to be alike; without the others only less is decided."""


def congruent(unknowns: Unknowns) -> tuple[Formula, ...]:
    """Return the formulas that hold whatever was not seen turns out to be."""
    return tuple(islice(chain(_tests(unknowns), _entries(unknowns)), MOST_PAIRS))


def _tests(unknowns: Unknowns) -> Iterator[Formula]:
    """Return the formulas that equal texts pass the same tests, and what one test of a text says of another."""
    variables = unknowns.variables
    tests = [own for own in text_tests(variables) if own.subject in variables]
    for one, other in combinations(tests, 2):
        if (one.operation, one.literal) == (other.operation, other.literal):
            equal = compared("==", variables[one.subject], variables[other.subject])
            yield _same(equal, variables[one.variable], variables[other.variable])
        if one.subject == other.subject:
            passed = [Compare("==", variables[own.variable], Constant(1)) for own in (one, other)]
            if _excludes(one, other):
                yield disj(map(neg, passed))
            elif _implies(one, other):
                yield disj((neg(passed[0]), passed[1]))
            elif _implies(other, one):
                yield disj((neg(passed[1]), passed[0]))


def _implies(one: TextTest, other: TextTest) -> bool:
    """Return whether a text that passes one test passes the other."""
    if other.operation == "contains":
        return other.literal in one.literal
    if one.operation != other.operation:
        return False
    if one.operation == "starts_with":
        return one.literal.startswith(other.literal)
    return one.literal.endswith(other.literal)


def _excludes(one: TextTest, other: TextTest) -> bool:
    """Return whether no text passes both tests."""
    same = one.operation == other.operation != "contains"
    return same and not _implies(one, other) and not _implies(other, one)


def _entries(unknowns: Unknowns) -> Iterator[Formula]:
    """Return the formulas that equal keys find the same entry of a map."""
    maps: dict[str, list[tuple[str, Term]]] = {}
    for name in unknowns.variables:
        if name.endswith("]#there"):
            path, entry = _split(name[: -len("#there")])
            key = _key(unknowns, entry[1:-1])
            if key is not None:
                maps.setdefault(path, []).append((entry, key))
    for path, entries in maps.items():
        for (one, key), (other, twin) in combinations(entries, 2):
            equal = compared("==", key, twin)
            if equal is not FALSE:
                yield from _same_entry(unknowns, equal, path + one, path + other)


def _split(name: str) -> tuple[str, str]:
    """Return the path of a map and the entry behind it, in brackets."""
    depth = 0
    for place in range(len(name) - 1, -1, -1):
        depth += (name[place] == "]") - (name[place] == "[")
        if depth == 0:
            return name[:place], name[place:]
    return "", name


def _key(unknowns: Unknowns, written: str) -> Term | None:
    if written in unknowns.variables:
        return unknowns.variables[written]
    return next((Constant(code) for text, code in unknowns.codes.items() if repr(text) == written), None)


def _same_entry(unknowns: Unknowns, equal: Formula, one: str, other: str) -> Iterator[Formula]:
    for name in [own for own in unknowns.variables if own.startswith(one)]:
        twin = unknowns.variables.get(other + name[len(one) :])
        if twin is not None:
            yield _same(equal, unknowns.variables[name], twin)


def _same(equal: Formula, one: Term, other: Term) -> Formula:
    return disj((neg(equal), Compare("==", one, other)))
