from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.errors import FormulaError, RecordError
from holdtrue.lab.suites.cegvr.notation import notation
from holdtrue.lab.suites.cegvr.schema import DEEPEST, formula_to_json, read_formula
from holdtrue.logic.formula import AllDifferent, And, Compare, Constant, Formula, Not, Or, Variable, at_most
from holdtrue.logic.sorts import IntSort
from tests.lab.suites.cegvr.worked import linear

A, B, C = VARIABLES = tuple(Variable(name, IntSort(0, 2)) for name in "abc")
NAMED = {variable.name: variable for variable in VARIABLES}


def read(value: object) -> Formula:
    return read_formula(value, NAMED, "it")


def truths(formula: Formula) -> list[bool]:
    """Its truth under every assignment."""
    return [formula.holds(dict(zip(NAMED, values, strict=True))) for values in product(range(3), repeat=3)]


def meaning(value: Any, values: dict[str, int]) -> bool:
    """What a constraint of the schema says, read naively."""
    match value["kind"]:
        case "linear_ineq":
            left = sum(term.get("coefficient", 1) * values[term["variable"]] for term in value["terms"])
            left += value.get("offset", 0)
            right = value["rhs"]
            return bool({"<=": left <= right, ">=": left >= right, "=": left == right}[value["relation"]])
        case "int_domain":
            return bool(value["lower"] <= values[value["variable"]] <= value["upper"])
        case "bool_atom":
            return (values[value["variable"]] == 1) is value["value"] and values[value["variable"]] < 2
        case "all_different":
            return len({values[name] for name in value["variables"]}) == len(value["variables"])
        case "and":
            return all(meaning(inner, values) for inner in value["constraints"])
        case "or":
            return any(meaning(inner, values) for inner in value["constraints"])
    return not meaning(value["constraint"], values)


names = st.sampled_from("abc")
small = st.integers(-4, 6)
atoms = st.one_of(
    st.builds(
        lambda terms, relation, rhs, offset: {
            "kind": "linear_ineq",
            "terms": [{"variable": name, "coefficient": factor} for name, factor in terms],
            "relation": relation,
            "rhs": rhs,
            "offset": offset,
        },
        st.lists(
            st.tuples(names, st.sampled_from([-2, -1, 0, 1, 2, 3.0])), min_size=1, max_size=3, unique_by=lambda t: t[0]
        ),
        st.sampled_from(["<=", ">=", "="]),
        small,
        st.sampled_from([0.0, 2.0, -1]),
    ),
    st.builds(
        lambda v, low, high: {"kind": "int_domain", "variable": v, "lower": low, "upper": high}, names, small, small
    ),
    st.builds(lambda v, true: {"kind": "bool_atom", "variable": v, "value": true}, names, st.booleans()),
    st.builds(
        lambda chosen: {"kind": "all_different", "variables": chosen},
        st.lists(names, min_size=2, max_size=3, unique=True),
    ),
)
constraints = st.recursive(
    atoms,
    lambda inner: st.one_of(
        st.builds(
            lambda kind, some: {"kind": kind, "constraints": some},
            st.sampled_from(["and", "or"]),
            st.lists(inner, min_size=1, max_size=3),
        ),
        st.builds(lambda one: {"kind": "not", "constraint": one}, inner),
    ),
    max_leaves=5,
)


@given(constraints)
@settings(deadline=None, max_examples=60)
def test_reads_what_a_constraint_says_and_writes_it_again(value: dict[str, Any]) -> None:
    formula = read(value)
    expected = [meaning(value, dict(zip(NAMED, values, strict=True))) for values in product(range(3), repeat=3)]
    assert truths(formula) == expected
    written = formula_to_json(formula)
    assert truths(read(written)) == expected
    assert formula_to_json(read(written)) == written
    assert notation(formula)


@pytest.mark.parametrize(
    "formula",
    [
        A < 2,
        A > B,
        A.ne(B),
        A + 1 <= 2 * B,
        Compare("<", A, B),
        Not(A.ne(1)),
        A.eq(1).implies(AllDifferent((A, B, C))),
        Or((And((A >= 1, B <= 1)), Not(AllDifferent((B, C))))),
    ],
    ids=str,
)
def test_comparisons_of_all_kinds_can_be_written(formula: Formula) -> None:
    assert truths(read(formula_to_json(formula))) == truths(formula)


@pytest.mark.parametrize(
    "formula",
    [abs(A - B) <= 1, at_most(1, [A.eq(0), B.eq(0)]), And(()), Compare("<=", Constant(1), Constant(2))],
    ids=str,
)
def test_what_the_schema_cannot_say_is_an_error(formula: Formula) -> None:
    with pytest.raises(FormulaError, match="the schema of problems"):
        formula_to_json(formula)


@pytest.mark.parametrize(
    ("value", "fault"),
    [
        ([], "it: an object is needed"),
        ({"kind": "cubic"}, "it.kind: 'cubic' is no kind of constraint"),
        ({}, "it: kind is missing"),
        (linear("<", 3, a=1), "it.relation: '<' is none of <=, >=, ="),
        (linear("<=", 3), "it.terms: there are none"),
        (linear("<=", 3, z=1), r"it.terms\[0\].variable: 'z' is no variable"),
        (linear("<=", 3, a=1.5), r"it.terms\[0\].coefficient: a whole number is needed, got 1.5"),
        (linear("<=", float("inf"), a=1), "it.rhs: a whole number is needed"),
        ({**linear("<=", 3, a=1), "rhs": True}, "it.rhs: a whole number is needed"),
        ({**linear("<=", 3, a=1), "rhs": None}, "it.rhs: a whole number is needed"),
        ({**linear("<=", 3, a=1), "offset": "0"}, "it.offset: a whole number is needed"),
        ({"kind": "all_different", "variables": ["a"]}, "it.variables: two or more"),
        ({"kind": "all_different", "variables": ["a", "a"]}, "it.variables: two or more"),
        ({"kind": "all_different", "variables": ["a", ["b"]]}, r"it.variables\[1\]: \['b'\] is no variable"),
        ({"kind": "or", "constraints": []}, "it.constraints: there are none"),
        ({"kind": "not"}, "it.constraint: an object is needed"),
        ({"kind": "bool_atom", "variable": "a", "value": 1}, "it.value: true or false is needed"),
        ({"kind": "int_domain", "variable": "a", "lower": 0}, "it: upper is missing"),
        ({"kind": "or", "constraints": [{"kind": "not", "constraint": {"kind": "?"}}]}, r"s\[0\].constraint.kind: '\?"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_named_with_its_place(value: object, fault: str) -> None:
    with pytest.raises(RecordError, match=fault):
        read(value)


def test_constraints_nested_too_deep_are_refused() -> None:
    value = linear("<=", 1, a=1)
    for _ in range(DEEPEST + 1):
        value = {"kind": "not", "constraint": value}
    with pytest.raises(RecordError, match="50 deep at most"):
        read(value)
