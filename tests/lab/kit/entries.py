"""Journal entries for tests: made by hand, or drawn."""

from __future__ import annotations

from hypothesis import strategies as st

from holdtrue.kinds.assignment.record import AssignmentDetail
from holdtrue.record import (
    AnswerStatus,
    AttemptRecord,
    CallRecord,
    EventRecord,
    ReadingRecord,
    ReplyKind,
    Satisfiability,
    Trigger,
    TurnRecord,
    Usage,
    VerdictRecord,
)
from holdtrue_lab.kinds.assignment.entry import AssignmentEntry, TurnScore
from holdtrue_lab.kit.entry import Entry, FailureEntry
from holdtrue_lab.kit.settings import RunSettings

TEXTS = st.text(st.characters(codec=None), max_size=8)  # lone surrogates too: models do say them
NAMES = st.text(max_size=5)
COUNTS = st.integers(0, 2**40)
SECONDS = st.floats(0, 1e6)
ARGS = st.lists(st.one_of(TEXTS, st.integers()), max_size=3).map(tuple)
IDS = st.lists(NAMES, max_size=2).map(tuple)
USAGES = st.builds(Usage, COUNTS, COUNTS, COUNTS, SECONDS)
CALLS = st.lists(
    st.builds(
        CallRecord,
        NAMES,
        NAMES,
        USAGES,
        st.sampled_from(ReplyKind),
        st.none() | TEXTS,
        st.dictionaries(NAMES, TEXTS, max_size=2),
    ),
    max_size=2,
).map(tuple)
READINGS = st.lists(
    st.builds(ReadingRecord, TEXTS, NAMES, st.none() | NAMES, ARGS, st.floats(0, 1), st.none() | TEXTS, st.none()),
    max_size=2,
).map(tuple)
EVENTS = st.lists(
    st.builds(EventRecord, NAMES, NAMES, COUNTS, st.none() | NAMES, ARGS, TEXTS, NAMES, st.floats(0, 1)), max_size=2
).map(tuple)
VERDICTS = st.builds(
    lambda ledger, answer, triggers, mus: VerdictRecord(ledger, answer, tuple(triggers), mus=mus),
    st.sampled_from(Satisfiability),
    st.sampled_from(AnswerStatus),
    st.lists(st.sampled_from(Trigger), max_size=2),
    st.none() | IDS,
)
ANSWERS = st.none() | st.dictionaries(TEXTS, st.one_of(TEXTS, st.integers()), max_size=3)
ATTEMPTS = st.builds(AttemptRecord, st.integers(1, 5), NAMES, TEXTS, ANSWERS, VERDICTS, CALLS, READINGS)
RECORDS = st.builds(
    TurnRecord,
    turn=st.integers(1, 10),
    user_message=TEXTS,
    method=NAMES,
    model=NAMES,
    variant=NAMES,
    reader=NAMES,
    attempts=st.lists(ATTEMPTS, min_size=1, max_size=2).map(tuple),
    delivered=st.none() | TEXTS,
    readings=READINGS,
    events=EVENTS,
    holds=IDS,
    measuring=CALLS,
    elapsed_s=SECONDS,
    detail=st.builds(AssignmentDetail, st.booleans(), st.none() | st.booleans(), IDS),
)
SCORES = st.builds(
    TurnScore,
    st.booleans(),
    st.booleans(),
    st.booleans(),
    st.sampled_from(Satisfiability),
    COUNTS,
    COUNTS,
    COUNTS,
    COUNTS,
)
ENTRIES: st.SearchStrategy[Entry] = st.one_of(
    st.builds(AssignmentEntry, NAMES, NAMES, NAMES, NAMES, st.integers(1, 10), COUNTS, RECORDS, st.none() | SCORES),
    st.builds(FailureEntry, NAMES, NAMES, NAMES, NAMES, st.integers(1, 10), NAMES, TEXTS),
)

DRIFTING = VerdictRecord(
    Satisfiability.SAT,
    AnswerStatus.VIOLATING,
    (Trigger.ANSWER_LEDGER_CONFLICT,),
)
RESPECTING = VerdictRecord(Satisfiability.SAT, AnswerStatus.RESPECTING)


def verdict(ledger: Satisfiability, answer: AnswerStatus, *triggers: Trigger) -> VerdictRecord:
    return VerdictRecord(ledger, answer, triggers)


def attempt(number: int, found: VerdictRecord, kind: str = "answer", tokens: int = 10) -> AttemptRecord:
    call = CallRecord(f"key{number}", kind, Usage(1, tokens, 1, 0.5))
    return AttemptRecord(number, kind, "text", {"A.seat": 1}, found, (call,))


def turn(
    problem: str,
    number: int,
    *verdicts: VerdictRecord,
    correct: bool = True,
    first_correct: bool | None = None,
    upstream_correct: bool | None = None,
    upstream_ledger: Satisfiability = Satisfiability.SAT,
    phantoms: int = 0,
    gaps: int = 0,
    churn: tuple[int, int] = (0, 0),
    turns: int = 2,
    domain: str = "seating",
    method: str = "direct",
    delivered: str | None = "text",
    projected: bool = False,
    scored: bool = True,
    model: str = "sim/test",
    extractor: str = "templates",
) -> AssignmentEntry:
    """Return the entry of one turn; each verdict makes an attempt, by default one that respects the ledger."""
    record = TurnRecord(
        turn=number,
        user_message="message",
        method=method,
        model=model,
        variant="stated",
        reader=extractor,
        attempts=tuple(attempt(i, found) for i, found in enumerate(verdicts or (RESPECTING,), start=1)),
        delivered=delivered,
        measuring=(CallRecord("m", "extract", Usage(1, 5, 5, 0.25)),),
        detail=AssignmentDetail(projected=projected),
    )
    score = TurnScore(
        correct,
        correct if upstream_correct is None else upstream_correct,
        correct if first_correct is None else first_correct,
        upstream_ledger,
        phantoms,
        gaps,
        *churn,
    )
    return AssignmentEntry("drift", problem, domain, method, number, turns, record, score if scored else None)


def failure(problem: str, number: int = 1, *, method: str = "direct", domain: str = "seating") -> FailureEntry:
    return FailureEntry("drift", problem, domain, method, number, "ValueError", "it broke")


def settings(**changes: object) -> RunSettings:
    given: dict[str, object] = {
        "suite": "drift",
        "source": "test",
        "problems": 2,
        "problems_sha256": "0" * 64,
        "model": "sim/test",
        "base_url": None,
        "protocol": "stated",
        "extractor": "templates",
        "seed": 42,
        "temperature": 0.0,
        "max_tokens": 2048,
        "structured": True,
        "methods": ("direct",),
        "own_methods": {},
        "limit": None,
        "max_connections": 2,
        "token_limit": None,
        "holdtrue": "0.0.0",
    }
    return RunSettings(**{**given, **changes})  # type: ignore[arg-type]
