from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from random import Random
from statistics import mean
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.errors import DomainError, SettingsError
from holdtrue.language.matching import match_sentence
from holdtrue.language.sentences import split_sentences
from holdtrue.logic.evaluate import evaluate
from holdtrue.world.instance import Constraint
from holdtrue_lab.kinds.assignment.problem import Problem
from holdtrue_lab.suites.drift.files import load_problems, problem_text
from holdtrue_lab.suites.drift.generate import DOMAINS, PHRASINGS, draw_setting, generate
from tests.data import DRIFT, needs_data
from tests.lab.suites.drift.named import arguments_of, named_in


@pytest.fixture(scope="module")
def made() -> list[Problem]:
    return generate(5, 120)


@pytest.mark.slow
def test_the_gold_of_every_turn_holds_in_its_witness_and_is_read_back(made: list[Problem]) -> None:
    for problem in made:
        instance = problem.make_instance()
        stated = problem.gold_by_turn(instance)
        said: list[Constraint] = []
        for turn in problem.turns:
            said += stated[turn.number]
            assert turn.witness is not None
            assert set(turn.witness) == set(instance.variables)
            assert all(turn.witness[name] in v.sort for name, v in instance.variables.items())
            formulas = (*instance.background, *map(instance.formula, said))
            assert all(evaluate(formula, turn.witness) for formula in formulas)
            assert tuple(match_sentence(instance, s) for s in split_sentences(turn.message)) == stated[turn.number]
        assert len({instance.canonical(constraint) for constraint in said}) == len(said)


@given(seed=st.integers(0, 10**6), turns=st.integers(1, 5))
@settings(deadline=None, max_examples=8)
def test_other_words_leave_all_else_as_it_is(seed: int, turns: int) -> None:
    published, varied = (generate(seed, 3, turns=turns, phrasing=phrasing) for phrasing in PHRASINGS)
    assert [in_words_of(other, one) for one, other in zip(published, varied, strict=True)] == published
    for one, other in zip(published, varied, strict=True):
        assert without_messages(one) == without_messages(other)
        instance = other.make_instance()
        stated = other.gold_by_turn(instance)
        for plain, turn in zip(one.turns, other.turns, strict=True):
            assert named_in(instance, turn.message) == arguments_of(stated[turn.number])
            assert turn.message != plain.message


def in_words_of(problem: Problem, other: Problem) -> Problem:
    """Return the problem with the messages of another."""
    turns = zip(problem.turns, other.turns, strict=True)
    return replace(problem, turns=tuple(replace(turn, message=theirs.message) for turn, theirs in turns))


def without_messages(problem: Problem) -> dict[str, Any]:
    """Return the problem's file without its messages."""
    record: dict[str, Any] = json.loads(problem_text(problem))
    for turn in record["turns"]:
        del turn["user_message"]
    return record


@pytest.mark.parametrize(
    ("count", "turns", "domains"),
    [(0, None, DOMAINS), (1, 0, DOMAINS), (1, None, ["cooking"]), (1, None, []), (1, None, ["seating", "seating"])],
)
def test_settings_that_cannot_be_met_are_refused(count: int, turns: int | None, domains: list[str]) -> None:
    with pytest.raises(SettingsError):
        generate(1, count, turns=turns, domains=domains)


def test_an_unknown_phrasing_is_refused() -> None:
    with pytest.raises(SettingsError, match="unknown phrasing 'rhymed'; there are published, varied"):
        generate(1, 1, phrasing="rhymed")


def test_a_domain_without_a_generator_is_refused() -> None:
    with pytest.raises(DomainError, match="cooking"):
        draw_setting(Random(1), "cooking")


@needs_data
@pytest.mark.parametrize("domain", DOMAINS)
def test_the_distributions_are_those_of_the_development_problems(made: list[Problem], domain: str) -> None:
    """Chi-square over constraint types, and means over turns and constraints, within chance."""
    published = [problem for problem in load_problems(DRIFT / "problems") if problem.domain == domain]
    made = [problem for problem in made if problem.domain == domain]
    assert abs(mean(len(p.turns) for p in made) - mean(len(p.turns) for p in published)) < 1.2
    # Standard deviations are about 3.5 a problem: 1.9 is three standard errors of the difference.
    assert abs(mean(map(constraints_of, made)) - mean(map(constraints_of, published))) < 1.9
    assert abs(mean(sizes(made, range(1, 4))) - mean(sizes(published, range(1, 4)))) < 0.3
    assert abs(mean(sizes(made, range(7, 11))) - mean(sizes(published, range(7, 11)))) < 0.4
    ours, theirs = types(made), types(published)
    assert set(ours) == set(theirs)
    # Constraints of one problem are not independent, so the bound lies above the 0.1% quantile for 6 degrees (22.5).
    assert chi_square(ours, theirs) < 30


def constraints_of(problem: Problem) -> int:
    return sum(len(turn.gold) for turn in problem.turns)


def sizes(problems: Iterable[Problem], turns: range) -> list[int]:
    return [len(turn.gold) for problem in problems for turn in problem.turns if turn.number in turns]


def types(problems: Iterable[Problem]) -> Counter[str]:
    return Counter(made["type"] for problem in problems for turn in problem.turns for made in turn.gold)


def chi_square(ours: Counter[str], theirs: Counter[str]) -> float:
    """Return the statistic of the test that two counts come from one distribution."""
    total = ours.total() + theirs.total()
    return sum(
        (counts[kind] - expected) ** 2 / expected
        for counts in (ours, theirs)
        for kind in theirs
        if (expected := counts.total() * (ours[kind] + theirs[kind]) / total)
    )
