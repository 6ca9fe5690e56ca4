"""The published example: four variables in 0..9, and a solution in its second round that leaves these bounds."""

from __future__ import annotations

import json

from holdtrue.kinds.search.certifier import Certifier
from holdtrue.kinds.search.conflict import Conflict, ask_for, minimised_conflict, upstream_core
from holdtrue.kinds.search.reader import Infeasible, read_candidate
from holdtrue.kinds.search.record import CandidateOutcome, SearchAttempt, candidate_outcome
from holdtrue.logic.formula import Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.world.answer import Assignment
from tests.solving.brute import AMPLE, possible

X1, X2, X3, X4 = VARIABLES = tuple(Variable(f"x{number}", IntSort(0, 9)) for number in range(1, 5))
NAMES = tuple(variable.name for variable in VARIABLES)
FORMULAS = {
    "c1": X1 + 4 * X2 + X3 + 2 * X4 >= 23,
    "c2": (3 * X1 + X2).eq(43),
    "c3": X2 + 2 * X3 - X4 <= 6,
    "c4": X1 - X3 + X4 >= 1,
}
FIRST = {"x1": 4, "x2": 2, "x3": 3, "x4": 7}
SECOND = {"x1": 14, "x2": 1, "x3": 3, "x4": 7}


def certifier() -> Certifier:
    return Certifier(VARIABLES, FORMULAS, AMPLE)


def outcome(text: str) -> CandidateOutcome:
    candidate = read_candidate(NAMES, text)
    values = candidate.values if isinstance(candidate, Assignment) else {}
    return candidate_outcome(SearchAttempt(1, "candidate", text, values, certifier().certify(candidate)))


def written(values: dict[str, int]) -> str:
    return json.dumps({"status": "sat", "assignment": values})


def test_within_its_bounds_it_has_no_solution_and_the_second_constraint_says_why() -> None:
    assert not possible(VARIABLES, FORMULAS.values())
    verdict = certifier().certify(Infeasible())
    assert verdict.mus == ("c2",)
    assert verdict.mus_minimal
    assert verdict.background == ("x1 <= 9", "x2 <= 9")
    assert outcome('{"status": "unsat"}') is CandidateOutcome.CERTIFIED_UNSAT


def test_the_first_candidate_breaks_just_the_second_constraint() -> None:
    own = certifier()
    assert own.evaluate(FIRST) == ("c2",)
    assert outcome(written(FIRST)) is CandidateOutcome.FAILED_CERTIFICATION
    conflict = Conflict(("c2",), ("x1", "x2"))
    assert upstream_core(own, FIRST) == minimised_conflict(own, FIRST) == conflict
    # To keep x3 and x4 does not help: nothing does, and so all is asked for.
    assert ask_for(own, conflict.revise, FIRST) == ()


def test_the_published_solution_is_outside_the_bounds() -> None:
    own = certifier()
    assert own.evaluate(SECOND) == ()
    verdict = own.certify(Assignment(SECOND))
    assert verdict.background == ("x1 = 14 is outside 0..9",)
    assert outcome(written(SECOND)) is CandidateOutcome.REJECTED_DOMAIN
