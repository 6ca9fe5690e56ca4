"""The Parquet rows of runs about claims: one for each claim of each attempt, and one for an attempt without claims.

Values of an item or an attempt are repeated on all of its rows. To count attempts, take the rows in which `first` is
true. To count items, take those of them in which `last` is true.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from holdtrue.record import CallRecord, Usage, total
from holdtrue_claims.claim_record import ClaimRecord, ContextRecord
from holdtrue_claims.kind.record import ClaimAttempt
from holdtrue_lab.kinds.claims.entry import ClaimEntry
from holdtrue_lab.kit.flat import COSTS, RETRY_COLUMNS, FlatRows, solver, spent


@dataclass(frozen=True)
class _Item:
    """The values that all rows of an item share."""

    folder: Path
    entry: ClaimEntry

    @cached_property
    def extraction(self) -> Usage:
        return _spent(self.entry.record.extraction)

    @cached_property
    def measuring(self) -> Usage:
        return _spent(self.entry.record.measuring)

    @property
    def context(self) -> ContextRecord:
        return self.entry.record.detail.context or _NOTHING


_NOTHING = ContextRecord({}, {}, (), "")


@dataclass(frozen=True, slots=True)
class _Claim:
    """The data of a row: an attempt with one of its claims, or with None if it has no claims."""

    item: _Item
    attempt: ClaimAttempt
    spent: Usage
    claim: ClaimRecord | None
    first: bool

    @property
    def entry(self) -> ClaimEntry:
        return self.item.entry

    @property
    def votes(self) -> str | None:
        votes = None if self.claim is None else self.claim.votes.items()
        return None if votes is None else ", ".join(f"{verdict} {count}" for verdict, count in votes)


def _claims(folder: Path, entries: Sequence[ClaimEntry]) -> Iterator[_Claim]:
    for item in (_Item(folder, entry) for entry in entries):
        for attempt in item.entry.record.attempts:
            claims = attempt.check.claims if attempt.check is not None else ()
            for place, claim in enumerate(claims or (None,)):
                yield _Claim(item, attempt, _spent(attempt.calls), claim, place == 0)


def _alerts(claim: _Claim) -> int:
    context = claim.item.context
    return sum(len(premise.alerts) for premise in context.premises) + len(context.alerts)


def _times(claim: _Claim, field: str) -> int:
    """Return how many calls a check did not make, over all purposes that `field` counts."""
    return 0 if claim.attempt.check is None else sum(getattr(claim.attempt.check, field).values())


def _spent(calls: Iterable[CallRecord]) -> Usage:
    return total(call.usage for call in calls)


CLAIMS = FlatRows(
    ClaimEntry,
    {
        "run": (str, "item.folder"),
        "suite": (str, "entry.suite"),
        "item": (str, "entry.problem"),
        "dataset": (str, "entry.domain"),
        "model": (str, "entry.record.model"),
        "method": (str, "entry.method"),
        "protocol": (str, "entry.record.variant"),
        "extractor": (str, "entry.record.reader"),
        "gold": (str, "entry.score.gold"),
        "given": (str, "entry.score.given"),  # the letter that was delivered
        "correct": (bool, "entry.score.correct"),
        "perturbs": (str, "entry.score.perturbs"),  # the original item that this one was made from
        "perturbation": (str, "entry.score.perturbation"),
        "delivered": (bool, lambda claim: claim.entry.record.delivered is not None),
        "context": (str, "entry.record.detail.context.status"),
        "premises": (int, "item.context.premises"),
        "premises_read": (int, lambda claim: sum(each.formula is not None for each in claim.item.context.premises)),
        "context_conflict": (str, "item.context.conflict"),  # ids
        "context_alerts": (int, _alerts),
        **spent("entry.record.usage", *COSTS, prefix="item_"),
        **solver("entry.record", prefix="item_"),
        **spent("item.extraction", "calls", "tokens", "latency_s", prefix="extraction_"),
        **spent("item.measuring", "calls", "tokens", "latency_s", prefix="measuring_"),
        "attempts": (int, "entry.record.attempts"),
        **RETRY_COLUMNS,
        "attempt": (int, "attempt.attempt"),
        "kind": (str, "attempt.kind"),
        "last": (bool, lambda claim: claim.attempt is claim.entry.record.final),
        "first": (bool, "first"),
        "option": (str, lambda claim: (claim.attempt.answer or {}).get("option")),
        "outcome": (str, "attempt.verdict.outcome"),
        "program": (str, "attempt.program.status"),  # executed, undecided or error
        **spent("spent", *COSTS),
        "claims": (int, "attempt.check.claims"),
        "score": (float, "attempt.check.score"),
        "mean": (float, "attempt.check.mean"),
        "deviation": (float, "attempt.check.deviation"),
        "accepted": (bool, "attempt.check.accepted"),
        "accept": (str, "attempt.check.accept"),  # the grounds that are accepted: proved, or also judged
        "saved_calls": (int, lambda claim: _times(claim, "saved")),
        "not_asked_calls": (int, lambda claim: _times(claim, "not_asked")),
        "supported": (str, "attempt.check.supported"),
        "proved": (str, "attempt.check.proved"),
        "joint": (str, "attempt.check.joint.verdict"),
        "joint_conflict": (str, "attempt.check.joint.conflict"),
        "without_bridges": (str, "attempt.check.joint.without_bridges"),
        "change": (str, "attempt.check.change"),
        "claim": (str, "claim.id"),
        "text": (str, "claim.text"),
        "type": (str, "claim.type"),
        "route": (str, "claim.route"),
        "routed": (str, "claim.routed"),
        "verdict": (str, "claim.verdict"),
        "confidence": (float, "claim.confidence"),
        "shown_by": (str, "claim.premises"),  # the premises that entail or contradict it
        "minimal": (bool, "claim.minimal"),
        "restated": (bool, "claim.restated"),
        "judged": (str, "claim.judged"),  # the judges' verdict, if it differs from the verdict
        "assuming": (str, "claim.assuming"),
        "assumptions": (str, "claim.assumptions"),
        "votes": (str, "votes"),  # such as supported 4, uncertain 1
        "formula": (str, "claim.formalization.formula"),
        "samples": (int, "claim.formalization.samples"),
        "readable": (int, "claim.formalization.readable"),
        "same_tree": (float, "claim.formalization.same_tree"),
        "equivalent": (float, "claim.formalization.equivalent"),
        "aligned": (float, "claim.formalization.aligned"),
        "agreed": (bool, "claim.formalization.agreed"),
        "similarity": (float, "claim.formalization.similarity"),
        "corrected": (bool, "claim.formalization.corrected"),
        "refused": (str, "claim.formalization.refused"),
        "alerts": (int, "claim.formalization.alerts"),
    },
    _claims,
)
