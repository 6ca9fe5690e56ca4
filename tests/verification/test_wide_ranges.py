"""In ranges of any width, no call takes much memory, and delivered answers are legal and nearest."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain, product
from typing import Any

import pytest

from holdtrue.budget import Budget
from holdtrue.kinds.assignment.method import Distance
from holdtrue.kinds.assignment.solver_answers import NoProjection, Projection, project, random_legal
from holdtrue.kinds.assignment.turn import Turn
from holdtrue.language.readers import TemplateExtractor
from holdtrue.language.replies import free_items
from holdtrue.logic.formula import Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.models.sampling import Sampling
from holdtrue.models.scripted import ScriptModel
from holdtrue.record import AnswerStatus
from holdtrue.solving.explain.closest_answer import distance
from holdtrue.solving.explain.first_witness import first_witness
from holdtrue.solving.explain.mus import all_mus, smallest_mus
from holdtrue.solving.explain.nearest_answer import nearest
from holdtrue.solving.explain.possible_values import count_witnesses, possible_values
from holdtrue.solving.explain.relaxation import minimum_mcs
from holdtrue.solving.result import PossibleValues
from holdtrue.solving.route import make_engine
from holdtrue.verification.explanation import explain_ledger
from holdtrue.verification.explanation_results import Remaining
from holdtrue.verification.explanation_words import _left
from holdtrue.verification.verifier import Verifier
from holdtrue.world.answer import Assignment
from holdtrue.world.domain import Attribute, ConstraintType, Domain, Entity, Integer, ValueOf
from holdtrue.world.reader import read_answer
from holdtrue.world.schema import answer_schema
from tests.slow import first_of
from tests.solving.brute import AMPLE
from tests.solving.wide import WideCase, draw_case, measure
from tests.verification.test_verifier import Said, ledger_of

BUDGET = Budget(timeout_s=1.0)
MOST_MIB = 150.0
NARROW = 29
DISTANCES: tuple[Distance, ...] = ("changes", "difference")


class Doors:
    """One case with the calls that users reach, each with a limit."""

    def __init__(self, case: WideCase) -> None:
        self.case = case
        self.engine = make_engine(list(case.instance.variables.values()), case.instance.background)
        self.verifier = Verifier(case.instance, self.engine, BUDGET)

    def project(self, distance: Distance) -> Projection | NoProjection:
        case = self.case
        turn = Turn(
            instance=case.instance,
            model=ScriptModel([]),
            extractor=TemplateExtractor(),
            verifier=self.verifier,
            protocol="stated",
            number=1,
            message="",
            history=(),
            before=case.ledger,
            ledger=case.ledger,
            nothing_read=False,
            last=None,
            sampling=Sampling(),
            budget=BUDGET,
        )
        return project(turn, case.ledger, case.answer, distance)

    def counts(self) -> Iterator[tuple[str, Callable[[], Any]]]:
        """The calls that count answers: where ranges are wide they always use up their time."""
        case, answer = self.case, Assignment(self.case.answer)
        yield "explain", lambda: explain_ledger(self.verifier, case.ledger, answer, every_conflict=True)
        yield "count", lambda: count_witnesses(self.engine, case.ledger.soft, BUDGET)

    def others(self) -> Iterator[tuple[str, Callable[[], Any]]]:
        case, engine, soft = self.case, self.engine, self.case.ledger.soft
        yield "verify", lambda: self.verifier.verify(case.ledger, Assignment(case.answer))
        yield "first", lambda: first_witness(engine, soft, BUDGET)
        yield "values", lambda: possible_values(engine, soft, BUDGET)
        yield "all_mus", lambda: all_mus(engine, soft, BUDGET)
        yield "smallest_mus", lambda: smallest_mus(engine, soft, BUDGET)
        yield "minimum_mcs", lambda: minimum_mcs(engine, soft, BUDGET)
        yield (
            "nearest, weighted",
            lambda: nearest(
                engine, soft, case.answer, BUDGET, weights={name: 1 + len(name) % 3 for name in case.answer}
            ),
        )
        yield "random_legal", lambda: self.random_legal()

    def random_legal(self) -> object:
        try:
            return random_legal(self.case.instance, self.engine, BUDGET, random.Random(0))
        except Exception as error:  # noqa: BLE001  laws that are impossible have no legal answer
            return error


def play(
    case: WideCase, *, count: bool = True, others: bool = True
) -> tuple[dict[Distance, Projection | NoProjection], dict[str, float]]:
    """Return the delivered answer for each distance, and the MiB of every call."""
    doors = Doors(case)
    mended: dict[Distance, Projection | NoProjection] = {}
    mib: dict[str, float] = {}
    for by in DISTANCES:
        mended[by], mib[f"project by {by}"] = measure(partial(doors.project, by))
    for name, call in chain(doors.others() if others else (), doors.counts() if count else ()):
        _, mib[name] = measure(call)
    return mended, mib


def check_legal(case: WideCase, made: Projection) -> None:
    """A delivered answer keeps the laws, the ranges, and all commitments that it does not say it sets aside."""
    instance = case.instance
    assert made.values.keys() == instance.variables.keys()
    for name, variable in instance.variables.items():
        assert made.values[name] in variable.sort
    assert all(law.holds(made.values) for law in instance.background)
    assert all(one.holds(made.values) for id, one in case.ledger.soft.items() if id not in made.set_aside)


def check_nearest(case: WideCase, made: Projection, by: Distance) -> None:
    """Brute force finds nothing nearer that keeps the same."""
    variables, answer = case.instance.variables, case.answer
    kept = [one for id, one in case.ledger.soft.items() if id not in made.set_aside]

    def far(values: Any) -> int:
        if by == "changes":
            return sum(values[name] != value for name, value in answer.items())
        return sum(distance(variables[name], value, values[name]) for name, value in answer.items())

    rows = product(*(one.sort.values for one in variables.values()))
    every = (dict(zip(variables, row, strict=True)) for row in rows)
    legal = (row for row in every if all(one.holds(row) for one in (*case.instance.background, *kept)))
    assert made.optimal
    assert far(made.values) == min(map(far, legal))


@pytest.fixture(scope="module")
def warm() -> None:
    """Load the solvers: that is done once in a process, and is no part of a call."""
    play(draw_case(0))


@pytest.mark.usefixtures("warm")
@pytest.mark.parametrize("seed", first_of(range(100), 5))
def test_every_call_keeps_its_memory_and_what_is_delivered_is_legal(seed: int) -> None:
    case = draw_case(seed)
    mended, mib = play(case, count=seed % 20 == 0)  # a second or two for each that counts
    assert max(mib.values()) <= MOST_MIB, mib
    for made in mended.values():
        if isinstance(made, Projection):
            check_legal(case, made)


@pytest.mark.parametrize("seed", range(1000, 1040))
def test_where_ranges_are_narrow_the_nearest_is_that_of_brute_force(seed: int) -> None:
    case = draw_case(seed, widest=NARROW, most_variables=3)
    for by, made in play(case, count=False, others=False)[0].items():
        if isinstance(made, Projection):
            check_legal(case, made)
            check_nearest(case, made, by)


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


def test_a_random_legal_answer_is_drawn_near_the_first_values() -> None:
    drawn = random_legal(TWO, verifier().engine, AMPLE, random.Random(0))
    assert all(drawn[name] in variable.sort for name, variable in TWO.variables.items())
