"""Whether claims can be true together, also those that only judges can assess.

A claim without a formula counts as an atom of its own. Bridging axioms tie such atoms to each other and to formulas
("if it is a single-digit number, it is below ten"); they count here only, and never for the verdict on one claim.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from holdtrue.budget import Budget
from holdtrue.claim_record import JointVerdict
from holdtrue.kinds.claims.context import CANNOT_HOLD, Context, InconsistentContext, check_ids
from holdtrue.kinds.claims.correction import correct
from holdtrue.logic.formula import Formula, Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.solving.engine import Soft
from holdtrue.solving.explain.smallest_mus import smallest_mus
from holdtrue.solving.result import Core, Id, Mcs, Mus, Satisfiable, Unknown, Witness


@dataclass(frozen=True, slots=True)
class JointFinding:
    """The verdict on claims together, and what shows it.

    `conflict` names premises, bridging axioms and claims that cannot all hold, in this order, as few as possible;
    `minimal`: proved that none of them can be spared. `correction` has the claims to keep and to set aside: None where
    there is no conflict, where no claim is to blame (premises and bridging axioms clash by themselves), or where time
    ran out. `witness` satisfies everything. `reason` tells why nothing could be proved.
    """

    verdict: JointVerdict
    conflict: tuple[Id, ...] = ()
    minimal: bool = True
    correction: Mcs | None = None
    witness: Witness | None = None
    reason: str | None = None


def soft_claim(id: Id) -> Formula:
    """That the claim of this name is true, where it has no formula: what bridging axioms are made with."""
    return _atom(id).eq(1)


def verify_joint(
    context: Context,
    claims: Mapping[Id, Formula | None],
    bridges: Mapping[Id, Formula] | None = None,
    *,
    confidence: Mapping[Id, float] | None = None,
    minimum: bool = False,
) -> JointFinding:
    """Whether all claims can hold together; None in place of a formula makes a claim a `soft_claim`.

    Where they cannot, `correction` keeps the most confident claims, or, with `minimum`, as many as possible
    (`correct`). The context's budget is for all questions together. The parts of one claim can be given in place of
    claims: the correction says then which of them to change. Raises `InputError` where a name is used twice, and
    `FormulaError` for a variable that neither the context nor a soft claim has.
    """
    bridges = bridges or {}
    check_ids(context.premises, bridges, claims)
    status = context.status
    if isinstance(status, InconsistentContext):
        return JointFinding(JointVerdict.INCONSISTENT_CONTEXT, status.premises, status.minimal, reason=CANNOT_HOLD)
    if isinstance(status, Unknown):
        return JointFinding(JointVerdict.UNKNOWN, reason=status.reason)
    deadline = context.budget.start()
    soft = {id: soft_claim(id) if formula is None else formula for id, formula in claims.items()}
    variables = (*context.variables, *(_atom(id) for id, formula in claims.items() if formula is None))
    engine = context.make(variables, (*context.laws, *context.premises.values(), *bridges.values()))
    found = engine.decide(soft, context.budget)
    if isinstance(found, Satisfiable):
        return JointFinding(JointVerdict.CONSISTENT, witness=found.witness)
    if isinstance(found, Unknown):
        return JointFinding(JointVerdict.UNKNOWN, reason=found.reason)
    correction = correct(engine, soft, confidence or {}, context.budget.until(deadline), minimum=minimum)
    conflict, minimal = _conflict(
        context, variables, {**context.premises, **bridges, **soft}, context.budget.until(deadline)
    )
    return JointFinding(
        JointVerdict.CONFLICT, conflict, minimal, correction=correction if isinstance(correction, Mcs) else None
    )


def _conflict(
    context: Context, variables: tuple[Variable, ...], theory: Soft, budget: Budget
) -> tuple[tuple[Id, ...], bool]:
    """Why not all can hold. It takes a second engine: in the first only claims can be named."""
    found = smallest_mus(context.make(variables, context.laws), theory, budget)
    # That all together are impossible is proved, whatever the time was too short for.
    return (found.ids, isinstance(found, Mus)) if isinstance(found, Mus | Core) else (tuple(theory), False)


def _atom(id: Id) -> Variable:
    # No fact's name begins with this sign (`logic.fol.ground.fact_name`).
    return Variable(f"?{id}", IntSort(0, 1))
