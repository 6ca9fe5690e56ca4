"""Turns as a person would follow them: what was said, what was answered, and exactly what was broken."""

from __future__ import annotations

from collections.abc import Mapping

from holdtrue.evaluation.entry import TurnEntry
from holdtrue.record import AttemptRecord, EventRecord, TurnOutcome
from holdtrue.report.conversation import has_known_ledger, note
from holdtrue.verification.words import describe, quote

SHOWN = 300  # characters of an answer


class Transcript:
    """Tells turns one by one, in whichever order conversations take turns; each conversation's own in order."""

    def __init__(self) -> None:
        self._agreed: dict[tuple[str, str], dict[str, EventRecord]] = {}

    def tell(self, entry: TurnEntry) -> list[str]:
        """The turn in lines of plain text."""
        record = entry.record
        agreed = self._agreed.setdefault((entry.problem, entry.method), {})
        note(agreed, record)
        lines = [
            f"{entry.problem}, turn {entry.turn} of {entry.turns}, {entry.method}",
            f"  user: {record.user_message}",
        ]
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


def _attempt(title: str, attempt: AttemptRecord, agreed: Mapping[str, EventRecord]) -> list[str]:
    return [f"  {title}: {_short(attempt.text)}", *(f"    {line}" for line in describe(attempt.verdict, agreed))]


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= SHOWN else f"{line[: SHOWN - 3]}..."
