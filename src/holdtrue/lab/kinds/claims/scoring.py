"""Scoring answers to questions: from what was written down, and the letter of the right option alone."""

from __future__ import annotations

from holdtrue.kinds.claims.record import ClaimsRecord
from holdtrue.lab.kinds.claims.entry import ClaimScore
from holdtrue.lab.kinds.claims.item import Item


def score_claims(item: Item, record: ClaimsRecord) -> ClaimScore:
    """The score of one turn; what is delivered last counts, and an option that the question does not have is none."""
    final = record.final
    given = (final.answer or {}).get("option") if record.delivered is not None else None
    check = final.check
    return ClaimScore(
        gold=item.answer,
        given=given if isinstance(given, str) and given in item.options else None,
        options=dict(item.options),
        supported=None if check is None else check.supported,
        proved=None if check is None else check.proved,
        dataset=item.dataset,
        perturbs=item.perturbs,
        perturbation=item.perturbation,
    )
