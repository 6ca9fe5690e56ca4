"""The problems that the HTML page shows, with what was agreed, answered, broken: those where methods differ most."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from holdtrue.kinds.assignment.record import AssignmentRecord
from holdtrue.record import AnswerStatus, AttemptRecord, EventRecord, TurnOutcome, channel
from holdtrue.verification.coverage import Coverage, coverage_of
from holdtrue.verification.words import describe
from holdtrue_lab.kinds.assignment.entry import AssignmentEntry
from holdtrue_lab.kinds.assignment.report import Report
from holdtrue_lab.kit.shown import SHOWN, ProblemOnPage, Talk, show_most_telling

_NO_ANSWER = (AnswerStatus.UNPARSED, AnswerStatus.REFUSED)


@dataclass(frozen=True, slots=True)
class Break:
    """A commitment that was broken in one turn; if not `delivered`, only an attempt broke it that was not delivered."""

    id: str
    sentence: str
    made: int
    turn: int
    delivered: bool


@dataclass(frozen=True, slots=True)
class Agreed:
    """An `Agreed` tells what happened to a commitment in a turn. If `first`, no earlier turn mentions it.

    `breaks` are all places where this turn or a later one breaks it.
    """

    id: str
    first: bool
    kind: str
    sentence: str
    reason: str | None
    breaks: tuple[Break, ...]


@dataclass(frozen=True, slots=True)
class Active:
    """A commitment that holds in a turn; `made` is the turn that made it, and `broken` whether the answer breaks it."""

    id: str
    sentence: str
    made: int
    broken: bool


@dataclass(frozen=True, slots=True)
class Value:
    """A `Value` says in words what an answer gives one entity. If `broken`, a broken commitment is about it."""

    entity: str
    text: str
    broken: bool


@dataclass(frozen=True, slots=True)
class ShownAttempt:
    """One attempt. `cut` counts the characters of its text that are left out; `verdict` is in sentences."""

    number: int
    kind: str
    text: str
    cut: int
    outcome: TurnOutcome
    verdict: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ShownTurn:
    """One turn. `correct` is None where gold is not known; `wrong_because` is the channel of a wrong turn.

    `conflict` are commitments that cannot all be kept. `no_answer` says why the last attempt is no answer, where it is
    none. `coverage` tells what was not read, or not with confidence: the verdict does not speak of it.
    """

    turn: int
    message: str
    outcome: TurnOutcome
    correct: bool | None
    wrong_because: str | None
    phantoms: int
    gaps: int
    delivered: bool
    projected: bool
    values: tuple[Value, ...]
    text: str
    attempts: tuple[ShownAttempt, ...]
    breaks: tuple[Break, ...]
    conflict: tuple[Active, ...]
    agreed: tuple[Agreed, ...]
    coverage: Coverage
    no_answer: str | None
    active: tuple[Active, ...]
    set_aside: tuple[Active, ...]


def show_conversation(entries: Sequence[AssignmentEntry]) -> list[ShownTurn]:
    """The turns of one problem under one method, given in order."""
    known: dict[str, EventRecord] = {}
    for entry in entries:
        note(known, entry.record)
    breaks = [_breaks(entry.record, known) for entry in entries]
    by_commitment: dict[str, list[Break]] = {}
    for broken in (each for turn in breaks for each in turn):
        by_commitment.setdefault(broken.id, []).append(broken)
    return [
        _show_turn(entry, known, tuple(broken), by_commitment) for entry, broken in zip(entries, breaks, strict=True)
    ]


def note(known: dict[str, EventRecord], record: AssignmentRecord) -> None:
    """Add to `known` the events of a turn that made commitments, by the commitments' ids."""
    for event in record.events:
        known.setdefault(event.id, event)


def has_known_ledger(record: AssignmentRecord, attempt: AttemptRecord) -> bool:
    """Return whether the record holds the ledger that this attempt was checked against.

    Under the published protocol every attempt has a ledger of its own, and only that of the last attempt is recorded.
    """
    return attempt is record.final or record.variant != "upstream"


def _show_turn(
    entry: AssignmentEntry,
    known: Mapping[str, EventRecord],
    breaks: tuple[Break, ...],
    by_commitment: Mapping[str, Sequence[Break]],
) -> ShownTurn:
    record, score, final = entry.record, entry.score, entry.record.final
    broken = frozenset(each.id for each in breaks if each.delivered)
    wrong = score is not None and not score.correct
    return ShownTurn(
        turn=entry.turn,
        message=record.user_message,
        outcome=record.final.verdict.outcome,
        correct=None if score is None else score.correct,
        wrong_because=channel(record.final.verdict.outcome).value if wrong else None,
        phantoms=0 if score is None else score.phantoms,
        gaps=0 if score is None else score.gaps,
        delivered=record.delivered is not None,
        projected=record.detail.projected,
        values=_values(final, [known[id] for id in broken if id in known]),
        text=final.text[:SHOWN],
        attempts=tuple(_show_attempt(record, attempt, known) for attempt in record.attempts),
        breaks=breaks,
        conflict=tuple(_active(id, known, broken) for id in final.verdict.mus or ()),
        agreed=tuple(_agreed(event, known, by_commitment) for event in record.events),
        coverage=coverage_of(record),
        no_answer=final.verdict.reason if final.verdict.answer in _NO_ANSWER else None,
        active=tuple(_active(id, known, broken) for id in record.holds),
        set_aside=tuple(_active(id, known, broken) for id in record.detail.set_aside),
    )


def _breaks(record: AssignmentRecord, known: Mapping[str, EventRecord]) -> list[Break]:
    """Return the commitments that the attempts break, each once; those that the delivered answer breaks come first."""
    found: dict[str, Break] = {}
    for attempt in reversed(record.attempts):
        if not has_known_ledger(record, attempt):
            continue
        verdict = attempt.verdict
        for id in (*verdict.violated, *verdict.blame):
            event = known.get(id)
            if event is not None:
                delivered = attempt is record.final and record.delivered is not None
                found.setdefault(id, Break(id, event.sentence, event.turn, record.turn, delivered))
    return list(found.values())


def _agreed(
    event: EventRecord, known: Mapping[str, EventRecord], by_commitment: Mapping[str, Sequence[Break]]
) -> Agreed:
    later = (each for each in by_commitment.get(event.id, ()) if each.turn >= event.turn)
    breaks = tuple(later) if event.kind in ("added", "reinstated") else ()
    return Agreed(event.id, event is known[event.id], event.kind, event.sentence, event.reason, breaks)


def _active(id: str, known: Mapping[str, EventRecord], broken: frozenset[str]) -> Active:
    event = known.get(id)
    return Active(id, event.sentence if event else id, event.turn if event else 0, id in broken)


def _show_attempt(record: AssignmentRecord, attempt: AttemptRecord, known: Mapping[str, EventRecord]) -> ShownAttempt:
    lines = describe(attempt.verdict, known, coverage=coverage_of(record)) if has_known_ledger(record, attempt) else ()
    cut = max(0, len(attempt.text) - SHOWN)
    outcome = attempt.verdict.outcome
    return ShownAttempt(attempt.attempt, attempt.kind, attempt.text[:SHOWN], cut, outcome, tuple(lines))


def _values(attempt: AttemptRecord, broken: Sequence[EventRecord]) -> tuple[Value, ...]:
    """The answer by entity, as `3`, or as `start 3, duration 2` where there are several attributes."""
    if attempt.answer is None:
        return ()
    blamed = {arg for event in broken for arg in event.args}
    by_entity: dict[str, list[tuple[str, str]]] = {}
    for name, value in attempt.answer.items():
        entity, _, attribute = name.rpartition(".")
        by_entity.setdefault(entity, []).append((attribute, str(value)))
    single = len({attribute for values in by_entity.values() for attribute, _ in values}) == 1
    return tuple(
        Value(entity, ", ".join(value if single else f"{name} {value}" for name, value in values), entity in blamed)
        for entity, values in by_entity.items()
    )


@dataclass(frozen=True)
class ShownProblem(ProblemOnPage[AssignmentEntry]):
    """One problem with all sides that played it; `messages` are the user's, turn by turn."""

    @property
    def messages(self) -> tuple[str, ...]:
        return tuple(entry.record.user_message for entry in self.longest)

    @cached_property
    def conversations(self) -> list[Talk[ShownTurn]]:
        return [Talk(side, tuple(show_conversation(entries))) for side, entries in self.entries.items()]


def show_problems(report: Report, number: int) -> list[ShownProblem]:
    """Return at most `number` problems, those on which methods differ most."""
    return show_most_telling(report, number, AssignmentEntry, ShownProblem)
