"""Check all claims of an answer together: can they all hold, and which of them to change? (VERGE, algorithm 1.)

A claim without a formula is a propositional atom. Bridging axioms tie such atoms to the other claims, and are used in
this check only.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from holdtrue.budget import Budget
from holdtrue.claim_record import ClaimRecord, ClaimVerdict, JointRecord, JointVerdict, PremiseRecord, SoftVerdict
from holdtrue.errors import FormulaError
from holdtrue.kinds.claims.context import Context, InconsistentContext, check_ids, correct
from holdtrue.kinds.claims.premises import Premises, alert_records
from holdtrue.kinds.claims.prompts.bridges import Bridge, propose_bridges
from holdtrue.kinds.claims.settings import CheckSettings
from holdtrue.language.asking import Asking
from holdtrue.logic.fol.canonical import renamed
from holdtrue.logic.fol.conventions import IN_WORDS
from holdtrue.logic.fol.meaning import state
from holdtrue.logic.fol.stated import Stated
from holdtrue.logic.fol.syntax import Holds
from holdtrue.logic.fol.vocabulary import Predicate, Vocabulary
from holdtrue.logic.formula import Formula
from holdtrue.solving.engine import Soft
from holdtrue.solving.explain.smallest_mus import smallest_mus
from holdtrue.solving.result import Core, Id, Mcs, MinimumMcs, Mus, Satisfiable, Unknown, Witness


@dataclass(frozen=True, slots=True)
class JointFinding:
    """The verdict on all claims together, and the evidence for it.

    Attributes:
        verdict: Whether all claims can hold together with the context.
        conflict: The ids of premises, bridging axioms and claims, in this order, that cannot all hold; as few as
            possible.
        minimal: It is proved that every one of `conflict` is needed.
        correction: The claims to keep and to set aside. None if there is no conflict, if premises and bridging axioms
            clash without any claim, or if time ran out.
        witness: Values that satisfy everything.
        reason: Why nothing could be proved.
    """

    verdict: JointVerdict
    conflict: tuple[Id, ...] = ()
    minimal: bool = True
    correction: Mcs | None = None
    witness: Witness | None = None
    reason: str | None = None


def soft_claim(id: Id) -> Formula:
    """Return the atom that stands for a claim without a formula; bridging axioms are written with such atoms."""
    return Stated(Holds(_atom(id)))


def verify_joint(
    context: Context,
    claims: Mapping[Id, Formula | None],
    bridges: Mapping[Id, Formula] | None = None,
    *,
    confidence: Mapping[Id, float] | None = None,
    minimum: bool = False,
) -> JointFinding:
    """Decide whether all claims can hold together with the context.

    A claim with None in place of a formula is an atom (`soft_claim`). If not all can hold, the `correction` keeps the
    most confident claims, or with `minimum` as many as possible (`correct`). The context's budget is for all of this
    together. Raises `InputError` if a name is used twice, and `FormulaError` for a variable that neither the context
    nor a soft claim has.
    """
    bridges = bridges or {}
    check_ids(context.premises, bridges, claims)
    status = context.status
    if isinstance(status, InconsistentContext):
        return JointFinding(JointVerdict.INCONSISTENT_CONTEXT, status.premises, status.minimal, reason=status.reason)
    if isinstance(status, Unknown):
        return JointFinding(JointVerdict.UNKNOWN, reason=status.reason)
    deadline = context.budget.start()
    soft = {id: soft_claim(id) if formula is None else formula for id, formula in claims.items()}
    words = _with_atoms(context.vocabulary, [id for id, formula in claims.items() if formula is None])
    engine = context.make(words, (*context.premises.values(), *bridges.values()))
    found = engine.decide(soft, context.budget)
    if isinstance(found, Satisfiable):
        return JointFinding(JointVerdict.CONSISTENT, witness=found.witness)
    if isinstance(found, Unknown):
        return JointFinding(JointVerdict.UNKNOWN, reason=found.reason)
    theory = {**context.premises, **bridges, **soft}
    conflict, minimal = _conflict(context, words, theory, context.budget.until(deadline))
    needed = context.conventions_of({id: theory[id] for id in conflict}, context.budget.until(deadline), words)
    if needed:
        reason = f"they cannot, if what nobody stated is so: {' '.join(IN_WORDS[own] for own in needed)}"
        return JointFinding(JointVerdict.UNKNOWN, conflict, minimal, reason=reason)
    correction = correct(engine, soft, confidence or {}, context.budget.until(deadline), minimum=minimum)
    return JointFinding(
        JointVerdict.CONFLICT, conflict, minimal, correction=correction if isinstance(correction, Mcs) else None
    )


def _conflict(context: Context, vocabulary: Vocabulary, theory: Soft, budget: Budget) -> tuple[tuple[Id, ...], bool]:
    """Return a conflict, and whether it is minimal; this takes a second engine, as the first can name claims only."""
    found = smallest_mus(context.make(vocabulary), theory, budget)
    # That all together are impossible is proved, whatever the time was too short for.
    return (found.ids, isinstance(found, Mus)) if isinstance(found, Mus | Core) else (tuple(theory), False)


def _atom(id: Id) -> str:
    # No name that is read from a text begins with this sign.
    return f"?{id}"


def _with_atoms(vocabulary: Vocabulary, ids: Iterable[Id]) -> Vocabulary:
    return replace(vocabulary, predicates=(*vocabulary.predicates, *(Predicate(_atom(id), ()) for id in ids)))


@dataclass(frozen=True, slots=True)
class Tested:
    """A claim with its record, the formula that was accepted (None: judges decided), and its verdict as a value."""

    record: ClaimRecord
    verdict: ClaimVerdict | SoftVerdict
    formula: Formula | None = None


async def check_together(
    asking: Asking,
    premises: Premises,
    settings: CheckSettings,
    tested: Sequence[Tested],
) -> JointRecord:
    """Check all claims together, without those that are contradictory alone. Raises `ModelError`.

    Where only proof is accepted, a claim without a formula loses the answer, and no bridging axioms are asked for.
    """
    valid = [each for each in tested if each.verdict is not ClaimVerdict.CONTRADICTORY]
    if not premises.consistent or any(each.verdict is ClaimVerdict.INCONSISTENT_CONTEXT for each in valid):
        found = verify_joint(premises.context, {})
        return JointRecord(found.verdict, found.conflict, found.minimal, reason=found.reason)
    follow = bool(valid) and all(each.verdict is ClaimVerdict.ENTAILED for each in valid)
    if follow and not premises.earlier and isinstance(premises.context.status, Satisfiable):
        return JointRecord(JointVerdict.CONSISTENT)  # what follows holds wherever the premises do
    claims = {each.record.id: each.formula for each in valid}
    sure = {each.record.id: each.record.confidence for each in valid}
    bridges: Mapping[str, Formula] = {}
    records: tuple[PremiseRecord, ...] = ()
    if settings.bridges and (settings.accept == "judged" or settings.ask_judges):
        bridges, records = await _bridges(asking, premises, valid)
    context, beside = premises.context, {**premises.earlier, **bridges}
    found = verify_joint(context, claims, beside, confidence=sure)
    smallest = None
    if found.verdict is JointVerdict.CONFLICT and settings.smallest:
        fewest = verify_joint(context, claims, beside, confidence=sure, minimum=True).correction
        smallest = tuple(fewest.set_aside) if isinstance(fewest, MinimumMcs) else None
    return JointRecord(
        verdict=found.verdict,
        conflict=found.conflict,
        minimal=found.minimal,
        set_aside=tuple(found.correction.set_aside) if isinstance(found.correction, Mcs) else (),
        smallest=smallest,
        bridges=records,
        without_bridges=verify_joint(context, claims, premises.earlier).verdict if bridges else None,
        reason=found.reason,
    )


def to_change(joint: JointRecord, tested: Sequence[Tested]) -> tuple[str, ...]:
    """Return, in order, the claims to change so that the others can hold: contradictory ones, and as few more as
    needed.
    """
    wrong = {each.record.id for each in tested if each.verdict is ClaimVerdict.CONTRADICTORY}
    wrong.update(joint.set_aside if joint.smallest is None else joint.smallest)
    return tuple(each.record.id for each in tested if each.record.id in wrong)


async def _bridges(
    asking: Asking, premises: Premises, valid: Sequence[Tested]
) -> tuple[Mapping[str, Formula], tuple[PremiseRecord, ...]]:
    """Return the usable bridging axioms as formulas, and records of all that were proposed, with their faults."""
    hard = {each.record.id: each.record.text for each in valid if each.formula is not None}
    soft = {each.record.id: each.record.text for each in valid if each.formula is None}
    if not hard or not soft:
        return {}, ()
    proposed = await propose_bridges(asking, premises.vocabulary, soft, hard)
    formulas = {each.id: formula for each in proposed if (formula := _formula(premises, each, soft)) is not None}
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


def _formula(premises: Premises, bridge: Bridge, soft: Mapping[str, str]) -> Formula | None:
    """Return the formula of a bridging axiom, with atoms for soft claims, or None if it has no meaning."""
    read = bridge.formalization
    if not read.sound or read.sentence is None:
        return None
    words = _with_atoms(premises.vocabulary, soft)
    try:
        return state(renamed(read.sentence, {id: _atom(id) for id in soft}), words)
    except FormulaError:
        return None
