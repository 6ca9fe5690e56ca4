"""The cases that the HTML page shows, with queries, answers and clashes: those on which methods differ most."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from holdtrue.kinds.labels.record import LabelAttempt, LabelOutcome, LabelsRecord, label_outcome
from holdtrue.kinds.labels.verdict_words import Sayings, describe_labels, names, why
from holdtrue_lab.kinds.labels.entry import LabelEntry
from holdtrue_lab.kinds.labels.report import LabelReport
from holdtrue_lab.kit.shown import SHOWN, ProblemOnPage, Talk, show_most_telling

NO_LABEL = "no label"


@dataclass(frozen=True, slots=True)
class ShownQuery:
    """A query as it was asked, in which turn, and its true label where that is known."""

    id: str
    text: str
    turn: int
    gold: str | None


@dataclass(frozen=True, slots=True)
class ShownAnswer:
    """The labels of one query: `given` by the attempts, `now` after the turn, and at the `end` of the case.

    `correct` is about the label at the end, None where gold is not known. If `clashes`, a conflict of the last attempt
    names the query.
    """

    id: str
    turn: int
    given: tuple[str, ...]
    now: str
    end: str
    correct: bool | None
    clashes: bool

    @property
    def path(self) -> tuple[str, ...]:
        """All of these labels in their order; one that did not change is there once."""
        return _changes((*self.given, self.now, self.end))


@dataclass(frozen=True, slots=True)
class ShownEvent:
    """A `ShownEvent` tells what became of a belief."""

    id: str
    kind: str
    sentence: str
    why: str


@dataclass(frozen=True, slots=True)
class ShownLabels:
    """One attempt. `cut` counts the characters of its text that are left out; `clash` is a conflict in words, or ''."""

    number: int
    kind: str
    text: str
    cut: int
    outcome: LabelOutcome
    verdict: tuple[str, ...]
    clash: str


@dataclass(frozen=True, slots=True)
class ShownLabelTurn:
    """One turn. `believed` are what is believed after it, `aside` what was given up and has not come back."""

    turn: int
    answers: tuple[ShownAnswer, ...]
    attempts: tuple[ShownLabels, ...]
    events: tuple[ShownEvent, ...]
    believed: tuple[ShownEvent, ...]
    aside: tuple[ShownEvent, ...]

    @property
    def right(self) -> int:
        return sum(answer.correct is True for answer in self.answers)

    @property
    def scored(self) -> bool:
        return all(answer.correct is not None for answer in self.answers)


def show_queries(entries: Sequence[LabelEntry]) -> tuple[ShownQuery, ...]:
    """Return the queries that were asked in these turns."""
    return tuple(
        ShownQuery(id, text, entry.turn, _gold(entry).get(id))
        for entry in entries
        for id, text in entry.record.detail.asked.items()
    )


def show_answers(entries: Sequence[LabelEntry]) -> list[ShownLabelTurn]:
    """The turns of one case under one method, given in order."""
    sayings, end = Sayings(), entries[-1].record.detail.labels
    shown = []
    for entry in entries:
        sayings.note(entry.record)
        shown.append(_turn(entry, sayings, end))
    return shown


def _turn(entry: LabelEntry, sayings: Sayings, end: Mapping[str, str]) -> ShownLabelTurn:
    record = entry.record
    return ShownLabelTurn(
        turn=entry.turn,
        answers=tuple(_answer(id, record, _gold(entry), end) for id in record.detail.asked),
        attempts=tuple(_attempt(attempt, sayings) for attempt in record.attempts),
        events=tuple(
            ShownEvent(event.id, event.kind.replace("_", " "), event.sentence, why(event)) for event in record.events
        ),
        believed=tuple(_belief(id, sayings) for id in record.holds),
        aside=tuple(_belief(id, sayings) for id in record.detail.set_aside),
    )


def _answer(id: str, record: LabelsRecord, gold: Mapping[str, str], end: Mapping[str, str]) -> ShownAnswer:
    # Samples are told one by one among the attempts; their vote is the answer.
    given = [_label(attempt.answer, id) for attempt in record.attempts if attempt.kind != "sample"]
    last = _label(end, id)
    return ShownAnswer(
        id=id,
        turn=record.turn,
        given=_changes(given),
        now=_label(record.detail.labels, id),
        end=last,
        correct=last == gold[id] if id in gold else None,
        clashes=id in (*(record.final.verdict.mus or ()), *record.final.verdict.refuted),
    )


def _changes(labels: Sequence[str]) -> tuple[str, ...]:
    return tuple(label for place, label in enumerate(labels) if place == 0 or label != labels[place - 1])


def _label(labels: Mapping[str, str | int] | None, id: str) -> str:
    return str((labels or {}).get(id, NO_LABEL))


def _gold(entry: LabelEntry) -> Mapping[str, str]:
    return {} if entry.score is None else entry.score.gold


def _attempt(attempt: LabelAttempt, sayings: Sayings) -> ShownLabels:
    verdict = attempt.verdict
    return ShownLabels(
        number=attempt.attempt,
        kind=attempt.kind,
        text=attempt.text[:SHOWN],
        cut=max(0, len(attempt.text) - SHOWN),
        outcome=label_outcome(verdict),
        verdict=tuple(describe_labels(attempt, sayings)),
        clash=names(verdict.mus, sayings, attempt.answer) if verdict.mus else "",
    )


def _belief(id: str, sayings: Sayings) -> ShownEvent:
    event = sayings.beliefs.get(id)
    return ShownEvent(id, "", event.sentence if event else id, f"turn {event.turn}" if event else "")


@dataclass(frozen=True)
class ShownCase(ProblemOnPage[LabelEntry]):
    """One case with all sides that played it; `messages` are its queries."""

    @property
    def premises(self) -> tuple[str, ...]:
        """() where a journal does not hold them."""
        return self.longest[0].problem_lines

    @cached_property
    def messages(self) -> tuple[ShownQuery, ...]:
        return show_queries(self.longest)

    @property
    def turns(self) -> tuple[int, ...]:
        """The numbers of its turns."""
        return tuple(dict.fromkeys(query.turn for query in self.messages))

    @cached_property
    def conversations(self) -> list[Talk[ShownLabelTurn]]:
        return [Talk(side, tuple(show_answers(entries))) for side, entries in self.entries.items()]


def show_cases(report: LabelReport, number: int) -> list[ShownCase]:
    """Return at most `number` cases, those on which methods differ most."""
    return show_most_telling(report, number, LabelEntry, ShownCase)
