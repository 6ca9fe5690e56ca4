"""The facts of each answered item that report rows need, so that a run's texts are never all in memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from zlib import crc32

from holdtrue.record import AnswerStatus, Usage, total
from holdtrue_claims.claim_record import CheckRecord, ClaimVerdict, JointVerdict, SoftVerdict
from holdtrue_claims.kind.acceptance import claim_score
from holdtrue_claims.kind.record import ClaimAttempt, ClaimsRecord
from holdtrue_claims.kind.settings import Weights
from holdtrue_lab.kinds.claims import counts as counting
from holdtrue_lab.kinds.claims.entry import ClaimEntry, ClaimScore
from holdtrue_lab.kit.plays import ProblemKey

OWN, EXTRACTION, MEASURING = "own", "extraction", "measuring"

_ROUNDS = frozenset({"answer", "repair", "refine"})

_VERDICTS: Mapping[str, ClaimVerdict | SoftVerdict] = {
    **{verdict.value: verdict for verdict in ClaimVerdict},
    **{verdict.value: verdict for verdict in SoftVerdict},
}


@dataclass(frozen=True, slots=True)
class Checked:
    """A `Checked` says what was found about one answer. If `together`, it is proved that its claims can all hold."""

    verdicts: tuple[ClaimVerdict | SoftVerdict, ...]
    score: float
    accepted: bool
    together: bool

    def score_proved(self, weights: Weights) -> float | None:
        """Return the score of the claims that were not left to judges; None if there is none."""
        verdicts = [verdict for verdict in self.verdicts if isinstance(verdict, ClaimVerdict)]
        return claim_score(verdicts, weights).score if verdicts else None


@dataclass(frozen=True, slots=True)
class Answered:
    """The answer of one round. `right` is None where gold is not known, `checked` where nothing was verified."""

    right: bool | None
    checked: Checked | None


@dataclass(frozen=True, slots=True)
class ItemFacts:
    """One item under one arm, which is a model with a method.

    `score` is without the texts of the options. `checked` is about the answer that was delivered. `rates` are hits out
    of how many, and `counts` say how often things are there. `spent` is by part of the turn, `purposes` by what calls
    were for. `seconds` is what the method's own calls and its solver took.
    """

    problem: str
    domain: str
    key: ProblemKey
    score: ClaimScore | None
    asks_model: bool
    checked: Checked | None
    rates: counting.Rates
    counts: Mapping[str, Mapping[str, int]]
    context: str | None
    rounds: tuple[Answered, ...]
    spent: Mapping[str, Usage]
    purposes: Mapping[str, Usage]
    seconds: float


def facts_of(entry: ClaimEntry) -> ItemFacts:
    """The facts of one item."""
    record, score = entry.record, entry.score
    final = record.final if record.attempts else None
    check = final.check if final is not None and record.delivered is not None else None
    gold = None if score is None else score.gold
    rounds = tuple(_answered(attempt, gold) for attempt in _rounds(record.attempts))
    said = "\0".join((record.user_message, *entry.problem_lines))
    context = record.detail.context
    rates: dict[str, Mapping[str, tuple[int, int]]] = {}
    counts: dict[str, Mapping[str, int]] = {
        # A round that is delivered again is no further check.
        **counting.spared_counts(
            each.check for each in record.attempts if each.check is not None and each.kind != "best"
        )
    }
    if score is not None:
        refused = final is not None and final.verdict.answer is AnswerStatus.REFUSED
        rates |= counting.score_rates(score, refused=refused)
    rates |= counting.program_rates(record.attempts)
    if check is not None:
        rates |= counting.check_rates(check)
        counts |= counting.check_counts(check)
    if context is not None:
        rates |= counting.context_rates(context)
        counts |= counting.context_counts(context)
    return ItemFacts(
        problem=entry.problem,
        domain=entry.domain,
        key=(entry.problem, crc32(said.encode("utf-8", "surrogatepass"))),
        score=None if score is None else replace(score, options={}),
        asks_model=any(attempt.calls for attempt in record.attempts),
        checked=None if check is None else _checked(check),
        rates=rates,
        counts=counts,
        context=None if context is None else context.status,
        rounds=rounds,
        spent={
            OWN: record.usage,
            EXTRACTION: total(call.usage for call in record.extraction),
            MEASURING: total(call.usage for call in record.measuring),
        },
        purposes=_by_purpose(record),
        seconds=record.time_s,
    )


def _rounds(attempts: tuple[ClaimAttempt, ...]) -> list[ClaimAttempt]:
    """The answers of all rounds; the last attempt alone where the method knows no rounds, as with programs."""
    if any(attempt.program is not None for attempt in attempts):
        return list(attempts[-1:])
    return [attempt for attempt in attempts if attempt.kind in _ROUNDS] or list(attempts[-1:])


def _answered(attempt: ClaimAttempt, gold: str | None) -> Answered:
    right = None if gold is None else (attempt.answer or {}).get("option") == gold
    return Answered(right, None if attempt.check is None else _checked(attempt.check))


def _checked(check: CheckRecord) -> Checked:
    # A verdict that has no name here is worth nothing, and so is this one.
    verdicts = tuple(_VERDICTS.get(claim.verdict, SoftVerdict.UNCERTAIN) for claim in check.claims)
    return Checked(verdicts, check.score, check.accepted, check.joint.verdict == JointVerdict.CONSISTENT)


def _by_purpose(record: ClaimsRecord) -> Mapping[str, Usage]:
    """Return what all calls of a turn cost, by what they were for."""
    calls = [call for attempt in record.attempts for call in attempt.calls]
    found: dict[str, Usage] = {}
    for call in (*calls, *record.extraction, *record.measuring):
        found[call.purpose] = found.get(call.purpose, Usage()) + call.usage
    return found
