"""The tables of a comparison of two runs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from holdtrue_lab.figures.cells import (
    MISSING,
    coverage,
    decimal,
    in_interval,
    p_value,
    percent,
    rate_in_interval,
)
from holdtrue_lab.figures.significance import Paired
from holdtrue_lab.figures.statistics import Estimate, Rate
from holdtrue_lab.figures.table import Column, Table, with_lines
from holdtrue_lab.kit.pairs import FAMILY
from holdtrue_lab.kit.plays import ACCURACY
from holdtrue_lab.kit.tables import METHOD, Columns, Lines, ReportTable, paired_points
from holdtrue_lab.kit.transcript import shorten
from holdtrue_lab.kit.two_runs.changes import Answered, Change, ChangeKind, Counted, RunCost, read_answers
from holdtrue_lab.kit.two_runs.comparison import TwoRuns
from holdtrue_lab.kit.two_runs.paired_tests import RunFigure, RunTest
from holdtrue_lab.kit.two_runs.side import TurnFacts

SHOWN = 20  # changed turns in a table; all of them are in the JSON
_ANSWER = 72  # characters of an answer in a table
_VALUE = 60  # and of a setting


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


def _accuracies(two: TwoRuns) -> Iterator[tuple[Sequence[str], RunTest]]:
    return (((each.arm.method,), each) for each in two.tests if each.figure == ACCURACY)


accuracy = ReportTable[RunTest](
    "accuracy",
    "Accuracy of the same methods in both runs",
    "B less A over the problems that both have finished, each counting once, with "
    "the p-value of flipping signs; McNemar's exact test is on problems solved in one run alone. "
    f"{FAMILY}",
    Lines((METHOD,), _accuracies),
    {
        Column("A %"): lambda each: percent(each.a),
        Column("B %"): lambda each: percent(each.b),
        **Columns[RunTest]().difference(lambda each: each.paired),
        Column("p"): lambda each: p_value(each.paired.p),
        Column("Holm"): lambda each: p_value(each.holm),
        Column("Mc\u00adNemar Holm"): lambda each: p_value(each.mcnemar_holm),
        Column("prob\u00adlems"): lambda each: str(each.problems),
    },
)


def _of(value: Rate | Estimate | None) -> str:
    if value is None:
        return MISSING
    return f"{rate_in_interval(value)} %" if isinstance(value, Rate) else in_interval(value, decimal)


def _tested(figure: RunFigure, read: Callable[[Paired], str]) -> str:
    return MISSING if figure.test is None else read(figure.test.paired)


def _figures(two: TwoRuns) -> Iterator[tuple[Sequence[str], RunFigure]]:
    return (((each.method, each.figure.replace("_", " ")), each) for each in two.figures)


figures = ReportTable[RunFigure](
    "figures",
    "Other figures in both runs",
    "Over the problems that both have finished; differences, B less A, are over problems, each counting once. "
    f"{FAMILY}",
    Lines((METHOD, Column("figure", words=True)), _figures),
    {
        Column("A"): lambda each: _of(each.a),
        Column("B"): lambda each: _of(each.b),
        Column("differ\u00adence, pp", optional=True): lambda each: _tested(each, paired_points),
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
    """Return both answers as short texts; of two that have parts, such as values, the parts that differ."""
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
    """Return the tables that have a row, by section."""
    return [(title, with_lines(make(two) for make in makers)) for title, makers in SECTIONS]


def all_tables(two: TwoRuns) -> list[Table]:
    """Return all tables that have a row."""
    return [table for _, tables in sections(two) for table in tables]
