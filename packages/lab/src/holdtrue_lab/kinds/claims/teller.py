"""Tell a question in plain text, for `report --turns`: its context as it was read, the answers, and their claims."""

from __future__ import annotations

from holdtrue_claims.kind.verdict_words import (
    Sayings,
    describe_context,
    describe_no_answer,
    describe_premise,
    list_claims,
)
from holdtrue_lab.kinds.claims.entry import ClaimEntry
from holdtrue_lab.kit.transcript import shorten, title_of


class ClaimTeller:
    """Tells questions one by one."""

    def tell(self, entry: ClaimEntry) -> list[str]:
        """A question is the only turn of its conversation; what was told of it stands first, with its formulas."""
        record, context = entry.record, entry.record.detail.context
        lines = [title_of(entry), *(f"  {line}" for line in entry.problem_lines)]
        if context is not None:
            for premise in context.premises:
                read, *more = describe_premise(premise)
                lines.append(f"  {premise.id} as {read}" if premise.formula is not None else f"  {premise.id}: {read}")
                lines += [f"    {line}" for line in more]
            lines += [f"  {line}" for line in describe_context(context, Sayings(context))]
        for attempt in record.attempts:
            option = (attempt.answer or {}).get("option", "no option")
            lines.append(f"  {attempt.kind}: {option}, {shorten(attempt.text)}")
            if attempt.check is not None:
                lines += [f"    {line}" for line in list_claims(attempt.check, Sayings(context, attempt.check))]
            lines += [f"    {line}" for line in describe_no_answer(attempt)]
        given = (record.final.answer or {}).get("option", "no option") if record.delivered is not None else "no answer"
        gold = (
            "" if entry.score is None else ("; right" if entry.score.correct else f"; wrong, it is {entry.score.gold}")
        )
        lines.append(f"  {given}, {record.outcome}{gold}")
        return lines
