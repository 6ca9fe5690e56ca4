"""Show queries, answers and conflicts on the HTML page and, for `report --turns`, as plain text.

The page shows the cases on which methods differ most.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from holdtrue.kinds.labels.record import LabelAttempt, LabelsRecord
from holdtrue.kinds.labels.verdict_words import Sayings, describe_event, describe_labels, list_labels, names
from holdtrue_lab.kinds.labels.entry import LabelEntry
from holdtrue_lab.kinds.labels.report import LabelReport
from holdtrue_lab.kit.shown import ProblemOnPage, Talk, show_most_telling
from holdtrue_lab.kit.transcript import title_of

NO_LABEL = "no label"


@dataclass(frozen=True, slots=True)
class ShownQuery:
    """A query, the turn in which it was asked, and its true label if that is known."""

    id: str
    text: str
    turn: int
    gold: str | None


@dataclass(frozen=True, slots=True)
class ShownAnswer:
    """The labels of one query: `given` by the attempts, `now` after the turn, and at the `end` of the case.

    `correct` says whether the final label is right, or is None if gold is not known. `clashes` is true if a conflict of
    the last attempt names the query.
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
        """All of these labels in order, without repetitions."""
        return _changes((*self.given, self.now, self.end))


@dataclass(frozen=True, slots=True)
class ShownLabelTurn:
    """One turn, with everything that was said up to it."""

    entry: LabelEntry
    answers: tuple[ShownAnswer, ...]
    sayings: Sayings

    @property
    def right(self) -> int:
        return sum(answer.correct is True for answer in self.answers)

    @property
    def scored(self) -> bool:
        return all(answer.correct is not None for answer in self.answers)

    def verdict(self, attempt: LabelAttempt) -> list[str]:
        """Return the findings about an attempt in sentences."""
        return list(describe_labels(attempt, self.sayings))

    def clash(self, attempt: LabelAttempt) -> str:
        """Return the conflict of an attempt in words, or ''."""
        mus = attempt.verdict.mus
        return names(mus, self.sayings, attempt.answer) if mus else ""

    def beliefs(self, ids: Iterable[str]) -> list[tuple[str, str, str]]:
        """Return these beliefs, each with its sentence and the turn in which it was made."""
        found = [(id, self.sayings.beliefs.get(id)) for id in ids]
        return [(id, event.sentence if event else id, f"turn {event.turn}" if event else "") for id, event in found]


def show_queries(entries: Sequence[LabelEntry]) -> tuple[ShownQuery, ...]:
    """Return the queries of these turns."""
    return tuple(
        ShownQuery(id, text, entry.turn, _gold(entry).get(id))
        for entry in entries
        for id, text in entry.record.detail.asked.items()
    )


def show_answers(entries: Sequence[LabelEntry]) -> list[ShownLabelTurn]:
    """Return the turns of one case under one method. The entries must come in order."""
    sayings, end = Sayings(), entries[-1].record.detail.labels
    shown = []
    for entry in entries:
        sayings.note(entry.record)
        until = replace(
            sayings, statements={**sayings.statements}, given={**sayings.given}, beliefs={**sayings.beliefs}
        )
        answers = (_answer(id, entry.record, _gold(entry), end) for id in entry.record.detail.asked)
        shown.append(ShownLabelTurn(entry, tuple(answers), until))
    return shown


def _answer(id: str, record: LabelsRecord, gold: Mapping[str, str], end: Mapping[str, str]) -> ShownAnswer:
    # Samples are left out, because their vote is the answer.
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


@dataclass(frozen=True)
class ShownCase(ProblemOnPage[LabelEntry]):
    """One case with the turns of all sides (a model under a method) that played it; `messages` are its queries."""

    @property
    def premises(self) -> tuple[str, ...]:
        """The premises, or () if a journal lacks them."""
        return self.longest[0].problem_lines

    @cached_property
    def messages(self) -> tuple[ShownQuery, ...]:
        return show_queries(self.longest)

    @property
    def turns(self) -> tuple[int, ...]:
        """The numbers of the case's turns."""
        return tuple(dict.fromkeys(query.turn for query in self.messages))

    @cached_property
    def conversations(self) -> list[Talk[ShownLabelTurn]]:
        return [Talk(side, tuple(show_answers(entries))) for side, entries in self.entries.items()]


def show_cases(report: LabelReport, number: int) -> list[ShownCase]:
    """Return the cases on which methods differ most, at most `number`."""
    return show_most_telling(report, number, LabelEntry, ShownCase)


class LabelTeller:
    """Describes turns in plain text, one by one. It remembers statements, so that it can quote them in conflicts."""

    def __init__(self) -> None:
        self._sayings: dict[tuple[str, str], Sayings] = {}

    def tell(self, entry: LabelEntry) -> list[str]:
        """Return the lines of plain text about one turn."""
        record, ids = entry.record, list(entry.record.detail.asked)
        sayings = self._sayings.setdefault((entry.problem, entry.method), Sayings())
        sayings.note(record)
        gold = entry.score.gold if entry.score is not None else {}
        lines = [title_of(entry)]
        lines += [f"  P{place}: {text}" for place, text in enumerate(entry.problem_lines, start=1)]
        lines += [f"  {id}: {text}" for id, text in record.detail.asked.items()]
        for attempt in record.attempts:
            lines.append(f"  {attempt.kind}: {list_labels(attempt.answer, ids)}")
            lines += [f"    {line}" for line in describe_labels(attempt, sayings)]
        lines += [f"  {describe_event(event)}" for event in record.events if event.kind != "added"]
        wrong = [f"{id} is {gold[id]}" for id in ids if id in gold and record.detail.labels.get(id) != gold[id]]
        right = f" ({len(gold) - len(wrong)} of {len(gold)} right)" if gold else ""
        lines.append(f"  now: {list_labels(record.detail.labels, ids)}{right}")
        if wrong:
            lines.append(f"    In truth {', '.join(wrong)}.")
        return lines
