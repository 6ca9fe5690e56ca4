"""If the solver's budget ends, belief revision never treats an undecided question as decided."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import count

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from holdtrue.ledger.belief_revision import Revision, contract, expand, revise
from holdtrue.ledger.beliefs import Belief, BeliefBase, Rules
from holdtrue.ledger.entries import EventKind
from holdtrue.ledger.policies import POLICIES, SCREENED, RevisionPolicy
from holdtrue.logic.formula import Formula, Variable
from holdtrue.record import Satisfiability
from holdtrue.solving.engine import Engine, Soft
from holdtrue.solving.result import Core, Satisfiable, Unknown
from holdtrue.solving.route import make_engine
from tests.ledger.horn import BUDGET, Clause, Horn, Possible, atoms, believe, dialogues, possible_in
from tests.solving.standin import StandIn

A, B, C, X = atoms(4)
NO_RULES = Horn((A, B, C, X), ())
FLICKER = NO_RULES, [[believe("q1.0", A, True, 1), believe("q1.1", A, False, 1), believe("q1.2", A, True, 1)]]
"""One turn that says a thing, denies it and says it again."""

Dialogue = tuple[Horn, list[list[Belief]]]
Answers = Callable[[int], bool]
"""Whether the engines give the answer with this number, counted from 0 over both of them."""


class Tiring(StandIn):
    """An engine that answers only when it is let."""

    def __init__(self, engine: Engine, answers: Callable[[], bool]) -> None:
        self.name = "tiring"
        self.variables = engine.variables
        self.background = engine.background
        self._engine = engine
        self._answers = answers

    def check(self, soft: Soft, *args: object, **more: object) -> Satisfiable | Core | Unknown:
        return self._engine.check(soft, BUDGET) if self._answers() else Unknown("tired")


class Tired:
    """These are the rules of a world, with engines that answer by `answers` and count questions in `asked`."""

    def __init__(self, world: Horn, answers: Answers) -> None:
        self.asked = 0
        self._answers = answers
        self.rules = Rules(world.atoms, (), world.rules, self._make)

    def let(self, answers: Answers) -> None:
        self._answers = answers

    def _make(self, variables: Sequence[Variable], background: Iterable[Formula]) -> Engine:
        return Tiring(make_engine(variables, background), self._answer)

    def _answer(self) -> bool:
        self.asked += 1
        return self._answers(self.asked - 1)


def first(answers: int) -> Answers:
    """The engines tire after so many."""
    return lambda number: number < answers


def all_but(missing: int) -> Answers:
    """One question is too hard, and those after it are not."""
    return lambda number: number != missing


def look(before: BeliefBase, new: Sequence[Belief], step: Revision, after: BeliefBase, possible: Possible) -> None:
    """Check the guarantees for every step of every policy and all answers of the engines."""
    if step.status is not Satisfiability.UNKNOWN:
        assert (step.status is Satisfiability.SAT) == possible(after.active.values())
    if after.witness is not None:
        assert step.status is Satisfiability.SAT
        assert all(formula.holds(after.witness) for formula in (*after.soft.values(), *after.rules.rules.values()))
    if step.undecided:
        assert step.reason == "tired"
        assert not any(after.holds(id) for id in step.undecided)
    for event in step.events:
        if event.kind is EventKind.REJECTED and event.entry.id in step.rejected:
            assert not possible([event.entry])
    came_to = [step.kept, step.rejected, step.undecided, step.retracted, step.reinstated]
    assert sum(map(len, came_to)) == len(set().union(*came_to)), "no belief comes to two things"
    assert not any(after.holds(id) for id in step.retracted)
    for belief in new:
        # A restated belief may have given way in this step, under the id of its first answer.
        restated = any(event.kind is EventKind.RESTATED and event.entry.id == belief.id for event in step.events)
        assert restated or any(belief.id in ids for ids in came_to)


def look_screened(before: BeliefBase, step: Revision, after: BeliefBase, possible: Possible) -> None:
    """Check the further guarantees of the screened policies for a base that was consistent before."""
    assert possible(after.active.values()) and step.status is not Satisfiability.UNSAT
    if step.undecided:
        assert after.active.keys() - set(step.reinstated) == before.active.keys(), "all else stays"
    for event in step.events:
        if event.kind is EventKind.SET_ASIDE:
            assert not possible((*after.active.values(), event.entry)), "nothing gives way without need"


def play(dialogue: Dialogue, policy: RevisionPolicy, answers: Answers) -> tuple[int, list[Revision]]:
    """Play a dialogue, withdraw its oldest belief at the end, and look at every step; how often engines were asked."""
    world, turns = dialogue
    possible = possible_in(world)
    tired = Tired(world, answers)
    base = BeliefBase(tired.rules)
    steps: list[Revision] = []
    for new in turns:
        before = base.fork()
        steps.append(revise(base, new, policy, BUDGET))
        look(before, new, steps[-1], base, possible)
        if policy in SCREENED:
            look_screened(before, steps[-1], base, possible)
    if base.active:
        before, oldest = base.fork(), next(iter(base.active))
        steps.append(contract(base, oldest, len(turns) + 1, policy, BUDGET))
        look(before, (), steps[-1], base, possible)
        assert oldest not in base.active
    return tired.asked, steps


@given(dialogues(), st.sampled_from(POLICIES), st.integers(0, 40), st.sampled_from((first, all_but)))
@example(FLICKER, "greedy_printed", 4, first)
@settings(max_examples=80)
def test_a_budget_that_ends_is_never_a_verdict(
    dialogue: Dialogue, policy: RevisionPolicy, answers: int, which: Callable[[int], Answers]
) -> None:
    """Whether it ends for good, or only one question is too hard."""
    play(dialogue, policy, which(answers))


TALK = (
    Horn((A, B, C, X), (Clause((3, 0), None), Clause((3, 1), None), Clause((2,), None))),
    [
        [believe("q1.0", A, True, 1, 0.7), believe("q1.1", B, True, 1, 0.3)],
        [believe("q2.0", X, True, 2, 0.5), believe("q2.1", C, True, 2)],
        [believe("q3.0", A, True, 3, 0.5), believe("q3.1", X, False, 3, 0.9), believe("q3.2", A, True, 3, 0.9)],
    ],
)
"""Conflicts under rules, a belief that contradicts them by itself, beliefs said again, and a reason to come back."""


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("dialogue", [FLICKER, TALK], ids=["one thing", "many things"])
def test_it_does_not_matter_at_which_question_the_budget_ends(policy: RevisionPolicy, dialogue: Dialogue) -> None:
    asked, whole = play(dialogue, policy, lambda _: True)
    for answers in range(asked):
        play(dialogue, policy, first(answers))
        play(dialogue, policy, all_but(answers))
    assert play(dialogue, policy, first(asked)) == (asked, whole)


def test_the_printed_algorithm_gives_up_nothing_where_it_does_not_know_what_will_do() -> None:
    """The third answer says that all cannot hold; which belief to drop is not known any more."""
    tired = Tired(NO_RULES, first(3))
    base = BeliefBase(tired.rules)
    for turn, (atom, true) in enumerate([(A, True), (B, True), (A, False)], start=1):
        step = revise(base, [believe(f"q{turn}", atom, true, turn)], "greedy_printed", BUDGET)
    assert (step.undecided, step.retracted, step.reason) == (("q3",), (), "tired")
    assert list(base.active) == ["q1", "q2"] and step.status is Satisfiability.SAT


def test_what_is_undecided_is_kept_out_with_the_reason() -> None:
    base = BeliefBase(Tired(NO_RULES, first(1)).rules)
    first_step = revise(base, [believe("q1", A, True, 1)], "min_change", BUDGET)
    second = revise(base, [believe("q2", A, False, 2)], "min_change", BUDGET)
    assert first_step.status is Satisfiability.SAT
    assert [(event.kind.value, event.entry.id) for event in second.events] == [("rejected", "q2")]
    assert second.undecided == ("q2",) and second.rejected == ()
    assert second.events[0].reason == "undecided: tired"
    # Earlier beliefs stay.
    assert second.status is Satisfiability.SAT and list(base.active) == ["q1"]


def test_what_is_less_preferred_does_not_come_back_in_place_of_what_is_undecided() -> None:
    """a (sure) and b (less sure) exclude each other, and x excludes both; x is withdrawn."""
    world = Horn((A, B, C, X), (Clause((0, 1), None), Clause((3, 0), None), Clause((3, 1), None)))
    steps: dict[int, tuple[str, ...]] = {}
    for missing in count():
        tired = Tired(world, lambda _: True)
        base = BeliefBase(tired.rules)
        for turn, (id, atom, sure) in enumerate([("a", A, 0.7), ("b", B, 0.5), ("x", X, 0.9)], start=1):
            revise(base, [believe(id, atom, True, turn, sure)], "entrenchment", BUDGET)
        start = tired.asked
        tired.let(all_but(start + missing))
        step = contract(base, "x", 4, "entrenchment", BUDGET)
        steps[missing] = step.reinstated
        assert step.reinstated == (("a",) if missing else ())
        assert (step.reason == "tired") == (start + missing < tired.asked)
        if start + missing >= tired.asked:
            break
    assert len(steps) > 1


def test_a_base_is_known_to_be_possible_once_something_came_back_to_it() -> None:
    """q2 pushed q1 aside; where nobody says whether the rest can hold, that q1 can come back shows it."""
    world = Horn((A, B, C, X), (Clause((1, 2), None),))
    tired = Tired(world, lambda _: True)
    base = BeliefBase(tired.rules)
    for turn, (id, atom) in enumerate([("q1", B), ("q2", C)], start=1):
        revise(base, [believe(id, atom, True, turn)], "greedy", BUDGET)
    expand(base, [believe("q3", A, True, 3)])
    assert base.witness is None
    tired.let(all_but(tired.asked))
    step = contract(base, "q2", 4, "greedy", BUDGET)
    assert (step.reinstated, step.status) == (("q1",), Satisfiability.SAT)
