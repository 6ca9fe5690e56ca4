"""Options of the benchmark; see the package's docstring."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from bench.solver import queries
from bench.solver.growth import SIZES, TURNS, added, grow, whole
from bench.solver.measure import clock_cost_us
from bench.solver.table import HEADING, as_json, line
from bench.solver.task import Disagreement, Row, run
from bench.solver.tasks import TASKS
from bench.solver.workload import Workload, load

RECORD = Path(__file__).resolve().parents[2] / "bench.json"
TWIN_SHARE = 0.5
Measure = Callable[[], list[Row]]


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print the rows one by one; ends with an error where own engine and twin disagree."""
    given = read_options(arguments)
    workload = load(3 if given.quick else None)
    measures = find_measures(workload, given)
    wanted = given.rows.split(",") if given.rows else list(measures)
    unknown = [name for name in wanted if name not in measures]
    if unknown:
        sys.exit(f"there is no row {unknown[0]!r}; there are {', '.join(measures)}")
    load_before, clock = os.getloadavg(), clock_cost_us()
    for text in headlines(workload, load_before, clock):
        print(text)
    rows: list[Row] = []
    try:
        for row in measure(measures, wanted):
            rows.append(row)
            print(line(row), flush=True)
    except Disagreement as error:
        sys.exit(f"own engine and twin disagree: {error}")
    print(f"load average {os.getloadavg()[0]:.1f}")
    path = given.json or (None if given.rows or given.quick else RECORD)
    if path is not None:
        setting = {
            "note": workload.note,
            "twin_share": given.twin_share,
            "quick": given.quick,
            "clock_cost_us": clock,
            "load_average": {"before": load_before, "after": os.getloadavg()},
        }
        path.write_text(json.dumps(as_json(rows, setting), indent=1) + "\n", encoding="utf-8")


def read_options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.solver")
    parser.add_argument("--rows", default="", help="names of rows, with commas; all by default")
    parser.add_argument("--quick", action="store_true", help="three problems and ledgers of 50 constraints only")
    parser.add_argument("--twin-share", type=float, default=TWIN_SHARE, help="share of conversations for the twin")
    parser.add_argument("--json", type=Path, help="where to write the figures; a run of all rows writes bench.json")
    return parser.parse_args(arguments)


def find_measures(workload: Workload, given: argparse.Namespace) -> dict[str, Measure]:
    """What measures each row, by its name."""
    sizes, turns = (SIZES[:1], 2) if given.quick else (SIZES, TURNS)
    asked = (200, 50) if given.quick else (queries.QUERIES, queries.AGREED)
    measures: dict[str, Measure] = {}
    for task in TASKS:
        conversations = workload.clashes if task.clashes else workload.conversations
        measures[task.key] = partial(one, partial(run, task, conversations, given.twin_share))
    measures["more_sat"] = partial(grow, added, sizes, turns)
    measures["more_turn"] = partial(grow, whole, sizes, turns)
    measures["queries"] = partial(one, partial(queries.row, *asked))
    return measures


def one(measure: Callable[[], Row]) -> list[Row]:
    return [measure()]


def measure(measures: dict[str, Measure], wanted: Sequence[str]) -> Iterator[Row]:
    for name in wanted:
        yield from measures[name]()


def headlines(workload: Workload, load_average: tuple[float, float, float], clock: float) -> Iterator[str]:
    turns = [step for conversation in workload.conversations for step in conversation.steps]
    new = sum(len(step.said) for step in turns) / len(turns)
    yield (
        f"{len(workload.conversations)} problems with {len(turns)} turns ({new:.2f} constraints a turn), "
        f"{len(workload.clashes)} unsatisfiable ledgers"
    )
    if workload.note:
        yield workload.note
    yield f"processor time; measuring adds {clock:.1f} us to every figure; load average {load_average[0]:.1f}"
    yield HEADING


if __name__ == "__main__":
    main()
