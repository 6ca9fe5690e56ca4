"""Describe the verdict on an answer of labels in sentences that a person can act on.

Verdicts and events name premises: P1 is the first premise. The first turn of a case shows the sentences of its
premises.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from holdtrue.kinds.labels.record import LabelAttempt, LabelsRecord
from holdtrue.record import AnswerStatus, EventRecord, Label, Satisfiability
from holdtrue.verification.coverage import Coverage, coverage_of, describe_gaps

_BECAME = {"set_aside": "was given up", "rejected": "was not believed", "reinstated": "is believed again"}
_PREMISE = re.compile(r"P\d+")


@dataclass(frozen=True, slots=True)
class AskedTurn:
    """A turn as later turns may quote it: statements and labels by query, and the number of unread sentences."""

    asked: Mapping[str, str]
    labels: Mapping[str, str]
    unread: int

    @classmethod
    def of(cls, record: LabelsRecord) -> AskedTurn:
        labels = {id: str(label) for id, label in (record.final.answer or {}).items()}
        return cls(record.detail.asked, labels, len(coverage_of(record).unread))


@dataclass(slots=True)
class Sayings:
    """The statements, labels and beliefs of one conversation up to a turn.

    `statements` maps queries to their statements, and `given` to their labels and the turns of these. `beliefs` has the
    first event of each belief.
    """

    statements: dict[str, str] = field(default_factory=dict)
    given: dict[str, tuple[str, int]] = field(default_factory=dict)
    beliefs: dict[str, EventRecord] = field(default_factory=dict)
    coverage: Coverage = field(default_factory=lambda: Coverage(0))

    def note(self, record: LabelsRecord) -> None:
        """Add a turn."""
        before = self.coverage.earlier + len(self.coverage.unread)
        self.note_questions(record.turn, AskedTurn.of(record))
        self.coverage = replace(coverage_of(record), earlier=before)
        for event in record.events:
            self.beliefs.setdefault(event.id, event)

    def note_questions(self, turn: int, said: AskedTurn) -> None:
        """Add the questions and labels of an earlier turn."""
        self.statements.update(said.asked)
        self.given.update({id: (label, turn) for id, label in said.labels.items()})
        self.coverage = Coverage(0, earlier=self.coverage.earlier + len(self.coverage.unread) + said.unread)

    def quote(self, id: str, answer: Mapping[str, str | int] | None = None) -> str:
        """Return the query with its answer, of this or an earlier turn: `q3 “Ann is first.” as ENTAILED (turn 2)`."""
        statement = f"“{self.statements[id]}”" if id in self.statements else ""
        label, when = "", ""
        if answer is not None and id in answer:
            label = f"as {answer[id]}"
        elif id in self.given:
            label, when = f"as {self.given[id][0]}", f"(turn {self.given[id][1]})"
        return " ".join(part for part in (id, statement, label, when) if part)


def names(ids: Iterable[str], sayings: Sayings, answer: Mapping[str, str | int] | None = None) -> str:
    """Return premises by name, then answers as they were given: `premises P1, P4; q3 “Ann is first.” as ENTAILED`."""
    ids = list(ids)
    premises = [id for id in ids if _is_premise(id, sayings)]
    parts = [f"premise{'' if len(premises) == 1 else 's'} {', '.join(premises)}"] if premises else []
    return "; ".join(parts + [sayings.quote(id, answer) for id in ids if not _is_premise(id, sayings)])


def describe_labels(attempt: LabelAttempt, sayings: Sayings) -> list[str]:
    """Return the verdict on an attempt in sentences, the most important first."""
    verdict, answer = attempt.verdict, attempt.answer
    lines: list[str] = []
    if verdict.answer is AnswerStatus.REFUSED:
        lines.append(f"There is no answer: {verdict.reason or 'the model refused'}.")
    if verdict.basis is Satisfiability.UNSAT:
        return [*lines, f"The premises cannot all hold: {names(verdict.mus or (), sayings)}."]
    match verdict.answer:
        case AnswerStatus.UNPARSED:
            lines.append(f"No label could be read: {verdict.reason or 'nothing in the text fits'}.")
        case AnswerStatus.UNDECIDED:
            lines.append(f"Whether these labels can all be right is undecided: {verdict.reason}.")
        case AnswerStatus.RESPECTING:
            commits = any(label != Label.UNKNOWN for label in (answer or {}).values())
            sure = "" if sayings.coverage.complete or not commits else ", as far as sentences were read"
            lines.append(f"These labels {'can all be right together' if commits else 'commit to nothing'}{sure}.")
    if verdict.refuted:
        lines.append(f"The premises alone refute {names(verdict.refuted, sayings, answer)}.")
    if verdict.mus:
        doubt = "" if verdict.mus_minimal else " They may not all be needed for the conflict."
        lines.append(f"These cannot all be right: {names(verdict.mus, sayings, answer)}.{doubt}")
    if verdict.missing:
        lines.append(f"No label for {', '.join(verdict.missing)}.")
    return lines + describe_gaps(sayings.coverage)


def describe_changes(record: LabelsRecord) -> list[str]:
    """Return sentences about labels and beliefs that were changed, given up or reinstated in a turn.

    The list is empty if the first answer was kept and no belief gave way.
    """
    lines: list[str] = []
    first = next((one for one in record.attempts if one.kind != "sample"), record.final)
    if any(one.kind == "repair" for one in record.attempts):
        was, now = first.answer or {}, record.final.answer or {}
        changed = [
            f"{id} from {was.get(id, 'no label')} to {now.get(id, 'no label')}"
            for id in record.detail.asked
            if was.get(id) != now.get(id)
        ]
        lines.append(f"Asked again, the model changed {', '.join(changed) or 'no label'}.")
    for event in record.events:
        if event.kind in _BECAME:
            reason = why(event).rstrip(".")
            said = f"{event.id} “{event.sentence}” as {event.type} {_BECAME[event.kind]}"
            lines.append(f"{said}{': ' if reason else ''}{reason}.")
    return lines


def describe_event(event: EventRecord) -> str:
    """Return one line about an event of a belief."""
    reason = why(event)
    return f"{event.kind.replace('_', ' ')} {event.id} “{event.sentence}”{': ' if reason else ''}{reason}"


def why(event: EventRecord) -> str:
    """Return the event's reason, without a repetition of the belief at its start."""
    return (event.reason or "").removeprefix(f'"{event.sentence}" is given up: ')


def list_labels(labels: Mapping[str, str | int] | None, ids: Sequence[str]) -> str:
    """Return the labels of these queries in one line: `q0 ENTAILED, q1 no label`."""
    found = labels or {}
    return ", ".join(f"{id} {found.get(id, 'no label')}" for id in ids)


def _is_premise(id: str, sayings: Sayings) -> bool:
    return id not in sayings.statements and _PREMISE.fullmatch(id) is not None
