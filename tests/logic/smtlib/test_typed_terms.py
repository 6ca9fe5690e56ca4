"""The depth of a term is that of its printed parentheses, with definitions expanded."""

from __future__ import annotations

from hypothesis import given, settings

from holdtrue.logic.smtlib.script import read_script, term_text
from holdtrue.logic.smtlib.typed_terms import Depths, SmtTerm
from tests.logic.smtlib.scripts import formulas


def parentheses(text: str) -> int:
    depth = deepest = 0
    for character in text:
        depth += {"(": 1, ")": -1}.get(character, 0)
        deepest = max(deepest, depth)
    return deepest


@settings(max_examples=100, deadline=None)
@given(formulas)
def test_depth_is_that_of_the_printed_text(term: SmtTerm) -> None:
    assert Depths().of(term) == parentheses(term_text(term))


def test_definitions_add_their_depth() -> None:
    script = read_script("""
        (define-fun f ((x Int)) Int (+ 1 (* 2 x)))
        (define-fun g ((x Int)) Int (f (f x)))
        (define-fun c () Int (g 1))
        (declare-const y Int)
        (assert (< y (g c)))
    """)
    depths = Depths()
    found = []
    for definition in script.definitions:
        depths.define(definition.function.name, definition.body)
        found.append(depths.of(definition.body))
    # The depths of f, of g, which nests two calls of f, and of c, which calls g.
    assert found == [2, 6, 7]
    assert depths.of(script.assertions[0].formula) == 1 + 7 + 7
