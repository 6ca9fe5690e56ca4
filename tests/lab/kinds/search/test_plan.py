from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from itertools import product
from typing import Any

import pytest

from holdtrue.budget import SearchBudget
from holdtrue.errors import SettingsError
from holdtrue.kinds.search.method import SEARCH_PRESETS, SearchMethod, find_search_method
from holdtrue.kinds.search.problem import Difficulty, SearchProblem
from holdtrue.logic.formula import Variable
from holdtrue.logic.sorts import IntSort
from holdtrue_lab.kinds.search import KIND
from holdtrue_lab.kit.plan import Plan, hash_contents
from tests.lab.kinds.search.problems import IMPOSSIBLE, SAT, SOLVABLE, UNSAT, plan_searches, problem, variant
from tests.lab.kit.plans import plan_for

OURS = find_search_method("cd_vgs")


def digest_problems(problems: Sequence[SearchProblem]) -> str:
    return hash_contents(map(KIND.playing().describe_problem, problems))


def plan(**changes: Any) -> Plan:
    given: dict[str, Any] = {
        "problems": [SOLVABLE, IMPOSSIBLE],
        "methods": [OURS],
        "source": "test",
        "model": "sim/search",
        **changes,
    }
    limits = asdict(given.pop("limits", SearchBudget()))
    return plan_for("cegvr", given.pop("problems"), given.pop("methods"), **limits, **given)


def test_what_is_played_where_nothing_is_said() -> None:
    made = plan()
    assert made.settings.play == {
        "k": 4, "rounds": 4, "tokens": None, "seconds": None, "seeds": 3, "timeout_s": 1.5,
    }  # fmt: skip
    assert (made.sampling.temperature, made.sampling.max_tokens) == (0.2, 256)
    assert (made.settings.protocol, made.settings.extractor) == ("4x4", "none")


def test_each_trial_is_a_turn() -> None:
    made = plan(seeds=2, methods=list(SEARCH_PRESETS.values()))
    assert [job.turns for job in made.jobs] == [2] * 2 * len(SEARCH_PRESETS)
    assert made.turns == 40


def test_all_limits_name_the_folder_and_what_is_free_does_not() -> None:
    changes: list[dict[str, Any]] = [
        {"limits": SearchBudget(k=2)},
        {"limits": SearchBudget(rounds=2)},
        {"limits": SearchBudget(tokens=9)},
        {"limits": SearchBudget(seconds=9)},
        {"seeds": 1},
        {"timeout_s": 3.0},
    ]
    assert len({plan(**change).name for change in [{}, *changes]}) == len(changes) + 1
    assert plan().name == plan(limit=1, max_connections=2, token_limit=9, source="else").name


def test_a_run_keeps_its_name_until_the_schema_version_rises() -> None:
    """A run is found again by its name, whatever settings other suites get."""
    assert plan_searches([SOLVABLE, IMPOSSIBLE], ["cd_vgs"], "sim/search").name == "cegvr-sim_search-4x4-none-805792eb"


def test_a_limited_run_has_problems_of_all_kinds() -> None:
    """Even where those of a kind follow on each other, and some kinds are rare."""
    bins: tuple[Difficulty, ...] = ("easy", "medium", "hard")
    kinds = list(product((SAT, UNSAT), bins))
    many = [problem(f"{kind}-{n}", formulas, difficulty) for kind, (formulas, difficulty) in enumerate(kinds)
            for n in range(5 if kind else 2)]  # fmt: skip
    for limit in (6, 12, 18):
        chosen = plan(problems=many, limit=limit).problems
        seen = [one.id[0] for one in chosen]
        assert len(chosen) == limit
        assert [seen.count(f"{kind}") for kind in range(1, 6)].count(limit // 6) >= 4
        assert seen.count("0") == min(2, limit // 6)
    assert {one.id for one in plan(problems=many).problems} == {one.id for one in many}


def test_variants_come_with_their_originals_and_do_not_count() -> None:
    first, second = SOLVABLE, problem("q-sat", SAT[:3])
    given = [first, second, IMPOSSIBLE, variant(second, "permuted"), variant(first, "permuted"), variant(first, "b")]
    made = plan(problems=given, limit=2)
    assert [one.id for one in made.problems] == ["p-sat", "p-sat-permuted", "p-sat-b", "p-unsat"]
    assert made.settings.problems == 6


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"methods": [SearchMethod("one_shot", feedback="core")]}, "'one_shot' is not the preset of that name"),
        ({"limits": SearchBudget(k=0)}, "k must be at least 1, got 0"),
        ({"limits": SearchBudget(rounds=-1)}, "rounds must be at least 1, got -1"),
        ({"limits": SearchBudget(tokens=0)}, "tokens must be at least 1"),
        ({"limits": SearchBudget(seconds=0)}, "seconds must be more than 0"),
        ({"limits": SearchBudget(seconds=float("nan"))}, "seconds must be more than 0, got nan"),
        ({"limits": SearchBudget(k=40, rounds=26)}, "k times rounds may be 1000 at most, got 1040"),
        ({"seeds": 0}, "seeds must be at least 1"),
        ({"timeout_s": 0.0}, "timeout_s must be more than 0"),
    ],
)
def test_what_does_not_fit_is_refused_in_words(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        plan(**changes)


def test_the_digest_is_over_all_that_can_change_a_result() -> None:
    before = digest_problems([SOLVABLE, IMPOSSIBLE])
    assert digest_problems([problem("p-sat", SAT), problem("p-unsat", UNSAT)]) == before
    free = replace(SOLVABLE, variables=(*SOLVABLE.variables, Variable("free", IntSort(0, 5))))
    wide = replace(SOLVABLE, variables=(*SOLVABLE.variables, Variable("free", IntSort(0, 6))))
    assert len({before, digest_problems([free, IMPOSSIBLE]), digest_problems([wide, IMPOSSIBLE])}) == 3
    first, *others = SOLVABLE.constraints
    for changed in (
        replace(SOLVABLE, id="other"),
        replace(SOLVABLE, domain="other"),
        wide,
        replace(SOLVABLE, constraints=tuple(others)),
        replace(SOLVABLE, constraints=(replace(first, id="c0"), *others)),
        replace(SOLVABLE, constraints=(replace(first, text="in other words"), *others)),
        replace(SOLVABLE, constraints=(replace(first, formula=SAT[1]), *others)),
        replace(SOLVABLE, setting=("Fill the grid.",)),
        replace(SOLVABLE, gold="unsat"),
        replace(SOLVABLE, difficulty="hard"),
        replace(SOLVABLE, variant="permuted"),
        replace(SOLVABLE, base="p"),
    ):
        assert digest_problems([changed, IMPOSSIBLE]) != before
    assert digest_problems([replace(SOLVABLE, metadata={"time": 1.0}), IMPOSSIBLE]) == before
