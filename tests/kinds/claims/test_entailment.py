from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import pytest
from hypothesis import given, settings

from holdtrue.budget import Budget
from holdtrue.claim_record import ClaimVerdict
from holdtrue.errors import FormulaError
from holdtrue.kinds.claims.context import Context
from holdtrue.kinds.claims.entailment import ClaimFinding, verify_claim
from holdtrue.logic.evaluate import evaluate
from holdtrue.logic.formula import Formula, Variable, exists
from holdtrue.logic.sorts import IntSort
from holdtrue.solving.engine import Engine
from holdtrue.solving.result import Satisfiable
from holdtrue.solving.route import make_engine
from tests.solving.brute import AMPLE, VARIABLES, A, B, D, is_mus, pigeons, witnesses
from tests.solving.explain.drawn import formulas, theories
from tests.solving.explain.naive import Theory
from tests.solving.explain.tiring import Tiring

PREMISES: Mapping[str, Formula] = {"p1": A >= 1, "p2": A + B >= 3, "p3": D.eq(4), "p4": B <= 0}


def tiring(premises: Mapping[str, Formula], answers: int) -> Context:
    """A context whose engine answers so many questions."""

    def make(variables: Sequence[Variable], background: Iterable[Formula]) -> Engine:
        return Tiring(make_engine(variables, background), answers)

    return Context(premises, VARIABLES, AMPLE, make=make)


@settings(deadline=None, max_examples=120)
@given(theories(most=5), formulas())
def test_the_verdict_is_what_all_assignments_say(premises: dict[str, Formula], claim: Formula) -> None:
    found = verify_claim(Context(premises, VARIABLES, AMPLE), claim)
    truths = {evaluate(claim, values) for values in witnesses(VARIABLES, premises.values())}
    expected = {
        frozenset(): ClaimVerdict.INCONSISTENT_CONTEXT,
        frozenset({True}): ClaimVerdict.ENTAILED,
        frozenset({False}): ClaimVerdict.CONTRADICTORY,
        frozenset({True, False}): ClaimVerdict.POSSIBLE,
    }
    assert found.verdict is expected[frozenset(truths)]
    for witness, truth in ((found.holds, True), (found.fails, False)):
        assert (witness is not None) is (truth in truths)
        if witness is not None:
            assert all(evaluate(formula, witness) for formula in premises.values())
            assert evaluate(claim, witness) is truth


@settings(deadline=None, max_examples=120)
@given(theories(most=5), formulas())
def test_the_premises_named_are_a_smallest_set_that_settles_the_claim(
    premises: dict[str, Formula], claim: Formula
) -> None:
    found = verify_claim(Context(premises, VARIABLES, AMPLE), claim)
    assert found.minimal
    if found.verdict is ClaimVerdict.POSSIBLE:
        assert found.premises == ()
        return
    theory = dict(premises)
    if found.verdict is not ClaimVerdict.INCONSISTENT_CONTEXT:
        theory["claim"] = claim.negation if found.verdict is ClaimVerdict.ENTAILED else claim
    named = tuple(id for id in theory if id in (*found.premises, "claim"))
    assert is_mus(VARIABLES, (), theory, named)
    assert len(named) == len(Theory(VARIABLES, (), theory).muses()[0])


def test_laws_settle_claims_and_are_not_named() -> None:
    context = Context({"p3": D.eq(4)}, VARIABLES, AMPLE, [A <= 1])
    found = verify_claim(context, A < 2)
    assert (found.verdict, found.premises, found.minimal) == (ClaimVerdict.ENTAILED, (), True)


def test_an_inconsistent_context_says_so_before_anything_about_a_claim() -> None:
    context = Context({**PREMISES, "p5": A <= 2}, VARIABLES, AMPLE)
    for claim in (A >= 3, A <= 2, D.eq(4), D.ne(4)):
        found = verify_claim(context, claim)
        assert (found.verdict, found.premises) == (ClaimVerdict.INCONSISTENT_CONTEXT, ("p2", "p4", "p5"))
        assert found.holds is found.fails is None


@pytest.mark.parametrize("claim", [A >= 2, A <= 2, B.eq(0)], ids=["entailed", "contradictory", "possible"])
def test_a_claim_that_times_out_is_unknown(claim: Formula) -> None:
    for answers in (0, 1):
        found = verify_claim(tiring(PREMISES, answers), claim)
        assert found == ClaimFinding(ClaimVerdict.UNKNOWN, reason="tired")


def test_a_claim_that_follows_is_not_called_entailed_where_the_proof_takes_too_long() -> None:
    birds, different = pigeons(10, 10)
    premises = {f"p{number}": formula for number, formula in enumerate(different)}
    context = Context(premises, birds, Budget(timeout_s=None, conflicts=100))
    assert isinstance(context.status, Satisfiable)
    found = verify_claim(context, exists(birds, lambda bird: bird.eq(1)))
    assert found.verdict is ClaimVerdict.UNKNOWN
    assert found.reason


@pytest.mark.parametrize(("claim", "verdict"), [(A >= 2, "entailed"), (A <= 2, "contradictory")])
def test_a_verdict_stays_where_time_ran_out_for_its_premises(claim: Formula, verdict: str) -> None:
    enough = {"entailed": claim.negation, "contradictory": claim}[verdict]
    for answers in (2, 3):
        found = verify_claim(tiring(PREMISES, answers), claim)
        assert found.verdict == verdict
        assert not found.minimal
        assert not witnesses(VARIABLES, [*(PREMISES[id] for id in found.premises), enough])


def test_a_claim_about_something_else_is_refused() -> None:
    with pytest.raises(FormulaError, match="unheard"):
        verify_claim(Context(PREMISES, VARIABLES, AMPLE), Variable("unheard", IntSort(0, 1)).eq(1))
