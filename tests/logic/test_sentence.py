"""Formulas in words: each kind as it should read, and what holds for all of them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

from holdtrue.errors import FormulaError
from holdtrue.logic.codec import formula_from_json, formula_to_json
from holdtrue.logic.formula import (
    AllDifferent,
    And,
    Compare,
    Constant,
    Count,
    Element,
    Formula,
    IfThenElse,
    Or,
    Sum,
    Truth,
    Variable,
    at_least,
    at_most,
    exactly,
    ite,
)
from holdtrue.logic.sentence import say
from holdtrue.logic.sorts import EnumSort, IntSort
from tests.logic.formulas import VARIABLES, formulas

SHIFTS = EnumSort("shift", ("Early", "Mid", "Late"))
ANN, BOB, CY = (Variable(f"{name}.day", IntSort(1, 5)) for name in ("Ann", "Bob", "Cy"))
SHIFT, OTHER = Variable("Ann.shift", SHIFTS), Variable("Bob.shift", SHIFTS)
P, Q, R = ANN.eq(1), BOB <= 2, SHIFT.eq(2)


@pytest.mark.parametrize(
    ("formula", "sentence"),
    [
        (ANN <= BOB - 2, "Ann.day is at most Bob.day - 2"),
        (ANN + 2 < BOB, "Ann.day + 2 is less than Bob.day"),
        (ANN >= 3, "Ann.day is at least 3"),
        (2 * ANN + BOB > 7, "2*Ann.day + Bob.day is more than 7"),
        (ANN.eq(3), "Ann.day is 3"),
        (ANN.ne(3), "Ann.day is not 3"),
        (Compare("<", Constant(3), ANN), "Ann.day is more than 3"),
        (Compare("<=", Constant(3), Constant(4)), "3 is at most 4"),
        (ANN.eq(BOB), "Ann.day equals Bob.day"),
        (ANN.ne(BOB + 1), "Ann.day differs from Bob.day + 1"),
        (SHIFT.eq(0), "Ann.shift is Early"),
        (SHIFT.ne(2), "Ann.shift is not Late"),
        (Compare("!=", Constant(2), SHIFT), "Ann.shift is not Late"),
        (SHIFT < 2, "Ann.shift comes before Late"),
        (SHIFT <= 1, "Ann.shift does not come after Mid"),
        (SHIFT > OTHER, "Ann.shift comes after Bob.shift"),
        (SHIFT >= OTHER, "Ann.shift does not come before Bob.shift"),
        (SHIFT.eq(OTHER), "Ann.shift equals Bob.shift"),
        (SHIFT.eq(7), "Ann.shift is 7"),
        (SHIFT.eq(ite(P, 0, 2)), "Ann.shift equals (Early if Ann.day is 1, otherwise Late)"),
        (abs(ANN - BOB) >= 2, "the difference between Ann.day and Bob.day is at least 2"),
        (abs(BOB - ANN).eq(CY), "the difference between Bob.day and Ann.day equals Cy.day"),
        (abs(ANN + 1) <= 2, "the absolute value of Ann.day + 1 is at most 2"),
        (CY + abs(ANN - BOB) <= 6, "Cy.day + |Ann.day - Bob.day| is at most 6"),
        (ite(P & Q, 3, BOB) <= 6, "(3 if (Ann.day is 1 and Bob.day is at most 2), otherwise Bob.day) is at most 6"),
        (Element((5, 7, 9), SHIFT) <= 6, "the entry for Ann.shift in (Early: 5, Mid: 7, Late: 9) is at most 6"),
        (
            Element((0, 4, 5, 6, 7, 8), ANN) + Element((9, 8, 7, 6, 5), BOB - 1) <= 9,
            "(1: 4, 2: 5, 3: 6, 4: 7, 5: 8)[Ann.day] + (0: 9, 1: 8, 2: 7, 3: 6, 4: 5)[Bob.day - 1] is at most 9",
        ),
        (2 + ANN - (BOB - 3) > 2 * (CY + 1), "Ann.day - Bob.day + 5 is more than 2*Cy.day + 2"),
        (abs(ANN - BOB + 0) + 0 >= 2, "the difference between Ann.day and Bob.day is at least 2"),
        (Sum(()).eq(0), "0 is 0"),
        (P & Q, "Ann.day is 1 and Bob.day is at most 2"),
        (P & Q & R, "all of: Ann.day is 1; Bob.day is at most 2; Ann.shift is Late"),
        (P | Q, "Ann.day is 1 or Bob.day is at most 2"),
        (P | Q | R, "at least one of: Ann.day is 1; Bob.day is at most 2; Ann.shift is Late"),
        ((P & Q) | R, "(Ann.day is 1 and Bob.day is at most 2) or Ann.shift is Late"),
        (P.implies(Q), "if Ann.day is 1 then Bob.day is at most 2"),
        ((P & Q).implies(R), "if (Ann.day is 1 and Bob.day is at most 2) then Ann.shift is Late"),
        (P.iff(Q), "Ann.day is 1 if and only if Bob.day is at most 2"),
        (~P.iff(Q), "either Ann.day is 1 or Bob.day is at most 2, but not both"),
        (P.xor(Q), "either Ann.day is 1 or Bob.day is at most 2, but not both"),
        (~P.xor(Q), "Ann.day is 1 if and only if Bob.day is at most 2"),
        (IfThenElse(P, Q, R), "if Ann.day is 1 then Bob.day is at most 2, otherwise Ann.shift is Late"),
        (~IfThenElse(P, Q, R), "if Ann.day is 1 then Bob.day is more than 2, otherwise Ann.shift is not Late"),
        (~P, "Ann.day is not 1"),
        (~~P, "Ann.day is 1"),
        (~(P & Q), "not all of: Ann.day is 1; Bob.day is at most 2"),
        (~(P | Q), "none of: Ann.day is 1; Bob.day is at most 2"),
        (AllDifferent((ANN, BOB)), "Ann.day and Bob.day are different"),
        (AllDifferent((ANN, BOB, CY)), "Ann.day, Bob.day and Cy.day are all different"),
        (~AllDifferent((ANN, BOB)), "Ann.day and Bob.day are the same"),
        (~AllDifferent((ANN, BOB, CY)), "Ann.day, Bob.day and Cy.day are not all different"),
        (exactly(2, [P, Q, R]), "exactly 2 of: Ann.day is 1; Bob.day is at most 2; Ann.shift is Late"),
        (at_most(1, [P, Q & R]), "at most 1 of: Ann.day is 1; (Bob.day is at most 2 and Ann.shift is Late)"),
        (~at_most(1, [P, Q]), "more than 1 of: Ann.day is 1; Bob.day is at most 2"),
        (~at_least(1, [P]), "fewer than 1 of: Ann.day is 1"),
        (Count("!=", 1, ()), "any number but 1 of: nothing"),
        (Truth(True), "true"),
        (~Truth(True), "false"),
        (And(()), "true"),
        (~Or(()), "true"),
        (And((P,)), "Ann.day is 1"),
        (~Or((P,)), "Ann.day is not 1"),
        (AllDifferent((ANN,)), "true"),
        (~AllDifferent(()), "false"),
    ],
    ids=str,
)
def test_sentences(formula: Formula, sentence: str) -> None:
    assert say(formula) == sentence


def test_variables_are_called_as_one_likes() -> None:
    def name(variable: Variable) -> str:
        entity, _, attribute = variable.name.partition(".")
        return f"{entity}'s {attribute}"

    formula = (abs(ANN - BOB) >= 2) & Element((5, 7, 9), SHIFT).eq(ite(P, 5, ANN))
    assert say(formula, name) == (
        "the difference between Ann's day and Bob's day is at least 2 and the entry for Ann's shift in "
        "(Early: 5, Mid: 7, Late: 9) equals (5 if Ann's day is 1, otherwise Ann's day)"
    )


RENAMED = {variable.name: Variable(f"<{at}>", variable.sort) for at, variable in enumerate(VARIABLES)}


@settings(max_examples=150, deadline=None)
@given(formulas)
def test_saying_a_renamed_formula_is_saying_it_with_other_names(formula: Formula) -> None:
    renamed = formula_from_json(formula_to_json(formula), RENAMED.__getitem__)
    assert say(renamed) == say(formula, lambda variable: RENAMED[variable.name].name)


@settings(max_examples=100, deadline=None)
@given(formulas)
def test_a_sentence_has_balanced_parentheses_and_one_line(formula: Formula) -> None:
    sentence = say(formula)
    depth = 0
    for mark in sentence:
        depth += (mark == "(") - (mark == ")")
        assert depth >= 0
    assert depth == 0 and sentence == sentence.strip() and "\n" not in sentence


@settings(max_examples=100, deadline=None)
@given(formulas)
def test_a_double_negation_is_not_heard(formula: Formula) -> None:
    assert say(~~formula) == say(formula)


def test_what_is_no_formula_cannot_be_said() -> None:
    wrong: Any = Formula()
    with pytest.raises(FormulaError, match="not a formula"):
        say(wrong)
