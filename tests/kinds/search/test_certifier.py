from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.budget import Budget
from holdtrue.kinds.search.certifier import Certifier
from holdtrue.kinds.search.reader import Infeasible
from holdtrue.ledger.entries import Source, Statement
from holdtrue.logic.evaluate import evaluate
from holdtrue.logic.formula import Formula, Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.record import AnswerStatus, Satisfiability
from holdtrue.solving.certificate import Certificate, NoCertificate, WitnessCertificate
from holdtrue.solving.engine import CountedEngine
from holdtrue.solving.route import make_engine
from holdtrue.verification.ledger_theory import Theory, certify
from holdtrue.world.answer import Assignment, Unparsed
from tests.solving.brute import AMPLE, VARIABLES, assignments, is_mus, possible, theories
from tests.solving.drat import check
from tests.solving.explain.tiring import Tiring

NO_TIME = Budget(timeout_s=0.0)
X, Y, Z = (Variable(name, IntSort(0, 4)) for name in "xyz")
SMALL = (X, Y, Z)
SOLVABLE: Mapping[str, Formula] = {"c1": X + Y >= 6, "c2": (Y + Z).eq(3), "c3": X - Z <= 3}
CLASH: Mapping[str, Formula] = {"c1": X + Y >= 6, "c2": X + Y <= 7, "c3": Y + Z <= 2, "c4": X - Z <= 3}


@settings(deadline=None, max_examples=80)
@given(formulas=theories(), values=st.sampled_from(list(assignments(VARIABLES))))
def test_an_assignment_is_judged_by_its_own_values_and_no_solver(
    formulas: dict[str, Formula], values: dict[str, int]
) -> None:
    certifier = Certifier(VARIABLES, formulas, NO_TIME)
    verdict = certifier.certify(Assignment(values))
    broken = tuple(id for id, formula in formulas.items() if not evaluate(formula, values))
    assert verdict.violated == certifier.evaluate(values) == broken
    if broken:
        assert (verdict.basis, verdict.answer) == (Satisfiability.UNKNOWN, AnswerStatus.VIOLATING)
    else:
        assert (verdict.basis, verdict.answer) == (Satisfiability.SAT, AnswerStatus.RESPECTING)
    assert verdict.mus is None
    assert "engine" not in vars(certifier)


@settings(deadline=None, max_examples=80)
@given(formulas=theories())
def test_a_claim_is_judged_by_proof_and_its_mus_is_minimal(formulas: dict[str, Formula]) -> None:
    verdict = Certifier(VARIABLES, formulas, AMPLE).certify(Infeasible())
    if possible(VARIABLES, formulas.values()):
        assert (verdict.basis, verdict.answer) == (Satisfiability.SAT, AnswerStatus.VIOLATING)
        assert verdict.mus is None
    else:
        assert (verdict.basis, verdict.answer) == (Satisfiability.UNSAT, AnswerStatus.RESPECTING)
        assert verdict.mus is not None
        assert verdict.mus_minimal
        assert is_mus(VARIABLES, (), formulas, verdict.mus)


def test_values_outside_the_bounds_are_named_beside_what_they_break() -> None:
    certifier = Certifier(SMALL, SOLVABLE, AMPLE)
    verdict = certifier.certify(Assignment({"x": 12, "y": -1, "z": 4}))
    assert verdict.answer is AnswerStatus.VIOLATING
    assert verdict.background == ("x = 12 is outside 0..4", "y = -1 is outside 0..4")
    assert verdict.violated == ("c3",)


def test_what_is_missing_is_named_and_nothing_else_is_judged() -> None:
    verdict = Certifier(SMALL, SOLVABLE, AMPLE).certify(Assignment({"y": 99}))
    assert verdict.answer is AnswerStatus.INCOMPLETE
    assert verdict.missing == ("x", "z")
    assert (verdict.violated, verdict.background) == ((), ())


def test_what_could_not_be_read_says_why() -> None:
    verdict = Certifier(SMALL, SOLVABLE, AMPLE).certify(Unparsed("there is no JSON"))
    assert verdict.answer is AnswerStatus.UNPARSED
    assert verdict.reason == "there is no JSON"


@pytest.mark.parametrize("formulas", [SOLVABLE, CLASH], ids=["solvable", "clash"])
def test_out_of_time_nothing_is_said_about_a_claim(formulas: Mapping[str, Formula]) -> None:
    verdict = Certifier(SMALL, formulas, NO_TIME).certify(Infeasible())
    assert (verdict.basis, verdict.answer) == (Satisfiability.UNKNOWN, AnswerStatus.UNDECIDED)
    assert verdict.mus is None
    assert verdict.reason


def test_a_claim_that_was_proved_stays_so_where_its_conflict_could_not_be_made_small() -> None:
    certifier = Certifier(SMALL, CLASH, AMPLE)
    certifier.engine = CountedEngine(Tiring(make_engine(SMALL), 1))
    verdict = certifier.certify(Infeasible())
    assert (verdict.basis, verdict.answer) == (Satisfiability.UNSAT, AnswerStatus.RESPECTING)
    assert verdict.mus is not None
    assert not verdict.mus_minimal
    assert not possible(SMALL, [CLASH[id] for id in verdict.mus])


def test_a_problem_is_decided_once() -> None:
    certifier = Certifier(SMALL, CLASH, AMPLE)
    first = certifier.certify(Infeasible())
    calls = certifier.engine.asked
    assert calls > 0
    assert certifier.certify(Infeasible()) == first
    assert certifier.engine.asked == calls


@settings(deadline=None, max_examples=60)
@given(formulas=theories(), kept=st.dictionaries(st.sampled_from("abc"), st.integers(0, 1), max_size=3))
def test_whether_values_can_be_completed_is_proved_and_asked_once(
    formulas: dict[str, Formula], kept: dict[str, int]
) -> None:
    certifier = Certifier(VARIABLES, formulas, AMPLE)
    assert certifier.completes(kept, NO_TIME) is None
    calls = certifier.engine.asked
    assert certifier.completes(kept, AMPLE) is possible(VARIABLES, formulas.values(), kept)
    assert certifier.completes(kept, NO_TIME) is certifier.completes(dict(kept), AMPLE) is not None
    assert certifier.engine.asked == calls + 1


def proved(formulas: Mapping[str, Formula]) -> Certificate | WitnessCertificate | NoCertificate:
    theory = Theory(
        SMALL, (), formulas, {id: Statement(id, str(each), 0, Source.USER) for id, each in formulas.items()}
    )
    return certify(theory, theory.engine(), AMPLE)


def test_on_request_there_is_a_proof() -> None:
    certifier, made = Certifier(SMALL, CLASH, AMPLE), proved(CLASH)
    assert isinstance(made, Certificate)
    assert made.ids == certifier.certify(Infeasible()).mus == ("c1", "c3", "c4")
    assert next(part.words for part in made.cnf.parts if part.kind == "commitment") == str(CLASH["c1"])
    assert check(made.cnf.dimacs(), made.proof) >= 1
