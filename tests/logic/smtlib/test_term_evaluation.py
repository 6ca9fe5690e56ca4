"""Compiled evaluation agrees with the naive recursive one, and with the standard about division."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.logic.smtlib.script import Script, read_script
from holdtrue.logic.smtlib.structure import Element, Structure, Table, satisfies
from holdtrue.logic.smtlib.term_evaluation import LARGEST_BITS
from tests.logic.smtlib.scripts import FLAG, PERSON, RED, A, B, U, V, World, scripts, value_of, worlds

WORLDS = list(worlds())


def structure_of(world: World) -> Structure:
    people = tuple(Element(PERSON.name, index) for index in (0, 1))
    tables = {own.name: Table({(): world[own.name]}) for own in (A, B, FLAG)}
    tables |= {own.name: Table({(): people[world[own.name]]}) for own in (U, V)}
    tables[RED.name] = Table({(people[index],): True for index in world[RED.name]}, False)
    return Structure({PERSON.name: people}, tables)


@settings(max_examples=60, deadline=None)
@given(scripts, st.lists(st.sampled_from(WORLDS), min_size=5, max_size=5))
def test_scripts_agree_with_the_naive_twin(script: Script, chosen: list[World]) -> None:
    for world in chosen:
        naive = all(value_of(assertion.formula, world) for assertion in script.assertions)
        assert satisfies(structure_of(world), script) is naive


def check(formula: str, tables: Mapping[str, Table] | None = None, steps: int = 10**6) -> bool | None:
    script = read_script(
        "(declare-sort Person 0)(declare-const x Int)(declare-const r Real)(declare-const b Person)"
        "(declare-fun next (Person) Person)(declare-fun f (Int) Int)(declare-fun red (Person) Bool)"
        f"(define-fun twice ((n Int)) Int (let ((m n)) (+ m n)))(assert {formula})"
    )
    people = tuple(Element("Person", index) for index in range(3))
    known = {
        "x": Table({(): 7}),
        "r": Table({(): Fraction(7, 2)}),
        "b": Table({(): people[1]}),
        "next": Table({(people[0],): people[1], (people[1],): people[2], (people[2],): people[0]}),
        "red": Table({(people[1],): True}, False),
    }
    return satisfies(Structure({"Person": people}, {**known, **(tables or {})}), script, steps)


@pytest.mark.parametrize("m", range(-7, 8))
@pytest.mark.parametrize("n", [-3, -2, -1, 1, 2, 3])
def test_division_is_that_of_the_standard(m: int, n: int) -> None:
    def written(value: int) -> str:
        return str(value) if value >= 0 else f"(- {-value})"

    quotient = next(q for q in range(-8, 9) if 0 <= m - n * q < abs(n))
    assert check(f"(= (div {written(m)} {written(n)}) {written(quotient)})") is True
    assert check(f"(= (mod {written(m)} {written(n)}) {m - n * quotient})") is True


@pytest.mark.parametrize(
    ("formula", "held"),
    [
        ("(and (= r 3.5) (= (to_int r) 3) (not (is_int r)) (is_int (to_real x)))", True),
        ("(= (to_int (- r)) (- 4))", True),
        ("(= (/ r 2 7) 0.25)", True),
        ("(= (div 100 x 2) 7)", True),
        ("(= (twice (twice x)) 28)", True),
        ("(forall ((p Person)) (exists ((q Person)) (= (next q) p)))", True),
        ("(forall ((p Person)) (red p))", False),
        ("(exists ((p Person)) (red (next p)))", True),
        ("(forall ((p Person) (q Person)) (=> (= (next p) (next q)) (= p q)))", True),
        ("(forall ((p Bool)) (or p (not p)))", True),
        ("(distinct b (next b) (next (next b)))", True),
        ("(let ((x 1) (y x)) (and (= x 1) (= y 7) (let ((x 2)) (= (+ x y) 9)) (= x 1)))", True),
        ("(xor true true true)", True),
        ("(=> true false true)", True),
        ("(=> true true false)", False),
    ],
)
def test_values(formula: str, held: bool) -> None:
    assert check(formula) is held


@pytest.mark.parametrize(
    "formula",
    [
        "(= (div x 0) 1)",
        "(= (mod x (- x 7)) 1)",
        "(= (/ r 0) 1.0)",
        "(forall ((i Int)) (< i x))",
        "(exists ((i Real)) (< i r))",
        "(= (f 3) 3)",
    ],
)
def test_what_evaluation_cannot_tell(formula: str) -> None:
    assert check(formula) is None
    assert check(f"(and false {formula})") is False
    assert check(f"(or true {formula})") is True


def test_tables_have_entries_or_a_value_for_the_rest() -> None:
    assert check("(= (f 3) 5)", {"f": Table({(3,): 5})}) is True
    assert check("(= (f 4) 5)", {"f": Table({(3,): 5})}) is None
    assert check("(= (f 4) 0)", {"f": Table({(3,): 5}, 0)}) is True
    assert Structure({}, {"x": Table({(): 3}), "f": Table({(1,): 2})}).constants == {"x": 3}


def test_one_false_assertion_outweighs_many_undecided_ones() -> None:
    script = read_script("(assert (= 1 (div 1 0)))(assert false)(assert (= 1 (div 1 0)))")
    assert satisfies(Structure({}, {}), script) is False


def test_squaring_again_and_again_is_not_computed() -> None:
    bomb = "(let ((y x)) " + "(let ((y (* y y))) " * 60 + "(< y 0)" + ")" * 61
    assert check(bomb) is None
    ratio = "(let ((y (/ r 3))) " + "(let ((y (+ y (/ 1 y)))) " * 40 + "(< y 0)" + ")" * 41
    assert check(ratio) is None
    assert LARGEST_BITS <= 100_000


def test_steps_are_counted() -> None:
    many = "(forall (" + " ".join(f"(p{index} Person)" for index in range(12)) + ") true)"
    assert check(many, steps=1_000) is None
    assert check("(forall ((p Person)) true)", steps=1_000) is True
    nested = "(define-fun f0 ((n Int)) Int (+ n 1))" + "".join(
        f"(define-fun f{k} ((n Int)) Int (+ (f{k - 1} n) (f{k - 1} n)))" for k in range(1, 40)
    )
    script = read_script(f"{nested}(assert (< (f39 0) 1))")
    assert satisfies(Structure({}, {}), script, steps=10_000) is None


def test_deep_terms_are_evaluated_with_little_stack_left() -> None:
    texts = [
        "(not " * 198 + "true" + ")" * 198,
        "(or false " * 198 + "true" + ")" * 198,
        "(let ((z true)) " * 197 + "z" + ")" * 197,
        "(forall ((z Bool)) " * 9 + "true" + ")" * 9,
        "(= 1 " + "(+ 0 " * 197 + "1" + ")" * 198,
    ]

    def below(frames: int) -> list[bool | None]:
        return below(frames - 1) if frames else [check(text) for text in texts]

    assert below(400) == [True] * len(texts)


def test_elements_show_their_sort() -> None:
    assert str(Element("Person", 2)) == "Person!2"
