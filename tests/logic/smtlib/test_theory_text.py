"""The SMT-LIB text of a theory means the same as its formulas, also to z3's parser."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.errors import FormulaError
from holdtrue.logic.evaluate import evaluate
from holdtrue.logic.formula import And, Element, Formula, Term, Truth, Variable, exactly, ite, least
from holdtrue.logic.smtlib.script import Script, read_script, term_text
from holdtrue.logic.smtlib.symbols import symbol_of
from holdtrue.logic.smtlib.theory_text import formula_term, theory_script, theory_text
from holdtrue.logic.sorts import EnumSort, IntSort
from tests.logic.formulas import VARIABLES, formulas, strays
from tests.logic.smtlib.scripts import value_of

A, B = Variable("a", IntSort(0, 9)), Variable("b c", EnumSort("color", ("Red", "Dark\nblue")))

stated = st.lists(formulas, max_size=3)


def assignments(variables: Sequence[Variable]) -> Iterator[Mapping[str, int]]:
    names = [variable.name for variable in variables]
    for values in product(*(own.sort.values for own in variables)):
        yield dict(zip(names, values, strict=True))


def holds(script: Script, values: Mapping[str, int]) -> bool:
    """Return the verdict of naive evaluation; the ranges are checked first, since formulas may need them."""
    world = {symbol_of(name): value for name, value in values.items()}
    return all(value_of(assertion.formula, world) for assertion in script.assertions)


def verdict(text: str, formulas: int) -> str:
    """Return the verdict of z3's parser and solver on the text, which has so many assertions."""
    import z3

    solver = z3.Solver(ctx=z3.Context())
    solver.from_string(text)
    assert len(solver.assertions()) == formulas
    return str(solver.check())


@settings(max_examples=60, deadline=None)
@given(stated, strays)
def test_scripts_hold_where_the_formulas_do(stated: list[Formula], values: dict[str, int]) -> None:
    script = theory_script(VARIABLES, stated)
    in_range = all(values[own.name] in own.sort for own in VARIABLES)
    held = in_range and all(evaluate(formula, values) for formula in stated)
    assert holds(script, values) is held


@settings(max_examples=40, deadline=None)
@given(stated)
def test_z3_reads_theories_as_we_mean_them(stated: list[Formula]) -> None:
    text = theory_text(VARIABLES, [("; a sentence", formula) for formula in stated])
    assert read_script(text) == theory_script(VARIABLES, stated)
    possible = any(all(evaluate(own, values) for own in stated) for values in assignments(VARIABLES))
    assert verdict(text, len(VARIABLES) + len(stated)) == ("sat" if possible else "unsat")


odd = st.text(st.sampled_from("ab |\\\"';%()\n\té\u0301日\x00\u202e") | st.characters(), max_size=5)
words = st.sampled_from(["and", "true", "let", "Int", "assert", "_", "%index"])


@settings(max_examples=40, deadline=None)
@given(st.lists(odd | words, min_size=2, max_size=4))
def test_any_names_will_do(names: list[str]) -> None:
    variables = [Variable(name, IntSort(0, len(set(names)) - 1)) for name in dict.fromkeys(names)]
    chain = [(f"{a} before {b}", a < b) for a, b in pairwise(variables)]
    text = theory_text(variables, chain)
    script = read_script(text)
    assert script == theory_script(variables, [formula for _, formula in chain])
    assert len({function.name for function in script.functions}) == len(variables)
    assert verdict(text, len(variables) + len(chain)) == "sat"
    impossible = theory_text(variables, [*chain, ("no", variables[-1] < len(variables) - 1)])
    assert verdict(impossible, len(variables) + len(chain) + 1) == "unsat"


def test_text_for_people() -> None:
    formulas = [("A is not C005.\n(Turn 2)", A.ne(5)), ("", exactly(1, [A < 3, B.eq(1)]))]
    assert (
        theory_text([A, B], formulas)
        == """(declare-fun a () Int)
(declare-fun |b c| () Int)
; a: 0..9
(assert (<= 0 a 9))
; b c: 0 = Red, 1 = Dark blue
(assert (<= 0 |b c| 1))
; A is not C005. (Turn 2)
(assert (distinct a 5))
(assert (= (+ (ite (< a 3) 1 0) (ite (= |b c| 1) 1 0)) 1))
"""
    )


@pytest.mark.parametrize(
    ("formula", "text"),
    [
        (Truth(True), "true"),
        (And(()), "true"),
        (And((A < 1,)), "(< a 1)"),
        (~(A < -1), "(not (< a (- 1)))"),
        ((A < 1).xor(A < 2), "(xor (< a 1) (< a 2))"),
        (A.eq(2 * A - 3), "(= a (+ (* 2 a) (* (- 1) 3)))"),
        (abs(A - B) >= 2, "(>= (abs (+ a (* (- 1) |b c|))) 2)"),
        (ite(A < 1, 2, A).eq(0), "(= (ite (< a 1) 2 a) 0)"),
        (
            Element((5, -6, 7, 8, 9, 9, 9, 9, 9, 9), A).eq(1) & (A < 3),
            "(and (= (let ((%index a)) (ite (<= %index 4) (ite (<= %index 1) (ite (<= %index 0) 5 (- 6)) "
            "(ite (<= %index 2) 7 (ite (<= %index 3) 8 9))) (ite (<= %index 6) (ite (<= %index 5) 9 9) "
            "(ite (<= %index 7) 9 (ite (<= %index 8) 9 9))))) 1) (< a 3))",
        ),
    ],
)
def test_terms(formula: Formula, text: str) -> None:
    assert term_text(formula_term(formula)) == text


def test_tables_are_as_deep_as_their_length_has_digits() -> None:
    index = Variable("i", IntSort(0, 999))
    formula = Element(tuple(range(1000)), index).eq(index)
    script = theory_script([index], [formula])
    assert read_script(theory_text([index], [("", formula)])) == script
    assert all(holds(script, {"i": value}) for value in (0, 1, 499, 500, 998, 999))


def test_what_is_no_formula_cannot_be_written() -> None:
    wrong: Any = "a < b"
    with pytest.raises(FormulaError, match="not a formula"):
        formula_term(wrong)
    with pytest.raises(FormulaError, match="not a term"):
        formula_term(A.eq(Term()))


def test_ranges_without_an_end_are_written_as_far_as_they_go() -> None:
    up, down, any = Variable("up", IntSort(0)), Variable("down", IntSort(None, -2)), Variable("any", IntSort())
    stated = [("", (up * down).eq(any)), ("", least(any, up, down) <= any // 3 + any % up_to_nine(up))]
    text = theory_text([up, any, down], stated)
    assert read_script(text) == theory_script([up, any, down], [formula for _, formula in stated])
    assert text.splitlines()[3:7] == ["; up: 0..", "(assert (<= 0 up))", "; down: ..-2", "(assert (<= down (- 2)))"]
    assert verdict(text, 4) == "sat"
    assert verdict(theory_text([up, any, down], [("", (up * down) > 0)]), 3) == "unsat"


def up_to_nine(term: Term) -> Term:
    return least(term + 1, 9)
