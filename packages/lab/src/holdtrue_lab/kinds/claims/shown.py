"""Show questions with all their answers: the most telling ones on a page, and each in words."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

from holdtrue.record import total
from holdtrue_claims.claim_record import (
    CheckRecord,
    ClaimRecord,
    ClaimVerdict,
    ContextRecord,
    PremiseRecord,
    SoftVerdict,
)
from holdtrue_claims.kind import verdict_words as says
from holdtrue_claims.kind.record import ClaimAttempt
from holdtrue_lab.kinds.claims.entry import ClaimEntry, ClaimScore
from holdtrue_lab.kinds.claims.report import ClaimReport
from holdtrue_lab.kit.shown import SHOWN, ProblemOnPage, Side, show_most_telling
from holdtrue_lab.kit.transcript import shorten, title_of

_GOOD = frozenset({ClaimVerdict.ENTAILED})  # what judges support is no proof
_BAD = frozenset({ClaimVerdict.CONTRADICTORY, SoftVerdict.UNSUPPORTED})


@dataclass(frozen=True, slots=True)
class ShownPremise:
    """A sentence with its formula; `said` are words about it. `clash`: it stands in a conflict that was found."""

    record: PremiseRecord
    said: tuple[str, ...]
    alerts: tuple[str, ...]
    clash: bool


@dataclass(frozen=True, slots=True)
class ShownClaim:
    """A claim. `good` and `bad` choose the colour of its verdict, and `why` gives the reasons in sentences.

    If `clash`, it is part of a conflict between the answer's claims; if `change`, it is one of those to change.
    """

    record: ClaimRecord
    verdict: str
    good: bool
    bad: bool
    route: str
    why: tuple[str, ...]
    clash: bool
    change: bool


@dataclass(frozen=True, slots=True)
class ShownAnswer:
    """One attempt; what is said of claims is empty where they were not verified. `cut` counts characters left out."""

    attempt: ClaimAttempt
    claims: tuple[ShownClaim, ...]
    joint: tuple[str, ...]
    bridges: tuple[ShownPremise, ...]
    verdict: str
    no_answer: tuple[str, ...]
    text: str
    cut: int


@dataclass(frozen=True, slots=True)
class ShownQuestion:
    """One question as one side answered it.

    `check` is what was found about the last answer, `measured` counts calls that the method would not have made.
    """

    side: Side
    entry: ClaimEntry
    check: CheckRecord | None
    measured: int
    premises: tuple[ShownPremise, ...]
    words: tuple[tuple[str, str], ...]
    found: tuple[str, ...]
    answers: tuple[ShownAnswer, ...]

    @property
    def faulty(self) -> bool:
        """Return whether the premises have a fault that the reader should see."""
        context = self.entry.record.detail.context
        return context is not None and (context.status != "consistent" or any(each.alerts for each in self.premises))


@dataclass(frozen=True)
class ShownItem(ProblemOnPage[ClaimEntry]):
    """One item with the answers of all sides, which are models with methods."""

    @cached_property
    def score(self) -> ClaimScore | None:
        return next((each.score for played in self.entries.values() for each in played if each.score is not None), None)

    @property
    def gold(self) -> str | None:
        """The letter of the right option; None where nothing was scored."""
        return None if self.score is None else self.score.gold

    @property
    def options(self) -> tuple[tuple[str, str], ...]:
        """Letters with their texts; where nothing was scored, the options are the last lines of `context` instead."""
        return () if self.score is None else tuple(self.score.options.items())

    @property
    def context(self) -> tuple[str, ...]:
        told = self.longest[0].problem_lines
        # The question and the options, one line each, end what was told.
        return told[: max(0, len(told) - len(self.options) - 1)] if self.options else told

    @property
    def messages(self) -> tuple[str, ...]:
        """The one question."""
        return (self.longest[0].record.user_message,)

    @cached_property
    def conversations(self) -> list[ShownQuestion]:
        # Where an item was answered again, the last answer is the one that counts.
        return [show_question(side, played[-1]) for side, played in self.entries.items()]


def show_items(report: ClaimReport, number: int) -> list[ShownItem]:
    """Return at most `number` items, those on which methods differ most; changed forms are not among them."""
    return show_most_telling(report, number, ClaimEntry, ShownItem)


def show_question(side: Side, entry: ClaimEntry) -> ShownQuestion:
    """Prepare a question for the page."""
    record, context, check = entry.record, entry.record.detail.context, entry.record.final.check
    clash = {*(context.conflict if context is not None else ()), *(check.joint.conflict if check is not None else ())}
    return ShownQuestion(
        side,
        entry,
        check,
        measured=total(call.usage for call in record.measuring).calls,
        premises=() if context is None else tuple(_premise(each, clash) for each in context.premises),
        words=() if context is None else tuple({**context.things, **context.words}.items()),
        found=() if context is None else tuple(says.describe_context(context, says.Sayings(context))),
        answers=tuple(_answer(attempt, context) for attempt in record.attempts),
    )


def _premise(premise: PremiseRecord, clash: Collection[str]) -> ShownPremise:
    said = tuple(filter(None, (says.describe_source(premise), says.describe_refined(premise))))
    return ShownPremise(premise, said, tuple(map(says.describe_alert, premise.alerts)), premise.id in clash)


def _answer(attempt: ClaimAttempt, context: ContextRecord | None) -> ShownAnswer:
    check = attempt.check
    sayings = says.Sayings(context, check)
    return ShownAnswer(
        attempt,
        claims=() if check is None else tuple(_claim(claim, check, sayings) for claim in check.claims),
        joint=() if check is None else tuple(says.describe_joint(check.joint, sayings)),
        bridges=() if check is None else tuple(_premise(each, check.joint.conflict) for each in check.joint.bridges),
        verdict="" if check is None else says.describe_score(check),
        no_answer=tuple(says.describe_no_answer(attempt)),
        text=attempt.text[:SHOWN],
        cut=max(0, len(attempt.text) - SHOWN),
    )


def _claim(claim: ClaimRecord, check: CheckRecord, sayings: says.Sayings) -> ShownClaim:
    return ShownClaim(
        claim,
        verdict=says.in_words(claim.verdict),
        good=claim.verdict in _GOOD,
        bad=claim.verdict in _BAD,
        route=says.describe_route(claim),
        why=tuple(says.describe_claim(claim, sayings)),
        clash=claim.id in check.joint.conflict,
        change=claim.id in check.change,
    )


class ClaimTeller:
    """Tells questions one by one."""

    def tell(self, entry: ClaimEntry) -> list[str]:
        """A question is the only turn of its conversation; what was told of it stands first, with its formulas."""
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
