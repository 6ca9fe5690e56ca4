"""Compare two formulas under the laws alone: are they equivalent, and does one entail the other?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from holdtrue.budget import Budget
from holdtrue.claim_record import ClaimVerdict
from holdtrue.kinds.claims.context import Context
from holdtrue.kinds.claims.entailment import verify_claim
from holdtrue.logic.fol.ground import variables_of
from holdtrue.logic.fol.naming import stem
from holdtrue.logic.fol.signature import signature
from holdtrue.logic.fol.syntax import Sentence
from holdtrue.logic.formula import Formula
from holdtrue.solving.explain.classification import equivalent
from holdtrue.solving.result import Different, Equivalent, Inconsistent, Unknown
from holdtrue.solving.route import counted_engine

_Use = tuple[str, int, str]
"""What kind of name it is, how many arguments it has, and its stem."""


def align(one: Sentence, other: Sentence) -> dict[str, str]:
    """Map names of `other` that `one` lacks to the names of `one` that they look like (`near`).

    Only names of the same use and the same number of arguments are mapped, and only if no third name looks like them.
    """
    left, right = _uses(one), _uses(other)
    ours: dict[_Use, list[str]] = defaultdict(list)
    theirs: dict[_Use, list[str]] = defaultdict(list)
    for uses, known, found in ((left, right, ours), (right, left, theirs)):
        for name, use in uses.items():
            if name not in known and use is not None:
                found[use].append(name)
    return {names[0]: ours[use][0] for use, names in theirs.items() if len(names) == 1 == len(ours[use])}


def _uses(sentence: Sentence) -> dict[str, _Use | None]:
    """Return how each name of a sentence is used, or None for a name with two uses."""
    found = signature([sentence])
    uses: dict[str, _Use | None] = {}
    for kind, names in (
        ("predicate", found.predicates),
        ("function", found.functions),
        ("thing", dict.fromkeys(found.constants, 0)),
    ):
        for name, arity in names.items():
            uses[name] = None if name in uses else (kind, arity, stem(name))
    return uses


PAIR = Budget(timeout_s=2.0)
"""For two formulas (VERGE, section 3.3)."""


def same_meaning(
    one: Formula, other: Formula, budget: Budget = PAIR, laws: Sequence[Formula] = ()
) -> Equivalent | Different | Inconsistent | Unknown:
    """Decide whether two formulas are true of the same assignments, among those that the laws allow.

    Raises `FormulaError` if one name stands for two different variables.
    """
    return equivalent(counted_engine(variables_of((one, other, *laws)), laws), one, other, budget)


def strengthens(new: Formula, old: Formula, budget: Budget = PAIR, laws: Sequence[Formula] = ()) -> bool | None:
    """Return whether `new` entails `old`, or None if the budget ended first.

    A formula that nothing satisfies counts as entailing nothing, since it would entail whatever it came from.
    """
    finding = verify_claim(Context({"new": new}, variables_of((new, old, *laws)), budget, laws), old)
    return None if finding.verdict is ClaimVerdict.UNKNOWN else finding.verdict is ClaimVerdict.ENTAILED
