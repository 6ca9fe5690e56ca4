"""Whole dialogues in random worlds, with answers of which three in ten are wrong."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from holdtrue.ledger.belief_revision import revise
from holdtrue.ledger.beliefs import Belief, BeliefBase, committed_label, statement
from holdtrue.ledger.policies import POLICIES, SCREENED, RevisionPolicy
from holdtrue.record import Label, Satisfiability
from tests.ledger.horn import BUDGET, Horn, believe, draw_horn, possible_in

TURNS = 10
WRONG = 0.3


def draw_dialogue(seed: int) -> tuple[Horn, dict[str, int], list[Belief]]:
    """A world, its truth, and ten answers about atoms in it, some asked about more than once."""
    rng = Random(seed)
    world, truth = draw_horn(rng)
    answers = []
    for turn in range(1, TURNS + 1):
        atom = rng.choice(world.atoms)
        wrong = rng.random() < WRONG
        # Sure answers are right more often, but not always.
        confidence = round(rng.betavariate(2, 3) if wrong else rng.betavariate(3, 2), 2)
        answers.append(believe(f"q{turn}", atom, bool(truth[atom.name]) != wrong, turn, confidence))
    return world, truth, answers


def cause(world: Horn, before: BeliefBase, new: Belief) -> str:
    """Why the published algorithm could not make this newcomer possible."""
    possible = possible_in(world)
    if not possible([new]):
        return "contradicts the rules"
    once = {statement(belief.formula): belief for belief in before.active.values()}
    helps = (possible([new, *(other for other in once.values() if other is not belief)]) for belief in once.values())
    return "said twice" if any(helps) else "two conflicts at once"


def play(dialogues: int) -> tuple[Counter[str], Counter[RevisionPolicy], dict[RevisionPolicy, float]]:
    """Causes of what the published algorithm leaves impossible, dialogues that end so by policy, final accuracy."""
    causes: Counter[str] = Counter()
    ends: Counter[RevisionPolicy] = Counter()
    right: Counter[RevisionPolicy] = Counter()
    for seed in range(dialogues):
        world, truth, answers = draw_dialogue(seed)
        rules = world.known()
        for policy in POLICIES:
            base, why = BeliefBase(rules), ""
            for new in answers:
                before = base.fork()
                step = revise(base, [new], policy, BUDGET)
                if step.status is Satisfiability.UNSAT and policy == "greedy_printed" and not why:
                    why = cause(world, before, new)
            if step.status is Satisfiability.UNSAT:
                ends[policy] += 1
                if policy == "greedy_printed":
                    causes[why] += 1
            for new in answers:
                (atom,) = new.formula.variables
                gold = Label.ENTAILED if truth[atom.name] else Label.CONTRADICTED
                right[policy] += committed_label(base, atom.eq(1)) is gold
    return causes, ends, {policy: right[policy] / (dialogues * TURNS) for policy in POLICIES}


def check(dialogues: int) -> None:
    causes, ends, _ = play(dialogues)
    assert all(ends[policy] == 0 for policy in SCREENED)
    assert 0 < ends["greedy_printed"] < ends["none"]
    assert causes.keys() == {"contradicts the rules", "said twice", "two conflicts at once"}


@pytest.mark.slow
def test_no_dialogue_ends_impossible_under_our_policies() -> None:
    check(200)


@pytest.mark.slow
def test_nor_does_one_of_many() -> None:
    check(1200)
