"""Tests of measuring cases by mutants."""

from __future__ import annotations

from decimal import Decimal

import pytest

from holdtrue.budget import Budget
from holdtrue.guard.analysis.case_file import Case, read_cases, write_cases
from holdtrue.guard.analysis.case_mutation import MutationRun, cases_of, missing_cases, run_mutants
from holdtrue.guard.analysis.case_running import run_cases
from holdtrue.guard.analysis.edges import find_edges
from holdtrue.guard.analysis.report_lines import mutation_lines
from holdtrue.guard.analysis.situation import Situation
from tests.guard.analysis.shops import shop

SHOP = shop(
    {"when": "call.method == 'gift'", "hold": "call.amount <= 50"},
    {"hold": "call.amount <= 40", "severity": "warn"},
    obligations=[{"id": "rated", "when": "size(done.refund) > 0", "hold": "size(done.rate) > 0", "say": "Rate it."}],
)
FEW = """
- {name: far, tool: refund, call: {order: A, amount: 90, method: gift}, expect: block}
- {name: near, tool: refund, call: {order: A, amount: 20, method: gift}, expect: allow}
- {name: wrong, tool: refund, call: {order: A, amount: 20, method: card}, expect: block}
"""


def measured(text: str) -> MutationRun:
    return run_mutants(SHOP, read_cases(text, SHOP))


def test_unnoticed_mutants_come_with_the_case_that_is_missing() -> None:
    run = measured(FEW)
    noticed = {own.text for own in run.unnoticed}
    assert "a dropped" not in noticed
    assert "a loosened: when call.method == 'gift' hold call.amount <= 51" in noticed
    assert "a condition dropped: hold call.amount <= 50" in noticed
    assert not any(own.startswith("b ") for own in noticed), "a rule that warns has no mutants"
    assert all(own.case is not None for own in run.unnoticed)
    assert run.share == run.noticed / (run.noticed + len(run.unnoticed))
    missing = missing_cases(run)
    assert len({own.name for own in missing}) == len(missing) < len(run.unnoticed)
    assert run_cases(SHOP, missing).failed == ()
    whole = measured(FEW + write_cases(missing))
    assert (whole.unnoticed, whole.share) == ((), 1.0)
    first, *lines = mutation_lines(run)
    assert first.startswith(f"{run.noticed} of {run.noticed + len(run.unnoticed)} mutants noticed (")
    assert len(lines) == 2 * len(run.unnoticed)


def test_equal_mutants_do_not_count_and_what_runs_out_of_time_is_unknown() -> None:
    own = shop({"hold": "call.amount <= 500"})  # The schema has this limit, too.
    run = run_mutants(own, ())
    assert {each.kind for each in run.unnoticed} == {"converse", "tightened"}
    assert run.equal == 2
    late = run_mutants(own, (), Budget(timeout_s=0))
    assert {each.case for each in late.unnoticed} == {None}
    assert [*mutation_lines(late)][1:] == [
        f"  unknown whether a case notices {late.unnoticed[0].text}, {late.unnoticed[1].text}, "
        f"{late.unnoticed[2].text} and {len(late.unnoticed) - 3} more: the time budget ran out"
    ]


def test_a_policy_without_rules_that_stop_has_no_mutants() -> None:
    run = run_mutants(shop({"hold": "call.amount <= 40", "severity": "warn"}), ())
    assert (run.noticed, run.share, run.equal) == (0, 1.0, 0)


@pytest.mark.parametrize("rule", ["a", "rated"])
def test_cases_are_written_and_read_again(rule: str) -> None:
    cases = cases_of(find_edges(SHOP, [rule]))
    again = read_cases(write_cases(cases), SHOP)
    assert [(own.name, own.situation, own.expect) for own in again] == [
        (own.name, own.situation, own.expect) for own in cases
    ]
    assert run_cases(SHOP, again).failed == ()


def test_no_digit_of_a_case_is_lost() -> None:
    amount = Decimal("0.12345678901234567891")
    case = Case("exact", Situation("refund", {"order": "A", "amount": amount, "method": "gift"}), "allow")
    (again,) = read_cases(write_cases([case]), SHOP)
    assert again.situation == case.situation
