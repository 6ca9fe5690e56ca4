"""Paired tests of two runs: the same method in both, over the problems that both have finished."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from holdtrue_lab.figures.significance import Paired
from holdtrue_lab.figures.statistics import Estimate, Rate
from holdtrue_lab.kit.arm import Arm
from holdtrue_lab.kit.folder import Run
from holdtrue_lab.kit.pairs import Pair, Solved, corrected
from holdtrue_lab.kit.plays import ACCURACY, ArmPlays

Read = Callable[[Any], Rate | Estimate]


@dataclass(frozen=True, slots=True)
class RunTest:
    """A method in run B against itself in run A, on one figure.

    `a` and `b` are the means over `problems`, each counting once, and `paired` is B less A, with its interval and the
    p-value of flipping signs. `solved` counts problems most of whose turns are right (`arm` is B, `other` A), with
    McNemar's test; it is None for other figures than accuracy. `holm` and `mcnemar_holm` are the two p-values after
    Holm over all methods (`corrected`).
    """

    arm: Arm
    other: Arm
    figure: str
    problems: int
    turns: int
    a: float
    b: float
    paired: Paired
    holm: float
    solved: Solved | None
    mcnemar_holm: float | None


@dataclass(frozen=True, slots=True)
class RunFigure:
    """A figure of one method in both runs, over the problems that both have finished; `test` is None without one."""

    method: str
    figure: str
    a: Rate | Estimate | None
    b: Rate | Estimate | None
    test: RunTest | None


def by_method(run: Run[Any]) -> Mapping[str, ArmPlays[Any]]:
    """Return what was played under each method; where it was under several settings, the problems of all of them."""
    found: dict[str, list[ArmPlays[Any]]] = {}
    for arm in run.plays:
        found.setdefault(arm.arm.method, []).append(arm)
    return {
        method: replace(arms[0], plays={asked: play for arm in reversed(arms) for asked, play in arm.plays.items()})
        for method, arms in found.items()
    }


def compare_methods(one: Run[Any], other: Run[Any], compared: Mapping[str, Read]) -> tuple[RunTest, ...]:
    """Test B (`other`) against A (`one`) under each method of both, on accuracy and on the `compared` figures.

    The p-values of one figure are corrected together, by the policy of all paired tests (`lab.kit.pairs`).
    """
    a, b = by_method(one), by_method(other)
    found = [
        _test(pair)
        for method in a
        if method in b
        for figure in (ACCURACY, *compared)
        if (pair := Pair(b[method], a[method], figure)).problems
    ]

    def figure(test: RunTest) -> str:
        return test.figure

    tests = corrected(found, "holm", lambda each: each.paired.p, apart=figure)
    return corrected(tests, "mcnemar_holm", lambda each: None if each.solved is None else each.solved.p, apart=figure)


def _test(pair: Pair[Any]) -> RunTest:
    """Test one method; the p-values are not yet corrected."""
    (b, a), test = pair.of_problems, pair.test()
    solved = pair.solved() if pair.figure == ACCURACY else None
    return RunTest(
        arm=pair.arm.arm,
        other=pair.other.arm,
        figure=pair.figure,
        problems=len(pair.problems),
        turns=pair.turns,
        a=a,
        b=b,
        paired=test,
        holm=test.p,
        solved=solved,
        mcnemar_holm=None if solved is None else solved.p,
    )


def compare_figures(
    one: Run[Any], other: Run[Any], compared: Mapping[str, Read], tests: Sequence[RunTest]
) -> Iterator[RunFigure]:
    """Yield the `compared` figures of each method that both have, unless it has no value in either run."""
    a, b = ({row.arm.method: row for row in run.rows if row.domain is None} for run in (one, other))
    tested = {(test.arm.method, test.figure): test for test in tests}
    for method in a:
        for figure, read in compared.items() if method in b else ():
            values = read(a[method]), read(b[method])
            if any(value.value is not None for value in values):
                yield RunFigure(method, figure, *values, tested.get((method, figure)))
