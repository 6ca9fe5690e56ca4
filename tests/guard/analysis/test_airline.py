"""The airline's policy is sound, and its cases cover it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from holdtrue.guard.analysis.case_file import read_cases
from holdtrue.guard.analysis.case_running import run_cases
from holdtrue.guard.analysis.checking import analyse_policy
from holdtrue.guard.policy_file import load_policy, read_policy
from tests.patience import no_hang

FOLDER = Path(__file__).parents[3] / "examples" / "airline"


def test_no_fault_is_found_in_it() -> None:
    with no_hang():
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
