"""Show questions with all their answers: as plain text, and on the HTML page those on which methods differ most."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from holdtrue.record import total
from holdtrue_claims.claim_record import (
    CheckRecord,
    ClaimRecord,
    ClaimVerdict,
    ContextRecord,
    SoftVerdict,
)
from holdtrue_claims.kind import verdict_words as says
from holdtrue_claims.kind.record import ClaimAttempt
from holdtrue_lab.kinds.claims.entry import ClaimEntry, ClaimScore
from holdtrue_lab.kinds.claims.report import ClaimReport
from holdtrue_lab.kit.shown import ProblemOnPage, Side, show_most_telling
from holdtrue_lab.kit.transcript import shorten, title_of


@dataclass(frozen=True)
class ShownAnswer:
    """One attempt, with the words for its claims."""

    attempt: ClaimAttempt
    sayings: says.Sayings

    @property
    def joint(self) -> list[str]:
        check = self.attempt.check
        return [] if check is None else list(says.describe_joint(check.joint, self.sayings))

    def why(self, claim: ClaimRecord) -> list[str]:
        """Return the reasons for the verdict on a claim, in sentences."""
        return list(says.describe_claim(claim, self.sayings))


@dataclass(frozen=True)
class ShownQuestion:
    """One question with the answers of one side, which is a method with a model."""

    side: Side
    entry: ClaimEntry

    @property
    def context(self) -> ContextRecord | None:
        return self.entry.record.detail.context

    @property
    def check(self) -> CheckRecord | None:
        """Return the findings about the last answer."""
        return self.entry.record.final.check

    @property
    def measured(self) -> int:
        """Return the number of calls that were made only to measure the method."""
        return total(call.usage for call in self.entry.record.measuring).calls

    @cached_property
    def clash(self) -> frozenset[str]:
        """Return the ids of premises and claims in a conflict."""
        context, check = self.context, self.check
        conflicts = (context.conflict if context is not None else (), check.joint.conflict if check is not None else ())
        return frozenset().union(*conflicts)

    @property
    def found(self) -> list[str]:
        """Return the faults of the context, in sentences."""
        context = self.context
        return [] if context is None else list(says.describe_context(context, says.Sayings(context)))

    @cached_property
    def answers(self) -> list[ShownAnswer]:
        attempts = self.entry.record.attempts
        return [ShownAnswer(attempt, says.Sayings(self.context, attempt.check)) for attempt in attempts]

    @property
    def faulty(self) -> bool:
        """Return whether the premises have a fault that the reader should see."""
        context = self.context
        return context is not None and (context.status != "consistent" or any(each.alerts for each in context.premises))


@dataclass(frozen=True)
class ShownItem(ProblemOnPage[ClaimEntry]):
    """One item with the answers of all sides: every method with every model."""

    @cached_property
    def score(self) -> ClaimScore | None:
        return next((each.score for played in self.entries.values() for each in played if each.score is not None), None)

    @property
    def gold(self) -> str | None:
        """Return the letter of the right option, or None without a score."""
        return None if self.score is None else self.score.gold

    @property
    def options(self) -> tuple[tuple[str, str], ...]:
        """Return the letters of the options with their texts. Without a score, the last lines of `context` have the
        options instead.
        """
        return () if self.score is None else tuple(self.score.options.items())

    @property
    def context(self) -> tuple[str, ...]:
        told = self.longest[0].problem_lines
        # The last lines are the question and the options, one line each.
        return told[: max(0, len(told) - len(self.options) - 1)] if self.options else told

    @property
    def messages(self) -> tuple[str, ...]:
        """Return the only message of the user: the question."""
        return (self.longest[0].record.user_message,)

    @cached_property
    def conversations(self) -> list[ShownQuestion]:
        # If an item was answered again, the last answer counts.
        return [ShownQuestion(side, played[-1]) for side, played in self.entries.items()]


def show_items(report: ClaimReport, number: int) -> list[ShownItem]:
    """Return at most `number` original items, those on which methods differ most."""
    return show_most_telling(report, number, ClaimEntry, ShownItem)


SAYING = {
    "says": says,
    "good": frozenset({ClaimVerdict.ENTAILED}),  # support by judges is no proof
    "bad": frozenset({ClaimVerdict.CONTRADICTORY, SoftVerdict.UNSUPPORTED}),
}
"""Values for the page's template: the module that describes records in words, and the verdicts that have a colour."""


class ClaimTeller:
    """A `ClaimTeller` describes questions in plain text, one by one."""

    def tell(self, entry: ClaimEntry) -> list[str]:
        """Return the lines about one question: the problem with its formulas, and then the answers."""
        record, context = entry.record, entry.record.detail.context
        lines = [title_of(entry), *(f"  {line}" for line in entry.problem_lines)]
        if context is not None:
            for premise in context.premises:
                read, *more = says.describe_premise(premise)
                lines.append(f"  {premise.id} as {read}" if premise.formula is not None else f"  {premise.id}: {read}")
                lines += [f"    {line}" for line in more]
            lines += [f"  {line}" for line in says.describe_context(context, says.Sayings(context))]
        for attempt in record.attempts:
            option = (attempt.answer or {}).get("option", "no option")
            lines.append(f"  {attempt.kind}: {option}, {shorten(attempt.text)}")
            if attempt.check is not None:
                lines += [
                    f"    {line}" for line in says.list_claims(attempt.check, says.Sayings(context, attempt.check))
                ]
            lines += [f"    {line}" for line in says.describe_no_answer(attempt)]
        given = (record.final.answer or {}).get("option", "no option") if record.delivered is not None else "no answer"
        gold = (
            "" if entry.score is None else ("; right" if entry.score.correct else f"; wrong, it is {entry.score.gold}")
        )
        lines.append(f"  {given}, {record.outcome}{gold}")
        return lines
