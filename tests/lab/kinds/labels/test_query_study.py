"""A simulated study of the cross-query suite: every figure against its expectation, and a twin that looks at all.

The answerer is wrong at a known rate, and the premises' formulas are the suite's own (oracle premises).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import product
from math import sqrt

import numpy as np
import pytest

from holdtrue.kinds.labels.method import LABEL_PRESETS
from holdtrue.kinds.labels.record import LabelsRecord
from holdtrue.ledger.policies import UNIT
from holdtrue.record import Label, Usage, total
from holdtrue_lab.kinds.labels.entry import LabelEntry, first_labels
from holdtrue_lab.suites.cross_query.card import share_out
from holdtrue_lab.suites.cross_query.generate import generate
from tests.lab.kinds.labels.study import Study, describe, play_study
from tests.lab.kit.patterns import Patterns, expected, lightest_withdrawal, set_figures, sides, truth_patterns

WRONG = 0.2
MODEL = f"sim/labels:wrong={WRONG},confidence=0.8/0.6"
METHODS = (
    *("direct", "few_shot", "cot", "self_consistency", "check_repair", "maxsat_repair", "conflict_repair"),
    *("always_unknown", "one_model", "solver_only"),
)
CONTROLS = ("always_unknown", "one_model", "solver_only")
SIGMAS = 4.0
LABELS = tuple(label.value for label in Label)


@pytest.fixture(scope="module", params=[pytest.param(10, id="10"), pytest.param(390, id="390", marks=pytest.mark.slow)])
def study(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Study:
    cases = generate(7, share_out(request.param))
    assert len(cases) == request.param
    return play_study(cases, METHODS, MODEL, tmp_path_factory.mktemp("study"))


@pytest.fixture(scope="module")
def patterns(study: Study) -> dict[str, Patterns]:
    return {id: truth_patterns(case) for id, case in study.cases.items()}


def played(study: Study, method: str) -> list[tuple[str, LabelEntry]]:
    """The only turn of every case."""
    return [(id, turns[0]) for id, turns in sorted(study.entries[method].items())]


def gold_of(study: Study, id: str) -> list[str]:
    return [query.label.value for query in study.cases[id].queries]


def final(record: LabelsRecord) -> list[str | None]:
    return [record.detail.labels.get(id) for id in record.detail.asked]


def test_patterns_agree_with_the_labels(study: Study, patterns: dict[str, Patterns]) -> None:
    """The twin itself: what holds in all patterns is ENTAILED, in none CONTRADICTED."""
    for id, found in patterns.items():
        truths = [(bool(column.all()), bool(column.any())) for column in found.T]
        read = [Label.ENTAILED if every else Label.UNKNOWN if some else Label.CONTRADICTED for every, some in truths]
        assert read == gold_of(study, id)


@pytest.mark.parametrize("method", METHODS)
def test_set_figures_are_those_of_the_twin(study: Study, patterns: dict[str, Patterns], method: str) -> None:
    columns: dict[str, list[float]] = {name: [] for name in ("consistent", "epistemic", "prefix", "cost", "edits")}
    clashes = queries = 0
    for id, entry in played(study, method):
        labels = final(entry.record)
        figures = set_figures(patterns[id], np.array([sides(labels)]))
        score = entry.score
        assert score is not None and score.whole is not None
        whole, own = score.whole, {name: value[0] for name, value in figures.items()}
        assert (whole.consistent, whole.epistemic, whole.revision_cost) == (
            bool(own["consistent"]),
            bool(own["epistemic"]),
            int(own["cost"]),
        )
        assert (list(score.prefix), list(score.clash)) == (own["prefix"].tolist(), own["clash"].tolist())
        assert whole.of == len(labels)
        first = first_labels(entry.record)
        columns["edits"].append(sum(first[query] != label for query, label in entry.record.detail.labels.items()))
        for name in ("consistent", "epistemic", "cost"):
            columns[name].append(float(own[name]))
        columns["prefix"].append(float(own["prefix"].mean()))
        clashes, queries = clashes + int(own["clash"].sum()), queries + len(labels)
    sets = study.rows[method].sets
    for name, values in columns.items():
        assert getattr(sets, name).value == pytest.approx(np.mean(values)), name
    assert sets.density.value == pytest.approx(clashes / queries)
    needed = [cost for cost in columns["cost"] if cost]
    assert sets.cost_inconsistent.value == (pytest.approx(np.mean(needed)) if needed else None)


@pytest.mark.parametrize("method", METHODS)
def test_accuracy_and_f1_are_recounted(study: Study, method: str) -> None:
    answers = [
        pair for id, e in played(study, method) for pair in zip(gold_of(study, id), final(e.record), strict=True)
    ]
    given, true, both = Counter(a for _, a in answers), Counter(g for g, _ in answers), Counter(answers)
    row = study.rows[method]
    assert row.queries == len(answers)
    assert row.accuracy.value == pytest.approx(sum(both[label, label] for label in LABELS) / len(answers))
    f1 = {label: 2 * both[label, label] / (given[label] + true[label]) for label in LABELS}
    assert row.macro_f1.value == pytest.approx(sum(f1.values()) / 3)
    assert row.unknown_f1.value == pytest.approx(f1["UNKNOWN"])
    assert {(gold, label): row.confusion[gold][label] for gold in LABELS for label in LABELS} == {
        pair: both[pair] for pair in product(LABELS, LABELS)
    }
    usage = total(e.record.usage for _, e in played(study, method))
    assert row.overhead.tokens.per_case.value == pytest.approx(usage.tokens / row.finished)
    assert row.overhead.calls.per_case.value == pytest.approx(usage.calls / row.finished)
    base: Usage = total(e.record.usage for _, e in played(study, "direct"))
    assert row.overhead.tokens.times_direct == pytest.approx(usage.tokens / base.tokens)


def vote_is_right(samples: int, wrong: float) -> float:
    """How likely the label that is given most often, the first of equals, is right: all draws are tried."""
    chance = 0.0
    for drawn in product(range(3), repeat=samples):  # 0 is right
        if Counter(drawn).most_common(1)[0][0] == 0:
            chance += float(np.prod([1 - wrong if each == 0 else wrong / 2 for each in drawn]))
    return chance


@pytest.mark.parametrize("method", ["direct", "cot"])
def test_figures_are_within_bounds_of_what_is_expected(
    study: Study, patterns: dict[str, Patterns], method: str
) -> None:
    row, sums = study.rows[method], Counter[str]()
    variances = Counter[str]()
    for id, found in patterns.items():
        for name, (mean, variance) in expected(found, sides(gold_of(study, id)), WRONG).items():
            sums[name] += mean  # type: ignore[assignment]
            variances[name] += variance  # type: ignore[assignment]
    cases, queries = row.finished, row.queries
    seen = {
        "consistent": (row.sets.consistent.value, cases),
        "epistemic": (row.sets.epistemic.value, cases),
        "cost": (row.sets.cost.value, cases),
        "prefix": (row.sets.prefix.value, cases),
        "clash": (row.sets.density.value, queries),
    }
    print(f"\n{method}, {cases} cases: figure, seen, expected, standard error")
    for name, (value, of) in seen.items():
        assert value is not None
        mean, error = sums[name] / of, sqrt(variances[name]) / of
        print(f"  {name:10} {value:.4f} {mean:.4f} {error:.4f}")
        assert abs(value - mean) <= SIGMAS * error, name
    within(row.accuracy.value, 1 - WRONG, queries, f"{method} accuracy")
    unknown = sum(gold_of(study, id).count("UNKNOWN") for id in patterns)
    # Of the UNKNOWN, 1 - w are told, and of the others w/2 are called so.
    right, called_unknown = (1 - WRONG) * unknown, (1 - WRONG) * unknown + WRONG / 2 * (queries - unknown)
    print(f"  unknown F1 {row.unknown_f1.value:.4f} {2 * right / (unknown + called_unknown):.4f}")
    assert row.unknown_f1.value == pytest.approx(
        2 * right / (unknown + called_unknown), abs=SIGMAS * 0.5 / sqrt(queries)
    )


def within(value: float | None, expected: float, of: int, what: str) -> None:
    """A share of so many independent trials is no further from its expectation than chance takes it."""
    error = sqrt(expected * (1 - expected) / of)
    print(f"  {what} {value:.4f} {expected:.4f} {error:.4f}")
    assert value is not None and abs(value - expected) <= SIGMAS * error, what


def test_a_vote_is_as_often_right_as_expected(study: Study) -> None:
    row, method = study.rows["self_consistency"], LABEL_PRESETS["self_consistency"]
    print()
    within(row.accuracy.value, vote_is_right(method.samples, WRONG), row.queries, "self_consistency accuracy")


def weigh(record: LabelsRecord) -> list[int]:
    """Return the cost of giving up each answer: its confidence in whole thousandths."""
    sure = record.attempts[0].confidence
    return [max(1, round(UNIT * sure[id])) for id in record.detail.asked]


def test_maxsat_withdraws_the_optimum_of_all_subsets(study: Study, patterns: dict[str, Patterns]) -> None:
    withdrawn = fewest = moved = 0
    for id, entry in played(study, "maxsat_repair"):
        record, weights = entry.record, weigh(entry.record)
        first = [first_labels(record).get(query) for query in record.detail.asked]
        lost = [place for place, label in enumerate(final(record)) if label != first[place]]
        assert all(record.detail.labels[f"q{place}"] == "UNKNOWN" for place in lost)
        assert len(first) <= 8
        optimum = lightest_withdrawal(patterns[id], sides(first), weights)
        assert sum(weights[place] for place in lost) == optimum, id
        withdrawn, moved = withdrawn + len(lost), moved + bool(lost)
        fewest += lightest_withdrawal(patterns[id], sides(first), [1] * len(first))
        # A right commitment follows from the premises, so nothing that is optimal gives it up.
        gold = gold_of(study, id)
        assert all(first[place] != gold[place] for place in lost)
    row = study.rows["maxsat_repair"]
    assert (row.sets.consistent.hits, row.sets.consistent.of) == (row.finished, row.finished)
    assert row.sets.cost.value == 0
    direct = study.rows["direct"].sets
    # The same first answers as `direct` has, whose revision cost is the fewest commitments to withdraw.
    assert fewest == round((direct.cost.value or 0) * row.finished)
    print(f"\nmaxsat_repair: {withdrawn} answers withdrawn in {moved} of {row.finished} cases, the lightest of all")
    print(f"subsets by weight; the fewest possible are {fewest}")
    assert fewest <= withdrawn


def test_repairs_are_reported_against_it(study: Study) -> None:
    print(
        "\nmethod, accuracy, macro F1, unknown F1, set consistency, epistemic, prefixes, cost, density, edits, tokens"
    )
    for method in METHODS:
        row, sets = study.rows[method], study.rows[method].sets
        values: Sequence[float | None] = (
            row.accuracy.value,
            row.macro_f1.value,
            row.unknown_f1.value,
            sets.consistent.value,
            sets.epistemic.value,
            sets.prefix.value,
            sets.cost.value,
            sets.density.value,
            sets.edits.value,
            row.overhead.tokens.times_direct,
        )
        print(f"  {row.title:32}", *(f"{value:6.3f}" for value in values if value is not None))
    for figure in ("accuracy", "set_consistency"):
        for method in ("maxsat_repair", "check_repair", "conflict_repair"):
            print(f"  {figure} of {method} against direct: {describe(study.tests[figure][method])}")
    floor = study.rows["maxsat_repair"].sets.consistent.value or 0
    for method in ("check_repair", "conflict_repair"):
        consistent = study.rows[method].sets.consistent.value
        assert consistent is not None
        assert (study.rows["direct"].sets.consistent.value or 0) <= consistent <= floor


def test_the_controls_show_what_consistency_alone_is_worth(study: Study) -> None:
    rows = {name: study.rows[name] for name in CONTROLS}
    golds = [label for id in study.cases for label in gold_of(study, id)]
    assert rows["always_unknown"].accuracy.value == pytest.approx(golds.count("UNKNOWN") / len(golds))
    assert rows["one_model"].accuracy.value == pytest.approx(1 - golds.count("UNKNOWN") / len(golds))
    assert rows["solver_only"].accuracy.value == 1
    for row in rows.values():
        assert row.sets.consistent.value == 1 and row.sets.cost.value == 0 and row.sets.prefix.value == 1
        assert row.overhead.calls.per_case.value == 0
    assert rows["always_unknown"].sets.epistemic.value == 0, "every bundle has something that is settled"
    assert rows["one_model"].sets.epistemic.value == 1, "nothing is called unknown"
    print()
    for name, row in rows.items():
        print(f"  {name}: accuracy {row.accuracy.value:.3f}, set consistency {row.sets.consistent.value:.2f}")
