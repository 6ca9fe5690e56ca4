"""A row's title says oracle exactly if other gold changes its method's requests or answers.

Every preset of every kind is played twice with the same problems and models, the second time with other gold.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from holdtrue.kinds.assignment.method import PRESETS
from holdtrue.kinds.labels.method import LABEL_PRESETS
from holdtrue.kinds.search.method import SEARCH_PRESETS, revealed
from holdtrue.models.chat import ChatModel
from holdtrue.models.model_registry import open_model
from holdtrue_claims.fol.syntax import Not
from holdtrue_lab.kinds.claims.method import METHODS
from holdtrue_lab.kinds.decisions.method import DECISION_PRESETS
from holdtrue_lab.kit.entry import PlayedEntry
from holdtrue_lab.kit.journal import read_entries
from holdtrue_lab.kit.no_model import NO_MODEL, NoModel
from holdtrue_lab.kit.registry import find_suite
from holdtrue_lab.kit.report import open_report
from holdtrue_lab.kit.runner import run
from holdtrue_lab.suites.belief.generate import generate_dialogues
from holdtrue_lab.suites.cegvr.generate import generate_linear
from holdtrue_lab.suites.cross_query.generate import generate as generate_cases
from holdtrue_lab.suites.drift.generate import generate as generate_problems
from tests.lab.kinds.claims.answering_model import bakers
from tests.lab.kinds.claims.items import ITEMS
from tests.lab.kit.plans import plan_for
from tests.lab.knobs.problems import problems_of

Change = Callable[[Any, random.Random], Any]


@dataclass(frozen=True)
class World:
    """Problems of a suite, changes of their gold, and the model that answers.

    Each of `changed` changes as much as it can, and `drawn` a random part.
    """

    suite: str
    problems: Sequence[Any]
    changed: Sequence[Change]
    drawn: Change
    methods: Sequence[Any]
    settings: dict[str, Any]
    model: str = "test"

    def open(self) -> ChatModel:
        """Return a model that never sees changed gold."""
        if self.model == "test":
            return bakers()
        if self.model == NO_MODEL:
            return NoModel()
        playing = find_suite(self.suite).kind.playing()
        return playing.simulated(self.model, self.problems) or open_model(self.model)

    def behaviour(self, problems: Sequence[Any]) -> tuple[dict[str, list[Any]], dict[str, bool]]:
        """Return each method's calls and delivered answers, and whether its row is titled an oracle's."""
        plan = plan_for(self.suite, problems, self.methods, model=self.model, **self.settings)
        with TemporaryDirectory() as folder:
            asyncio.run(run(plan, self.open(), Path(folder)))
            found: dict[str, list[Any]] = {}
            for entry in sorted(read_entries(Path(folder)), key=lambda each: (each.problem, each.turn)):
                assert isinstance(entry, PlayedEntry), entry
                record = entry.record
                calls = [call.key for attempt in record.attempts for call in attempt.calls]
                found.setdefault(entry.method, []).append((entry.problem, entry.turn, calls, record.delivered))
            rows = open_report([Path(folder)]).rows
            return found, {row.arm.method: "oracle" in row.title for row in rows}


def without_gold(problem: Any, rng: random.Random) -> Any:
    return replace(problem, turns=tuple(replace(turn, gold=()) for turn in problem.turns))


def dealt_anew(problem: Any, rng: random.Random) -> Any:
    """Return a problem with some of the gold constraints, moved to other turns."""
    said = [item for turn in problem.turns for item in turn.gold if rng.random() < 0.7]
    places = [rng.randrange(len(problem.turns)) for _ in said]
    return replace(
        problem,
        turns=tuple(
            replace(turn, gold=tuple(item for item, at in zip(said, places, strict=True) if at == place))
            for place, turn in enumerate(problem.turns)
        ),
    )


def negated(share: float) -> Change:
    """Return a change that negates the formulas of this share of the sentences."""

    def change(case: Any, rng: random.Random) -> Any:
        def turned(each: Any) -> Any:
            return each if each.formula is None or rng.random() >= share else replace(each, formula=~each.formula)

        return replace(case, premises=tuple(map(turned, case.premises)), queries=tuple(map(turned, case.queries)))

    return change


def denied(share: float) -> Change:
    """Return a change that negates the formulas of this share of the premises and statements."""

    def change(item: Any, rng: random.Random) -> Any:
        gold = item.gold

        def turned(formulas: Any) -> Any:
            return {id: Not(each) if rng.random() < share else each for id, each in formulas.items()}

        return replace(item, gold=replace(gold, premises=turned(gold.premises), statements=turned(gold.statements)))

    return change


def clashing(item: Any, rng: random.Random) -> Any:
    """Return the item with its last premise negating the one before."""
    premises = dict(item.gold.premises)
    *_, before, last = premises
    return replace(item, gold=replace(item.gold, premises={**premises, last: Not(premises[before])}))


def relabelled(share: float) -> Change:
    """Return a change that flips the labels of this share of the calls."""

    def change(problem: Any, rng: random.Random) -> Any:
        def turned(call: Any) -> Any:
            if call.label is None or rng.random() >= share:
                return call
            return replace(call, label=replace(call.label, broken=() if call.label.broken else ("R1", "S1")))

        return replace(problem, calls=tuple(map(turned, problem.calls)), reward=rng.choice([0.0, 1.0, None]))

    return change


def other_answer(problem: Any, rng: random.Random) -> Any:
    return replace(problem, gold="unsat" if problem.gold == "sat" else "sat")


_ASKING = [method for method in METHODS.values() if method.answerer != "given"]
WORLDS = {
    "drift": World(
        "drift",
        generate_problems(9, 3, turns=3),
        [without_gold],
        dealt_anew,
        list(PRESETS.values()),
        {"extractor": "gold"},
        "sim/forget:0.5@3",
    ),
    "cross_query": World(
        "cross_query",
        generate_cases(9, {"relational": 2, "policy": 1}),
        [negated(1.0)],
        negated(0.4),
        list(LABEL_PRESETS.values()),
        {"formal": "gold"},
        "sim/labels:wrong=0.4,confidence=0.9/0.6@3",
    ),
    "belief": World(
        "belief",
        generate_dialogues(9, 2, turns=6),
        [negated(1.0)],
        negated(0.4),
        list(LABEL_PRESETS.values()),
        {"formal": "gold"},
        "sim/labels:wrong=0.4,confidence=0.9/0.6@3",
    ),
    "verge": World("verge", ITEMS, [denied(1.0), clashing], denied(0.4), _ASKING, {"formal": "gold"}),
    "cegvr": World(
        "cegvr",
        generate_linear(9, 2),
        [other_answer],
        other_answer,
        [method for preset in SEARCH_PRESETS.values() for method in dict.fromkeys((preset, revealed(preset)))],
        {},
        "sim/search:p=0.2,core=0.2,conflict=0.2,claim=0.2@4",
    ),
    "guard": World(
        "guard",
        problems_of("guard", 3),
        [relabelled(1.0)],
        relabelled(0.4),
        [method for method in DECISION_PRESETS.values() if method.reader == "none"],
        {},
        NO_MODEL,
    ),
}


QUICK = ("drift", "cegvr", "guard")


@pytest.mark.parametrize(
    "name", [each if each in QUICK else pytest.param(each, marks=pytest.mark.slow) for each in WORLDS]
)
def test_a_row_is_an_oracle_s_exactly_if_other_gold_changes_what_its_method_does(name: str) -> None:
    world = WORLDS[name]
    before, titled = world.behaviour(world.problems)
    assert set(before) == set(titled) == {method.name for method in world.methods}
    changed = set()
    for change in world.changed:
        after, again = world.behaviour([change(problem, random.Random(1)) for problem in world.problems])
        assert titled == again
        changed |= {method for method in before if before[method] != after[method]}
    assert changed == {method for method, oracle in titled.items() if oracle}


@pytest.mark.slow
@pytest.mark.parametrize("name", WORLDS)
@hypothesis_settings(max_examples=8, deadline=None)
@given(rng=st.randoms(use_true_random=False))
def test_whatever_gold_is_planted_changes_nothing_of_other_rows(name: str, rng: random.Random) -> None:
    world = WORLDS[name]
    before, titled = world.behaviour(world.problems)
    after, _ = world.behaviour([world.drawn(problem, rng) for problem in world.problems])
    assert all(before[method] == after[method] for method, oracle in titled.items() if not oracle)
