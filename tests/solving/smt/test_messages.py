"""Questions and answers survive the way to the worker and back."""

from __future__ import annotations

import json
from fractions import Fraction

from hypothesis import given, settings

from holdtrue.budget import Budget
from holdtrue.logic.smtlib.script import Script, read_script
from holdtrue.logic.smtlib.sexpr import ReadLimits
from holdtrue.logic.smtlib.structure import Element, Structure, Table
from holdtrue.solving.smt.messages import read_question, structure_from_json, structure_to_json, write_question
from tests.logic.smtlib.scripts import scripts


@settings(max_examples=30, deadline=None)
@given(scripts)
def test_questions_are_one_line_and_come_back(script: Script) -> None:
    for budget in (Budget(), Budget(None, 7)):
        line = write_question(script, budget)
        assert line.endswith(b"\n")
        assert line.count(b"\n") == 1
        assert read_question(line) == (script, budget)


def test_what_was_read_within_its_limits_is_read_again() -> None:
    # Printed, it is longer and deeper than it was written.
    limits = ReadLimits()
    deep = "(+ 0.5 " * 98 + "1" + ")" * 98
    text = f"(declare-const r Real)(assert (= r (+ 1 {'(- ' * 99 + deep + ')' * 99})))"
    many = "(declare-sort A)" + "".join(f"(declare-const a{number} A)" for number in range(9_000))
    for script in (read_script(text, limits), read_script(many, limits)):
        assert read_question(write_question(script, Budget()))[0] == script


def test_structures_come_back() -> None:
    script = read_script("""
        (declare-sort Person 0) (declare-sort Thing 0)
        (declare-const x Int) (declare-const r Real) (declare-const p Bool) (declare-const b Person)
        (declare-fun owns (Person Thing Bool) Bool) (declare-fun f (Int Real) Real) (declare-fun left () Int)
    """)
    people = (Element("Person", 0), Element("Person", 1))
    things = (Element("Thing", 0),)
    structure = Structure(
        {"Person": people, "Thing": things},
        {
            "x": Table({(): -(10**50)}),
            "r": Table({(): Fraction(-2, 3)}),
            "p": Table({(): False}),
            "b": Table({(): people[1]}),
            "owns": Table({(people[1], things[0], True): False}, True),
            "f": Table({(3, Fraction(1, 2)): Fraction(4)}, Fraction(0)),
        },
    )
    data = json.loads(json.dumps(structure_to_json(structure, script)))
    again = structure_from_json(data, script)
    assert again == structure
    assert [type(value) for value in again.constants.values()] == [int, Fraction, bool, Element]
