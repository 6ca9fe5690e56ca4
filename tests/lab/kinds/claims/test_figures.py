from __future__ import annotations

from dataclasses import replace

import pytest

from holdtrue.record import Usage
from holdtrue_claims.claim_record import AlertRecord, PremiseRecord, Route
from holdtrue_lab.figures.statistics import Rate
from tests.lab.kinds.claims.claimed import (
    CLASH,
    DISTANT,
    ENTAILED,
    FORMAL,
    POSSIBLE,
    SPLIT,
    SUPPORTED,
    UNKNOWN,
    UNREAD,
    UNSUPPORTED,
    WRONG,
    answer,
    call,
    check,
    claim,
    context,
    counted,
    entry,
    joint,
    only,
)


def test_verdicts_are_counted_over_the_claims_of_delivered_answers() -> None:
    row = only(
        entry("p", answer("B", check(WRONG, WRONG)), answer("A", check(ENTAILED, POSSIBLE, WRONG, SUPPORTED))),
        entry("q", answer("A", check(UNKNOWN, CLASH, UNSUPPORTED, claim(ENTAILED, restated=True)))),
        entry("r", answer("A")),
        entry("s", answer(None, check(ENTAILED)), delivered=None),
    )
    verdicts = row.verdicts
    assert (row.finished, row.verified, verdicts.claims) == (4, 2, 8)
    assert [counted(each) for each in (verdicts.verified, verdicts.possible)] == [(3, 8), (1, 8)]
    assert counted(verdicts.entailed) == (2, 8)
    assert counted(verdicts.fresh) == (7, 8)
    assert (counted(verdicts.unknown), counted(verdicts.inconsistent)) == ((1, 8), (1, 8))
    assert verdicts.found == {
        "contradictory": 1,
        "entailed": 2,
        "inconsistent_context": 1,
        "possible": 1,
        "supported": 1,
        "unknown": 1,
        "unsupported": 1,
    }


def test_scores_are_over_verified_items() -> None:
    row = only(
        entry("p", answer("A", check(ENTAILED, ENTAILED))),
        entry("q", answer("A", check(WRONG))),
        entry("r", answer("A", check())),
        entry("s", answer("A")),
    )
    assert row.score.of == 3
    assert row.score.value == pytest.approx(1 / 3)
    assert counted(row.accepted) == (1, 3)


def test_implied_options_are_held_against_gold_where_there_are_any() -> None:
    row = only(
        entry("p", answer("A", check(ENTAILED, supported="A", proved="B"))),
        entry("q", answer("A", check(ENTAILED, supported="C", proved=None))),
        entry("r", answer("A")),
    )
    assert (counted(row.supported.found), counted(row.supported.right)) == ((2, 3), (1, 2))


def test_the_funnel_follows_the_claims_that_are_for_the_solver() -> None:
    corrected = replace(FORMAL, agreed=False, clique=1, corrected=True)
    row = only(
        entry(
            "p",
            answer(
                "A",
                check(
                    claim(ENTAILED, formalization=FORMAL),
                    claim(POSSIBLE, formalization=corrected),
                    claim(UNKNOWN, formalization=FORMAL),
                    claim(SUPPORTED, Route.HYBRID, UNREAD),
                    claim(SUPPORTED, Route.HYBRID, SPLIT),
                    claim(SUPPORTED, Route.HYBRID, DISTANT),
                    claim(SUPPORTED),
                ),
            ),
        ),
        entry("q", answer("A", check(claim(CLASH), claim(UNSUPPORTED)))),
    )
    funnel = row.funnel
    assert counted(funnel.routed) == (7, 9)
    assert [counted(getattr(row.routing, name)) for name in ("hard", "soft", "hybrid")] == [(4, 9), (2, 9), (3, 9)]
    names = ("readable", "agreed", "retold", "aligned", "accepted", "corrected")
    assert [counted(getattr(funnel, name)) for name in names] == [(5, 7), (3, 7), (4, 7), (3, 7), (3, 7), (1, 7)]
    ends = ("verified", "possible", "fallback", "unknown", "inconsistent")
    assert [counted(getattr(funnel, name)) for name in ends] == [(1, 7), (1, 7), (3, 7), (1, 7), (1, 7)]


def test_without_a_round_trip_there_is_no_share_that_came_through() -> None:
    row = only(entry("p", answer("A", check(claim(ENTAILED, formalization=replace(FORMAL, retold=None))))))
    assert (counted(row.funnel.retold), row.funnel.aligned, counted(row.funnel.accepted)) == (
        (0, 1),
        Rate(0, 0),
        (1, 1),
    )


def test_agreement_is_over_pairs_of_samples() -> None:
    alone = replace(FORMAL, samples=("A(x)",), same_tree=None, equivalent=None, aligned=None)
    five = replace(FORMAL, samples=("A(x)",) * 5, same_tree=0.3, equivalent=0.2, aligned=0.1)
    claims = (claim(ENTAILED, formalization=each) for each in (FORMAL, SPLIT, five, alone))
    found = only(entry("p", answer("A", check(*claims)))).agreements
    assert [counted(each) for each in (found.same_tree, found.equivalent, found.aligned)] == [(6, 16), (3, 16), (1, 16)]


def test_joint_conflicts_are_held_against_the_verdicts_one_by_one() -> None:
    clash = joint("conflict")
    row = only(
        entry("a", answer("A", check(POSSIBLE, POSSIBLE))),
        entry("b", answer("A", check(POSSIBLE, WRONG, together=clash))),
        entry("c", answer("A", check(POSSIBLE, POSSIBLE, together=clash))),
        entry("d", answer("A", check(POSSIBLE, together=joint("conflict", bridged=True, without="consistent")))),
        entry("e", answer("A", check(POSSIBLE, together=joint("conflict", bridged=True, without="conflict")))),
        entry("f", answer("A", check(POSSIBLE, together=joint("conflict", bridged=True, without="unknown")))),
        entry("g", answer("A", check(POSSIBLE, together=joint("unknown")))),
        entry("h", answer("A", check(CLASH, together=joint("inconsistent_context")))),
        entry("i", answer("A", check())),
    )
    assert counted(row.joint.decided) == (6, 8)
    assert (counted(row.joint.conflict), counted(row.joint.disagrees)) == ((5, 6), (4, 6))
    assert counted(row.joint.artifact) == (1, 3)


def test_bridges_that_could_not_be_read_make_no_artifact() -> None:
    unread = replace(joint("conflict"), bridges=(PremiseRecord("B1", "if so", None, "bridge"),))
    row = only(entry("p", answer("A", check(POSSIBLE, together=unread))))
    assert counted(row.joint.artifact) == (0, 1)


def test_contexts_are_counted_with_their_premises() -> None:
    alert = AlertRecord("brackets_repaired", "one too few")
    row = only(
        entry(
            "p",
            answer(),
            premises=context(
                PremiseRecord("P1", "t", "A(x)"),
                PremiseRecord("P2", "t", "A(x)", alerts=(alert,)),
                PremiseRecord("P3", "t", None, alerts=(alert, AlertRecord("unparsed", "no"))),
                PremiseRecord("U1.1", "t", "A(x)", "user", refined=2),
                PremiseRecord("T1.C1", "t", "A(x)", "claim"),
                alerts=[AlertRecord("name_clash", "near")],
            ),
        ),
        entry("q", answer(), premises=context(status="inconsistent")),
        entry("r", answer(), premises=context(status="unknown")),
        entry("s", answer()),
    )
    found = row.contexts
    assert (found.contexts, counted(found.inconsistent), found.unknown, found.premises) == (3, (1, 2), 1, 4)
    assert (counted(found.read), counted(found.clean), counted(found.refined)) == ((3, 4), (2, 4), (1, 4))


def test_calls_are_counted_apart() -> None:
    row = only(
        entry(
            "p",
            answer("A", calls=[call(), call("decompose", Usage(1, 50, 20, 1.0))]),
            answer("A", calls=[call()], kind="repair"),
            extraction=[call("vocabulary", Usage(1, 10, 5, 0.25))] * 2,
            measuring=[call("judge")],
            solver_s=1.5,
        ),
        entry("q", answer("A"), solver_s=1.5),
    )
    costs = row.costs
    assert [costs.own.calls.value, costs.extraction.calls.value, costs.measuring.calls.value] == [3.0, 1.0, 0.5]
    assert costs.own.generated.value == (10 + 20 + 10 + 5 + 5 + 10) / 2
    assert costs.own.tokens.value == (110 + 70 + 110 + 15 + 15 + 110) / 2
    assert costs.own.latency_s.value == (0.5 + 1.0 + 0.5 + 0.25 + 0.25 + 0.5) / 2
    assert costs.seconds.value == 3.0


def test_a_run_that_measured_nothing_has_no_such_figures() -> None:
    row = only(entry("p", answer("A"), method="cot"))
    assert (row.verified, row.score.value, row.accepted) == (0, None, Rate(0, 0))
    for part in (row.verdicts.verified, row.routing.hard, row.funnel.routed, row.joint.decided):
        assert part == Rate(0, 0)
    assert (row.contexts.contexts, row.contexts.inconsistent) == (0, Rate(0, 0))
