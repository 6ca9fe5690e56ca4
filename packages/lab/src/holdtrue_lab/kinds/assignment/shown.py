"""Show turns about assignments on the HTML page and, for `report --turns`, as plain text.

The page shows the problems on which methods differ most.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from holdtrue.kinds.assignment.record import AssignmentRecord
from holdtrue.record import AnswerStatus, AttemptRecord, EventRecord, TurnOutcome, channel
from holdtrue.verification.coverage import Coverage, coverage_of
from holdtrue.verification.words import describe, quote
from holdtrue_lab.kinds.assignment.entry import AssignmentEntry
from holdtrue_lab.kinds.assignment.report import Report
from holdtrue_lab.kit.shown import ProblemOnPage, Talk, show_most_telling
from holdtrue_lab.kit.transcript import shorten, title_of

_NO_ANSWER = (AnswerStatus.UNPARSED, AnswerStatus.REFUSED)


@dataclass(frozen=True, slots=True)
class Break:
    """A commitment that an answer of one turn broke.

    `made` is the turn that made the commitment, and `turn` the turn that broke it. `delivered` says whether the
    delivered answer broke it, and not only another attempt.
    """

    id: str
    sentence: str
    made: int
    turn: int
    delivered: bool


@dataclass(frozen=True, slots=True)
class Active:
    """A commitment that holds in a turn.

    `made` is the turn that made the commitment, and `broken` says whether the delivered answer breaks it.
    """

    id: str
    sentence: str
    made: int
    broken: bool


@dataclass(frozen=True)
class ShownTurn:
    """One turn of a conversation, for the page.

    `known` has the events that made the conversation's commitments, by the id of the commitment. `breaks` has the
    broken commitments of this turn, and `by_commitment` those of all turns.
    """

    entry: AssignmentEntry
    known: Mapping[str, EventRecord]
    breaks: Sequence[Break]
    by_commitment: Mapping[str, Sequence[Break]]

    @property
    def record(self) -> AssignmentRecord:
        return self.entry.record

    @property
    def correct(self) -> bool | None:
        """True if the answer is right, and None if gold is not known."""
        return None if self.entry.score is None else self.entry.score.correct

    @property
    def wrong_because(self) -> str | None:
        """The channel (the reason) of a wrong turn, or None."""
        return channel(self.record.final.verdict.outcome).value if self.correct is False else None

    @property
    def no_answer(self) -> str | None:
        """The reason why the last attempt gave no answer, or None if it gave one."""
        verdict = self.record.final.verdict
        return verdict.reason if verdict.answer in _NO_ANSWER else None

    @cached_property
    def coverage(self) -> Coverage:
        """The coverage of the turn's verdict, which names the sentences that were not read with confidence."""
        return coverage_of(self.record)

    @cached_property
    def broken(self) -> frozenset[str]:
        """The ids of the commitments that the delivered answer breaks."""
        return frozenset(each.id for each in self.breaks if each.delivered)

    @cached_property
    def values(self) -> list[tuple[str, str, bool]]:
        """The values of each entity in words, and whether a broken commitment is about the entity."""
        return _values(self.record.final, [self.known[id] for id in self.broken if id in self.known])

    def is_first(self, event: EventRecord) -> bool:
        """Return whether the event is the first one about its commitment."""
        return event is self.known[event.id]

    def broken_since(self, event: EventRecord) -> list[Break]:
        """Return each `Break`, in this turn or later ones, of the commitment that the event adds or reinstates."""
        if event.kind not in ("added", "reinstated"):
            return []
        return [each for each in self.by_commitment.get(event.id, ()) if each.turn >= event.turn]

    def commitments(self, ids: Iterable[str]) -> list[Active]:
        """Return the commitments with these ids in words."""
        found = [(id, self.known.get(id)) for id in ids]
        return [
            Active(id, event.sentence if event else id, event.turn if event else 0, id in self.broken)
            for id, event in found
        ]

    def verdict(self, attempt: AttemptRecord) -> list[str]:
        """Return the verdict on an attempt in sentences; none if the record lacks the attempt's ledger."""
        known = has_known_ledger(self.record, attempt)
        return list(describe(attempt.verdict, self.known, coverage=self.coverage)) if known else []


def show_conversation(entries: Sequence[AssignmentEntry]) -> list[ShownTurn]:
    """Return the turns of one problem under one method. The entries must come in order."""
    known: dict[str, EventRecord] = {}
    for entry in entries:
        note(known, entry.record)
    breaks = [_breaks(entry.record, known) for entry in entries]
    by_commitment: dict[str, list[Break]] = {}
    for broken in (each for turn in breaks for each in turn):
        by_commitment.setdefault(broken.id, []).append(broken)
    return [ShownTurn(entry, known, broken, by_commitment) for entry, broken in zip(entries, breaks, strict=True)]


def note(known: dict[str, EventRecord], record: AssignmentRecord) -> None:
    """Add to `known` the first event about each commitment of a turn, by the commitment's id."""
    for event in record.events:
        known.setdefault(event.id, event)


def has_known_ledger(record: AssignmentRecord, attempt: AttemptRecord) -> bool:
    """Return whether the record holds the ledger that this attempt was checked against.

    Under the published protocol, every attempt has its own ledger, but the record keeps only that of the last attempt.
    """
    return attempt is record.final or record.variant == "stated"


def _breaks(record: AssignmentRecord, known: Mapping[str, EventRecord]) -> list[Break]:
    """Return each commitment that an attempt breaks, once. Those that the delivered answer breaks come first."""
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


def _values(attempt: AttemptRecord, broken: Sequence[EventRecord]) -> list[tuple[str, str, bool]]:
    """Return the answer by entity: `3`, or `start 3, duration 2` if there are several attributes."""
    if attempt.answer is None:
        return []
    blamed = {arg for event in broken for arg in event.args}
    by_entity: dict[str, list[tuple[str, str]]] = {}
    for name, value in attempt.answer.items():
        entity, _, attribute = name.rpartition(".")
        by_entity.setdefault(entity, []).append((attribute, str(value)))
    single = len({attribute for values in by_entity.values() for attribute, _ in values}) == 1
    return [
        (entity, ", ".join(value if single else f"{name} {value}" for name, value in values), entity in blamed)
        for entity, values in by_entity.items()
    ]


@dataclass(frozen=True)
class ShownProblem(ProblemOnPage[AssignmentEntry]):
    """One problem, with the conversations of all sides (a model under a method) that played it."""

    @property
    def messages(self) -> tuple[str, ...]:
        return tuple(entry.record.user_message for entry in self.longest)

    @cached_property
    def conversations(self) -> list[Talk[ShownTurn]]:
        return [Talk(side, tuple(show_conversation(entries))) for side, entries in self.entries.items()]


def show_problems(report: Report, number: int) -> list[ShownProblem]:
    """Return the problems on which methods differ most, at most `number`."""
    return show_most_telling(report, number, AssignmentEntry, ShownProblem)


class AssignmentTeller:
    """Describes turns in plain text, one by one. It remembers commitments, so that it can quote broken ones."""

    def __init__(self) -> None:
        self._agreed: dict[tuple[str, str], dict[str, EventRecord]] = {}

    def tell(self, entry: AssignmentEntry) -> list[str]:
        """Return the lines of plain text about one turn."""
        record = entry.record
        agreed = self._agreed.setdefault((entry.problem, entry.method), {})
        note(agreed, record)
        lines = [title_of(entry), f"  user: {record.user_message}"]
        first, final = record.attempts[0], record.final
        has_ledger, coverage = has_known_ledger(record, first), coverage_of(record)
        lines += (
            _tell_attempt("answer", first, agreed, coverage) if has_ledger else [f"  answer: {shorten(first.text)}"]
        )
        if final is not first:
            kinds = ", ".join(attempt.kind for attempt in record.attempts[1:])
            lines += _tell_attempt(f"then {kinds}", final, agreed, coverage)
        gold = "" if entry.score is None else ("; right" if entry.score.correct else "; wrong")
        lines.append(f"  {_came_to(record.final.verdict.outcome, coverage)} ({record.final.verdict.outcome}{gold})")
        if record.withheld is not None:
            lines.append(f"    Nothing is delivered: {record.withheld}.")
        if record.detail.nearest is False:
            lines.append("    The mended answer is valid, and not proved the nearest.")
        if record.detail.set_aside:
            lines.append(f"    Set aside: {'; '.join(quote(agreed, record.detail.set_aside))}.")
        return lines


def _tell_attempt(
    title: str, attempt: AttemptRecord, agreed: Mapping[str, EventRecord], coverage: Coverage
) -> list[str]:
    lines = describe(attempt.verdict, agreed, coverage=coverage)
    return [f"  {title}: {shorten(attempt.text)}", *(f"    {line}" for line in lines)]


def _came_to(outcome: TurnOutcome, coverage: Coverage) -> str:
    """Return the outcome of a turn in capitals. It never claims that everything was kept if a sentence was not read."""
    match outcome:
        case TurnOutcome.CONSISTENT if coverage.nothing_read:
            return "NOTHING READ"
        case TurnOutcome.CONSISTENT if not coverage.agreed:
            return "NOTHING AGREED"
        case TurnOutcome.CONSISTENT:
            return "KEPT" if coverage.complete else "KEPT AS FAR AS READ"
        case TurnOutcome.UNPARSED | TurnOutcome.REFUSED:
            return "NO ANSWER"
        case TurnOutcome.INCOMPLETE | TurnOutcome.UNDECIDED:
            return outcome.upper()
    return "BROKEN"
