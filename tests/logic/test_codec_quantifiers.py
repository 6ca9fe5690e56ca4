"""Quantifiers of the JSON form, over a scope that only knows letters."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations, product

import pytest

from holdtrue.errors import FormulaError
from holdtrue.logic import quantifiers
from holdtrue.logic.codec import formula_from_json, formula_to_json
from holdtrue.logic.formula import AllDifferent, And, Formula, Or, Sum, Variable, at_most
from holdtrue.logic.sorts import IntSort

A, B, C = (Variable(name, IntSort(0, 3)) for name in "abc")


@dataclass(frozen=True)
class Letters:
    """Every name is a letter, or a variable that stands for one."""

    letters: Mapping[str, Variable]
    bound: Mapping[str, Variable]

    def __call__(self, name: str) -> Variable:
        if name not in {**self.letters, **self.bound}:
            raise FormulaError(f"there is no {name}")
        return {**self.letters, **self.bound}[name]

    def choices(self, variables: Sequence[str], *, distinct: bool) -> Iterator[Letters]:
        free = [letter for letter in self.letters.values() if letter not in self.bound.values()]
        count = len(variables)
        for chosen in permutations(free, count) if distinct else product(self.letters.values(), repeat=count):
            yield Letters(self.letters, {**self.bound, **dict(zip(variables, chosen, strict=True))})


SCOPE = Letters({"a": A, "b": B, "c": C}, {})


@pytest.mark.parametrize(
    ("value", "formula"),
    [
        (["for-all", "x", ["<", "x", 2]], And((A < 2, B < 2, C < 2))),
        (["exists", ["x"], ["<", "x", 2]], Or((A < 2, B < 2, C < 2))),
        (
            ["for-all", "x", ["exists", "y", ["<", "x", "y"]]],
            And(tuple(Or((x < A, x < B, x < C)) for x in (A, B, C))),
        ),
        (
            ["exists", ["x", "y"], ["<", "x", "y"]],
            Or(tuple(x < y for x in (A, B, C) for y in (A, B, C))),
        ),
        (
            ["for-all-distinct", ["x", "y"], ["!=", "x", "y"]],
            And(tuple(x.ne(y) for x in (A, B, C) for y in (A, B, C) if x is not y)),
        ),
        (
            ["for-all", "x", ["exists-distinct", "y", ["<", "x", "y"]]],
            And((Or((A < B, A < C)), Or((B < A, B < C)), Or((C < A, C < B)))),
        ),
        (["at-most", 1, ["each", "x", ["==", "x", 3]]], at_most(1, [A.eq(3), B.eq(3), C.eq(3)])),
        (["and", ["==", "a", 1], ["each-distinct", ["x", "y", "z"], ["<", "x", "y"]], True],) * 2,
        (["all-different", ["each", "x", ["+", "x", "a"]]], AllDifferent((A + A, B + A, C + A))),
        (
            ["<", ["+", "a", ["each", "x", ["*", 2, "x"]], ["each", "y", "y"]], 9],
            Sum(((1, A), (2, A), (2, B), (2, C), (1, A), (1, B), (1, C))) < 9,
        ),
        (
            ["or", ["each", "x", ["at-most", 1, ["each-distinct", "y", ["<", "x", "y"]]]]],
            Or((at_most(1, [A < B, A < C]), at_most(1, [B < A, B < C]), at_most(1, [C < A, C < B]))),
        ),
    ],
    ids=str,
)
def test_quantifiers_are_what_they_stand_for(value: list[object], formula: Formula | list[object]) -> None:
    if isinstance(formula, list):
        orders = [x < y for x, y, _ in permutations((A, B, C))]
        formula = And((A.eq(1), *orders, formula_from_json(True, SCOPE)))
    read = formula_from_json(value, SCOPE)
    assert read == formula
    assert formula_from_json(formula_to_json(read), SCOPE) == formula


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (["for-all", 3, True], "'for-all' takes the name of a variable or a list of such, not 3"),
        (["for-all", [], True], "'for-all' takes the name of a variable or a list of such, not []"),
        (["exists", ["x", None], True], "'exists' takes the name of a variable or a list of such, not ['x', None]"),
        (["exists", "$x", True], "'exists' takes the name of a variable or a list of such, not '$x'"),
        (["and", ["each", ["x", "y", "x"], True]], "'each' names a variable twice: x, y, x"),
        (["for-all", "x", ["<", "y", 2]], "there is no y"),
        (["and", ["exists", "x", ["<", "x", 2]], ["<", "x", 2]], "there is no x"),
        (["for-all", "x", ["=<", "x", 2]], "unknown operator '=<' in ['=<', 'x', 2]"),
    ],
)
def test_what_cannot_be_read_is_named(value: object, message: str) -> None:
    with pytest.raises(FormulaError, match=re.escape(message)):
        formula_from_json(value, SCOPE)


@pytest.mark.parametrize(
    "value",
    [
        ["for-all", ["x", "y", "z"], ["<", "x", "y"]],
        ["exists-distinct", "x", ["exists-distinct", "y", ["exists-distinct", "z", ["<", "x", "y"]]]],
        ["at-most", 1, ["each", ["x", "y", "z"], ["<", "x", "y"]]],
    ],
    ids=str,
)
def test_an_expansion_is_limited(value: object, monkeypatch: pytest.MonkeyPatch) -> None:
    letters = Letters({f"v{number}": Variable(f"v{number}", IntSort(0, 1)) for number in range(20)}, {})
    assert formula_from_json(value, letters).size > 20_000
    monkeypatch.setattr(quantifiers, "LARGEST_EXPANSION", 20_000)
    with pytest.raises(FormulaError, match="over 20000 parts"):
        formula_from_json(value, letters)
