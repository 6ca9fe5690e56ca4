"""Tell a reading in plain text, for `report --turns`, in sentences that a page has too."""

from __future__ import annotations

from collections.abc import Sequence

from holdtrue.lab.kinds.readings.entry import ItemScore, ReadingEntry, ReadingScore, TakenEvent
from holdtrue.lab.kit.transcript import shorten, title_of
from holdtrue.record import ReadingRecord

_DONE = {"add": "sets", "amend": "changes", "waive": "frees", "withdraw": "takes back"}


def say_event(own: TakenEvent) -> str:
    """Return an event in words: 'sets Clinic.day to 2023-05-09 ("May 9th", 0.93)'."""
    value = "" if own.value is None else f" to {own.value}"
    quote = f'"{own.quote}", ' if own.quote else ""
    whose = ", offered by the assistant" if own.said == "assistant" else ""
    return f"{_DONE[own.kind]} {own.slot}{value} ({quote}{own.confidence:.2f}{whose})"


def say_constraint(type: str | None, args: Sequence[str | int]) -> str:
    """Return a constraint in words: 'assign(Mei, pet, Cat)'."""
    return f"{type}({', '.join(map(str, args))})"


def say_reading(own: ReadingRecord) -> str:
    """Return a reading in words: 'states assign(Mei, pet, Cat) ("Mei has the cat", accepted, 0.98)'."""
    return f'{own.act} {say_constraint(own.type, own.args)} ("{own.sentence}", {own.status}, {own.confidence:.2f})'


def say_score(score: ReadingScore | None) -> str:
    """Return what a reading is worth: 'ledger right; 2 events right, 1 wrong, of 3 in gold'."""
    if score is None:
        return "not scored"
    if score.item is not None:
        return _say_item(score, score.item)
    right, wrong, gold = (sum(counts.values()) for counts in (score.right, score.wrong, score.gold))
    ledger = "ledger right" if score.correct else "ledger incomplete" if score.sound else "ledger wrong"
    return f"{ledger}; {right} events right, {wrong} wrong, of {gold} in gold"


def _say_item(score: ReadingScore, item: ItemScore) -> str:
    right, wrong, gold = (sum(counts.values()) for counts in (score.right, score.wrong, score.gold))
    doubtful = f", {item.doubtful} in doubt ({item.doubtful_right} right)" if item.doubtful else ""
    exact = "exact" if score.correct else "exact with what is in doubt" if item.with_doubtful else "not exact"
    missed = f"; missed: {', '.join(item.missed)}" if item.missed else ""
    return f"{exact}; {right} accepted right, {wrong} wrong{doubtful}, of {gold} in gold{missed}"


def say_events(entry: ReadingEntry) -> list[str]:
    """Return a line for each event or reading of an entry, or one that nothing was read."""
    read = [say_reading(own) for own in entry.record.readings if own.status != "rejected"]
    return [*map(say_event, entry.record.detail.events), *read] or ["reads nothing"]


class ReadingTeller:
    """Tells readings one by one."""

    def tell(self, entry: ReadingEntry) -> list[str]:
        """Return the lines about one message; the first one of a dialogue also names its services."""
        detail = entry.record.detail
        lines = [title_of(entry, "message"), *(f"  {line}" for line in entry.problem_lines)]
        if detail.assistant:
            lines.append(f"  assistant: {shorten(detail.assistant)}")
        lines.append(f"  user: {shorten(entry.record.user_message)}")
        lines += [f"  {line}" for line in say_events(entry)]
        lines += [f"  not read: {shorten(own)}" for own in detail.unread]
        lines.append(f"  {say_score(entry.score)}")
        return lines
