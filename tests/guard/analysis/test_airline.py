"""Tests that the airline's policy is sound, and that planted faults in policies are found."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from holdtrue.guard import PolicyError, check_policy, compare_policies
from holdtrue.guard.analysis.case_file import read_cases
from holdtrue.guard.analysis.case_running import run_cases
from holdtrue.guard.analysis.policy_analysis import analyse_policy
from holdtrue.guard.policy_file import load_policy, read_policy

FOLDER = Path(__file__).parents[3] / "examples" / "airline"


def test_no_fault_is_found_in_it() -> None:
    analysis = analyse_policy(load_policy(FOLDER / "policy.yaml"))
    assert (analysis.faults, analysis.asides, analysis.undecided) == ((), (), ())


def test_its_cases_pass_and_cover_every_rule() -> None:
    policy = load_policy(FOLDER / "policy.yaml")
    cases = read_cases((FOLDER / "cases.yaml").read_text(encoding="utf-8"), policy)
    run = run_cases(policy, cases)
    assert [(own.case.name, own.problems) for own in run.failed] == []
    assert run.uncovered == ()
    assert len(cases) >= 45
    kinds = Counter(case.expect for case in cases)
    assert min(kinds[kind] for kind in ("allow", "block", "ask", "confirm")) >= 3
    assert sum(isinstance(case.mend, dict) for case in cases) >= 4


@pytest.mark.slow
def test_a_mistake_in_it_is_found() -> None:
    text = (FOLDER / "policy.yaml").read_text(encoding="utf-8")
    for right, wrong, kind, rule in (
        ("reservation.cabin == 'basic_economy'\n", "reservation.total_baggages < 0\n", "never applies", "M2"),
        ("call.total_baggages >= reservation.total_baggages", "reservation.total_baggages >= 0", "always holds", "M7"),
    ):
        assert text.count(right) == 1
        analysis = analyse_policy(read_policy(text.replace(right, wrong), folder=FOLDER))
        assert [(own.kind, own.rule) for own in analysis.faults] == [(kind, rule)]


BLIND = Path(__file__).parent / "blind"
FAULTS: list[dict[str, Any]] = json.loads((BLIND / "faults.json").read_text(encoding="utf-8"))
PAIRS: list[dict[str, Any]] = json.loads((BLIND / "diff.json").read_text(encoding="utf-8"))


def test_there_are_forty_faults_and_sixty_pairs() -> None:
    assert len(FAULTS) == 40 and len(PAIRS) == 60
    assert sum(own["differs"] for own in PAIRS) == 40


@pytest.mark.slow
@pytest.mark.parametrize("planted", FAULTS, ids=lambda own: Path(own["file"]).stem)
def test_a_planted_fault_is_found_and_no_other(planted: dict[str, Any]) -> None:
    path = BLIND / "faults" / Path(planted["file"]).name
    if planted["kind"] == "type error":
        with pytest.raises(PolicyError) as caught:
            load_policy(path)
        assert len(caught.value.faults) == 1 and caught.value.faults[0][0].line
        return
    found = check_policy(load_policy(path))
    assert [own.kind for own in found] == [planted["kind"]]
    assert found[0].rule in planted["rules"]


@pytest.mark.slow
@pytest.mark.parametrize("pair", PAIRS, ids=lambda own: own["pair"])
def test_a_planted_difference_is_found_and_none_elsewhere(pair: dict[str, Any]) -> None:
    first, second = (load_policy(BLIND / "diff" / f"{pair['pair']}{own}.yaml") for own in "ab")
    assert compare_policies(first, second).same is not pair["differs"]


@pytest.mark.slow
def test_a_sound_policy_has_no_fault() -> None:
    assert check_policy(load_policy(BLIND / "sound.yaml")) == ()
