"""Compare two formulas under the laws alone: are they equivalent, and does one entail the other?"""

from __future__ import annotations

from collections import defaultdict

from holdtrue.budget import Budget
from holdtrue.claim_record import ClaimVerdict
from holdtrue.kinds.claims.context import Context
from holdtrue.kinds.claims.entailment import verify_claim
from holdtrue.logic.fol.naming import stem
from holdtrue.logic.fol.signature import signature
from holdtrue.logic.fol.syntax import Sentence
from holdtrue.logic.fol.vocabulary import Vocabulary
from holdtrue.logic.formula import Formula
from holdtrue.solving.explain.classification import equivalent
from holdtrue.solving.result import Different, Equivalent, Inconsistent, Unknown
from holdtrue.solving.route import counted_sentences

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
    one: Formula, other: Formula, vocabulary: Vocabulary, budget: Budget = PAIR
) -> Equivalent | Different | Inconsistent | Unknown:
    """Decide whether two formulas hold in the same situations, among those that the vocabulary's laws allow."""
    return equivalent(counted_sentences(vocabulary), one, other, budget)


def strengthens(new: Formula, old: Formula, vocabulary: Vocabulary, budget: Budget = PAIR) -> bool | None:
    """Return whether `new` entails `old`, or None if the budget ended first.

    A formula that nothing satisfies counts as entailing nothing, since it would entail whatever it came from.
    """
    finding = verify_claim(Context({"new": new}, vocabulary, budget), old)
    undecided = finding.verdict in (ClaimVerdict.UNKNOWN, ClaimVerdict.ASSUMED)
    return None if undecided else finding.verdict is ClaimVerdict.ENTAILED
