"""Trials of searches for tests, made of candidates that are right or wrong, with their figures and plays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from holdtrue.kinds.search.method import SEARCH_PRESETS
from holdtrue.kinds.search.record import SearchAttempt, SearchStep
from holdtrue.record import CallRecord, Usage, VerdictRecord
from holdtrue_lab.figures.statistics import Rate
from holdtrue_lab.kinds.search.entry import SearchEntry
from holdtrue_lab.kinds.search.metrics import MEASURE as measure_search
from holdtrue_lab.kit.arm import Arm
from holdtrue_lab.kit.entry import Entry
from holdtrue_lab.kit.groups import FigureRow
from holdtrue_lab.kit.plays import ArmPlays, Play
from tests.lab.kinds.search.runs import BROKEN, FALSE, FINE, PROVED, UNREAD, UNSURE, trial

ROUND_1 = SearchStep(1)
CALL = Usage(1, 100, 10, 0.5)
Candidate = tuple[Mapping[str, int] | None, VerdictRecord, SearchStep]


def good(step: SearchStep = ROUND_1) -> Candidate:
    return {"x": 1, "y": 1}, FINE, step


def bad(step: SearchStep = ROUND_1, **values: int) -> Candidate:
    return values or {"x": 0, "y": 0}, BROKEN, step


def claim(true: bool) -> Candidate:
    return {}, PROVED if true else FALSE, ROUND_1


MUTE: Candidate = None, UNREAD, ROUND_1
UNDECIDED: Candidate = {}, UNSURE, ROUND_1


def entry(
    problem: str, *candidates: Candidate, usage: Usage = CALL, correct: bool | None = None, **about: Any
) -> SearchEntry:
    """Return a trial with these candidates and a call for each. `correct` replaces the score of its last candidate."""
    attempts = (
        SearchAttempt(n, "candidate", "text", answer, ruling, (CallRecord("key", "candidate", usage),), step=step)
        for n, (answer, ruling, step) in enumerate(candidates, start=1)
    )
    made = trial(problem, *attempts, **{"method": "multi_no_feedback", "protocol": "2x3", "solver_calls": 0, **about})
    assert made.score is not None
    return made if correct is None else replace(made, score=replace(made.score, correct=correct))


def plays(
    method: str,
    verified: Mapping[str, Sequence[int]],
    *,
    calls: Mapping[str, Sequence[int]] | None = None,
    variants: Mapping[str, tuple[str, str]] | None = None,
    model: str = "m",
    protocol: str = "4x4",
    asks_model: bool = True,
    said: int = 0,
) -> ArmPlays[Play]:
    """A method with the trials of each problem: 1 is verified, 0 not, -1 without a score.

    Each trial made so many `calls` (1 where nothing is said) of 10 tokens; `variants` are (variant, base) by problem.
    """
    preset = SEARCH_PRESETS.get(method)
    found = {}
    for problem, hits in verified.items():
        made = (calls or {}).get(problem, [1] * len(hits))
        variant, base = (variants or {}).get(problem, ("", problem))
        played = [
            (turn, hit, times) for turn, (hit, times) in enumerate(zip(hits, made, strict=True), start=1) if hit >= 0
        ]
        spent = {turn: times for turn, _, times in played}
        found[problem, said] = Play(
            "linear",
            len(hits),
            {turn: bool(hit) for turn, hit, _ in played},
            {"calls": spent, "generated": {turn: 10 * times for turn, times in spent.items()}},
            variant,
            base,
        )
    arm = Arm("cegvr", model, protocol, "none", method)
    return ArmPlays(arm, False, found, asks_model=asks_model, single=bool(preset and preset.single))


def only(*entries: Entry) -> FigureRow:
    """Return the one row over all domains and difficulties."""
    rows = measure_search(entries).rows
    [row] = [row for row in rows if (row.domain, row.told["difficulty"]) == (None, None)]
    return row


def counted(rate: Rate) -> tuple[int, int]:
    """Hits out of how many."""
    return rate.hits, rate.of
