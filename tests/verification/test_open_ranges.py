"""A domain whose amounts have no upper end: what a model is told, and what is judged, mended and explained."""

from __future__ import annotations

import random

import pytest

from holdtrue.kinds.assignment.controls import random_legal
from holdtrue.language.replies import free_items
from holdtrue.ledger.beliefs import statement
from holdtrue.logic.formula import Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.record import AnswerStatus
from holdtrue.solving.explain.nearest_answer import nearest
from holdtrue.solving.result import Nearest, PossibleValues
from holdtrue.solving.route import make_engine
from holdtrue.verification.explanation import explain_ledger
from holdtrue.verification.explanation_results import Remaining
from holdtrue.verification.explanation_words import _left, tell
from holdtrue.verification.verifier import Verifier
from holdtrue.world.answer import Assignment
from holdtrue.world.domain import Attribute, ConstraintType, Domain, Entity, Integer, ValueOf
from holdtrue.world.reader import read_answer
from holdtrue.world.schema import answer_schema
from tests.solving.brute import AMPLE
from tests.verification.test_verifier import Said, ledger_of

BILLS = Domain(
    "bills",
    attributes=[Attribute("paid", low=0), Attribute("owed", high=0, label="debt")],
    constraint_types=[
        ConstraintType(
            "at least", (Entity(), Integer(0, 10**6)), "{0} pays at least {1}", lambda w, a, least: a.paid >= least
        ),
        ConstraintType("pays", (Entity(), ValueOf("paid")), "{0} pays {1}", lambda w, a, sum: a.paid.eq(sum)),
        ConstraintType("double", (Entity(), Entity()), "{0} pays double {1}", lambda w, a, b: a.paid.eq(2 * b.paid)),
        ConstraintType("even", (Entity(),), "{0} pays an even sum", lambda w, a: (a.paid % 2).eq(0)),
    ],
)
TWO = BILLS.instance(["Ann", "Bob"])
LARGE = 10**30


def verifier() -> Verifier:
    return Verifier(TWO, make_engine(tuple(TWO.variables.values()), TWO.background), AMPLE)


def values(ann: int, bob: int) -> Assignment:
    return Assignment({"Ann.paid": ann, "Bob.paid": bob, "Ann.owed": 0, "Bob.owed": -LARGE})


SAID: list[Said] = [("at least", "Ann", 7), ("double", "Ann", "Bob"), ("even", "Bob")]


def test_what_a_model_is_told() -> None:
    assert TWO.setup_lines()[2:] == (
        "Every entity has a paid: any integer from 0 on",
        "Every entity has a debt: any integer up to 0",
    )
    ann = answer_schema(TWO)["properties"]["solution"]["properties"]["Ann"]["properties"]
    assert ann == {"paid": {"type": "integer", "minimum": 0}, "owed": {"type": "integer", "maximum": 0}}
    items = str(free_items(TWO))
    assert "'minimum': 0, 'maximum': 1000000" in items and "None" not in items


def test_answers_of_any_size_are_read_and_judged() -> None:
    text = f'{{"solution": {{"Ann": {{"paid": {4 * LARGE}, "owed": 0}}, "Bob": {{"paid": {2 * LARGE}, "owed": -1}}}}}}'
    answer = read_answer(TWO, text)
    assert isinstance(answer, Assignment) and answer.values["Ann.paid"] == 4 * LARGE
    ledger = ledger_of(TWO, *SAID)
    assert verifier().verify(ledger, answer).answer is AnswerStatus.RESPECTING
    assert verifier().verify(ledger, values(8, 4)).answer is AnswerStatus.RESPECTING
    assert verifier().verify(ledger, values(8, 5)).answer is AnswerStatus.VIOLATING
    below = verifier().verify(ledger, values(-8, -4))
    assert below.background[0] == "Ann.paid is -8, outside 0.."
    above = verifier().verify(ledger, Assignment({"Ann.owed": 3}))
    assert above.answer is AnswerStatus.INCOMPLETE and "Ann.owed is 3, outside ..0" in above.background


def test_values_are_arguments_within_their_ends() -> None:
    assert TWO.constraint("pays", ["Ann", LARGE]).args == ("Ann", LARGE)
    with pytest.raises(Exception, match=r"-1 is no paid: 0\.\."):
        TWO.constraint("pays", ["Ann", -1])


@pytest.mark.slow
def test_what_is_left_is_told_without_an_end() -> None:
    told = " ".join(tell(explain_ledger(verifier(), ledger_of(TWO, *SAID))))
    assert "Ann: paid from 8 on; debt up to 0 Bob: paid from 4 on; debt up to 0" in told
    assert "the bound of 1000 was reached" in told


@pytest.mark.parametrize(
    ("possible", "told"),
    [
        (PossibleValues((8,), ((9, None),)), "sum from 8 on"),
        (PossibleValues((8,), ((None, 7),)), "sum up to 8"),
        (PossibleValues((8,), ((None, 7), (9, None))), "sum without a least or a greatest value"),
        (PossibleValues((2, 8), ((3, 7),)), "sum between 2 and 8"),
        (PossibleValues((8,)), "sum 8 (settled)"),
        (
            PossibleValues((2, 8), ((None, 1), (3, 7), (9, None)), "tired"),
            "sum 2 or 8 (not decided: up to 1, 3 to 7, from 9)",
        ),
    ],
)
def test_what_is_left_in_words(possible: PossibleValues, told: str) -> None:
    own = Remaining("Ann", "sum", "sum", Variable("Ann.sum", IntSort()), possible)
    assert _left(own) == told
    written = own.to_json()["open"]
    assert written == [list(part) for part in possible.open]


def test_the_nearest_answer_is_found() -> None:
    ledger = ledger_of(TWO, *SAID)
    found = nearest(verifier().engine, ledger.soft, values(8, 7).values, AMPLE)
    assert isinstance(found, Nearest) and found.optimal
    assert found.changed == ("Bob.paid",) and found.witness["Bob.paid"] == 4


def test_a_random_legal_answer_is_drawn_near_the_first_values() -> None:
    drawn = random_legal(TWO, verifier().engine, AMPLE, random.Random(0))
    assert all(drawn[name] in variable.sort for name, variable in TWO.variables.items())


def test_statements_without_an_end_are_compared_as_they_are_written() -> None:
    paid = TWO.variables["Ann.paid"]
    assert statement(paid >= 7) == (paid >= 7)
    assert statement(~(paid < 7)) == (paid >= 7)
