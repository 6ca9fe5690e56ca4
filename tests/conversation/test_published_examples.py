"""The published examples, through the doors that anybody uses: a benchmark's file, the command line, a session."""

from __future__ import annotations

from itertools import combinations
from typing import get_args

import pytest

from holdtrue.conversation.query_session import QuerySession
from holdtrue.conversation.query_state import Question
from holdtrue.kinds.labels.case import Case, Premise, Query
from holdtrue.kinds.labels.method import find_label_method
from holdtrue.kinds.labels.turn import WayOfAsking
from holdtrue.models.scripted import ScriptModel
from holdtrue.record import Label
from holdtrue.world.instance import Constraint, Instance
from holdtrue_lab.suites.cross_query.families.relational import CIRCULAR

PEOPLE = ["Alice", "Bob", "Charlie", "Diana", "Eve"]
ENTAILED = {"Alice Bob", "Charlie Eve", "Diana Eve"}
CONTRADICTED = {"Alice Eve", "Bob Eve", "Charlie Diana"}
PAIRS = [f"{a} {b}" for a, b in combinations(PEOPLE, 2)]


def true_label(asked: str) -> Label:
    """Of a pair, or of one of Charlie's seats, as the card has it."""
    return Label.ENTAILED if asked in ENTAILED else Label.CONTRADICTED if asked in CONTRADICTED else Label.UNKNOWN


def case_of(instance: Instance, premises: list[Constraint], asked: dict[str, Constraint], suite: str) -> Case:
    """A case as anybody makes one of a declaration: sentences and formulas come of the constraints."""
    return Case(
        id="example",
        suite=suite,
        domain="example",
        subdomain="example",
        logic_type="csp",
        entities=instance.entities,
        variables=tuple(instance.variables.values()),
        laws=instance.background,
        premises=tuple(Premise(instance.sentence(made), instance.formula(made), made) for made in premises),
        queries=tuple(
            Query(id, instance.sentence(made), true_label(id), made.type, instance.formula(made), made)
            for id, made in asked.items()
        ),
        instance=instance,
    )


def five_seats() -> Case:
    table = CIRCULAR.declaration.instance(PEOPLE)
    premises = [table.constraint("adjacent", PEOPLE[:2]), table.constraint("not_adjacent", PEOPLE[2:4])]
    asked = {pair: table.constraint("adjacent", pair.split()) for pair in PAIRS}
    asked |= {f"seat {seat}": table.constraint("at_seat", ["Charlie", seat]) for seat in range(1, 6)}
    return case_of(table, premises, asked, "cross_query")


@pytest.mark.parametrize("way_of_asking", get_args(WayOfAsking))
def test_a_session_labels_the_five_seats_as_the_card_does(way_of_asking: WayOfAsking) -> None:
    case = five_seats()
    questions = [Question(query.id, query.text, query.formula) for query in case.queries]
    method = find_label_method("solver_only")
    session = QuerySession(case, model=ScriptModel([]), method=method, way_of_asking=way_of_asking)
    try:
        for turn in [questions] if way_of_asking == "bundle" else [[question] for question in questions]:
            session.ask(turn)
    finally:
        session.close()
    assert session.labels == {query.id: query.label for query in case.queries}
    assert [list(session.labels.values()).count(label) for label in Label] == [3, 3, 9]
