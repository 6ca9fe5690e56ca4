from __future__ import annotations

from dataclasses import replace

from holdtrue_claims.claim_record import AlertRecord, PremiseRecord
from holdtrue_lab.figures.statistics import Rate
from tests.lab.kinds.claims.claimed import (
    CLASH,
    ENTAILED,
    FORMAL,
    POSSIBLE,
    WRONG,
    answer,
    check,
    claim,
    context,
    counted,
    entry,
    joint,
    only,
)


def test_implied_options_are_held_against_gold_where_there_are_any() -> None:
    row = only(
        entry("p", answer("A", check(ENTAILED, supported="A", proved="B"))),
        entry("q", answer("A", check(ENTAILED, supported="C", proved=None))),
        entry("r", answer("A")),
    )
    assert (counted(row.supported.found), counted(row.supported.right)) == ((2, 3), (1, 2))


def test_without_a_round_trip_there_is_no_share_that_came_through() -> None:
    row = only(entry("p", answer("A", check(claim(ENTAILED, formalization=replace(FORMAL, retold=None))))))
    assert (counted(row.funnel.retold), row.funnel.aligned, counted(row.funnel.accepted)) == (
        (0, 1),
        Rate(0, 0),
        (1, 1),
    )


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
