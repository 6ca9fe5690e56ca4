"""Show readings of messages: on the HTML page for those where readers differ most, and as plain text.

The text is for `report --turns`. The page has the same sentences.
"""

from __future__ import annotations

from holdtrue.record import ReadingRecord
from holdtrue_lab.kinds.readings.entry import ReadingEntry, ReadingScore, say_constraint
from holdtrue_lab.kinds.readings.report import ReadingReport
from holdtrue_lab.kit.shown import ProblemOnPage, show_most_telling
from holdtrue_lab.kit.transcript import shorten, title_of


def say_reading(own: ReadingRecord) -> str:
    """Return a reading in words: 'states assign(Mei, pet, Cat) ("Mei has the cat", accepted, 0.98)'."""
    return f'{own.act} {say_constraint(own.type, own.args)} ("{own.sentence}", {own.status}, {own.confidence:.2f})'


def say_score(score: ReadingScore) -> str:
    """Return a score in words: 'not exact; 2 accepted right, 1 wrong, of 3 in gold; missed: adjacent(A, B)'."""
    doubtful = f", {score.doubtful} in doubt ({score.doubtful_right} right)" if score.doubtful else ""
    exact = "exact" if score.correct else "exact with what is in doubt" if score.with_doubtful else "not exact"
    missed = f"; missed: {', '.join(score.missed)}" if score.missed else ""
    return f"{exact}; {score.right} accepted right, {score.wrong} wrong{doubtful}, of {score.gold} in gold{missed}"


def say_readings(entry: ReadingEntry) -> list[str]:
    """Return a line for each reading of an entry, or one line if nothing was read."""
    return [say_reading(own) for own in entry.record.readings if own.status != "rejected"] or ["reads nothing"]


def say_unread(entry: ReadingEntry) -> list[str]:
    """Return a line for each rejected sentence of an entry, with the reason."""
    return [f"{own.sentence!r}: {own.reason}" for own in entry.record.readings if own.status == "rejected"]


class ReadingTeller:
    """Describes readings in plain text, one by one."""

    def tell(self, entry: ReadingEntry) -> list[str]:
        """Return the lines about one message."""
        lines = [title_of(entry, "message"), *(f"  {line}" for line in entry.problem_lines)]
        lines.append(f"  user: {shorten(entry.record.user_message)}")
        lines += [f"  {line}" for line in say_readings(entry)]
        lines += [f"  not read: {shorten(own)}" for own in say_unread(entry)]
        lines.append(f"  {say_score(entry.score)}")
        return lines


def show_messages(report: ReadingReport, number: int) -> list[ProblemOnPage[ReadingEntry]]:
    """Return at most `number` messages, those on which readers differ most."""
    return show_most_telling(report, number, ReadingEntry, ProblemOnPage)
