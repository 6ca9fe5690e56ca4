"""Confirm the premises that a verdict rests on: their formulas have to be chosen among near variants, as claims' are.

A proof from a premise that was misread proves nothing. To ask about every premise would cost more than the claims do,
so it is asked about those that a verdict needs, once in a conversation. One that is refused counts as not read.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from holdtrue.claim_record import ClaimRecord, ClaimVerdict
from holdtrue.kinds.claims.formula_choice import choose_formula
from holdtrue.kinds.claims.premises import Premise, Premises, plain
from holdtrue.kinds.claims.settings import FormalSettings
from holdtrue.language.asking import Asking
from holdtrue.logic.fol.alert import Alert
from holdtrue.logic.fol.notation import write_fol
from holdtrue.logic.fol.syntax import Sentence

_RESTING = (
    ClaimVerdict.ENTAILED,
    ClaimVerdict.CONTRADICTORY,
    ClaimVerdict.ASSUMED,
    ClaimVerdict.INCONSISTENT_CONTEXT,
)
"""The verdicts that premises prove; the others only say that none of them proves anything."""


def resting_on(claims: Iterable[ClaimRecord], premises: Premises) -> set[str]:
    """Return the ids of the premises that prove verdicts on claims.

    A claim in the words of a premise follows from it, whatever both were read as.
    """
    texts = premises.texts
    return {
        id
        for claim in claims
        if claim.verdict in _RESTING
        for id in claim.premises
        if id in texts and plain(texts[id]) != plain(claim.text)
    }


async def confirm_premises(
    asking: Asking, settings: FormalSettings, premises: Premises, ids: Collection[str]
) -> Premises:
    """Return the premises with those of these ids confirmed, or without a formula and with an alert that says why.

    Nothing is asked about a premise that is confirmed already, nor where the settings ask for no choices. Raises
    `ModelError`.
    """
    open_ = {each.id for each in premises.entries if each.sentence is not None and not each.confirmed} & set(ids)
    if not settings.choice_rounds or not open_:
        return premises
    entries = []
    for each in premises.entries:
        if each.id in open_ and each.sentence is not None:
            each = await _confirmed(asking, settings, premises, each, each.sentence)
        entries.append(each)
    return replace(premises, entries=tuple(entries))


async def _confirmed(
    asking: Asking, settings: FormalSettings, premises: Premises, premise: Premise, sentence: Sentence
) -> Premise:
    found = await choose_formula(asking, premises.vocabulary, premise.text, sentence, settings)
    if found.accepted:
        return replace(premise, confirmed=True)
    alert = Alert("refused", found.reason or "it was not chosen for its sentence", write_fol(sentence))
    return replace(premise, sentence=None, formula=None, alerts=(*premise.alerts, alert))
