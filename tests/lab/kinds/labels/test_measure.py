from __future__ import annotations

import json
import math
import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from holdtrue.kinds.labels.record import LabelOutcome
from holdtrue.record import Label, Usage
from holdtrue.wire import plain_fields
from holdtrue_lab.figures.statistics import Estimate, Rate, wilson
from holdtrue_lab.kinds.labels.entry import LabelEntry, SetScore
from holdtrue_lab.kinds.labels.measure import counts, f1, macro_f1, measure_labels, unknown_f1
from holdtrue_lab.kinds.labels.row import LabelRow
from holdtrue_lab.kinds.labels.scoring import LabelScorer
from holdtrue_lab.kit.arm import Arm
from holdtrue_lab.kit.entry import Entry
from holdtrue_lab.kit.folder import Measured
from holdtrue_lab.kit.groups import row_json
from tests.lab.kinds.labels.labelled import BLANK, BROKEN, SEATED, Answers, C, E, U, entry, failure, record
from tests.lab.kit.entries import turn

ANSWERS = st.lists(st.tuples(st.sampled_from((E, C, U)), st.sampled_from((E, C, U, None))), max_size=12)


def naive(answers: list[tuple[str, str | None]], label: str) -> float | None:
    """By precision and recall."""
    right = sum(gold == given == label for gold, given in answers)
    of_given = sum(given == label for _, given in answers)
    of_true = sum(gold == label for gold, _ in answers)
    if not of_given and not of_true:
        return None
    precision, recall = right / of_given if of_given else 0.0, right / of_true if of_true else 0.0
    return 2 * precision * recall / (precision + recall) if right else 0.0


@settings(deadline=None)
@given(ANSWERS)
def test_f1_is_that_of_precision_and_recall(answers: list[tuple[str, str | None]]) -> None:
    table = np.array([counts(answers)])
    each = [naive(answers, label) for label in (E, C, U)]
    known = [value for value in each if value is not None]
    assert f1(table)[0] == pytest.approx([math.nan if value is None else value for value in each], nan_ok=True)
    assert unknown_f1(table)[0] == pytest.approx(math.nan if each[2] is None else each[2], nan_ok=True)
    expected = sum(known) / len(known) if known else math.nan
    assert macro_f1(table)[0] == pytest.approx(expected, nan_ok=True)


@settings(deadline=None)
@given(ANSWERS, ANSWERS)
def test_counts_add_up(one: list[tuple[str, str | None]], two: list[tuple[str, str | None]]) -> None:
    assert np.array_equal(np.add(counts(one), counts(two)), counts([*one, *two]))


def test_a_missing_label_is_wrong_and_is_no_label() -> None:
    assert counts([(U, None), (E, E)]) == [1, 0, 0, 1, 0, 0, 1, 0, 1]


CONSISTENT, CLASHING = SetScore(True, True, 0, 2), SetScore(False, False, 2, 2)
GOLD = {"q0": E, "q1": U}


def only(*entries: Entry, domain: str | None = None) -> LabelRow:
    [row] = [row for row in measure_labels(entries).rows if row.domain == domain]
    return row


def counted(rate: Rate | Estimate) -> tuple[int, Any]:
    """Hits out of how many, or out of how many what mean."""
    return (rate.hits, rate.of) if isinstance(rate, Rate) else (rate.of, rate.value)


def scored(problem: str, labels: Answers, **more: object) -> LabelEntry:
    """A turn that answers the three seats with these labels, scored by solving."""
    made = record([query.id for query in SEATED.queries], labels, **more)  # type: ignore[arg-type]
    score = LabelScorer(SEATED).score(made, last=True)
    return LabelEntry("cross_query", problem, "relational", made.method, 1, 1, made, score)


def test_labels_are_counted_first_and_last() -> None:
    row = only(
        entry("p", GOLD, {"q0": E, "q1": U}, {"q0": C, "q1": U}, entailed={"q0": E, "q1": C}),
        entry("q", GOLD, {"q0": U}, {"q0": E}),
    )
    assert counted(row.accuracy) == (2, 4)
    assert counted(row.first_accuracy) == (2, 4)
    assert counted(row.entailed_accuracy) == (1, 2)  # where something was believed
    assert (row.queries, row.unparsed, row.turns) == (4, 1, 2)
    # ENTAILED: 1 right of 1 given and 2 true; UNKNOWN: 1 of 2 and 2; CONTRADICTED: neither true nor given
    assert row.macro_f1.value == pytest.approx((2 / 3 + 1 / 2) / 2)
    assert row.unknown_f1.value == pytest.approx(1 / 2)


def test_sets_are_taken_from_the_scores_of_whole_cases() -> None:
    row = only(
        entry("p", GOLD, GOLD, whole=CONSISTENT, prefix=[True, True], clash=[False, False]),
        entry("q", GOLD, GOLD, whole=replace(CLASHING, edits=3), prefix=[True, False], clash=[False, True]),
        entry("r", GOLD, GOLD, whole=SetScore(None, None, None, 1), prefix=[None, None], clash=[None, False]),
        entry("s", GOLD, GOLD, whole=SetScore(False, False, 1, 2), prefix=[False, False], clash=[True, True]),
    )
    sets = row.sets
    assert counted(sets.consistent) == (1, 3)
    assert row.inconsistent == 2
    assert counted(sets.epistemic) == (1, 3)
    assert counted(sets.prefix) == (3, pytest.approx(0.5))
    assert counted(sets.cost) == (3, 1.0)
    assert counted(sets.cost_inconsistent) == (2, 1.5)
    assert counted(sets.density) == (3, 7)
    assert counted(sets.edits) == (4, 0.75)
    assert counted(sets.formal) == (7, 8)


def test_outcomes_are_counted_by_turn() -> None:
    row = only(
        entry("p", GOLD, GOLD, turns=2),
        entry("p", GOLD, GOLD, turn=2, turns=2, verdict=BROKEN),
        entry("q", GOLD, {}, verdict=BLANK),
    )
    assert {outcome: times for outcome, times in row.outcomes.items() if times} == {
        LabelOutcome.CONSISTENT: 1,
        LabelOutcome.CONTRADICTS_PREMISES: 1,
        LabelOutcome.UNPARSED: 1,
    }


def test_beliefs_that_came_and_went_are_counted() -> None:
    gone = [("added", "q0", E), ("set_aside", "q0", E), ("reinstated", "q0", E), ("set_aside", "q0", E)]
    row = only(
        entry("p", {"q0": E}, {"q0": E}, suite="belief", turns=2, events=gone, differ=True, method="greedy"),
        entry(
            "p",
            {"q1": E},
            {"q0": U, "q1": E},
            suite="belief",
            turn=2,
            turns=2,
            events=[("rejected", "q1", E)],
            whole=replace(CONSISTENT, needless=1, opposed=True),
            differ=False,
            method="greedy",
        ),
        entry("q", {"q0": E}, {"q0": E}, suite="belief", whole=replace(CONSISTENT, opposed=False), method="greedy"),
    )
    found = row.revisions
    assert (found.retracted, found.reinstated, found.rejected) == (2, 1, 1)
    assert counted(found.per_case) == (2, 1.0)
    assert counted(found.needless) == (1, 2)
    assert counted(found.opposed) == (1, 2)
    assert counted(found.differ) == (1, 2)
    assert counted(row.accuracy) == (2, 3)  # q0 was withdrawn
    assert counted(row.first_accuracy) == (3, 3)


def test_overhead_is_against_direct_over_what_both_have_finished() -> None:
    row = measure_labels(
        [
            entry("p", GOLD, GOLD, usage=Usage(1, 100, 10, 2.0), solver_s=1.0),
            entry("q", GOLD, GOLD, usage=Usage(1, 1000, 0, 1.0), solver_s=0.0),
            entry("p", GOLD, GOLD, method="check_repair", usage=Usage(3, 300, 30, 3.0), solver_s=3.0, solver_calls=4),
            entry("r", GOLD, GOLD, method="check_repair", usage=Usage(1, 70, 0, 1.0), solver_s=1.0, solver_calls=2),
        ]
    ).rows[2]
    spent = row.overhead
    assert row.arm.method == "check_repair"
    assert counted(spent.tokens.per_case) == (2, 200.0)
    assert spent.tokens.times_direct == pytest.approx(3.0)
    times = [spent.calls.times_direct, spent.latency_s.times_direct, spent.seconds.times_direct]
    assert times == pytest.approx([3.0, 1.5, 2.0])
    assert counted(spent.calls.per_case) == (2, 2.0)
    assert counted(spent.latency_s.per_case) == (2, 2.0)
    assert counted(spent.seconds.per_case) == (2, 4.0)
    assert (counted(spent.solver_calls.per_case), spent.solver_calls.times_direct) == ((2, 3.0), None)


def test_policies_spend_what_none_does_times_so_much() -> None:
    rows = measure_labels(
        [
            entry("p", GOLD, GOLD, suite="belief", method="none", usage=Usage(1, 10, 0, 1.0)),
            entry("p", GOLD, GOLD, suite="belief", method="cot_greedy", usage=Usage(1, 40, 0, 1.0)),
        ]
    ).rows
    assert [row.overhead.tokens.times_direct for row in rows] == [1.0, 1.0, 4.0, 4.0]


def test_rows_are_by_settings_method_and_domain() -> None:
    rows = measure_labels(
        [
            entry("p", GOLD, GOLD, domain="temporal"),
            entry("o", GOLD, GOLD, domain="policy"),
            entry("p", GOLD, GOLD, protocol="one", domain="temporal"),
            turn("p", 1),
        ]
    ).rows
    one = Arm("cross_query", "sim/test", "bundle", "gold", "direct")
    assert [(row.arm, row.domain, row.finished) for row in rows] == [
        (one, None, 2),
        (one, "policy", 1),
        (one, "temporal", 1),
        (replace(one, protocol="one"), None, 1),
        (replace(one, protocol="one"), "temporal", 1),
    ]


@pytest.mark.parametrize(
    ("extractor", "solver_calls", "title"),
    [("gold", 3, "maxsat_repair (oracle premises)"), ("gold", 0, "maxsat_repair"), ("llm", 3, "maxsat_repair")],
)
def test_oracle_premises_are_in_the_title(extractor: str, solver_calls: int, title: str) -> None:
    row = only(entry("p", GOLD, GOLD, method="maxsat_repair", extractor=extractor, solver_calls=solver_calls))
    assert row.title == title


def test_what_was_not_finished_is_counted_and_nothing_more() -> None:
    row = only(
        entry("p", GOLD, GOLD, turns=2, whole=CLASHING),
        failure("p", 2),
        entry("q", GOLD, GOLD, whole=CONSISTENT),
        failure("q", 1),  # tried again
        failure("r", 1),
        failure("r", 1),
        entry("s", GOLD, GOLD, turns=2),  # still going on
    )
    assert (row.problems, row.finished, row.failed, row.queries) == (4, 1, 2, 2)
    assert counted(row.sets.consistent) == (1, 1)


def test_a_method_that_only_failed_has_a_row() -> None:
    row = only(failure("p", method="cot"))
    assert row.arm == Arm("cross_query", "", "", "", "cot")
    assert (row.problems, row.finished, row.failed) == (1, 0, 1)
    assert (row.accuracy, row.macro_f1, row.overhead.tokens.times_direct) == (Rate(0, 0), Estimate(0), None)
    assert measure_labels([]).rows == ()


def test_a_turn_without_a_score_is_no_query() -> None:
    row = only(
        entry("p", {"q0": E}, {"q0": E}, turns=2, scored=False), entry("p", {"q1": E}, {"q1": E}, turn=2, turns=2)
    )
    assert (row.finished, counted(row.accuracy)) == (1, (1, 1))
    assert (counted(row.sets.consistent), counted(row.sets.cost)) == ((0, 0), (0, None))


def test_controls_have_the_figures_that_follow_from_what_they_are() -> None:
    unknown = {query.id: U for query in SEATED.queries}
    seated = {"a": 1, "b": 2, "c": 3}
    model = {q.id: E if q.formula is not None and q.formula.holds(seated) else C for q in SEATED.queries}
    cases = [f"p{n}" for n in range(5)]
    rows = measure_labels(
        [scored(case, labels, method=name) for name, labels in (("u", unknown), ("m", model)) for case in cases]
    ).rows
    always, one = (row for row in rows if row.domain is None)
    share = sum(query.label is Label.UNKNOWN for query in SEATED.queries) / len(SEATED.queries)
    assert always.accuracy.value == share == 2 / 6
    assert always.unknown_f1.value == pytest.approx(2 * share / (1 + share))
    assert always.macro_f1.value == pytest.approx(2 * share / (1 + share) / 3)
    assert one.accuracy.value == 4 / 6  # right wherever the premises decide
    for row in (always, one):
        assert counted(row.sets.consistent) == (5, 5)
        assert (row.sets.consistent.low, row.sets.consistent.high) == (wilson(5, 5).low, 1.0)
        assert row.sets.cost == Estimate(5, 0.0)  # nothing varies, so nothing is known of how far it does
        assert row.sets.cost_inconsistent == Estimate(0)
        assert (row.sets.prefix.value, row.sets.density.value) == (1.0, 0.0)
        assert row.unparsed == 0
    assert counted(always.sets.epistemic) == (0, 5)  # what follows was called unknown


def test_intervals_are_over_cases() -> None:
    rng = random.Random(3)
    entries: list[Entry] = []
    costs = []
    for n in range(60):
        cost = rng.choice([0, 0, 1, 2])
        costs.append(cost)
        labels = GOLD if rng.random() < 0.6 else {"q0": C, "q1": E}
        whole = SetScore(cost == 0, cost == 0, cost, 2)
        entries.append(entry(f"p{n:02}", GOLD, labels, whole=whole))
    row = only(*entries)
    mean = sum(costs) / 60
    error = (sum((cost - mean) ** 2 for cost in costs) / 59 / 60) ** 0.5
    found = row.sets.cost
    assert found.value == pytest.approx(mean)
    assert found.low == pytest.approx(mean - 1.96 * error, abs=0.1 * error + 0.02)
    assert found.high == pytest.approx(mean + 1.96 * error, abs=0.1 * error + 0.02)
    for figure in (row.macro_f1, row.unknown_f1, row.sets.cost_inconsistent):
        assert figure.value is not None
        assert figure.low is not None
        assert figure.high is not None
        assert figure.low < figure.value < figure.high


def played(problem: str, domain: str, labels: Answers, cost: int, turns: int) -> list[LabelEntry]:
    """A case of two queries, asked at once or one after the other."""
    whole = SetScore(cost == 0, cost == 0, cost, 2, edits=cost)
    if turns == 1:
        return [entry(problem, GOLD, labels, domain=domain, whole=whole, prefix=[True, cost == 0])]
    asked = [{"q0": E}, {"q1": U}]
    return [
        entry(
            problem,
            gold,
            labels if last else {id: label for id, label in labels.items() if id in gold},
            domain=domain,
            turn=n,
            turns=2,
            whole=whole if last else None,
            prefix=[cost == 0],
            clash=[cost > 0],
            usage=Usage(1, 10 + n, 3, 0.1 * n),
            events=[("set_aside", "q0", E)] * cost,
        )
        for n, gold in enumerate(asked, start=1)
        for last in [n == 2]
    ]


PLAYED = st.lists(
    st.tuples(
        st.sampled_from(("relational", "policy")),
        st.dictionaries(st.sampled_from(("q0", "q1")), st.sampled_from((E, C, U))),
        st.integers(0, 2),
        st.integers(1, 2),
    ),
    min_size=1,
    max_size=6,
)


@hypothesis_settings(max_examples=15, deadline=None)
@given(PLAYED, st.randoms(use_true_random=False))
def test_the_order_of_entries_changes_no_figure(cases: list[tuple[str, Answers, int, int]], rng: random.Random) -> None:
    entries: list[Entry] = [e for n, each in enumerate(cases) for e in played(f"p{n}", *each)]
    entries += [failure("p0", 1), failure("x", 1), failure("p1", 3)]
    shuffled = rng.sample(entries, len(entries))
    one, other = measure_labels(entries), measure_labels(shuffled)
    assert one.rows == other.rows
    assert one.plays == other.plays


def test_rows_become_json() -> None:
    [row, _] = measure_labels([entry("p", GOLD, GOLD, whole=CLASHING)]).rows
    found = json.loads(json.dumps(row_json(row)))
    assert (found["inconsistent"], found["arm"]["method"], found["sets"]["cost"]["value"]) == (1, "direct", 2.0)
    assert found["outcomes"]["consistent"] == 1
    assert set(plain_fields(row)) < set(found)


def test_a_measure_of_nothing_is_empty() -> None:
    found = measure_labels([])
    assert found == Measured(rows=(), plays=())


def test_dialogues_are_judged_by_the_last_belief_about_each_atom_and_bundles_by_each_answer() -> None:
    """q1 takes back what q0 said; q2 could not be read, and q3 was left open by its own answer."""
    gold = {"q0": C, "q1": E, "q2": U, "q3": C}
    for suite, right in (("belief", 3), ("cross_query", 1)):
        own = entry("p", gold, {"q0": E, "q1": E, "q3": U}, suite=suite)
        detail = replace(own.record.detail, committed={"q0": C, "q1": E, "q2": U, "q3": C})
        changed_entry = replace(own, record=replace(own.record, detail=detail))
        [row, _] = measure_labels([changed_entry]).rows
        assert (row.accuracy.hits, row.accuracy.of, row.unparsed) == (right, 4, 1)
        assert row.first_accuracy.hits == 1
