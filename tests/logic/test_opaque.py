"""Opaque formulas: read, canonical, evaluated, and refused where they could not be computed."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.errors import FormulaError, SmtLibError
from holdtrue.logic.codec import formula_from_json, formula_to_json
from holdtrue.logic.evaluate import compile_formula, evaluate
from holdtrue.logic.formula import And, Formula, Not, Variable, at_most
from holdtrue.logic.node import Node
from holdtrue.logic.opaque import Opaque, opaque
from holdtrue.logic.smtlib.operators import apply_operator
from holdtrue.logic.smtlib.script import term_text
from holdtrue.logic.smtlib.sexpr import ReadLimits
from holdtrue.logic.smtlib.symbols import symbol_of
from holdtrue.logic.smtlib.typed_terms import BOOL, INT, Call, Function, Let, Literal, Local, SmtTerm
from holdtrue.logic.sorts import EnumSort, IntSort
from tests.logic.smtlib.scripts import divisors, numbers, value_of

A, B = Variable("a", IntSort(-2, 2)), Variable("b c", IntSort(0, 3))
ODD = Variable("x|and", EnumSort("color", ("Red", "Blue")))
KNOWN = {variable.name: variable for variable in (A, B, ODD)}


def resolve(name: str) -> Variable | int:
    if name == "#days":
        return -7
    return KNOWN[name]


def read(text: str) -> Opaque:
    return opaque(text, resolve)


@pytest.mark.parametrize(
    ("text", "canonical", "reads"),
    [
        ("(<= (* a |b c|) (mod |b c| 3))", "(<= (* a |b c|) (mod |b c| 3))", (A, B)),
        (" ; a comment\n( < |a| |#days| ) ", "(< a (- 7))", (A,)),
        ("(= |x%7C;and| |b c|)", "(= |x%7C;and| |b c|)", (ODD, B)),
        ("(let ((x a) (y 1)) (let ((x y)) (< x y a)))", "(let ((%1 a) (%2 1)) (let ((%3 %2)) (< %3 %2 a)))", (A,)),
        ("(let ((a |b c|)) (< a 3))", "(let ((%1 |b c|)) (< %1 3))", (B,)),
        ("(let ((|b c| 1)) (< |b c| a))", "(let ((%1 1)) (< %1 a))", (A,)),
        ("(let ((p (< a 1))) (xor p (not p)))", "(let ((%1 (< a 1))) (xor %1 (not %1)))", (A,)),
        ("(and (< a 1))", "(< a 1)", (A,)),
        ("true", "true", ()),
        ("(ite (< a 0) (= (div |b c| (- a 5)) 1) false)", "(ite (< a 0) (= (div |b c| (- a 5)) 1) false)", (A, B)),
    ],
)
def test_reading(text: str, canonical: str, reads: tuple[Variable, ...]) -> None:
    formula = read(text)
    assert (formula.text, formula.reads, str(formula)) == (canonical, reads, canonical)
    assert formula.variables == frozenset(reads)
    assert read(canonical) == formula
    assert hash(read(canonical)) == hash(formula)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1, column 1: an opaque formula is one term, such as (< a b), not 0"),
        ("(< a 1)\n(< a 2)", "line 2, column 1: an opaque formula is one term, such as (< a b), not 2"),
        ("(assert (< a 1))", "line 1, column 2: the function 'assert' is not supported"),
        ("a", "line 1, column 1: a term of sort 'Bool' is needed, not 'Int'"),
        ("(< a\n  (+ a true))", "line 2, column 8: + takes operands of sort Int or Real, not 'Bool'"),
        ("(a 1)", "line 1, column 2: 'a' is a constant"),
        ("(<\n zz 1)", "line 2, column 2: unknown variable 'zz'"),
        ("(< a 1.5)", "an opaque formula is about integers only, not '(to_real a)'"),
        ("(is_int (/ 1 2))", "an opaque formula is about integers only"),
        ("(let ((x (/ 1 2))) true)", "an opaque formula is about integers only"),
        ("(exists ((x Int)) (< x a))", "an opaque formula has no quantifiers: '(exists ((x Int)) (< x a))'"),
        ("(forall ((x Person)) true)", "line 1, column 13: unknown sort 'Person'"),
        ("(= 1 (mod a |b c|))", "the divisor in '(mod a |b c|)' may be zero"),
        ("(= 1 (div a (- |b c| 1)))", "the divisor in '(div a (- |b c| 1))' may be zero"),
        ("(< " + "(* a " * 20 + "9" * 99 + ")" * 20 + " 0)", "may have more than 100 digits"),
        ("(! (< a 1) :named n)", "line 1, column 2: annotations (! ...) are not let in"),
        ("(" * 100_000, "parentheses nested more than 200 deep"),
        ("(< a 1)" + " " * 200_000, "the text is longer than 100000 bytes"),
    ],
)
def test_what_is_refused(text: str, message: str) -> None:
    with pytest.raises(FormulaError) as caught:
        read(text)
    assert message in str(caught.value)
    assert str(caught.value).startswith("line ") is isinstance(caught.value, SmtLibError)
    assert len(str(caught.value)) < 200


def test_names_stand_for_variables_and_integers_only() -> None:
    with pytest.raises(
        SmtLibError, match="column 4: 's' stands for a \\+ 1; SMT-LIB text can name variables and integers only"
    ):
        opaque("(< s 1)", lambda name: A + 1)
    assert opaque("(< s 1)", lambda name: (A + 1).parts[1][1]).text == "(< 1 1)"


def test_the_resolver_says_what_it_does_not_know() -> None:
    def refuse(name: str) -> Variable:
        raise FormulaError(f"there is no {name}")

    with pytest.raises(FormulaError, match=r"line 1, column 4: there is no \$0\.day"):
        opaque("(< $0.day 1)", refuse)


def test_text_must_be_able_to_come_back() -> None:
    # The integer takes a pair of parentheses more than its name did.
    deep = "(not " * 98 + "(< a |#days|)" + ")" * 98
    with pytest.raises(SmtLibError, match="nested more than 99 deep"):
        opaque(deep, resolve, ReadLimits(max_depth=99))
    assert read(deep).text.count("(not") == 98


def _larger(inner: st.SearchStrategy[SmtTerm]) -> st.SearchStrategy[SmtTerm]:
    several = st.lists(inner, min_size=2, max_size=3)
    return st.one_of(
        st.builds(apply_operator, st.sampled_from("+-*"), several),
        st.builds(lambda x: apply_operator("abs", [x]), inner),
        st.builds(lambda op, x, d: apply_operator(op, [x, d]), st.sampled_from(["div", "mod"]), inner, divisors),
        st.builds(lambda x, y: Let(((Local("n", INT), x),), apply_operator("+", [Local("n", INT), y])), inner, inner),
    )


leaves = st.sampled_from([Call(Function(symbol_of(own.name), (), INT)) for own in KNOWN.values()])
integers = st.recursive(numbers | leaves, _larger, max_leaves=4)
comparisons = st.builds(
    apply_operator, st.sampled_from(["<", "<=", "=", "distinct"]), st.lists(integers, min_size=2, max_size=3)
)
formulas = st.recursive(
    comparisons | st.builds(Literal, st.booleans(), st.just(BOOL)),
    lambda inner: (
        st.builds(
            apply_operator, st.sampled_from(["and", "or", "xor", "=>", "="]), st.lists(inner, min_size=2, max_size=3)
        )
        | st.builds(lambda x: apply_operator("not", [x]), inner)
    ),
    max_leaves=3,
)


@settings(max_examples=80, deadline=None)
@given(formulas)
def test_formulas_hold_where_the_naive_twin_says(term: SmtTerm) -> None:
    formula = read(term_text(term))
    holds, opposite = compile_formula(formula), compile_formula(Not(formula))
    for values in product(range(-2, 3), range(4), range(2)):
        named = dict(zip(KNOWN, values, strict=True))
        wanted = value_of(term, {symbol_of(name): value for name, value in named.items()})
        assert holds(named) is wanted
        assert opposite(named) is not wanted


@settings(max_examples=40, deadline=None)
@given(formulas)
def test_json_and_back_is_the_identity(term: SmtTerm) -> None:
    formula: Formula = ~(read(term_text(term)) & (A < 1))
    written = formula_to_json(formula)
    assert formula_from_json(written, resolve) == formula
    assert formula_to_json(formula_from_json(written, resolve)) == written


def test_json() -> None:
    assert formula_to_json(read("(< a 1)")) == ["smt", "(< a 1)"]
    wrong: list[Any] = [["smt"], ["smt", 3], ["smt", "true", "true"], ["smt", ["<", "a", 1]]]
    for value in wrong:
        with pytest.raises(FormulaError, match=r"takes 1 operand|SMT-LIB text is a string"):
            formula_from_json(value, resolve)


def test_opaque_formulas_are_found_at_any_depth() -> None:
    hidden = read("(< (* a a) |b c|)")
    formula = at_most(1, [And((Not(hidden), A < 1)), B < 2])

    def inside(node: Node) -> bool:
        return isinstance(node, Opaque) or any(map(inside, node.children))

    assert inside(formula)
    assert not inside(at_most(1, [A < 1]))
    assert formula.variables == {A, B}


def test_values_out_of_range_never_raise() -> None:
    formula = read("(= (div 12 (+ a 3)) |b c|)")
    assert evaluate(formula, {"a": 1, "b c": 3})
    assert not evaluate(formula, {"a": -3, "b c": 3})
    squares = read("(let ((x (* a a))) (let ((x (* x x))) (let ((x (* x x))) (>= (* x x x x) 0))))")
    assert evaluate(squares, {"a": 2})
    assert not evaluate(squares, {"a": 10**1000})


def test_a_variable_without_a_value_is_a_key_error() -> None:
    with pytest.raises(KeyError, match="b c"):
        evaluate(read("(< a |b c|)"), {"a": 1})
