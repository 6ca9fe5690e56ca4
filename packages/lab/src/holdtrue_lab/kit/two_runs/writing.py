"""This module writes a comparison of two runs on a terminal, as JSON, as Parquet rows, or as a page."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from holdtrue_lab.figures.cells import (
    MISSING,
    coverage,
    decimal,
    in_interval,
    p_value,
    percent,
    rate_in_interval,
)
from holdtrue_lab.figures.report_files import stream_rows, write_text
from holdtrue_lab.figures.statistics import Estimate, Rate
from holdtrue_lab.figures.table import Column, Table, with_lines
from holdtrue_lab.kit.comparison import Comparison
from holdtrue_lab.kit.folder import name_settings
from holdtrue_lab.kit.page import draw_page
from holdtrue_lab.kit.pairs import FAMILY
from holdtrue_lab.kit.plays import ACCURACY, ProblemKey
from holdtrue_lab.kit.registry import find_suite
from holdtrue_lab.kit.runs import Runs
from holdtrue_lab.kit.shown import Side as PageSide
from holdtrue_lab.kit.shown import find_sides
from holdtrue_lab.kit.shown_report import heading, show_tables
from holdtrue_lab.kit.tables import METHOD, Columns, Lines, ReportTable, paired_points
from holdtrue_lab.kit.transcript import shorten
from holdtrue_lab.kit.two_runs.changes import (
    SAME,
    Answered,
    Change,
    ChangeKind,
    Counted,
    RunCost,
    kind_of,
    read_answers,
)
from holdtrue_lab.kit.two_runs.comparison import RunFigure, TwoRuns
from holdtrue_lab.kit.two_runs.matching import TurnFacts

SHOWN = 20  # the most changed turns in a table; the JSON has all
_ANSWER, _VALUE = 72, 60  # the most characters of an answer and of a setting


def _by_method(found: Callable[[TwoRuns], Sequence[Any]]) -> Lines[Any]:
    def find(two: TwoRuns) -> Iterator[tuple[Sequence[str], Any]]:
        return (((each.method,), each) for each in found(two))

    return Lines((METHOD,), find)


def _differences(two: TwoRuns) -> Iterator[tuple[Sequence[str], tuple[str, str]]]:
    for each in two.differences:
        yield (each.setting.replace("_", " "),), (_value(each.a), _value(each.b))
    for prompts in two.prompts:
        if prompts.same < prompts.compared:
            other = f"{prompts.compared - prompts.same} of them otherwise"
            yield (f"first prompts of {prompts.method}",), (str(prompts.compared), other)


def _value(value: Any) -> str:
    if value is None:
        return MISSING
    text = value if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= _VALUE else f"{text[: _VALUE - 3]}..."


differences = ReportTable[tuple[str, str]](
    "differences",
    "What differs between the runs",
    "Settings that are not the same in A and B, and first prompts that are not the same word for word.",
    Lines((Column("setting", words=True),), _differences),
    {Column("A", words=True): lambda values: values[0], Column("B", words=True): lambda values: values[1]},
)


accuracy = ReportTable[Any](
    "accuracy",
    "Accuracy of the same methods in both runs",
    "B less A over the problems that both have finished, each counting once, with "
    "the p-value of flipping signs; McNemar's exact test is on problems solved in one run alone. "
    f"{FAMILY}",
    Lines((METHOD,), lambda two: (((each.arm.method,), each) for each in two.tests if each.figure == ACCURACY)),
    {
        Column("A %"): lambda each: percent(each.other_mean),
        Column("B %"): lambda each: percent(each.mean),
        **Columns[Comparison]().difference(lambda each: each.paired),
        Column("p"): lambda each: p_value(each.paired.p),
        Column("Holm"): lambda each: p_value(each.holm),
        Column("Mc\u00adNemar Holm"): lambda each: p_value(each.solved.holm),
        Column("prob\u00adlems"): lambda each: str(each.paired.problems),
    },
)


def _of(value: Rate | Estimate | None) -> str:
    if value is None:
        return MISSING
    return f"{rate_in_interval(value)} %" if isinstance(value, Rate) else in_interval(value, decimal)


figures = ReportTable[RunFigure](
    "figures",
    "Other figures in both runs",
    "Over the problems that both have finished; differences, B less A, are over problems, each counting once. "
    f"{FAMILY}",
    Lines(
        (METHOD, Column("figure", words=True)),
        lambda two: (((each.method, each.figure.replace("_", " ")), each) for each in two.figures),
    ),
    {
        Column("A"): lambda each: _of(each.a),
        Column("B"): lambda each: _of(each.b),
        Column("differ\u00adence, pp", optional=True): lambda each: (
            MISSING if each.test is None else paired_points(each.test.paired)
        ),
        Column("Holm", optional=True): lambda each: MISSING if each.test is None else p_value(each.test.holm),
    },
)

costs = ReportTable[RunCost](
    "costs",
    "Cost of a turn in both runs",
    "Means over the turns that both have, of the calls that the method needs, whoever paid for them.",
    _by_method(lambda two: two.costs),
    {
        Column("calls A"): lambda each: decimal(each.a.calls),
        Column("calls B"): lambda each: decimal(each.b.calls),
        Column("tokens A"): lambda each: decimal(each.a.tokens),
        Column("tokens B"): lambda each: decimal(each.b.tokens),
        Column("sec\u00adonds A"): lambda each: decimal(each.a.seconds),
        Column("sec\u00adonds B"): lambda each: decimal(each.b.seconds),
        **Columns[RunCost]().count("turns", lambda each: each.turns),
    },
)

counted = ReportTable[Counted](
    "changes",
    "Turns that came out otherwise",
    "Fixed and broken: more, or fewer, of the turn's answers are right in B. Another outcome or answer is counted "
    "where neither is.",
    _by_method(lambda two: two.counted),
    {
        **Columns[Counted]().count("fixed", lambda each: each.changed[ChangeKind.FIXED]),
        **Columns[Counted]().count("broken", lambda each: each.changed[ChangeKind.BROKEN]),
        **Columns[Counted]().count("other out\u00adcome", lambda each: each.changed[ChangeKind.OUTCOME]),
        **Columns[Counted]().count("other answer", lambda each: each.changed[ChangeKind.ANSWER]),
        **Columns[Counted]().count("same", lambda each: each.same),
        **Columns[Counted]().count("turns", lambda each: each.turns),
    },
)

Read = tuple[Change, Answered]


def _turns(two: TwoRuns) -> Iterator[tuple[Sequence[str], Read]]:
    for change, answered in read_answers(two.a, two.b, two.changes[:SHOWN]):
        yield (change.problem, str(change.turn), change.method, change.kind.value), (change, answered)


def _cell(facts: TurnFacts, answer: str) -> str:
    return f"{right_or_wrong(facts)}, {facts.outcome.replace('_', ' ')}: {answer}"


def right_or_wrong(facts: TurnFacts) -> str:
    """Return in words how many answers of a turn are right."""
    if facts.tally is None:
        return "no gold"
    right, of = facts.tally
    if of == 1:
        return "right" if right else "wrong"
    return f"{coverage(right, of)} right"


def answers_apart(answered: Answered) -> tuple[str, str]:
    """Return both answers as short texts. If both have parts, such as values, return only the parts that differ."""
    a, b = answered.a, answered.b
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        names = [name for name in {**a, **b} if a.get(name) != b.get(name)]
        return _parts(a, names), _parts(b, names)
    return _whole(a), _whole(b)


def _parts(answer: Mapping[str, str | int], names: Sequence[str]) -> str:
    return _cut(", ".join(f"{name} {answer.get(name, MISSING)}" for name in names)) if names else "the same answer"


def _whole(answer: Mapping[str, str | int] | str | None) -> str:
    if answer is None:
        return "nothing delivered"
    if isinstance(answer, Mapping):
        return _parts(answer, list(answer)) if answer else "an empty answer"
    return _cut(shorten(answer))


def _cut(text: str) -> str:
    return text if len(text) <= _ANSWER else f"{text[: _ANSWER - 3]}..."


turns = ReportTable[Read](
    "turns",
    "Changed turns",
    f"The first {SHOWN} of all that --json has; what was fixed or broken comes first. Of answers with several parts, "
    "those that differ are shown.",
    Lines((Column("problem", words=True), Column("turn"), METHOD, Column("change", words=True)), _turns),
    {
        Column("A", words=True): lambda read: _cell(read[0].a, answers_apart(read[1])[0]),
        Column("B", words=True): lambda read: _cell(read[0].b, answers_apart(read[1])[1]),
    },
)

SECTIONS = (
    ("What differs", (differences,)),
    ("What came of it", (accuracy, figures, costs)),
    ("Turn by turn", (counted, turns)),
)


def sections(two: TwoRuns) -> list[tuple[str, list[Table]]]:
    """Return the tables with at least one row, by section."""
    return [(title, with_lines(make(two) for make in makers)) for title, makers in SECTIONS]


def all_tables(two: TwoRuns) -> list[Table]:
    """Return all tables with at least one row."""
    return [table for _, tables in sections(two) for table in tables]


def show_comparison(two: TwoRuns, console: Console) -> None:
    """Print the comparison's runs, its remarks and all tables."""
    for name, side in two.sides:
        console.print(Text(f"{name} is ").append(heading(side.run)))
    for remark in two.remarks:
        console.print(Text(remark, style="italic"))
    if not two.changes:
        console.print("No turn came out otherwise.")
    show_tables(all_tables(two), console)
    if (left := len(two.changes) - SHOWN) > 0:
        console.print(f"{left} more changed turn{'' if left == 1 else 's'}: --json has all of them.")


def write_json(two: TwoRuns, write: Callable[[str], Any]) -> None:
    """Write the comparison as one JSON object; stream all changed turns with their answers into it."""
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
        "a": {**_flat(change.a), "answer": answered.a},
        "b": {**_flat(change.b), "answer": answered.b},
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
    """Write every common turn as a row of one Parquet file; raises the errors of `stream_rows`."""
    stream_rows(lambda: _rows(two), _COLUMNS, path)


def _rows(two: TwoRuns) -> Iterator[tuple[Any, ...]]:
    for key in two.matched.turns:
        a, b = two.a.turns[key], two.b.turns[key]
        problem, method, turn = key
        facts = (*_flat(a).values(), *_flat(b).values())
        yield (two.suite, problem, method, turn, a.turns, kind_of(a, b) or SAME, *facts)


def _flat(facts: TurnFacts) -> dict[str, Any]:
    """Return the facts of a turn that `_FACTS` names, keyed by these names in their order."""
    right, of = facts.tally or (None, None)
    return {"right": right, "of": of} | {name: getattr(facts, name) for name in list(_FACTS)[2:]}


def write_comparison_page(two: TwoRuns, path: Path, transcripts: int) -> Path:
    """Write the comparison as one HTML file, with the transcripts of at most `transcripts` changed problems.

    Transcripts show both runs, which are named A and B. Raises `InfrastructureError`, and `SettingsError` if a library
    is missing.
    """
    report = _side_by_side(two)
    (_, standing), *topics = sections(two)
    pair = _pair(two, report)
    page = draw_page(report, transcripts, folded=(standing, topics), pair=pair, compared=two.remarks)
    return write_text(path, page)


def _side_by_side(two: TwoRuns) -> Runs[Any]:
    """Return a report of both runs by their kind of answer, with changed problems in the order of the changes."""
    # The run's letter after the model's name distinguishes the rows of the two runs.
    runs = tuple(name_settings(replace(side.run, named_settings=""), letter) for letter, side in two.sides)
    keys: dict[str, ProblemKey] = {key[0]: key for arm in runs[0].plays for key in arm.plays}
    changed = dict.fromkeys(change.problem for change in two.changes)
    chosen = tuple(keys[problem] for problem in changed if problem in keys)
    return find_suite(two.suite).kind.reporting().report(suite=two.suite, runs=runs, chosen=chosen)


def _pair(two: TwoRuns, report: Runs[Any]) -> tuple[PageSide | None, PageSide | None]:
    most = max(two.counted, key=lambda each: each.turns - each.same).method
    sides, names = find_sides(report), report.names
    found = [
        sides.get((names.model_in(run.folder, row.arm), names.method(row.arm)))
        for run in report.runs
        for row in run.rows
        if row.domain is None and row.arm.method == most
    ]
    return (found[0], found[-1]) if found else (None, None)
