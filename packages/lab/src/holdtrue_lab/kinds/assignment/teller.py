"""Tell a turn about assignments in plain text, for `report --turns`: what was said, answered and broken."""

from __future__ import annotations

from collections.abc import Mapping

from holdtrue.record import AttemptRecord, EventRecord, TurnOutcome
from holdtrue.verification.coverage import Coverage, coverage_of
from holdtrue.verification.words import describe, quote
from holdtrue_lab.kinds.assignment.entry import AssignmentEntry
from holdtrue_lab.kinds.assignment.shown import has_known_ledger, note
from holdtrue_lab.kit.transcript import shorten, title_of


class AssignmentTeller:
    """Tells turns one by one; what was agreed is kept, to be quoted where it is broken."""

    def __init__(self) -> None:
        self._agreed: dict[tuple[str, str], dict[str, EventRecord]] = {}

    def tell(self, entry: AssignmentEntry) -> list[str]:
        """The turn in lines of plain text."""
        record = entry.record
        agreed = self._agreed.setdefault((entry.problem, entry.method), {})
        note(agreed, record)
        lines = [title_of(entry), f"  user: {record.user_message}"]
        first, final = record.attempts[0], record.final
        has_ledger, coverage = has_known_ledger(record, first), coverage_of(record)
        lines += _attempt("answer", first, agreed, coverage) if has_ledger else [f"  answer: {shorten(first.text)}"]
        if final is not first:
            kinds = ", ".join(attempt.kind for attempt in record.attempts[1:])
            lines += _attempt(f"then {kinds}", final, agreed, coverage)
        gold = "" if entry.score is None else ("; right" if entry.score.correct else "; wrong")
        lines.append(f"  {_came_to(record.final.verdict.outcome, coverage)} ({record.final.verdict.outcome}{gold})")
        if record.withheld is not None:
            lines.append(f"    Nothing is delivered: {record.withheld}.")
        if record.detail.nearest is False:
            lines.append("    The mended answer is valid, and not proved the nearest.")
        if record.detail.set_aside:
            lines.append(f"    Set aside: {'; '.join(quote(agreed, record.detail.set_aside))}.")
        return lines


def _attempt(title: str, attempt: AttemptRecord, agreed: Mapping[str, EventRecord], coverage: Coverage) -> list[str]:
    lines = describe(attempt.verdict, agreed, coverage=coverage)
    return [f"  {title}: {shorten(attempt.text)}", *(f"    {line}" for line in lines)]


def _came_to(outcome: TurnOutcome, coverage: Coverage) -> str:
    """Return the outcome of a turn in capitals; it never says that everything was kept if something was not read."""
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
