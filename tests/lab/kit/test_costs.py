from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdtrue.record import CallRecord, Usage
from holdtrue_lab.kit.arm import Arm, arm_of
from holdtrue_lab.kit.cost_tables import COST_TABLES
from holdtrue_lab.kit.costs import COSTS, gains, models_asked, plainest, right_costs
from holdtrue_lab.kit.plays import ArmPlays, Play
from holdtrue_lab.kit.prices import NO_PRICES, Prices
from holdtrue_lab.kit.spending import Spending, Spent
from tests.lab.kit.entries import turn

PRICES = Prices("p.toml", {"m": (1.0, 10.0), "judge": (100.0, 0.0)})
Problem = tuple[Sequence[int], Spent]


def spent(calls: int, seconds: float = 0.0, **by_model: tuple[int, int]) -> Spent:
    prompt, completion = (sum(tokens[side] for tokens in by_model.values()) for side in (0, 1))
    return Spent(calls, prompt, completion, seconds, 0.0, by_model)


def arm(method: str, problems: Mapping[str, Problem], *, baseline: bool = False, asks: bool = True) -> ArmPlays[Play]:
    plays = {
        (name, 0): Play("d", len(right), {n: bool(hit) for n, hit in enumerate(right, start=1)}, spent=cost)
        for name, (right, cost) in problems.items()
    }
    return ArmPlays(Arm("drift", "m", "stated", "llm", method), baseline, plays, asks_model=asks)


DIRECT = arm(
    "direct",
    {"p": ([1, 0], spent(2, 2.0, m=(100, 10))), "q": ([0, 0], spent(2, 2.0, m=(100, 10)))},
    baseline=True,
)
REPAIR = arm(
    "repair",
    {"p": ([1, 1], spent(3, 4.0, m=(150, 20))), "q": ([1, 0], spent(5, 6.0, m=(300, 40), judge=(10, 1)))},
)


def test_all_that_was_spent_is_divided_by_what_is_right() -> None:
    direct, repair = right_costs([[DIRECT, REPAIR]], PRICES)
    assert (direct.arm.method, direct.problems, direct.answers, direct.right) == ("direct", 2, 4, 1)
    assert [direct.per_right[name].value for name in COSTS] == pytest.approx([4, 200, 20, 220, 4.0, 400e-6])
    assert [direct.per_answer[name].value for name in COSTS] == pytest.approx([1, 50, 5, 55, 1.0, 100e-6])
    assert repair.per_right["dollars"].value == pytest.approx((450 + 600 + 1000) * 1e-6 / 3)


def test_what_verification_gains_is_paired_with_the_plainest_baseline() -> None:
    cot = arm("cot", {"p": ([1, 1], spent(2, 3.0, m=(100, 90)))}, baseline=True)
    votes = arm("votes", {"p": ([1, 1], spent(10, 3.0, m=(1, 1)))}, baseline=True)
    control = arm("control", {"p": ([1, 1], spent(0))}, asks=False)
    [gain] = gains([[votes, cot, DIRECT, REPAIR, control]], PRICES, {"control"})
    assert (gain.arm.method, gain.other.method, gain.problems, gain.answers) == ("repair", "direct", 2, 4)
    assert gain.gained.value == 0.5
    assert gain.extra["calls"].value == 1.0
    assert gain.per_gained["calls"].value == 2.0
    assert gain.per_gained["seconds"].value == 3.0
    assert gain.extra["dollars"].value == pytest.approx((2050 - 400) * 1e-6 / 4)


def test_a_method_with_nothing_right_has_no_cost_of_it() -> None:
    [wrong] = right_costs([[arm("direct", {"p": ([0, 0], spent(2)), "q": ([0], spent(1))})]], NO_PRICES)
    assert all(each.value is None for each in wrong.per_right.values())
    assert wrong.per_answer["calls"].value == 1.0
    worse = arm("repair", {"p": ([0, 0], spent(9))})
    [gain] = gains([[DIRECT, worse]], NO_PRICES, ())
    assert gain.gained.value == -0.5 and gain.per_gained["calls"].value is None
    assert gain.extra["calls"].value == 3.5


def test_a_missing_price_leaves_dollars_empty_and_nothing_else() -> None:
    some = Prices("p.toml", {"m": (1.0, 1.0)})
    direct, repair = right_costs([[DIRECT, REPAIR]], some)
    assert direct.per_right["dollars"].value is not None
    assert repair.per_right["dollars"].value is None and repair.per_right["calls"].value is not None
    assert some.missing(models_asked([[DIRECT, REPAIR]])) == ["judge"]
    [gain] = gains([[DIRECT, REPAIR]], some, ())
    assert gain.extra["dollars"].value is None


def test_the_plainest_needs_the_fewest_calls_then_tokens() -> None:
    cot = arm("cot", {"p": ([1], spent(1, m=(10, 90)))}, baseline=True)
    direct = arm("direct", {"p": ([1], spent(1, m=(10, 9)))}, baseline=True)
    unscored = arm("none", {"p": ([], spent(0))}, baseline=True)
    assert plainest([cot, unscored, direct]) is direct
    assert plainest([REPAIR]) is None


def test_changed_forms_and_problems_that_one_has_alone_do_not_count() -> None:
    changed = replace(DIRECT.plays["p", 0], variant="renamed", base="p")
    more = replace(DIRECT, plays={**DIRECT.plays, ("p'", 0): changed, ("r", 0): DIRECT.plays["q", 0]})
    assert right_costs([[more]], NO_PRICES)[0].answers == 6
    [gain] = gains([[more, REPAIR]], NO_PRICES, ())
    assert gain.answers == 4


USAGES = st.builds(Usage, st.just(1), st.integers(0, 99), st.integers(0, 99), st.floats(0, 2))
CALLS = st.lists(st.builds(CallRecord, st.just("k"), st.just("answer"), USAGES, model=st.sampled_from(["", "judge"])))


@given(st.lists(st.tuples(st.sampled_from("pq"), CALLS, CALLS, CALLS, st.floats(0, 1)), max_size=6))
def test_what_is_spent_is_every_call_that_the_method_needs(
    turns: list[tuple[str, list[CallRecord], list[CallRecord], list[CallRecord], float]],
) -> None:
    entries = []
    for number, (problem, answering, extraction, measuring, solver_s) in enumerate(turns, start=1):
        made = turn(problem, number)
        [first, *_] = made.record.attempts
        record = replace(
            made.record,
            attempts=(replace(first, calls=tuple(answering)),),
            extraction=tuple(extraction),
            measuring=tuple(measuring),
            solver_s=solver_s,
        )
        entries.append(replace(made, record=record))
    spending = Spending()
    assert list(spending.watch(entries)) == entries
    for problem in "pq":
        mine = [entry.record for entry in entries if entry.problem == problem]
        found = spending.of(arm_of(turn(problem, 1)), problem)
        if not mine:
            assert found is None
            continue
        calls = [c for each in mine for c in (*each.extraction, *each.attempts[0].calls)]
        assert found is not None
        assert (found.calls, found.tokens) == (len(calls), sum(call.usage.tokens for call in calls))
        assert found.seconds == pytest.approx(sum(record.time_s for record in mine))
        judged = [call.usage for call in calls if call.model == "judge"]
        expected = (sum(each.prompt_tokens for each in judged), sum(each.completion_tokens for each in judged))
        assert found.by_model.get("judge", (0, 0)) == expected


def test_planted_costs_are_recovered() -> None:
    """A repair asks again in 40% of the turns, and mends 60% of the wrong ones: 400 problems of 5 turns.

    The estimates may be four standard errors off, which follow from the numbers of turns and of wrong ones.
    """
    rng, plain, mending = np.random.default_rng(1), {}, {}
    for number in range(400):
        right = rng.random(5) < 0.5
        again = rng.random(5) < 0.4
        mended = right | (again & (rng.random(5) < 0.6))
        plain[f"{number}"] = (right.astype(int).tolist(), spent(5, 5.0))
        mending[f"{number}"] = (mended.astype(int).tolist(), spent(5 + int(again.sum()), 5.0 + 2.0 * int(again.sum())))
    [gain] = gains([[arm("direct", plain, baseline=True), arm("repair", mending)]], NO_PRICES, ())
    gained, extra = 0.5 * 0.4 * 0.6, 0.4
    error = 4 * (gained * (1 - gained) / 2000) ** 0.5
    assert gain.gained.value == pytest.approx(gained, abs=error)
    assert gain.extra["calls"].value == pytest.approx(extra, abs=4 * (0.4 * 0.6 / 2000) ** 0.5)
    assert gain.per_gained["calls"].value == pytest.approx(extra / gained, rel=4 * error / gained)
    found = gain.per_gained["seconds"]
    assert found.low is not None and found.high is not None and found.low < 2 * extra / gained < found.high


def test_a_table_has_at_most_nine_columns_and_a_caption_of_two_sentences() -> None:
    for table in COST_TABLES:
        assert not callable(table.cells)
        assert len(table.lines.heads) + len(table.cells) <= 9, table.name
        assert table.note.count(". ") <= 1 and table.note.endswith("."), table.name
