"""Write a comparison of two runs: on a terminal, as JSON, as rows for data frames, and as a page."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from holdtrue_lab.figures.report_files import stream_rows, write_text
from holdtrue_lab.figures.terminal import draw, name_intervals
from holdtrue_lab.kit.folder import Run, name_settings
from holdtrue_lab.kit.page import draw_page
from holdtrue_lab.kit.plays import ProblemKey
from holdtrue_lab.kit.registry import find_suite
from holdtrue_lab.kit.runs import Runs
from holdtrue_lab.kit.shown import Side as PageSide
from holdtrue_lab.kit.shown import find_sides
from holdtrue_lab.kit.shown_report import heading
from holdtrue_lab.kit.two_runs.changes import SAME, Answered, Change, kind_of, read_answers
from holdtrue_lab.kit.two_runs.comparison import TwoRuns
from holdtrue_lab.kit.two_runs.side import TurnFacts
from holdtrue_lab.kit.two_runs.tables import SHOWN, all_tables, sections


def show_comparison(two: TwoRuns, console: Console) -> None:
    """Print what is compared, what is not, and all tables."""
    for name, side in two.sides:
        console.print(Text(f"{name} is ").append(heading(side.run)))
    for remark in two.remarks:
        console.print(Text(remark, style="italic"))
    if not two.changes:
        console.print("No turn came out otherwise.")
    for table in all_tables(two):
        for part in draw(table, console.width):
            console.print()
            console.print(part)
    for sentence in name_intervals(all_tables(two)):
        console.print()
        console.print(sentence)
    if (left := len(two.changes) - SHOWN) > 0:
        console.print(f"{left} more changed turn{'' if left == 1 else 's'}: --json has all of them.")


def write_json(two: TwoRuns, write: Callable[[str], Any]) -> None:
    """Write everything as one JSON object, all changed turns with their answers, of which one is held at a time."""
    head = json.dumps(two.to_json(), indent=2)
    write(f'{head.removesuffix("}").rstrip()},\n  "turns": [')
    for place, (change, answered) in enumerate(read_answers(two.a, two.b, two.changes)):
        write(f"{',' if place else ''}\n    {json.dumps(_turn_json(change, answered))}")
    write("\n  ]\n}\n")


def _turn_json(change: Change, answered: Answered) -> dict[str, Any]:
    return {
        "problem": change.problem,
        "method": change.method,
        "turn": change.turn,
        "change": change.kind,
        "asked": answered.asked,
        "a": _facts_json(change.a, answered.a),
        "b": _facts_json(change.b, answered.b),
    }


def _facts_json(facts: TurnFacts, answer: Any) -> dict[str, Any]:
    right, of = facts.tally or (None, None)
    known = asdict(facts)
    return {"right": right, "of": of, "answer": answer} | {
        name: known[name] for name in ("outcome", "calls", "tokens", "seconds")
    }


_FACTS: dict[str, type] = {"right": int, "of": int, "outcome": str, "calls": int, "tokens": int, "seconds": float}
_COLUMNS: dict[str, type] = {
    "suite": str,
    "problem": str,
    "method": str,
    "turn": int,
    "turns": int,
    "change": str,
    **{f"{name}_{letter}": kind for letter in "ab" for name, kind in _FACTS.items()},
}


def write_turns(two: TwoRuns, path: Path) -> None:
    """Write every turn that both runs have as a row of one Parquet file; raises as `stream_rows` does."""
    stream_rows(lambda: _rows(two), _COLUMNS, path)


def _rows(two: TwoRuns) -> Iterator[tuple[Any, ...]]:
    for key in two.matched.turns:
        a, b = two.a.turns[key], two.b.turns[key]
        problem, method, turn = key
        yield (two.suite, problem, method, turn, a.turns, kind_of(a, b) or SAME, *_flat(a), *_flat(b))


def _flat(facts: TurnFacts) -> tuple[Any, ...]:
    return (*(facts.tally or (None, None)), facts.outcome, facts.calls, facts.tokens, facts.seconds)


def write_comparison_page(two: TwoRuns, path: Path, transcripts: int) -> Path:
    """Write the comparison as one HTML file, with the transcripts of at most so many problems that changed.

    Both runs stand side by side in these: each is named with its letter. Raises `InfrastructureError`, and
    `SettingsError` if a library is missing.
    """
    report = _side_by_side(two)
    (_, standing), *topics = sections(two)
    pair = _pair(two, report)
    page = draw_page(report, transcripts, folded=(standing, topics), pair=pair, compared=two.remarks)
    return write_text(path, page)


def _side_by_side(two: TwoRuns) -> Runs[Any]:
    """The report of both runs as its kind has it, which shows what changed in the order of the changes."""
    runs = tuple(_lettered(side.run, name) for name, side in two.sides)
    keys: dict[str, ProblemKey] = {key[0]: key for arm in runs[0].plays for key in arm.plays}
    changed = dict.fromkeys(change.problem for change in two.changes)
    chosen = tuple(keys[problem] for problem in changed if problem in keys)
    return find_suite(two.suite).kind.reporting().report(suite=two.suite, runs=runs, chosen=chosen)


def _lettered(run: Run[Any], name: str) -> Run[Any]:
    """The run with its letter behind the name of the model, by which rows are told apart."""
    return name_settings(replace(run, named_settings=""), name)


def _pair(two: TwoRuns, report: Runs[Any]) -> tuple[PageSide | None, PageSide | None]:
    """The method that changed most, in A and in B."""
    most = max(two.counted, key=lambda each: each.turns - each.same).method
    sides, names = find_sides(report), report.names
    found = [
        sides.get((names.model_in(run.folder, row.arm), names.method(row.arm)))
        for run in report.runs
        for row in run.rows
        if row.domain is None and row.arm.method == most
    ]
    return (found[0], found[-1]) if found else (None, None)
