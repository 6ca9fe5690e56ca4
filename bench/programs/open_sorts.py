"""The verdict on sentences over things of any number, by z3 with quantifiers: a second engine beside grounding."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

import z3

from holdtrue.errors import FormulaError
from holdtrue_claims.claim_record import ClaimVerdict
from holdtrue_claims.fol import syntax as fol
from holdtrue_claims.fol.conventions import aliases

TIMEOUT_MS = 60_000
"""For each of the questions that a verdict takes."""


class OpenSorts:
    """`OpenSorts` says in z3 what sentences say of an open sort of things.

    `distinct` names are of different things, but for those that the sentences equate.
    """

    def __init__(self, sentences: Iterable[fol.Sentence], *, distinct: bool) -> None:
        self._context = z3.Context()
        self._sort = z3.DeclareSort("Thing", self._context)
        self._things: dict[str, z3.ExprRef] = {}
        self._distinct = distinct
        for sentence in sentences:
            self.said(sentence)

    def holds(self, sentences: Sequence[fol.Sentence]) -> bool | None:
        """Return whether the sentences can all hold; None where z3 does not find out in time."""
        solver = z3.Solver(ctx=self._context)
        solver.set("timeout", TIMEOUT_MS)
        solver.add([self.said(sentence) for sentence in sentences])
        if self._distinct:
            alike = [set(group) for group in aliases(sentences)]
            pairs = combinations(self._things.items(), 2)
            solver.add([a != b for (one, a), (other, b) in pairs if not any({one, other} <= own for own in alike)])
        found = solver.check()
        return None if found == z3.unknown else found == z3.sat

    def said(self, node: fol.Sentence) -> z3.BoolRef:
        return self._sentence(node, {})

    def _sentence(self, node: fol.Sentence | fol.Term, bound: Mapping[str, z3.ExprRef]) -> Any:
        parts = [self._sentence(part, bound) for part in fol.parts(node)] if isinstance(node, _CONNECTED) else []
        match node:
            case fol.Holds(name, args):
                return self._applied(f"p {name}", args, z3.BoolSort(self._context), bound)
            case fol.Compare("=" | "!=" as op, left, right):
                same = self._term(left, bound) == self._term(right, bound)
                return same if op == "=" else z3.Not(same)
            case fol.Quantified(quantifier, variable, body, None):
                own = z3.FreshConst(self._sort, variable)
                over = z3.ForAll if quantifier == "forall" else z3.Exists
                return over([own], self._sentence(body, {**bound, variable: own}))
            case fol.Not():
                return z3.Not(*parts)
            case fol.And():
                return z3.And(*parts, z3.BoolVal(True, self._context))
            case fol.Or():
                return z3.Or(*parts, z3.BoolVal(False, self._context))
            case fol.Implies():
                return z3.Implies(*parts)
            case fol.Iff():
                return parts[0] == parts[1]
            case fol.Xor():
                return parts[0] != parts[1]
        raise FormulaError(f"no sentence of things alone: {type(node).__name__}")

    def _term(self, node: fol.Term, bound: Mapping[str, z3.ExprRef]) -> z3.ExprRef:
        match node:
            case fol.Bound(name) if name in bound:
                return bound[name]
            case fol.Constant(name):
                return self._things.setdefault(name, z3.Const(f"c {name}", self._sort))
            case fol.Number(value):
                return self._term(fol.Constant(str(value)), bound)
            case fol.Apply(name, args):
                return self._applied(f"f {name}", args, self._sort, bound)
        raise FormulaError(f"no term for a thing: {type(node).__name__}")

    def _applied(
        self, name: str, args: tuple[fol.Term, ...], sort: z3.SortRef, bound: Mapping[str, z3.ExprRef]
    ) -> z3.ExprRef:
        return z3.Function(f"{name}/{len(args)}", *[self._sort] * len(args), sort)(
            *(self._term(arg, bound) for arg in args)
        )


_CONNECTED = (fol.Not, fol.And, fol.Or, fol.Implies, fol.Iff, fol.Xor)


def decide_openly(premises: Sequence[fol.Sentence], conclusion: fol.Sentence, *, distinct: bool = True) -> ClaimVerdict:
    """Decide whether the premises entail the conclusion over things of any number, contradict it or leave it open."""
    world = OpenSorts([*premises, conclusion], distinct=distinct)
    if (possible := world.holds(premises)) is False:
        return ClaimVerdict.INCONSISTENT_CONTEXT
    if world.holds([*premises, fol.Not(conclusion)]) is False:
        return ClaimVerdict.ENTAILED if possible else ClaimVerdict.UNKNOWN
    if world.holds([*premises, conclusion]) is False:
        return ClaimVerdict.CONTRADICTORY if possible else ClaimVerdict.UNKNOWN
    both = [world.holds([*premises, one]) for one in (conclusion, fol.Not(conclusion))]
    return ClaimVerdict.POSSIBLE if all(both) else ClaimVerdict.UNKNOWN
