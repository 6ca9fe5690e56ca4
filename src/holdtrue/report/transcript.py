"""Turns as a person would follow them: what was said, what was answered, and exactly what was broken."""

from __future__ import annotations

from collections.abc import Mapping

from holdtrue.evaluation.entry import LabelEntry, TurnEntry
from holdtrue.record import AttemptRecord, EventRecord, TurnOutcome
from holdtrue.report.conversation import has_known_ledger, note
from holdtrue.report.label_words import Told, describe_event, describe_labels, list_labels
from holdtrue.verification.words import describe, quote

SHOWN = 300  # characters of an answer


class Transcript:
    """Tells turns one by one, in whichever order conversations take turns; each conversation's own in order."""

    def __init__(self) -> None:
        self._agreed: dict[tuple[str, str], dict[str, EventRecord]] = {}
        self._told: dict[tuple[str, str], Told] = {}

    def tell(self, entry: TurnEntry | LabelEntry) -> list[str]:
        """The turn in lines of plain text."""
        return self._tell_labels(entry) if isinstance(entry, LabelEntry) else self._tell_answer(entry)

    def _tell_answer(self, entry: TurnEntry) -> list[str]:
        record = entry.record
        agreed = self._agreed.setdefault((entry.problem, entry.method), {})
        note(agreed, record)
        lines = [_title(entry), f"  user: {record.user_message}"]
        first, final = record.attempts[0], record.final
        told = has_known_ledger(record, first)
        lines += _attempt("answer", first, agreed) if told else [f"  answer: {_short(first.text)}"]
        if final is not first:
            kinds = ", ".join(attempt.kind for attempt in record.attempts[1:])
            lines += _attempt(f"then {kinds}", final, agreed)
        gold = "" if entry.score is None else ("; right" if entry.score.correct else "; wrong")
        lines.append(f"  {'KEPT' if record.outcome is TurnOutcome.CONSISTENT else 'BROKEN'} ({record.outcome}{gold})")
        if record.set_aside:
            lines.append(f"    Set aside: {'; '.join(quote(agreed, record.set_aside))}.")
        return lines

    def _tell_labels(self, entry: LabelEntry) -> list[str]:
        record, ids = entry.record, list(entry.record.asked)
        told = self._told.setdefault((entry.problem, entry.method), Told())
        told.note(record)
        gold = entry.score.gold if entry.score is not None else {}
        lines = [_title(entry)]
        lines += [f"  P{place}: {text}" for place, text in enumerate(entry.premises, start=1)]
        lines += [f"  {id}: {text}" for id, text in record.asked.items()]
        for attempt in record.attempts:
            lines.append(f"  {attempt.kind}: {list_labels(attempt.answer, ids)}")
            lines += [f"    {line}" for line in describe_labels(attempt, told)]
        lines += [f"  {describe_event(event)}" for event in record.events if event.kind != "added"]
        wrong = [f"{id} is {gold[id]}" for id in ids if id in gold and record.labels.get(id) != gold[id]]
        right = f" ({len(gold) - len(wrong)} of {len(gold)} right)" if gold else ""
        lines.append(f"  now: {list_labels(record.labels, ids)}{right}")
        if wrong:
            lines.append(f"    In truth {', '.join(wrong)}.")
        return lines


def _title(entry: TurnEntry | LabelEntry) -> str:
    return f"{entry.problem}, turn {entry.turn} of {entry.turns}, {entry.method}"


def _attempt(title: str, attempt: AttemptRecord, agreed: Mapping[str, EventRecord]) -> list[str]:
    return [f"  {title}: {_short(attempt.text)}", *(f"    {line}" for line in describe(attempt.verdict, agreed))]


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= SHOWN else f"{line[: SHOWN - 3]}..."
