from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.errors import FormulaError, InputError
from holdtrue.logic.formula import Formula, Variable
from holdtrue.logic.sorts import IntSort
from holdtrue_claims.claim_record import JointRecord, JointVerdict
from holdtrue_claims.kind.context import Context
from holdtrue_claims.kind.joint_check import soft_claim, verify_joint
from tests.claims.kind.bounded_numbers import all_stated, context, stated, words
from tests.solving.brute import VARIABLES, A, B, is_mus, possible
from tests.solving.explain.drawn import formulas, theories
from tests.solving.explain.naive import Theory

FREE = context({})
X = Variable("x", IntSort(0, 20))
NUMBERS = context({"p1": X >= 5}, words([X]))
BRIDGE = {"b1": soft_claim("c2").implies(X < 10)}
"""c2 says that x is a small single-digit number."""


def joint(
    context: Context,
    claims: Mapping[str, Formula | None],
    bridges: Mapping[str, Formula] | None = None,
    *,
    confidence: Mapping[str, float] | None = None,
    smallest: bool = False,
) -> JointRecord:
    """The finding on formulas over numbers and atoms."""
    said = {id: None if claim is None else stated(claim) for id, claim in claims.items()}
    return verify_joint(context, said, all_stated(bridges or {}), confidence=confidence, smallest=smallest)


def renamed(formulas: dict[str, Formula], letter: str) -> dict[str, Formula]:
    return {letter + id[1:]: formula for id, formula in formulas.items()}


@settings(deadline=None, max_examples=50)
@given(theories(most=3), theories(most=3))
def test_claims_hold_together_or_clash_as_all_assignments_say(
    premises: dict[str, Formula], claims: dict[str, Formula]
) -> None:
    premises = renamed(premises, "p")
    found = joint(context(premises), claims)
    theory = {**premises, **claims}
    if not possible(VARIABLES, premises.values()):
        assert found.verdict is JointVerdict.INCONSISTENT_CONTEXT
        assert is_mus(VARIABLES, (), premises, found.conflict)
    elif possible(VARIABLES, theory.values()):
        assert found.verdict is JointVerdict.CONSISTENT
    else:
        assert found.verdict is JointVerdict.CONFLICT
        assert found.minimal
        assert is_mus(VARIABLES, (), theory, found.conflict)
        assert found.set_aside in Theory(VARIABLES, premises.values(), claims).mcses()


@settings(deadline=None, max_examples=20)
@given(theories(most=3), theories(most=2), formulas(), st.sampled_from(["c1", "soft"]))
def test_a_bridge_never_turns_a_conflict_into_consistency(
    claims: dict[str, Formula], bridges: dict[str, Formula], body: Formula, route: str
) -> None:
    asked: dict[str, Formula | None] = {**claims, "soft": None}
    bridges = renamed(bridges, "b")
    bridges["bridge"] = soft_claim("soft").implies(body) if route == "soft" else body
    before = joint(FREE, asked)
    for count in range(len(bridges) + 1):
        after = joint(FREE, asked, dict(list(bridges.items())[:count]))
        assert (before.verdict, after.verdict) != (JointVerdict.CONFLICT, JointVerdict.CONSISTENT)
        before = after


def test_a_soft_claim_clashes_by_a_bridge_alone() -> None:
    claims = {"c1": X > 10, "c2": None}
    apart = joint(NUMBERS, claims)
    assert apart.verdict is JointVerdict.CONSISTENT
    together = joint(NUMBERS, claims, BRIDGE, confidence={"c1": 1.0, "c2": 0.6})
    assert together.verdict is JointVerdict.CONFLICT
    assert together.conflict == ("b1", "c1", "c2")
    assert together.set_aside == ("c2",)


def test_the_less_confident_claims_give_way() -> None:
    claims = {"c1": X > 10, "c2": None, "c3": X > 12}
    for confidence, aside in (({"c2": 0.9}, ("c1", "c3")), ({"c3": 0.9}, ("c2",)), ({}, ("c2",))):
        found = joint(NUMBERS, claims, BRIDGE, confidence=confidence, smallest=True)
        assert (found.set_aside, found.smallest) == (aside, ("c2",))


def test_the_parts_of_one_claim_can_be_corrected() -> None:
    found = joint(NUMBERS, {"part 1": X.eq(3), "part 2": X <= 20})
    assert found.conflict == ("p1", "part 1")
    assert found.set_aside == ("part 1",)


def test_bridges_that_clash_with_the_premises_blame_no_claim() -> None:
    found = joint(NUMBERS, {"c1": X > 10}, {"b1": X < 5})
    assert found == JointRecord(JointVerdict.CONFLICT, ("p1", "b1"))


def test_without_claims_premises_are_consistent() -> None:
    assert joint(NUMBERS, {}).verdict is JointVerdict.CONSISTENT


@pytest.mark.parametrize("answers", [0, 1, 2, 3, 9])
def test_out_of_time_nothing_is_said_that_was_not_proved(answers: int) -> None:
    claims = {"c1": A >= 2, "c2": A <= 1, "c3": B >= 0}
    found = joint(context({}, answers=answers), claims)
    if answers == 0:
        assert found == JointRecord(JointVerdict.UNKNOWN, reason="tired")
        return
    assert found.verdict is JointVerdict.CONFLICT
    assert not possible(VARIABLES, [claims[id] for id in found.conflict])
    assert found.minimal is (answers >= 3)
    if answers != 3:  # then it depends on which claims hold in the first situation that the engine shows
        assert bool(found.set_aside) is (answers == 9)


def test_names_clash_and_strangers_are_refused() -> None:
    with pytest.raises(InputError, match="'p1'"):
        joint(NUMBERS, {"p1": X > 10})
    with pytest.raises(FormulaError):
        joint(NUMBERS, {"c1": X > 10}, BRIDGE)  # the bridge is about a claim that is not there
