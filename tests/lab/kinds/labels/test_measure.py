from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.record import Label
from holdtrue_lab.figures.statistics import Estimate, Rate, wilson
from holdtrue_lab.kinds.labels.entry import LabelEntry
from holdtrue_lab.kinds.labels.metrics import MEASURE as measure_labels
from holdtrue_lab.kinds.labels.metrics import counts, f1, macro_f1, unknown_f1
from holdtrue_lab.kinds.labels.scoring import LabelScorer
from holdtrue_lab.kit.entry import Entry
from tests.lab.kinds.labels.labelled import SEATED, Answers, C, E, U, entry, record
from tests.lab.kit.told import told

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


GOLD = {"q0": E, "q1": U}


def only(*entries: Entry, domain: str | None = None) -> Any:
    [row] = [told(row) for row in measure_labels(entries).rows if row.domain == domain]
    return row


def counted(rate: Rate | Estimate) -> tuple[int, Any]:
    """Hits out of how many, or out of how many what mean."""
    return (rate.hits, rate.of) if isinstance(rate, Rate) else (rate.of, rate.value)


def scored(problem: str, labels: Answers, **more: object) -> LabelEntry:
    """A turn that answers the three seats with these labels, scored by solving."""
    made = record([query.id for query in SEATED.queries], labels, **more)  # type: ignore[arg-type]
    score = LabelScorer(SEATED).score(made, last=True)
    return LabelEntry("cross_query", problem, "relational", made.method, 1, 1, made, score)


@pytest.mark.parametrize(
    ("extractor", "solver_calls", "title"),
    [("gold", 3, "maxsat_repair (oracle premises)"), ("gold", 0, "maxsat_repair"), ("llm", 3, "maxsat_repair")],
)
def test_oracle_premises_are_in_the_title(extractor: str, solver_calls: int, title: str) -> None:
    row = only(entry("p", GOLD, GOLD, method="maxsat_repair", extractor=extractor, solver_calls=solver_calls))
    assert row.title == title


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
    always, one = (told(row) for row in rows if row.domain is None)
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


def test_dialogues_are_judged_by_the_last_belief_about_each_atom_and_bundles_by_each_answer() -> None:
    """q1 takes back what q0 said; q2 could not be read, and q3 was left open by its own answer."""
    gold = {"q0": C, "q1": E, "q2": U, "q3": C}
    for suite, right in (("belief", 3), ("cross_query", 1)):
        own = entry("p", gold, {"q0": E, "q1": E, "q3": U}, suite=suite)
        detail = replace(own.record.detail, committed={"q0": C, "q1": E, "q2": U, "q3": C})
        changed_entry = replace(own, record=replace(own.record, detail=detail))
        row = told(measure_labels([changed_entry]).rows[0])
        assert (row.accuracy.hits, row.accuracy.of, row.unparsed) == (right, 4, 1)
        assert row.first_accuracy.hits == 1
