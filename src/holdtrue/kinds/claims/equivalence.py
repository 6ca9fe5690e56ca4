"""Whether two formulas say the same, or one says more, with nothing given but laws."""

from __future__ import annotations

from collections.abc import Sequence

from holdtrue.budget import Budget
from holdtrue.claim_record import ClaimVerdict
from holdtrue.kinds.claims.context import Context
from holdtrue.kinds.claims.proof import verify_claim
from holdtrue.logic.fol.ground import variables_of
from holdtrue.logic.formula import Formula
from holdtrue.solving.explain.equivalent import equivalent
from holdtrue.solving.result import Different, Equivalent, Inconsistent, Unknown
from holdtrue.solving.route import make_engine

PAIR = Budget(timeout_s=2.0)
"""For two formulas (VERGE, section 3.3)."""


def same_meaning(
    one: Formula, other: Formula, budget: Budget = PAIR, laws: Sequence[Formula] = ()
) -> Equivalent | Different | Inconsistent | Unknown:
    """Whether both are true of the same assignments, among those that the laws allow.

    Raises `FormulaError` where a name is two different variables.
    """
    return equivalent(make_engine(variables_of((one, other, *laws)), laws), one, other, budget)


def strengthens(new: Formula, old: Formula, budget: Budget = PAIR, laws: Sequence[Formula] = ()) -> bool | None:
    """Whether all that satisfies `new` satisfies `old`; None where the budget ended first.

    What nothing satisfies strengthens nothing: it would entail whatever it came from.
    """
    finding = verify_claim(Context({"new": new}, variables_of((new, old, *laws)), budget, laws), old)
    return None if finding.verdict is ClaimVerdict.UNKNOWN else finding.verdict is ClaimVerdict.ENTAILED
