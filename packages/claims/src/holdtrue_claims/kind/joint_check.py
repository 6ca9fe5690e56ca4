"""Check all claims of an answer together: can they all hold, and which of them to change? (VERGE, algorithm 1.)

A claim without a formula is a propositional atom. Bridging axioms connect such atoms with the other claims, only in
this check.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from holdtrue.errors import FormulaError
from holdtrue.language.asking import Asking
from holdtrue.logic.formula import Formula
from holdtrue.solving.explain.mus import smallest_mus
from holdtrue.solving.result import Core, Id, Mcs, MinimumMcs, Mus, Satisfiable, Unknown
from holdtrue_claims.claim_record import (
    ClaimRecord,
    ClaimVerdict,
    JointRecord,
    JointVerdict,
    PremiseRecord,
    SoftVerdict,
)
from holdtrue_claims.fol.canonical import renamed
from holdtrue_claims.fol.conventions import IN_WORDS
from holdtrue_claims.fol.meaning import Stated, state
from holdtrue_claims.fol.syntax import Holds
from holdtrue_claims.fol.vocabulary import Predicate, Vocabulary
from holdtrue_claims.kind.context import Context, InconsistentContext, check_ids, correct
from holdtrue_claims.kind.premises import Premises, alert_records
from holdtrue_claims.kind.prompts.bridges import propose_bridges
from holdtrue_claims.kind.settings import CheckSettings


def soft_claim(id: Id) -> Formula:
    """Return the atom that stands for a claim without a formula; bridging axioms use the same atom."""
    return Stated(Holds(_atom(id)))


def verify_joint(
    context: Context,
    claims: Mapping[Id, Formula | None],
    bridges: Mapping[Id, Formula] | None = None,
    *,
    confidence: Mapping[Id, float] | None = None,
    smallest: bool = False,
) -> JointRecord:
    """Decide whether all claims can hold together with the context.

    A claim with None in place of a formula is an atom (`soft_claim`). If not all can hold, the most confident claims
    are kept. `smallest` also requests the fewest claims to set aside (`correct`). One budget of the context covers all
    of that, and a second one the fewest claims. Raises `InputError` if an id is used twice, and `FormulaError` for an
    unknown name.
    """
    bridges = bridges or {}
    check_ids(context.premises, bridges, claims)
    status = context.status
    if isinstance(status, InconsistentContext):
        return JointRecord(JointVerdict.INCONSISTENT_CONTEXT, status.premises, status.minimal, reason=status.reason)
    if isinstance(status, Unknown):
        return JointRecord(JointVerdict.UNKNOWN, reason=status.reason)
    deadline = context.budget.start()
    soft = {id: soft_claim(id) if formula is None else formula for id, formula in claims.items()}
    words = _with_atoms(context.vocabulary, [id for id, formula in claims.items() if formula is None])
    engine = context.make(words, (*context.premises.values(), *bridges.values()))
    found = engine.decide(soft, context.budget)
    if isinstance(found, Satisfiable):
        return JointRecord(JointVerdict.CONSISTENT)
    if isinstance(found, Unknown):
        return JointRecord(JointVerdict.UNKNOWN, reason=found.reason)
    theory = {**context.premises, **bridges, **soft}
    # The first engine reports claims only, so a second engine finds the conflict.
    clash = smallest_mus(context.make(words), theory, context.budget.until(deadline))
    # The clash is proved, even if the time was too short for a smaller core.
    conflict, minimal = clash.ids if isinstance(clash, Mus | Core) else tuple(theory), isinstance(clash, Mus)
    needed = context.conventions_of({id: theory[id] for id in conflict}, context.budget.until(deadline), words)
    if needed:
        reason = f"they cannot, if what nobody stated is so: {' '.join(IN_WORDS[own] for own in needed)}"
        return JointRecord(JointVerdict.UNKNOWN, conflict, minimal, reason=reason)
    kept = correct(engine, soft, confidence or {}, context.budget.until(deadline))
    fewest = correct(engine, soft, confidence or {}, context.budget, minimum=True) if smallest else None
    return JointRecord(
        JointVerdict.CONFLICT,
        conflict,
        minimal,
        set_aside=tuple(kept.set_aside) if isinstance(kept, Mcs) else (),
        smallest=tuple(fewest.set_aside) if isinstance(fewest, MinimumMcs) else None,
    )


def _atom(id: Id) -> str:
    # No name in a text begins with this sign.
    return f"?{id}"


def _with_atoms(vocabulary: Vocabulary, ids: Iterable[Id]) -> Vocabulary:
    return replace(vocabulary, predicates=(*vocabulary.predicates, *(Predicate(_atom(id), ()) for id in ids)))


@dataclass(frozen=True, slots=True)
class Tested:
    """A `Tested` is a claim with its record and its verdict. `formula` is None if no formula decided it."""

    record: ClaimRecord
    verdict: ClaimVerdict | SoftVerdict
    formula: Formula | None = None


async def check_together(
    asking: Asking, premises: Premises, settings: CheckSettings, tested: Sequence[Tested]
) -> JointRecord:
    """Check all claims together, without those that are contradictory by themselves. Raises `ModelError`.

    If only proof is accepted, a claim without a formula prevents acceptance, so no bridging axioms are requested.
    """
    valid = [each for each in tested if each.verdict is not ClaimVerdict.CONTRADICTORY]
    if not premises.consistent or any(each.verdict is ClaimVerdict.INCONSISTENT_CONTEXT for each in valid):
        return verify_joint(premises.context, {})
    follow = bool(valid) and all(each.verdict is ClaimVerdict.ENTAILED for each in valid)
    if follow and not premises.earlier and isinstance(premises.context.status, Satisfiable):
        return JointRecord(JointVerdict.CONSISTENT)  # entailed claims hold in every situation of the premises
    claims = {each.record.id: each.formula for each in valid}
    sure = {each.record.id: each.record.confidence for each in valid}
    bridges: Mapping[str, Formula] = {}
    records: tuple[PremiseRecord, ...] = ()
    if settings.bridges and (settings.accept == "judged" or settings.ask_judges):
        bridges, records = await _bridges(asking, premises, valid)
    context, beside = premises.context, {**premises.earlier, **bridges}
    found = verify_joint(context, claims, beside, confidence=sure, smallest=settings.smallest)
    alone = verify_joint(context, claims, premises.earlier).verdict if bridges else None
    return replace(found, bridges=records, without_bridges=alone)


def to_change(joint: JointRecord, tested: Sequence[Tested]) -> tuple[str, ...]:
    """Return, in order, the claims to change so that the others can hold: contradictory ones, and the fewest others."""
    wrong = {each.record.id for each in tested if each.verdict is ClaimVerdict.CONTRADICTORY}
    wrong.update(joint.set_aside if joint.smallest is None else joint.smallest)
    return tuple(each.record.id for each in tested if each.record.id in wrong)


async def _bridges(
    asking: Asking, premises: Premises, valid: Sequence[Tested]
) -> tuple[Mapping[str, Formula], tuple[PremiseRecord, ...]]:
    """Return the usable bridging axioms as formulas, and records of all proposed ones with their faults."""
    hard = {each.record.id: each.record.text for each in valid if each.formula is not None}
    soft = {each.record.id: each.record.text for each in valid if each.formula is None}
    if not hard or not soft:
        return {}, ()
    proposed = await propose_bridges(asking, premises.vocabulary, soft, hard)
    words, atoms = _with_atoms(premises.vocabulary, soft), {id: _atom(id) for id in soft}
    formulas: dict[str, Formula] = {}
    for each in proposed:
        if each.formalization.sound and each.formalization.sentence is not None:
            with suppress(FormulaError):  # an axiom without a meaning is skipped
                formulas[each.id] = state(renamed(each.formalization.sentence, atoms), words)
    records = tuple(
        PremiseRecord(
            each.id,
            each.text,
            each.formalization.text if each.id in formulas else None,
            "bridge",
            alerts=alert_records(each.formalization.alerts),
        )
        for each in proposed
    )
    return formulas, records
