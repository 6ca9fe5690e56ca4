"""Cases in the published form, without formulas of queries and without a setting."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from holdtrue.kinds.labels.case import Case
from holdtrue.record import Label
from holdtrue_lab.suites.cross_query.files import load_cases, read_cases
from tests.lab.suites.cross_query.toy import worlds

PEOPLE = ["Alice", "Bob", "Charlie", "Diana", "Eve"]
_NEXT = "(or (= (abs (- pos_{0} pos_{1})) 1) (= (abs (- pos_{0} pos_{1})) 4))"
SEATING = "\n".join(
    [
        "; Seating: 5 people, circular",
        "; Variables: pos_X in [0, 4]",
        "(set-logic QF_LIA)",
        *(f"(declare-const pos_{name} Int)" for name in PEOPLE),
        f"(assert (distinct {' '.join(f'pos_{name}' for name in PEOPLE)}))",
        f"(assert {_NEXT.format('Alice', 'Bob')})",
        f"(assert (not {_NEXT.format('Charlie', 'Diana')}))",
        "(check-sat)",
    ]
)


def _case(
    formal: object, entities: list[str], queries: list[tuple[str, str]], premise: str = "Everybody has a seat."
) -> Case:
    record: Mapping[str, Any] = {
        "id": "rel_seating_0042",
        "domain": "relational",
        "subdomain": "seating_arrangement",
        "logic_type": "propositional",
        "premises": [premise],
        "formal_representation": formal,
        "entities": entities,
        "bundles": [
            {
                "bundle_id": "bundle_0",
                "num_queries": len(queries),
                "queries": [
                    {
                        "query_id": f"q{place}",
                        "query": text,
                        "label": "UNKNOWN",
                        "reasoning": "",
                        "query_type": kind,
                        "depends_on": [],
                    }
                    for place, (kind, text) in enumerate(queries)
                ],
            }
        ],
    }
    return read_cases({"cases": [record]}, "published")[0]


def _labels(case: Case) -> list[Label | None]:
    every = worlds(case)
    labels: list[Label | None] = []
    for query in case.queries:
        if query.formula is None:
            labels.append(None)
            continue
        truths = {query.formula.holds(world) for world in every}
        settled = Label.ENTAILED if True in truths else Label.CONTRADICTED
        labels.append(Label.UNKNOWN if len(truths) > 1 else settled)
    return labels


def test_the_cards_five_seats() -> None:
    pairs = [(a, b) for place, a in enumerate(PEOPLE) for b in PEOPLE[place + 1 :]]
    asked = [("adj", f"Can {a} sit next to {b}?") for a, b in pairs]
    asked += [("pos", f"Can Charlie sit at position {seat}?") for seat in range(5)]
    asked += [("adj_forced", "Must Alice always be seated next to Bob?")]
    case = _case(SEATING, PEOPLE, asked)
    assert all(query.formula is not None for query in case.queries)
    assert len(worlds(case)) == 20
    found = dict(zip([*pairs, *range(5), "forced"], _labels(case), strict=True))
    entailed = {("Alice", "Bob"), ("Charlie", "Eve"), ("Diana", "Eve"), "forced"}
    contradicted = {("Alice", "Eve"), ("Bob", "Eve"), ("Charlie", "Diana")}
    assert {query for query, label in found.items() if label is Label.ENTAILED} == entailed
    assert {query for query, label in found.items() if label is Label.CONTRADICTED} == contradicted


def test_the_ends_meet_where_something_says_so() -> None:
    row, asked = SEATING.replace(", circular", ""), [("adj", "Can Alice sit next to Eve?")]
    ends = {"pos_Alice": 0, "pos_Eve": 4}
    for text, premise, meet in (
        (SEATING, "Everybody has a seat.", True),
        (row, "There are 5 people seated at a round table.", True),
        (row, "Everybody has a seat.", False),
    ):
        formula = _case(text, PEOPLE, asked, premise).queries[0].formula
        assert formula is not None
        assert formula.holds(ends) is meet


@pytest.mark.parametrize(
    "text",
    [
        "Can Alice avoid sitting next to Bob?",
        "Must Alice not sit next to Bob?",
        "Is Alice next to Bob, or next to Eve?",
        "Who is next to Bob?",
        "Does Alice like Bob?",
        "Is Zoe next to Bob?",
    ],
)
def test_other_wording_is_left_unread(text: str) -> None:
    case = _case(SEATING, PEOPLE, [("adj", text), ("mystery", "Can Alice sit next to Bob?")])
    assert [query.formula for query in case.queries] == [None, None]
    assert [query.formula for query in case.queries] == [None, None]


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("adj", "Can Alice and Bob sit anywhere but next to each other?"),
        ("adj", "Is it impossible that Alice is next to Bob?"),
        ("adj", "Are Alice and Bob non-adjacent?"),
        ("adj", "Is Alice or Bob next to an end?"),
        ("pos", "Does Charlie sit at position 3 or later?"),
        ("pos", "Is Charlie's position at least 3?"),
        ("pos", "Is Charlie's position greater than 3?"),
        ("pos", "Does Charlie sit before position 3?"),
        ("pos", "Is Charlie within 2 seats of the end?"),
        ("order", "Before Alice sits, must Bob be seated?"),
        ("order", "After Alice, does Bob come?"),
        ("order", "Does Alice come immediately before Bob?"),
        ("order", "Does Alice come two places before Bob?"),
    ],
)
def test_what_says_more_or_else_than_our_reader_knows_is_left_unread(kind: str, text: str) -> None:
    assert _case(SEATING, PEOPLE, [(kind, text)]).queries[0].formula is None


@pytest.mark.parametrize(
    "text",
    ["Must Sync start before Team Lunch?", "Must Sync end before Team Lunch ends?", "Sync begins after Team Lunch."],
)
def test_orders_of_other_times_than_end_and_start_are_left_unread(text: str) -> None:
    assert _case(TIMES, ["Sync", "Team Lunch"], [("order", text)]).queries[0].formula is None


TIMES = """
(declare-fun start_Sync () Int)
(declare-fun end_Sync () Int)
(declare-fun start_Team_Lunch () Int)
(declare-fun dur_Team_Lunch () Int)
(assert (and (>= start_Sync 0) (<= start_Sync 5)))
(assert (<= 0 start_Team_Lunch 5))
(assert (and (> end_Sync 0) (< end_Sync 9)))
(assert (and (<= 1 dur_Team_Lunch) (>= 3 dur_Team_Lunch)))
(assert (= end_Sync (+ start_Sync 2)))
"""


@pytest.mark.parametrize(
    ("kind", "text", "holds", "fails"),
    [
        ("overlap", "Can Sync and Team Lunch overlap?", (1, 2), (1, 3)),
        ("order", "Must Sync come before Team Lunch?", (1, 3), (1, 2)),
        ("order", "Must Team Lunch come after Sync?", (1, 3), (1, 2)),
        ("order", "Can Team Lunch end before Sync?", (4, 2), (4, 3)),
    ],
)
def test_times_are_read_with_ends_or_durations(
    kind: str, text: str, holds: tuple[int, int], fails: tuple[int, int]
) -> None:
    case = _case(TIMES, ["Sync", "Team Lunch"], [(kind, text)])
    assert {variable.name: str(variable.sort) for variable in case.variables} == {
        "start_Sync": "0..5",
        "end_Sync": "1..8",
        "start_Team_Lunch": "0..5",
        "dur_Team_Lunch": "1..3",
    }
    formula = case.queries[0].formula
    assert formula is not None
    for (sync, lunch), expected in ((holds, True), (fails, False)):
        world = {"start_Sync": sync, "end_Sync": sync + 2, "start_Team_Lunch": lunch, "dur_Team_Lunch": 2}
        assert formula.holds(world) is expected


FACTS = """
(declare-const guilty_Ann Bool)
(declare-const guilty_Bo Bool)
(declare-const eligible_Ann_loan Bool)
(declare-const eligible_Ann_grant Bool)
(assert (xor guilty_Ann guilty_Bo))
(assert (=> guilty_Ann (let ((x eligible_Ann_loan)) (not x))))
(assert guilty_Ann)
"""


def test_booleans_are_read() -> None:
    asked = [
        ("is_guilty", "Is Ann guilty?"),
        ("is_guilty", "Is Bo guilty?"),
        ("eligible", "Is Ann eligible for the loan?"),
        ("eligible", "Can Ann be eligible for the grant?"),
        ("eligible", "Is Ann eligible?"),
    ]
    case = _case(FACTS, ["Ann", "Bo"], asked)
    assert _labels(case) == [Label.ENTAILED, Label.CONTRADICTED, Label.CONTRADICTED, Label.UNKNOWN, None]


@pytest.mark.parametrize(
    "formal",
    [
        None,
        "; Seating: 5 people, circular\n; Variables: pos_X in [0, 4] ...",
        "(declare-const pos_Alice Int) (assert (< pos_Alice 3))",
        "(declare-sort Person 0) (declare-const pos_Alice Person) (assert (= pos_Alice pos_Alice))",
        "(declare-fun seat (Int) Int) (assert (= (seat 1) 2))",
        "(declare-const pos_Alice Int) (assert (<= 3 pos_Alice 1))",
        "pos(alice, 3).",
    ],
)
def test_a_theory_that_cannot_be_read_leaves_all_unread(formal: object) -> None:
    case = _case(formal, PEOPLE, [("pos", "Can Alice sit at position 1?")])
    assert (case.laws, case.variables, case.queries[0].formula) == ((), (), None)
    assert case.premises[0].formula is None


def test_published_files_load(tmp_path: Path) -> None:
    record = {
        "id": "a", "domain": "policy", "subdomain": "access_control", "logic_type": "first_order_ground",
        "premises": ["p"], "formal_representation": "", "entities": ["Ann"],
        "bundles": [
            {"bundle_id": "bundle_0", "num_queries": 0, "queries": []},
            {"bundle_id": "bundle_1", "num_queries": 0, "queries": []},
        ],
    }  # fmt: skip
    for name in ("full", "dev"):
        (tmp_path / f"benchmark_{name}_v2.json").write_text(json.dumps({"cases": [record]}), "utf-8")
    loaded = load_cases(tmp_path)
    assert [(case.id, case.split) for case in loaded] == [("a/bundle_0", None), ("a/bundle_1", None)]
