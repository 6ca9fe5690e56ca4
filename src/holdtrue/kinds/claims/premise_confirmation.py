"""Confirm the premises that a verdict rests on: their formulas have to be chosen among near variants, as claims' are.

A proof from a premise that was misread proves nothing. To ask about every premise would cost more than the claims do,
so it is asked about those that a verdict needs, once in a conversation. One that is refused counts as not read.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from holdtrue.claim_record import ClaimVerdict
from holdtrue.kinds.claims.formula_choice import choose_formula
from holdtrue.kinds.claims.joint_check import Tested
from holdtrue.kinds.claims.premises import Premise, Premises, plain
from holdtrue.kinds.claims.settings import FormalSettings
from holdtrue.language.asking import Asking
from holdtrue.logic.fol.alert import Alert
from holdtrue.logic.fol.notation import write_fol
from holdtrue.logic.fol.signature import names_in
from holdtrue.logic.fol.stated import sentence_of
from holdtrue.logic.fol.syntax import Sentence
from holdtrue.logic.formula import Formula


def resting_on(tested: Iterable[Tested], premises: Premises) -> set[str]:
    """Return the ids of the premises that verdicts on claims rest on.

    These are the ones that prove a verdict, and those whose words a claim repeats, since it has their formula, too.
    That nothing decides a claim rests on those that share a name with it: read otherwise, they might decide it.
    """
    found: set[str] = set()
    for claim in tested:
        found.update(claim.record.premises)
        found.update(each.id for each in premises.stated if plain(each.text) == plain(claim.record.text))
        if claim.verdict is ClaimVerdict.POSSIBLE and claim.formula is not None:
            found.update(sharing_names(claim.formula, premises))
    return found


def sharing_names(claim: Formula, premises: Premises) -> list[str]:
    """Return the ids of the premises whose formulas share a name with a claim's."""
    names = names_in(sentence_of(claim))
    return [id for id, formula in premises.formulas.items() if names & names_in(formula.sentence)]


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
            found = await choose_formula(asking, premises.vocabulary, each.text, each.sentence, settings)
            why = found.reason or "it was not chosen for its sentence"
            each = replace(each, confirmed=True) if found.accepted else _refused(each, each.sentence, why)
        entries.append(each)
    return replace(premises, entries=tuple(entries))


def _refused(premise: Premise, sentence: Sentence, why: str) -> Premise:
    alert = Alert("refused", why, write_fol(sentence))
    return replace(premise, sentence=None, formula=None, alerts=(*premise.alerts, alert))
