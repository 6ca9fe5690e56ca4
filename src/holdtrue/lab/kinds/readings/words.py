"""Sentences about readings, as a terminal and a page tell them."""

from __future__ import annotations

from holdtrue.lab.kinds.readings.entry import ReadingEntry, ReadingScore
from holdtrue.lab.kinds.readings.record import TakenEvent

_DONE = {"add": "sets", "amend": "changes", "waive": "frees", "withdraw": "takes back"}


def say_event(own: TakenEvent) -> str:
    """Return an event in words: 'sets Clinic.day to 2023-05-09 ("May 9th", 0.93)'."""
    value = "" if own.value is None else f" to {own.value}"
    quote = f'"{own.quote}", ' if own.quote else ""
    whose = ", offered by the assistant" if own.said == "assistant" else ""
    return f"{_DONE[own.kind]} {own.slot}{value} ({quote}{own.confidence:.2f}{whose})"


def say_score(score: ReadingScore | None) -> str:
    """Return what a reading is worth: 'ledger right; 2 events right, 1 wrong, of 3 in gold'."""
    if score is None:
        return "not scored"
    right, wrong, gold = (sum(counts.values()) for counts in (score.right, score.wrong, score.gold))
    ledger = "ledger right" if score.correct else "ledger incomplete" if score.sound else "ledger wrong"
    return f"{ledger}; {right} events right, {wrong} wrong, of {gold} in gold"


def say_events(entry: ReadingEntry) -> list[str]:
    """Return a line for each event of an entry, or one that nothing was read."""
    return [say_event(own) for own in entry.record.detail.events] or ["reads nothing"]
