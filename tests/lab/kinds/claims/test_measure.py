from __future__ import annotations

import random

from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from holdtrue_claims.claim_record import ClaimVerdict, PremiseRecord, Route, SoftVerdict
from holdtrue_lab.figures.statistics import Estimate, Rate
from holdtrue_lab.kinds.claims.comparison import perturbed
from holdtrue_lab.kinds.claims.entry import ClaimEntry
from holdtrue_lab.kinds.claims.measure import measure_claims, measure_of
from holdtrue_lab.kinds.claims.method import METHODS
from holdtrue_lab.kit.arm import Arm
from tests.lab.kinds.claims.claimed import (
    DISTANT,
    ENTAILED,
    FORMAL,
    SPLIT,
    UNREAD,
    answer,
    call,
    check,
    claim,
    context,
    counted,
    entry,
    failure,
    figured,
    joint,
    only,
)
from tests.lab.kit.entries import turn


def test_items_without_gold_are_neither_right_nor_wrong() -> None:
    row = only(entry("p", answer("A"), gold=None), entry("q", answer("A")))
    assert (row.finished, counted(row.accuracy), counted(row.supported.found)) == (2, (1, 1), (0, 1))


def test_changed_items_are_in_no_row_and_do_not_hide_their_failures_there() -> None:
    measured = measure_claims(
        [
            entry("p", answer("A")),
            entry("p~", answer("B"), perturbs="p", perturbation="inversion"),
            entry("p", answer("A"), method="cot"),
            failure("p~", method="cot"),
        ]
    )
    first, second = [row for row in measured.rows if row.domain is None]
    assert (first.problems, counted(first.accuracy)) == (1, (1, 1))
    assert (second.problems, second.failed) == (1, 0)
    assert [len(arm.plays) for arm in measured.plays] == [2, 1]


def test_a_failure_counts_only_where_nothing_was_answered() -> None:
    row = only(entry("p", answer()), failure("p"), failure("q"), failure("q"))
    assert (row.problems, row.finished, row.failed) == (2, 1, 1)


def test_a_method_that_never_played_has_a_row_of_its_failures() -> None:
    [row, domain] = map(figured, measure_claims([failure("p", method="cot")]).rows)
    assert row.arm == Arm("verge", "", "", "", "cot")
    assert (row.problems, row.failed, row.accuracy, domain.domain) == (1, 1, Rate(0, 0), "folio")
    assert row.costs.own.calls == row.score == Estimate(0)
    assert (row.convergence.rounds, row.convergence.accuracy.tau, row.reweighed) == ((), None, ())


def test_controls_are_known_by_their_calls() -> None:
    measured = measure_claims(
        [
            entry("p", answer(calls=()), method="given", measuring=[call("decompose")]),
            entry("p", answer(), method="cot"),
        ]
    )
    assert [arm.asks_model for arm in measured.plays] == [False, True]
    assert [row.told["asks_model"] for row in measured.rows] == [False, False, True, True]


def test_only_methods_that_use_formulas_are_oracles() -> None:
    titles = [
        only(entry("p", answer(), method=method, extractor=extractor)).title
        for method in ("verge", "cot")
        for extractor in ("llm", "gold", "gold_entities+other")
    ]
    assert titles == ["verge", "verge (oracle formulas)", "verge (oracle entities)", "cot", "cot", "cot"]


def test_plays_tell_items_with_the_same_id_apart() -> None:
    one, two = (
        measure_claims([entry("p", answer(), problem_lines=[text])]).plays[0].plays for text in ("All.", "None.")
    )
    assert one.keys() != two.keys()
    assert {id for id, _ in (*one, *two)} == {"p"}


def test_what_is_not_about_claims_is_passed_over() -> None:
    assert measure_claims([turn("p", 1)]).rows == ()


VERDICTS = st.sampled_from([*ClaimVerdict, *SoftVerdict])
CLAIMS = st.builds(
    claim,
    VERDICTS,
    st.none() | st.sampled_from(Route),
    st.none() | st.sampled_from([FORMAL, UNREAD, SPLIT, DISTANT]),
    st.booleans(),
)
JOINTS = st.builds(
    joint,
    st.sampled_from(["consistent", "conflict", "unknown", "inconsistent_context"]),
    bridged=st.booleans(),
    without=st.none() | st.sampled_from(["consistent", "conflict", "unknown"]),
)
LETTERS = st.none() | st.sampled_from("ABC")
CHECKS = st.builds(
    lambda claims, together, supported, proved: check(*claims, together=together, supported=supported, proved=proved),
    st.lists(CLAIMS, max_size=4),
    JOINTS,
    LETTERS,
    LETTERS,
)
ATTEMPTS = st.builds(answer, LETTERS, st.none() | CHECKS)
PREMISES = st.builds(
    lambda formulas, status: context(*(PremiseRecord(f"P{n}", "t", f) for n, f in enumerate(formulas)), status=status),
    st.lists(st.none() | st.just("A(x)"), max_size=3),
    st.sampled_from(["consistent", "inconsistent", "unknown"]),
)
ITEMS = st.builds(
    lambda n, attempts, gold, premises, changed, solver_s: entry(
        f"p{n}",
        *attempts,
        gold=gold,
        premises=premises,
        domain="folio" if n % 2 else "zebra",
        perturbs=f"p{n - 4}" if changed and n >= 4 else None,
        perturbation="inversion",
        solver_s=solver_s,
    ),
    st.integers(0, 7),
    st.lists(ATTEMPTS, min_size=1, max_size=4),
    LETTERS,
    st.none() | PREMISES,
    st.booleans(),
    st.sampled_from([0.1, 0.2, 0.7]),
)
JOURNALS = st.lists(ITEMS, max_size=6, unique_by=lambda entry: entry.problem)


@hypothesis_settings(max_examples=15, deadline=None)
@given(JOURNALS, st.randoms(use_true_random=False))
def test_figures_do_not_depend_on_the_order_of_entries(entries: list[ClaimEntry], shuffle: random.Random) -> None:
    first, second = measure_claims(entries), measure_claims(shuffle.sample(entries, len(entries)))
    assert first == second
    assert perturbed([first.plays]) == perturbed([second.plays])


@hypothesis_settings(max_examples=20, deadline=None)
@given(JOURNALS)
def test_parts_add_up(entries: list[ClaimEntry]) -> None:
    for row in map(figured, measure_claims(entries).rows):
        verdicts, routing, funnel = row.verdicts, row.routing, row.funnel
        assert sum(verdicts.found.values()) == verdicts.claims == verdicts.verified.of
        assert routing.hard.hits + routing.soft.hits + routing.hybrid.hits == verdicts.claims
        assert routing.hard.hits + routing.hybrid.hits == funnel.routed.hits == funnel.readable.of
        assert funnel.fallback.hits + funnel.unproved.hits == routing.hybrid.hits
        assert row.accepted_proved.hits + row.accepted_possible.hits + row.accepted_judged.hits == row.accepted.hits
        sure = (verdicts.verified, verdicts.possible, verdicts.unproved, verdicts.assumed, verdicts.judged)
        asked = verdicts.claims - verdicts.found.get("unasked", 0)
        assert sum(each.hits for each in (*sure, verdicts.unknown, verdicts.inconsistent)) == asked
        assert funnel.aligned.hits <= funnel.retold.hits
        assert row.joint.disagrees.hits <= row.joint.conflict.hits <= row.joint.decided.hits
        assert row.joint.artifact.of <= row.joint.disagrees.hits
        assert row.precision.hits == row.accuracy.hits
        assert row.precision.of == row.coverage.hits
        assert row.contexts.clean.hits <= row.contexts.read.hits <= row.contexts.premises


@hypothesis_settings(max_examples=20, deadline=None)
@given(JOURNALS)
def test_rates_are_what_plain_loops_count(entries: list[ClaimEntry]) -> None:
    originals = [each for each in entries if each.score is None or each.score.perturbs is None]
    counts = dict.fromkeys(
        ("claims", "verified", "possible", "entailed", "fresh", "accepted", "checks", "right", "scored"), 0
    )
    for each in originals:
        if each.score is not None:
            counts["scored"] += 1
            counts["right"] += each.score.given == each.score.gold
        found = each.record.attempts[-1].check
        if found is None:
            continue
        counts["checks"] += 1
        counts["accepted"] += found.accepted
        for its in found.claims:
            counts["claims"] += 1
            counts["verified"] += its.verdict in ("entailed", "contradictory")
            counts["possible"] += its.verdict == "possible"
            counts["entailed"] += its.verdict == "entailed"
            counts["fresh"] += not its.restated
    rows = [figured(row) for row in measure_claims(entries).rows if row.domain is None]
    assert len(rows) == bool(originals)
    for row in rows:
        assert counted(row.accuracy) == (counts["right"], counts["scored"])
        assert (row.verified, counted(row.accepted)) == (counts["checks"], (counts["accepted"], counts["checks"]))
        for name in ("verified", "possible", "entailed", "fresh"):
            assert counted(getattr(row.verdicts, name)) == (counts[name], counts["claims"])


def test_no_texts_are_kept() -> None:
    item = entry(
        "p",
        answer("A", check(claim(ENTAILED, formalization=DISTANT))),
        problem_lines=["a secret"],
        premises=context(PremiseRecord("P1", "a secret", "Secret(x)")),
    )
    measure = measure_of(METHODS)
    kept = repr(vars(measure.answers(item, measure).add(item)))
    assert not any(text in kept for text in ("secret", "Secret", "Uncertain", "A(x)", "Is it?"))
