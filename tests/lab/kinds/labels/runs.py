"""Small runs about queries, written by hand."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from holdtrue.record import AnswerStatus, EventRecord, Satisfiability, Usage, VerdictRecord
from holdtrue_lab.kinds.labels.entry import LabelEntry, SetScore
from holdtrue_lab.kit.entry import Entry
from tests.lab.kinds.labels.labelled import C, E, U, entry, record
from tests.lab.kinds.written import write_run

GOLD = {"q0": E, "q1": C, "q2": U, "q3": U}
FINE, BAD = SetScore(True, True, 0, 4), SetScore(False, False, 1, 4)
CLASH = VerdictRecord(
    Satisfiability.SAT,
    AnswerStatus.VIOLATING,
    blame=("q1", "q2"),
    mus=("P2", "P5", "q1", "q2"),
)
ASIDE = EventRecord("set_aside", "q2", 1, C, ("q2",), "Not the case: statement q2", because=("P2", "P5", "q1"))


def bundle(
    problem: str, method: str, labels: dict[str, str], whole: SetScore, *attempts: dict[str, str], **more: object
) -> LabelEntry:
    """A case whose four queries were asked at once."""
    usage = None if method in ("always_unknown", "one_model") else Usage(len(attempts) or 1, 100, 20, 0.5)
    made = record(GOLD, labels, *attempts, method=method, usage=usage, solver_s=1.0, **more)  # type: ignore[arg-type]
    clash, prefix = (False,) * 4, (True,) * 4
    return entry(problem, GOLD, labels, made=made, whole=whole, clash=clash, prefix=prefix)


def queries() -> list[LabelEntry]:
    """Two cases under `direct` (one of them inconsistent) and `maxsat_repair`, which gave up one answer."""
    broken, mended = {**GOLD, "q2": C}, {**GOLD, "q2": U}
    first = bundle("p", "direct", broken, BAD, verdict=CLASH)
    repaired = bundle("p", "maxsat_repair", mended, FINE, broken, verdict=CLASH, ledger=("q0", "q1"), solver_calls=7)
    events = (
        *(EventRecord("added", id, 1, GOLD[id], (id,), f"belief {id}") for id in ("q0", "q1")),
        replace(ASIDE, reason=f'"{ASIDE.sentence}" is given up: it cannot hold together with P2, P5'),
    )
    detail = replace(repaired.record.detail, set_aside=("q2",))
    return [
        first,
        replace(repaired, record=replace(repaired.record, events=events, detail=detail)),
        bundle("q", "direct", GOLD, FINE),
        bundle("q", "maxsat_repair", GOLD, FINE, solver_calls=3),
    ]


def controls() -> list[LabelEntry]:
    """`always_unknown` on the same cases."""
    return [bundle(problem, "always_unknown", dict.fromkeys(GOLD, U), FINE) for problem in ("p", "q")]


def dialogue(method: str = "min_change", problem: str = "d", domain: str = "stress") -> list[LabelEntry]:
    """Two questions, one at a time, the second of which is answered against the first."""
    gold = {"q0": E, "q1": C}
    turns: list[LabelEntry] = []
    for number, id in enumerate(gold, start=1):
        labels = {"q0": E, "q1": C} if number == 2 else {"q0": E}
        made = record(
            [id],
            labels,
            {id: E},
            turn=number,
            method=method,
            protocol="one",
            usage=Usage(1, 50, 5, 0.1),
            solver_calls=0 if method.endswith("none") else 3,
            events=[("added", id, E)] if number == 1 else [("rejected", id, E)],
            ledger=["q0"],
            entailed=labels,
            solver_s=0.2,
        )
        whole = SetScore(True, True, 0, 2, edits=1, opposed=True) if number == 2 else None
        turns.append(
            entry(
                problem,
                {id: gold[id]},
                labels,
                made=made,
                whole=whole,
                suite="belief",
                domain=domain,
                turn=number,
                turns=2,
                differ=None if method.endswith("none") else number == 2,
                prefix=(True,),
                clash=(False,),
            )
        )
    return turns


def write(folder: Path, entries: Iterable[Entry], suite: str = "cross_query", **changes: object) -> Path:
    protocol = "one" if suite == "belief" else "bundle"
    return write_run(folder, entries, suite=suite, **{"protocol": protocol, "extractor": "gold", **changes})
