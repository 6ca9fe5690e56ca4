from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from holdtrue.record import EventRecord
from holdtrue_lab.kinds.assignment.entry import AssignmentEntry
from holdtrue_lab.kinds.assignment.measured import measure_run
from holdtrue_lab.kinds.assignment.scoring import Gold
from holdtrue_lab.kinds.assignment.simulation.model import open_simulated
from holdtrue_lab.kinds.assignment.structure import Shape, Structure, structures
from holdtrue_lab.kit.entry import Entry
from holdtrue_lab.kit.journal import read_entries
from holdtrue_lab.kit.runner import run
from tests.lab.kit.entries import turn
from tests.lab.kit.runs import make, problems_of


def played(
    entry: AssignmentEntry,
    *,
    types: Sequence[str] = (),
    answer: Mapping[str, str | int] | None = None,
    ledger: int = 0,
) -> AssignmentEntry:
    events = tuple(EventRecord("added", f"C{n}", entry.turn, type) for n, type in enumerate(types))
    attempts = (replace(entry.record.final, answer=answer),)
    ids = tuple(f"C{n}" for n in range(ledger))
    return replace(entry, record=replace(entry.record, events=events, attempts=attempts, holds=ids))


def measured(*entries: Entry) -> tuple[Structure, ...]:
    return structures([measure_run(entries).problems])


def test_a_domain_is_what_its_finished_problems_show() -> None:
    found = measured(
        played(turn("p", 1), types=["before"], answer={"A.start": 1, "Dr. B.start": 2, "Dr. B.duration": 1}),
        played(turn("p", 2, phantoms=1, gaps=3), types=["gap"], ledger=4),
        played(turn("q", 1, turns=1), types=["before"], answer={"A.start": 1, "B.start": 1, "C.start": 2}, ledger=1),
        played(turn("r", 1), types=["at_time"]),  # not finished
    )
    assert found == (Structure("drift", "seating", 2, 1.5, 1, 2, 2.5, ("before", "gap"), 3.5),)


def test_what_nothing_showed_is_not_known() -> None:
    [found] = measured(played(turn("p", 1, turns=1, scored=False)))
    assert (found.problems, found.entities, found.types, found.final) == (1, None, (), None)


def test_methods_and_runs_complete_each_other_and_count_once() -> None:
    blind = played(turn("p", 1, turns=1, scored=False), types=["before"])
    seeing = played(turn("p", 1, turns=1, method="cot"), types=["gap"], answer={"A.start": 1}, ledger=2)
    expected = (Structure("drift", "seating", 1, 1.0, 1, 1, 1.0, ("before", "gap"), 2.0),)
    assert measured(blind, seeing) == measured(seeing, blind) == expected
    assert structures([measure_run([blind]).problems, measure_run([seeing]).problems]) == expected


def test_domains_stand_in_the_order_of_their_names() -> None:
    shapes = {(f"p{n}", 0): Shape("drift", domain, 4, 3, frozenset(), 2) for n, domain in enumerate("baab")}
    assert [(each.domain, each.problems) for each in structures([shapes])] == [("a", 2), ("b", 2)]
    assert structures([]) == ()


async def test_a_journal_tells_what_the_problems_are_also_where_they_were_misread(tmp_path: Path) -> None:
    name = "sim/drop:0.2+add:0.2+flip:0.3+forget:0.3@1"
    plan = make(problems=9, turns=4, model=name, extractor="llm")
    await run(plan, open_simulated(name), tmp_path)
    measured = measure_run(read_entries(tmp_path))
    assert any(row.ledger.phantoms and row.ledger.gaps for row in measured.rows)
    for found in structures([measured.problems]):
        problems = [problem for problem in problems_of(plan) if problem.domain == found.domain]
        assert (found.problems, found.shortest, found.longest) == (len(problems), 4, 4)
        assert found.entities == sum(len(problem.entities) for problem in problems) / len(problems)
        assert found.final == sum(len(Gold(problem).canonical(4)) for problem in problems) / len(problems)
        said = {item["type"] for problem in problems for turn in problem.turns for item in turn.gold}
        assert said & set(found.types)
