"""This module compares two runs of the same suite, A and B: their settings, and their results."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from holdtrue.errors import RecordError, SettingsError
from holdtrue_lab.figures.statistics import Estimate, Rate
from holdtrue_lab.kit.comparison import Comparison, comparison_of, corrected_together
from holdtrue_lab.kit.folder import Run, head_json
from holdtrue_lab.kit.metrics import plain
from holdtrue_lab.kit.pairs import Pair
from holdtrue_lab.kit.plays import ACCURACY, ArmPlays
from holdtrue_lab.kit.report import kind_of, suite_of
from holdtrue_lab.kit.reporting import Reporting
from holdtrue_lab.kit.two_runs import matching
from holdtrue_lab.kit.two_runs.changes import (
    Change,
    Counted,
    RunCost,
    compare_costs,
    count_changes,
    find_changes,
)
from holdtrue_lab.kit.two_runs.matching import Conversation, Side, read_side, read_some
from holdtrue_lab.kit.words import Number

Read = Callable[[Any], Rate | Estimate]


@dataclass(frozen=True, slots=True)
class RunFigure:
    """A figure of one method in both runs, over the problems that both have finished; `test` may be None."""

    method: str
    figure: str
    a: Rate | Estimate | None
    b: Rate | Estimate | None
    test: Comparison | None


def by_method(run: Run[Any]) -> Mapping[str, ArmPlays[Any]]:
    """Return the plays of each method; plays under several settings are merged."""
    found: dict[str, list[ArmPlays[Any]]] = {}
    for arm in run.plays:
        found.setdefault(arm.arm.method, []).append(arm)
    return {
        method: replace(arms[0], plays={asked: play for arm in reversed(arms) for asked, play in arm.plays.items()})
        for method, arms in found.items()
    }


def compare_methods(one: Run[Any], other: Run[Any], compared: Mapping[str, Read]) -> tuple[Comparison, ...]:
    """Test B (`other`) against A (`one`) under each method that both have, on accuracy and the `compared` figures."""
    a, b = by_method(one), by_method(other)
    return corrected_together(
        comparison_of(pair)
        for method in a
        if method in b
        for figure in (ACCURACY, *compared)
        if (pair := Pair(b[method], a[method], figure)).problems
    )


def compare_figures(
    one: Run[Any], other: Run[Any], compared: Mapping[str, Read], tests: Sequence[Comparison]
) -> Iterator[RunFigure]:
    """Yield, for each method that both runs have, the `compared` figures with a value in either run."""
    a, b = ({row.arm.method: row for row in run.rows if row.domain is None} for run in (one, other))
    tested = {(test.arm.method, test.figure): test for test in tests}
    for method in a:
        for figure, read in compared.items() if method in b else ():
            values = read(a[method]), read(b[method])
            if any(value.value is not None for value in values):
                yield RunFigure(method, figure, *values, tested.get((method, figure)))


NAMED = 5  # the most problems, turns or methods that a sentence names


@dataclass(frozen=True, kw_only=True, eq=False)
class TwoRuns:
    """A `TwoRuns` is the comparison of run A with run B.

    `differences` (between settings) and `prompts` (the first prompts) say how differently the runs were played. `tests`
    and `figures` are over the conversations that both runs have finished. `costs`, `counted` and `changes` are over all
    turns that both runs have (`matched`).
    """

    suite: str
    a: Side
    b: Side
    matched: matching.Matched
    differences: tuple[matching.Difference, ...]
    prompts: tuple[matching.Prompts, ...]
    tests: tuple[Comparison, ...]
    figures: tuple[RunFigure, ...]
    costs: tuple[RunCost, ...]
    counted: tuple[Counted, ...]
    changes: tuple[Change, ...]

    @property
    def sides(self) -> tuple[tuple[str, Side], tuple[str, Side]]:
        return ("A", self.a), ("B", self.b)

    @property
    def caution(self) -> str:
        return ""

    @property
    def unit(self) -> str:
        return "problems"

    @property
    def priced(self) -> str:
        return ""

    @property
    def remarks(self) -> tuple[str, ...]:
        """Sentences about everything that is not compared, or is compared only in part."""
        return tuple(_remarks(self))

    def to_json(self) -> dict[str, Any]:
        """Return the comparison as plain JSON values, without the changed turns; `writing.write_json` adds these."""
        matched = self.matched
        return {
            "schema": 1,
            "suite": self.suite,
            **{name.lower(): head_json(side.run) for name, side in self.sides},
            "remarks": list(self.remarks),
            "differences": plain(self.differences),
            "prompts": plain(self.prompts),
            "compared": {"turns": len(matched.turns), "finished_conversations": len(matched.finished)},
            "not_compared": {
                "methods_only": _both(matched.methods_only),
                "problems_only": _both(matched.problems_only),
                "turns_only": _both(matched.turns_only),
                "worded_otherwise": list(matched.worded_otherwise),
                "repeated": list(matched.repeated),
            },
            "tests": plain(self.tests),
            "figures": [{**asdict(each), "test": each.test is not None} for each in self.figures],
            "costs": plain(self.costs),
            "counted": plain(self.counted),
        }


def compare_runs(folders: Sequence[Path]) -> TwoRuns:
    """Return the comparison of two runs, A and B, turn by turn.

    Raises `SettingsError` if the folders are not two. Raises `RecordError` if one holds no run, the suites differ, or
    no turn is common.
    """
    if len(folders) != 2 or folders[0].resolve() == folders[1].resolve():
        given = ", ".join(map(str, folders))
        raise SettingsError(f"--compare takes the folders of two runs, A and B, got {given}")
    suite = suite_of(folders)
    reporting = kind_of(suite, folders).reporting()
    one, other = (read_side(folder, reporting.measure) for folder in folders)
    matched = matching.match(one, other)
    if not matched.turns:
        raise RecordError(f"{folders[0]} and {folders[1]} have no turn in common: {_why_none(matched)}")
    tests: tuple[Comparison, ...] = ()
    figures: tuple[RunFigure, ...] = ()
    if matched.finished:
        a, b = (_measured(side, reporting, matched.finished) for side in (one, other))
        tests = compare_methods(a, b, reporting.compared)
        figures = tuple(compare_figures(a, b, reporting.compared, tests))
    changes = find_changes(one, other, matched)
    return TwoRuns(
        suite=suite,
        a=one,
        b=other,
        matched=matched,
        differences=matching.settings_that_differ(one.settings, other.settings),
        prompts=matching.compare_prompts(one, other, matched),
        tests=tests,
        figures=figures,
        costs=compare_costs(one, other, matched),
        counted=count_changes(changes, matched),
        changes=changes,
    )


def _measured(side: Side, reporting: Reporting, finished: frozenset[Conversation]) -> Run[Any]:
    """Return the run, measured over these conversations alone. If the run has no others, it is not read again."""
    if {(problem, method) for problem, method, _ in side.turns} == finished and not side.run.failed:
        return side.run
    return read_some(side, reporting.measure, finished)


def _both(pair: Sequence[Sequence[Any]]) -> dict[str, list[Any]]:
    return {"a": list(pair[0]), "b": list(pair[1])}


def _remarks(two: TwoRuns) -> Iterator[str]:
    matched = two.matched
    for place, (name, side) in enumerate(two.sides):
        other = "BA"[place]
        run = side.run
        if not run.complete or run.failed:
            planned = "an unknown number" if run.planned is None else run.planned
            failed = f", {run.failed} failed" if run.failed else ""
            yield f"{name} is unfinished: {run.finished} of {planned} conversations{failed}."
        if methods := matched.methods_only[place]:
            yield f"Only {name} has played {_some(methods)}."
        if problems := matched.problems_only[place]:
            yield f"Only {name} has the {Number(len(problems)):problem} {_some(problems)}."
        if turns := matched.turns_only[place]:
            words = [f"{problem} {turn} ({method})" for problem, method, turn in turns]
            yield f"{name} has {Number(len(turns)):turn} that {other} lacks: {_some(words)}."
    if reworded := matched.worded_otherwise:
        yield f"Not compared, because A and B were asked otherwise, {Number(len(reworded)):problem}: {_some(reworded)}."
    if matched.repeated:
        yield f"Played under several settings, of which all problems count: {_some(matched.repeated)}."
    if unknown := sum(each.unknown for each in two.prompts):
        yield f"{unknown} first prompts cannot be compared, because a log of calls is missing or lacks them."
    if not matched.finished:
        yield "No conversation is finished in both, so that there is no test."


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + more


def _why_none(matched: matching.Matched) -> str:
    if matched.worded_otherwise:
        return f"{_some(matched.worded_otherwise)} were asked otherwise"
    if any(matched.problems_only):
        return "they have other problems"
    return "they have other methods" if any(matched.methods_only) else "they have other turns"
