"""Entries of searches for tests, made by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from holdtrue.kinds.search.method import SEARCH_PRESETS
from holdtrue.kinds.search.record import SearchAttempt, SearchDetail, SearchStep
from holdtrue.record import AnswerStatus, CallRecord, Satisfiability, TurnRecord, Usage, VerdictRecord
from holdtrue_lab.figures.statistics import Rate
from holdtrue_lab.kinds.search.entry import SearchEntry, SearchScore
from holdtrue_lab.kinds.search.measure import measure_search
from holdtrue_lab.kinds.search.row import SearchRow
from holdtrue_lab.kit.arm import Arm
from holdtrue_lab.kit.entry import Entry, FailureEntry
from holdtrue_lab.kit.plays import ArmPlays, Play

ROUND_1 = SearchStep(1)
CALL = Usage(1, 100, 10, 0.5)


def verdict(
    answer: AnswerStatus, ledger: Satisfiability = Satisfiability.SAT, background: Sequence[str] = ()
) -> VerdictRecord:
    return VerdictRecord(ledger, answer, background=tuple(background))


RIGHT, WRONG = verdict(AnswerStatus.RESPECTING), verdict(AnswerStatus.VIOLATING)
PROVED = verdict(AnswerStatus.RESPECTING, Satisfiability.UNSAT)
OUTSIDE = verdict(AnswerStatus.VIOLATING, background=["x = 12 is outside 0..9"])
UNREADABLE, UNDECIDED = verdict(AnswerStatus.UNPARSED), verdict(AnswerStatus.UNDECIDED)

Candidate = tuple[Mapping[str, int] | None, VerdictRecord, SearchStep]


def good(step: SearchStep = ROUND_1, **values: int) -> Candidate:
    """A candidate that is certified; a claim without values."""
    return values or {"x": 1, "y": 1}, RIGHT, step


def bad(step: SearchStep = ROUND_1, **values: int) -> Candidate:
    return values or {"x": 0, "y": 0}, WRONG, step


def claim(true: bool, step: SearchStep = ROUND_1) -> Candidate:
    return {}, PROVED if true else WRONG, step


def mute(step: SearchStep = ROUND_1) -> Candidate:
    return None, UNREADABLE, step


def entry(
    problem: str,
    *candidates: Candidate,
    turn: int = 1,
    turns: int = 1,
    gold: str = "sat",
    correct: bool | None = None,
    method: str = "multi_no_feedback",
    model: str = "sim/test",
    protocol: str = "2x3",
    domain: str = "linear",
    difficulty: str = "easy",
    variant: str = "",
    base: str = "",
    usage: Usage = CALL,
    solver_calls: int = 0,
    solver_s: float = 0.0,
    exhausted: str | None = None,
    message: str = "x + y = 2",
) -> SearchEntry:
    """A trial with these candidates, a call for each; correct where the last one is certified, or as said."""
    attempts = tuple(
        SearchAttempt(n, "candidate", "text", answer, ruling, (CallRecord("key", "candidate", usage),), step=step)
        for n, (answer, ruling, step) in enumerate(candidates, start=1)
    )
    certified = bool(attempts) and attempts[-1].verdict in (RIGHT, PROVED)
    record = TurnRecord(
        turn=turn,
        user_message=message,
        method=method,
        model=model,
        variant=protocol,
        reader="none",
        attempts=attempts,
        delivered="text" if certified else None,
        solver_calls=solver_calls,
        solver_s=solver_s,
        detail=SearchDetail(exhausted),
    )
    score = SearchScore(
        gold=gold,
        correct=certified if correct is None else correct,
        verified_at=len(attempts) if certified else None,
        difficulty=difficulty,
        variant=variant,
        base=base or problem,
    )
    return SearchEntry("cegvr", problem, domain, method, turn, turns, record, score)


def failure(
    problem: str, turn: int = 1, *, method: str = "multi_no_feedback", domain: str = "linear", suite: str = "cegvr"
) -> FailureEntry:
    return FailureEntry(suite, problem, domain, method, turn, "ModelError", "gone")


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


def only(*entries: Entry, domain: str | None = None, difficulty: str | None = None) -> SearchRow:
    """The one row over this domain, or this bin of difficulty."""
    rows = measure_search(entries).rows
    [row] = [row for row in rows if (row.domain, row.difficulty) == (domain, difficulty)]
    return row


def counted(rate: Rate) -> tuple[int, int]:
    """Hits out of how many."""
    return rate.hits, rate.of
