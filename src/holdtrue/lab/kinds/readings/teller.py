"""Tell a reading in plain text, for `report --turns`: the message, what it was read as, and what that is worth."""

from __future__ import annotations

from holdtrue.lab.kinds.readings.entry import ReadingEntry
from holdtrue.lab.kinds.readings.words import say_events, say_score
from holdtrue.lab.kit.transcript import shorten, title_of


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
