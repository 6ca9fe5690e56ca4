"""A person who approves of retractions, or decides otherwise."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.errors import InputError
from holdtrue.ledger.approval import APPROVE, KEEP, Approve, Decision, Retraction, instead
from holdtrue.ledger.belief_revision import Revision, contract, revise
from holdtrue.ledger.beliefs import Belief, BeliefBase
from holdtrue.ledger.policies import SCREENED, RevisionPolicy
from tests.ledger.horn import BUDGET, SURE, Clause, Horn, atoms, believe, corrections, possible_in

A, B, C, X = atoms(4)
# x is consistent with a or with b, and not with c.
WORLD = Horn((A, B, C, X), (Clause((0, 1, 3), None), Clause((2, 3), None)))


def three(world: Horn = WORLD) -> BeliefBase:
    base = BeliefBase(world.known())
    for turn, atom in enumerate((A, B, C), start=1):
        revise(base, [believe(f"q{turn}", atom, True, turn)], "greedy", BUDGET)
    return base


def newcomer() -> list[Belief]:
    return [believe("q4", X, True, 4)]


def kinds(revision: Revision) -> list[tuple[str, str]]:
    return [(event.kind.value, event.entry.id) for event in revision.events]


def deciding(**decisions: Decision) -> Approve:
    return lambda retraction: decisions.get(retraction.belief.id, APPROVE)


def test_a_person_is_shown_what_goes_and_why_and_may_approve() -> None:
    shown: list[Retraction] = []

    def approve(retraction: Retraction) -> Decision:
        shown.append(retraction)
        return APPROVE

    base = three()
    step = revise(base, newcomer(), "recency", BUDGET, approve)
    assert [(r.belief.id, r.turn, r.because) for r in shown] == [("q1", 4, ("P1", "q2", "q4")), ("q3", 4, ("P2", "q4"))]
    assert shown[1].sentence == '"a2 holds." is given up: it cannot hold together with P2, q4 ("a3 holds.")'
    assert step.retracted == ("q1", "q3")
    assert [event.reason for event in step.events[1:]] == [retraction.sentence for retraction in shown]


def test_what_is_kept_keeps_the_newcomer_out_and_spares_the_rest() -> None:
    base = three()
    step = revise(base, newcomer(), "recency", BUDGET, deciding(q3=KEEP))
    assert kinds(step) == [("rejected", "q4")] and step.rejected == ("q4",)
    assert (step.events[0].reason, step.events[0].because) == ("a person kept q3 instead", ("q3",))
    assert list(base.active) == ["q1", "q2", "q3"]
    # A person gave it up, so it does not come back when the kept belief is gone.
    assert kinds(contract(base, "q3", 5, "recency", BUDGET)) == [("withdrawn", "q3")]


@pytest.mark.parametrize(
    ("decisions", "message"),
    [
        ({"q1": instead("q3")}, "the decision to keep q1 is refused: what it leaves is impossible"),
        ({"q1": instead("q9")}, "'q9' cannot go instead: it is no belief; active: q1, q2, q3, q4"),
        ({"q1": instead("q3"), "q3": instead("q2")}, "'q3' cannot be kept and go instead of another"),
    ],
)
def test_decisions_that_cannot_be_carried_out_are_refused_and_change_nothing(
    decisions: dict[str, Decision], message: str
) -> None:
    base = three()
    with pytest.raises(InputError, match=message):
        revise(base, newcomer(), "recency", BUDGET, deciding(**decisions))
    assert list(base.active) == ["q1", "q2", "q3"] and len(base.events) == 3


def test_a_newcomer_that_gives_way_is_kept_only_at_a_named_price() -> None:
    world = Horn((A, B, C, X), ())
    base = three(world)
    weak = [believe("q4", A, False, 4, 0.2)]
    with pytest.raises(InputError, match="q4 is not kept by rejecting what is new: name what is to go instead of it"):
        revise(base, weak, "min_change", BUDGET, deciding(q4=KEEP))
    step = revise(base, weak, "min_change", BUDGET, deciding(q4=instead("q1")))
    assert kinds(step) == [("added", "q4"), ("set_aside", "q1")]


def test_the_published_algorithm_can_be_overruled_too() -> None:
    base = BeliefBase(Horn((A, B, C, X), ()).known())
    revise(base, [believe("q1", A, True, 1)], "greedy_printed", BUDGET)
    step = revise(base, [believe("q2", A, False, 2)], "greedy_printed", BUDGET, deciding(q1=KEEP))
    assert kinds(step) == [("rejected", "q2")] and list(base.active) == ["q1"]


LITERALS = st.tuples(st.integers(0, 3), st.booleans(), st.sampled_from(SURE))
DECISIONS = st.sampled_from([APPROVE, KEEP, *(instead(f"q{place}") for place in range(6))])


@given(
    st.lists(LITERALS, min_size=6, max_size=6),
    st.lists(DECISIONS, min_size=6, max_size=6),
    st.sampled_from(sorted(SCREENED)),
)
@settings(deadline=None, max_examples=80)
def test_no_decision_leaves_an_impossible_theory_or_a_needless_loss(
    said: list[tuple[int, bool, float]], decisions: list[Decision], policy: RevisionPolicy
) -> None:
    possible = possible_in(WORLD)
    base = BeliefBase(WORLD.known())
    beliefs = [believe(f"q{place}", WORLD.atoms[at], true, 1, sure) for place, (at, true, sure) in enumerate(said)]
    asked: dict[str, Decision] = {}

    def approve(retraction: Retraction) -> Decision:
        id = retraction.belief.id
        asked[id] = decisions[int(id[1:])]
        return asked[id]

    for turn, new in enumerate((beliefs[:3], beliefs[3:5], beliefs[5:]), start=1):
        new = [believe(b.id, next(iter(b.formula.variables)), b.label == "ENTAILED", turn, b.confidence) for b in new]
        before = base.fork()
        asked.clear()
        try:
            step = revise(base, new, policy, BUDGET, approve)
        except InputError:
            assert base.events == before.events
            return
        assert possible(base.active.values()) and step.status.value == "sat"
        candidates = dict(base.active) | {id: base.known[id] for id in step.retracted}
        assert set(step.retracted) in corrections(candidates, possible)
        assert all(id in base.active for id, decision in asked.items() if decision != APPROVE)
