from __future__ import annotations

from collections import Counter
from statistics import mean, variance
from typing import Any

import pytest

from holdtrue.budget import UNLIMITED
from holdtrue.errors import SettingsError
from holdtrue.kinds.search.problem import SearchProblem
from holdtrue.solving.engine import EngineFault
from holdtrue.solving.explain.mus import smallest_mus
from holdtrue.solving.result import SmallestMus
from holdtrue.solving.route import make_engine
from holdtrue_lab.suites.cegvr import prove as proving
from holdtrue_lab.suites.cegvr.files import problem_to_json
from holdtrue_lab.suites.cegvr.generate import SHAPES, generate_linear, generate_upstream, make_problems
from holdtrue_lab.suites.cegvr.prove import Proof
from holdtrue_lab.suites.cegvr.transfer import make_transfer
from tests.lab.suites.cegvr.features import comparisons, features
from tests.logic.formulas import ends


def test_every_constraint_is_about_all_variables_and_a_sum_too_large_makes_it_impossible() -> None:
    problems = generate_upstream(3, 8, 0.5)
    assert [problem.gold for problem in problems].count("sat") == 4
    for problem in problems:
        formulas = comparisons(problem)
        assert all(formula.variables == frozenset(problem.variables) for formula in formulas)
        too_large = [ends(one.left)[1] < ends(one.right)[0] for one in formulas if one.op == ">="]
        assert sum(too_large) == (problem.gold == "unsat")
        if problem.gold == "sat":
            assert problem.is_solution(problem.metadata["planted"])
        widest = len(problem.variables)
        assert (problem.metadata["proved_by"][0] == "sat") == (widest < 5)
        assert problem.metadata["proved_by"][1] == "z3"
    assert list(map(problem_to_json, generate_upstream(3, 2, 0.5))) == list(map(problem_to_json, problems[:2]))


def test_kind_and_style_say_what_is_made() -> None:
    assert make_problems(3, 2) == generate_linear(3, 2)
    assert make_problems(3, 1, sat_ratio=0.0) == generate_linear(3, 1, 0.0)
    assert make_problems(3, 1, style="upstream") == generate_upstream(3, 1)
    assert make_problems(3, 2, kind="sudoku4") == make_transfer("sudoku4", 3, 2)


@pytest.mark.parametrize(
    ("settings", "fault"),
    [
        ({"style": "thick"}, "unknown style 'thick'; there are sparse, upstream"),
        ({"kind": "chess"}, "chess"),
        ({"kind": "latin5", "style": "upstream"}, "are for kind linear"),
        ({"kind": "latin5", "sat_ratio": 0.5}, "are for kind linear"),
        ({"kind": "latin5", "count": 0}, "one problem at least"),
    ],
)
def test_what_cannot_be_made_is_an_error(settings: dict[str, Any], fault: str) -> None:
    with pytest.raises(SettingsError, match=fault):
        make_problems(3, **{"count": 1, **settings})


SEED, COUNT = 7, 30


@pytest.fixture(scope="module")
def problems() -> list[SearchProblem]:
    return generate_linear(SEED, COUNT)


def test_what_is_impossible_has_a_conflict_of_two_to_six(problems: list[SearchProblem]) -> None:
    sizes: Counter[int] = Counter()
    for problem in problems:
        if problem.gold == "unsat":
            # Another engine than the one that made it.
            found = smallest_mus(make_engine(problem.variables, prefer="z3"), problem.formulas, UNLIMITED)
            assert isinstance(found, SmallestMus)
            assert len(found.ids) == problem.metadata["smallest_mus"] == len(problem.metadata["mus"])
            sizes[len(found.ids)] += 1
    assert sizes.keys() >= {2, 3, 4, 5}
    assert sizes.keys() <= {2, 3, 4, 5, 6}


def test_the_look_of_a_problem_does_not_tell_its_label(problems: list[SearchProblem]) -> None:
    """No feature's mean differs between the labels by more than three standard errors."""
    by_gold = {gold: [features(one) for one in problems if one.gold == gold] for gold in ("sat", "unsat")}
    for name in features(problems[0]):
        some, others = ([one[name] for one in by_gold[gold]] for gold in ("sat", "unsat"))
        error = (variance(some) / len(some) + variance(others) / len(others)) ** 0.5
        assert abs(mean(some) - mean(others)) <= 3 * error, name


def test_a_shape_that_cannot_be_had_is_an_error() -> None:
    with pytest.raises(SettingsError, match="no easy problem that is sat was found"):
        generate_linear(SEED, 1, shapes={**SHAPES, "easy": SHAPES["hard"]})


def test_labels_that_are_not_proved_are_not_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proving, "prove", lambda variables, formulas: Proof("unsat", ("sat", "z3"), None))
    with pytest.raises(EngineFault, match="was made to be sat, and is unsat"):
        generate_linear(SEED, 1)


@pytest.mark.parametrize(("count", "ratio"), [(0, 0.6), (3, -0.1), (3, 1.1), (3, float("nan"))])
def test_numbers_that_cannot_be_are_errors(count: int, ratio: float) -> None:
    with pytest.raises(SettingsError, match="between 0 and 1"):
        generate_linear(SEED, count, ratio)
