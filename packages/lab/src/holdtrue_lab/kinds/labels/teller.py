"""Tell a turn about labels in plain text, for `report --turns`: what was asked, answered, and given up."""

from __future__ import annotations

from holdtrue.kinds.labels.verdict_words import Sayings, describe_event, describe_labels, list_labels
from holdtrue_lab.kinds.labels.entry import LabelEntry
from holdtrue_lab.kit.transcript import title_of


class LabelTeller:
    """Tells turns one by one; what was told and asked is kept, to be quoted where answers clash."""

    def __init__(self) -> None:
        self._sayings: dict[tuple[str, str], Sayings] = {}

    def tell(self, entry: LabelEntry) -> list[str]:
        """The turn in lines of plain text."""
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
