from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given, settings

from holdtrue.budget import Budget
from holdtrue.errors import FormulaError
from holdtrue.logic.evaluate import evaluate
from holdtrue.logic.formula import Formula, Variable, exists
from holdtrue.logic.sorts import IntSort
from holdtrue.solving.result import Satisfiable
from holdtrue_claims.claim_record import ClaimVerdict
from holdtrue_claims.fol.conventions import IN_WORDS
from holdtrue_claims.fol.meaning import state
from holdtrue_claims.fol.notation import read_fol
from holdtrue_claims.fol.vocabulary import ANY, Entity, Function, Predicate, Vocabulary
from holdtrue_claims.kind.context import Context
from holdtrue_claims.kind.entailment import ClaimFinding, verify_claim
from tests.claims.kind.bounded_numbers import context, stated, values, words
from tests.solving.brute import VARIABLES, A, B, D, is_mus, pigeons, witnesses
from tests.solving.explain.drawn import formulas, theories
from tests.solving.explain.naive import Theory

PREMISES: Mapping[str, Formula] = {"p1": A >= 1, "p2": A + B >= 3, "p3": D.eq(4), "p4": B <= 0}


@settings(deadline=None, max_examples=60)
@given(theories(most=5), formulas())
def test_the_verdict_is_what_all_assignments_say(premises: dict[str, Formula], claim: Formula) -> None:
    found = verify_claim(context(premises), stated(claim))
    truths = {evaluate(claim, each) for each in witnesses(VARIABLES, premises.values())}
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
            assert all(evaluate(formula, values(witness)) for formula in premises.values())
            assert evaluate(claim, values(witness)) is truth


@settings(deadline=None, max_examples=60)
@given(theories(most=5), formulas())
def test_the_premises_named_are_a_smallest_set_that_settles_the_claim(
    premises: dict[str, Formula], claim: Formula
) -> None:
    found = verify_claim(context(premises), stated(claim))
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


@pytest.mark.parametrize("claim", [A >= 2, A <= 2, B.eq(0)], ids=["entailed", "contradictory", "possible"])
def test_a_claim_that_times_out_is_unknown(claim: Formula) -> None:
    for answers in (0, 1):
        found = verify_claim(context(PREMISES, answers=answers), stated(claim))
        assert found == ClaimFinding(ClaimVerdict.UNKNOWN, reason="tired")


def test_a_claim_that_follows_is_not_called_entailed_where_the_proof_takes_too_long() -> None:
    birds, different = pigeons(10, 10)
    premises = {f"p{number}": formula for number, formula in enumerate(different)}
    holes = context(premises, words(birds), Budget(timeout_s=0.5))
    assert isinstance(holes.status, Satisfiable)
    found = verify_claim(holes, stated(exists(birds, lambda bird: bird.eq(1))))
    assert found.verdict is ClaimVerdict.UNKNOWN
    assert found.reason


@pytest.mark.parametrize(("claim", "verdict"), [(A >= 2, "entailed"), (A <= 2, "contradictory")])
def test_a_verdict_stays_where_time_ran_out_for_its_premises(claim: Formula, verdict: str) -> None:
    enough = {"entailed": claim.negation, "contradictory": claim}[verdict]
    for answers in (2, 3):
        found = verify_claim(context(PREMISES, answers=answers), stated(claim))
        assert found.verdict == verdict
        assert not found.minimal
        assert not witnesses(VARIABLES, [*(PREMISES[id] for id in found.premises), enough])


def test_a_claim_about_something_else_is_refused() -> None:
    with pytest.raises(FormulaError):
        verify_claim(context(PREMISES), stated(Variable("unheard", IntSort(0, 1)).eq(1)))


SHIFTS = Vocabulary(
    (Entity("A", "shift"), Entity("B", "shift")),
    (),
    (Function("start", ("shift",), result="time"), Function("end", ("shift",), result="time")),
)
EACH = "forall x in shift (end(x) = start(x) + 90 min)"


@pytest.mark.parametrize(
    ("told", "claim", "verdict", "assuming"),
    [
        (["start(A) = 23:30", "end(A) = start(A) + 90 min"], "end(A) = 01:00", "assumed", "contradictory"),
        (["start(A) = 23:30", "end(A) = start(A) + 90 min"], "end(A) > 23:59", "assumed", "entailed"),
        (["start(A) = 08:00", "end(A) = start(A) + 10 hour"], "end(A) = 18:00", "entailed", None),
        (["start(A) = 08:00", "end(A) = start(A) + 10 hour"], "end(A) = 19:00", "contradictory", None),
        (["start(A) = 22:00", "end(A) = 06:00"], "end(A) - start(A) = 8 hour", "assumed", "contradictory"),
        (["start(A) = 08:00", "end(A) = 16:00"], "end(A) - start(A) = 8 hour", "assumed", "entailed"),
        ([EACH, "start(A) = 10:00"], "end(A) = 11:30", "entailed", None),
        ([EACH, "start(A) = 23:00"], "end(A) > start(A)", "assumed", "entailed"),
    ],
)
def test_nothing_is_proved_by_a_clock_that_passes_midnight(
    told: list[str], claim: str, verdict: str, assuming: str | None
) -> None:
    premises = {f"P{place}": state(read_fol(text).sentence, SHIFTS) for place, text in enumerate(told, 1)}
    found = verify_claim(Context(premises, SHIFTS, Budget(20)), state(read_fol(claim).sentence, SHIFTS))
    assert (found.verdict, found.assuming) == (verdict, assuming)
    assert found.assumptions == ((IN_WORDS["one_day"],) if assuming else ())


def test_a_claim_is_proved_from_what_is_near_where_all_is_too_much() -> None:
    cubes = [Function(name, (), result="whole") for name in ("a", "b", "c")]
    words = Vocabulary((Entity("A"),), (), (Function("n", (ANY,), result="whole"), *cubes))
    told = {"P1": "n(A) = 3", "P2": "a * a * a + b * b * b = c * c * c ∧ a > 0 ∧ b > 0 ∧ c > 0"}
    premises = {id: state(read_fol(text).sentence, words) for id, text in told.items()}
    found = verify_claim(Context(premises, words, Budget(1)), state(read_fol("n(A) + 1 = 4").sentence, words))
    assert (found.verdict, found.premises) == (ClaimVerdict.ENTAILED, ("P1",))
    assert found.reason is not None and found.reason.startswith("whether the premises can all hold was not shown")


PAIR = Vocabulary((Entity("A", "shift"), Entity("B", "shift")), (Predicate("Long", ("shift",)),))


def test_a_longer_proof_without_conventions_counts_more_than_a_short_one_with_them() -> None:
    telling_apart = {"P1": state(read_fol("Long(A)").sentence, PAIR), "P2": state(read_fol("!Long(B)").sentence, PAIR)}
    claim = state(read_fol("A != B").sentence, PAIR)
    found = verify_claim(Context(telling_apart, PAIR, Budget(20)), claim)
    assert (found.verdict, found.premises, found.minimal) == (ClaimVerdict.ENTAILED, ("P1", "P2"), True)
    found = verify_claim(Context({"P1": telling_apart["P1"]}, PAIR, Budget(20)), claim)
    assert (found.verdict, found.assumptions) == (ClaimVerdict.ASSUMED, (IN_WORDS["names"],))


DATES = Vocabulary(
    (Entity("A"),), (), (Function("start", (ANY,), result="date"), Function("due", (ANY,), result="date"))
)


@pytest.mark.parametrize("months", [1273, -1273, 1321, 4799])
def test_months_are_counted_on_from_any_day(months: int) -> None:
    due = state(read_fol(f"due(A) = start(A) + {months} month").sentence, DATES)
    context = Context({"P1": due}, DATES, Budget(20))
    for day in ("2097-01-31", "2093-01-31", "2000-02-29"):
        began = state(read_fol(f"start(A) = {day}").sentence, DATES)
        assert verify_claim(context, began).verdict is ClaimVerdict.POSSIBLE
