"""Small runs of searches, written by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from holdtrue.kinds.search.record import SearchAttempt, SearchDetail, SearchStep, candidate_outcome
from holdtrue.record import AnswerStatus, CallRecord, Satisfiability, TurnRecord, Usage, VerdictRecord
from holdtrue_lab.kinds.search.entry import SearchEntry, SearchScore
from holdtrue_lab.kit.entry import FailureEntry
from tests.lab.kinds.written import write_run

PROBLEM_LINES = (
    "x1: 0..9",
    "x2: 0..9",
    "x3: 0..9",
    "c1: x1 + x2 >= 9",
    "c2: 3*x1 + x2 = 15",
    "c3: x3 - x1 <= 2",
)
NEAR, SOLVED = {"x1": 4, "x2": 2, "x3": 3}, {"x1": 3, "x2": 6, "x3": 3}
CLAIM: dict[str, int] = {}


def verdict(
    answer: AnswerStatus,
    ledger: Satisfiability = Satisfiability.UNKNOWN,
    violated: Sequence[str] = (),
    background: Sequence[str] = (),
    mus: Sequence[str] | None = None,
    reason: str | None = None,
) -> VerdictRecord:
    return VerdictRecord(
        ledger,
        answer,
        violated=tuple(violated),
        background=tuple(background),
        mus=None if mus is None else tuple(mus),
        reason=reason,
    )


FINE = verdict(AnswerStatus.RESPECTING, Satisfiability.SAT)
PROVED = verdict(AnswerStatus.RESPECTING, Satisfiability.UNSAT, mus=("c1", "c2"))
BROKEN = verdict(AnswerStatus.VIOLATING, violated=("c1", "c2"))
FALSE = verdict(AnswerStatus.VIOLATING, Satisfiability.SAT)
OUTSIDE = verdict(AnswerStatus.VIOLATING, violated=("c2",), background=("x1 = 12 is outside 0..9",))
UNREAD = verdict(AnswerStatus.UNPARSED, reason="no JSON object with a status was found")
UNSURE = verdict(AnswerStatus.UNDECIDED, reason="the time ran out")


def candidate(
    number: int,
    found: VerdictRecord,
    values: Mapping[str, int] | None,
    step: SearchStep | None = None,
    calls: int = 1,
) -> SearchAttempt:
    call = CallRecord(f"key{number}", "candidate", Usage(1, 100, 20, 0.5))
    text = "what?" if values is None else str(dict(values))
    return SearchAttempt(number, "candidate", text, values, found, (call,) * calls, step=step or SearchStep(number))


def trial(
    problem: str,
    *attempts: SearchAttempt,
    method: str = "cd_vgs",
    gold: str = "sat",
    turn: int = 1,
    turns: int = 1,
    difficulty: str = "easy",
    variant: str = "",
    base: str = "",
    protocol: str = "4x4",
    exhausted: str | None = None,
    solver_calls: int = 2,
) -> SearchEntry:
    """One trial; it is verified where its last candidate is certified."""
    certified = bool(attempts) and candidate_outcome(attempts[-1]).certified
    record = TurnRecord(
        turn=turn,
        user_message="\n".join(PROBLEM_LINES),
        method=method,
        model="sim/test",
        variant=protocol,
        reader="none",
        attempts=attempts,
        delivered=attempts[-1].text if certified else None,
        solver_calls=solver_calls,
        solver_s=1.0,
        detail=SearchDetail(exhausted),
    )
    score = SearchScore(gold, certified, len(attempts) if certified else None, difficulty, variant, base or problem)
    return SearchEntry(
        "cegvr", problem, "linear", method, turn, turns, record, score, PROBLEM_LINES if turn == 1 else ()
    )


def repaired(problem: str, method: str = "cd_vgs", **about: object) -> SearchEntry:
    """A near miss whose conflict names x1 and x2, a repeat of it, and the candidate that mends it."""
    missed = SearchStep(1, conflict=("c2",), revise=("x1", "x2"))
    again = SearchStep(2, mends=1, asked=("x1", "x2"), conflict=("c2",), revise=("x1", "x2"), repeated=True)
    return trial(
        problem,
        candidate(1, BROKEN, NEAR, missed),
        candidate(2, BROKEN, NEAR, again),
        candidate(3, FINE, SOLVED, SearchStep(2, mends=1, asked=("x1", "x2"))),
        method=method,
        **about,  # type: ignore[arg-type]
    )


def failed(problem: str, method: str = "multi_no_feedback", **about: object) -> SearchEntry:
    """Five candidates that fail in every way there is."""
    found = ((BROKEN, NEAR), (FALSE, CLAIM), (OUTSIDE, {**NEAR, "x1": 12}), (UNREAD, None), (UNSURE, CLAIM))
    attempts = [candidate(place, each, values) for place, (each, values) in enumerate(found, start=1)]
    return trial(problem, *attempts, method=method, **about)  # type: ignore[arg-type]


def claimed(problem: str, method: str, *, gold: str, calls: int = 1, **about: object) -> SearchEntry:
    """One claim that there is no solution."""
    step = SearchStep(1)
    found = PROVED if gold == "unsat" else FALSE
    return trial(problem, candidate(1, found, CLAIM, step, calls), method=method, gold=gold, **about)  # type: ignore[arg-type]


def searches() -> list[SearchEntry]:
    """Three problems, the last one impossible, each once under an arm that fails, ours, and one that saw a witness."""
    entries = []
    for problem, difficulty in (("p", "easy"), ("q", "hard")):
        entries += [
            failed(problem, difficulty=difficulty),
            repaired(problem, difficulty=difficulty),
            repaired(problem, "cd_vgs_core_rank+witness", difficulty=difficulty),
        ]
    for method in ("multi_no_feedback", "cd_vgs", "cd_vgs_core_rank+witness"):
        entries.append(claimed("u", method, gold="unsat", difficulty="hard"))
    return entries


def controls() -> list[SearchEntry]:
    """`always_unsat` on the same problems."""
    golds = {"p": ("sat", "easy"), "q": ("sat", "hard"), "u": ("unsat", "hard")}
    return [
        claimed(problem, "always_unsat", gold=gold, calls=0, difficulty=difficulty)
        for problem, (gold, difficulty) in golds.items()
    ]


def failure(problem: str, method: str = "cd_vgs", turn: int = 1) -> FailureEntry:
    return FailureEntry("cegvr", problem, "linear", method, turn, "ValueError", "it broke")


write = partial(write_run, suite="cegvr", protocol="4x4", extractor="none")
