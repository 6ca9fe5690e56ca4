"""The most telling questions with all their answers, read again from the journals and made ready to be shown."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

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
from holdtrue_lab.kinds.claims.entry import ClaimEntry
from holdtrue_lab.kinds.claims.report import ClaimReport
from holdtrue_lab.kit.shown import SHOWN, Side, find_conversations, find_sides

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


@dataclass(frozen=True, slots=True)
class ShownItem:
    """One item with the answers of all sides, which are models with methods.

    `context` are its lines, and `messages` holds the one question. `options` are letters with their texts, and `gold`
    is the right letter; where nothing was scored, the options are the last lines of `context` instead.
    """

    id: str
    name: str
    domain: str
    context: tuple[str, ...]
    messages: tuple[str, ...]
    options: tuple[tuple[str, str], ...]
    gold: str | None
    conversations: tuple[ShownQuestion, ...]


def show_items(report: ClaimReport, number: int) -> list[ShownItem]:
    """Return at most `number` items, those on which methods differ most; changed forms are not among them."""
    sides = list(find_sides(report).values())
    found = find_conversations(report, number, ClaimEntry)
    return [_show(f"p{place}", conversations, sides) for place, conversations in enumerate(found, start=1)]


def _show(id: str, conversations: dict[Side, list[ClaimEntry]], sides: list[Side]) -> ShownItem:
    entries = [entry for side in sides for entry in conversations.get(side, ())]
    first = entries[0]
    score = next((entry.score for entry in entries if entry.score is not None), None)
    options = tuple(score.options.items()) if score is not None else ()
    # The question and the options, one line each, end what was told.
    end = len(first.problem_lines) - len(options) - 1 if options else len(first.problem_lines)
    return ShownItem(
        id=id,
        name=first.problem,
        domain=first.domain,
        context=first.problem_lines[: max(0, end)],
        messages=(first.record.user_message,),
        options=options,
        gold=score.gold if score is not None else None,
        conversations=tuple(
            # Where an item was answered again, the last answer is the one that counts.
            show_question(side, conversations[side][-1])
            for side in sides
            if side in conversations
        ),
    )


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
