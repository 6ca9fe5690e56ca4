"""Tell a decision in plain text, for `report --turns`: the call, what was decided and why, and what labels say."""

from __future__ import annotations

from holdtrue.lab.kinds.decisions.entry import DecisionEntry
from holdtrue.lab.kinds.decisions.words import say_decision, say_label, say_score
from holdtrue.lab.kit.transcript import shorten, title_of


class DecisionTeller:
    """Tells decisions one by one."""

    def tell(self, entry: DecisionEntry) -> list[str]:
        """Return the lines about one decision; the first one of a conversation also tells the rules of its labels."""
        record = entry.record
        detail = record.detail
        lines = [title_of(entry, "call"), *(f"  {line}" for line in entry.problem_lines)]
        if record.user_message:
            lines.append(f"  user: {shorten(record.user_message)}")
        lines.append(f"  call, in message {detail.message}: {shorten(record.final.text)}")
        lines.append(f"  {say_decision(detail)}: {shorten(detail.why)}")
        lines += [f"  assumed: {shorten(each)}" for each in detail.assumptions]
        lines += [f"  not read: {shorten(each)}" for each in detail.unread]
        if entry.against is not None:
            lines.append(f"  label: {say_label(entry.against)}")
        lines.append(f"  {say_score(entry)}")
        return lines
