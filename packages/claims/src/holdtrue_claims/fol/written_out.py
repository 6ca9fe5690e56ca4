"""Write out quantifiers, counts and sums over values with stated bounds, and simplify constant arithmetic.

The result has fewer quantified values and the same truth in every situation. `∀n ∈ whole (n ≥ 1 ∧ n ≤ 2 → P(n))`
becomes `P(1) ∧ P(2)`. A count of days becomes a sum with a 1 for each day.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from holdtrue.errors import FormulaError
from holdtrue_claims.fol import syntax as fol
from holdtrue_claims.fol.evaluation import Evaluation
from holdtrue_claims.fol.moving import Held
from holdtrue_claims.fol.syntax import replaced, substituted
from holdtrue_claims.fol.term_sorts import TermSorts
from holdtrue_claims.fol.vocabulary import ANY

TRUE, FALSE = fol.And(()), fol.Or(())
MOST_NODES = 100_000
"""The largest number of nodes of a written out sentence. Larger quantifiers, counts and sums stay as they are."""
_MOST_IN_CASES = 2_000
"""The largest number of nodes of all cases together into which `by_cases` splits a quantified sentence."""
_MOST_WRITTEN = 100
"""A quantifier over more values than this is not written out."""


def goes_through_values(node: fol.Sentence | fol.Term, sorts: TermSorts) -> bool:
    """Return whether a quantifier, count or sum in a sentence ranges over values, such as numbers, and not things."""
    return any(isinstance(own, fol.Binder) and sorts.ranged(own.sort) is not None for own in fol.walk(node))


def written_out(sentence: fol.Sentence, sorts: TermSorts) -> fol.Sentence:
    """Return the sentence with each quantifier, count and sum written out if its values are bounded and few."""
    found: fol.Sentence = _Writing(sorts).node(sentence)
    return found


class _Writing:
    def __init__(self, sorts: TermSorts, *, binders: bool = True) -> None:
        self._sorts, self._left, self._binders = sorts, MOST_NODES, binders
        self._evaluation = Evaluation(None, {}, sorts, lambda: None, {})

    def node(self, node: Any) -> Any:
        self._left -= 1
        match node:
            case fol.Quantified() | fol.Count() | fol.Total() if self._binders:
                return self._binder(node)
            case fol.Compare():
                return self._settled(fol.rebuilt(node, self.node))
        return connected(node, self.node)

    def _settled(self, node: fol.Compare) -> fol.Sentence:
        try:
            truth = self._evaluation.truth(node)
        except FormulaError:
            return node
        return node if truth is None else TRUE if truth else FALSE

    def _binder(self, node: fol.Binder) -> Any:
        sort = self._sorts.ranged(node.sort)
        try:
            values = None if sort is None else self._evaluation.values(node, sort, {})
        except FormulaError:  # the bounds depend on an outer variable
            values = None
        many = isinstance(node, fol.Quantified) and len(values or ()) > _MOST_WRITTEN
        if values is None or many or len(values) * len(tuple(fol.walk(node.body))) > self._left:
            return connected(node, self.node)
        literals = [value for value in values if not isinstance(value, Held)]  # nothing moves here
        bodies = ((value, self.node(substituted(node.body, {node.variable: value}))) for value in literals)
        if isinstance(node, fol.Quantified):
            return joined(fol.And if node.quantifier == "forall" else fol.Or, (body for _, body in bodies))
        summed: list[fol.Term] = []
        for value, body in bodies:
            term: fol.Term = fol.Number(1)
            if isinstance(node, fol.Total):
                term = self.node(substituted(node.term, {node.variable: value}))
            if body != FALSE:
                summed.append(term if body == TRUE else fol.Choice(body, term, fol.Number(0)))
        return fol.Plus(tuple((1, term) for term in summed)) if summed else fol.Number(0)


def connected(node: Any, change: Callable[[Any], Any]) -> Any:
    """Return a sentence or a term with `change` applied to its parts, and simplified if these are constant."""
    match node:
        case fol.And(operands) | fol.Or(operands):
            return joined(type(node), map(change, operands))
        case fol.Not(operand):
            return denied(change(operand))
        case fol.Implies(left, right):
            condition = change(left)
            follows = TRUE if condition == FALSE else change(right)
            if TRUE in (condition, follows):
                return follows
            return denied(condition) if follows == FALSE else fol.Implies(condition, follows)
        case fol.Iff(left, right) | fol.Xor(left, right):
            sides = [change(left), change(right)]
            for one, other in (sides, sides[::-1]):
                if one in (TRUE, FALSE):
                    return other if (one == TRUE) is isinstance(node, fol.Iff) else denied(other)
            return type(node)(*sides)
        case fol.Choice(condition, then, otherwise):
            made = change(condition)
            if made in (TRUE, FALSE):
                return change(then if made == TRUE else otherwise)
            return fol.Choice(made, change(then), change(otherwise))
        case fol.Quantified(quantifier, variable, body, sort):
            made = change(body)
            empty = TRUE if quantifier == "forall" else FALSE
            return empty if made == empty else fol.Quantified(quantifier, variable, made, sort)
        case fol.Count() | fol.Total() if change(node.body) == FALSE:
            return fol.Number(0)
    return fol.rebuilt(node, change)


def plain(sentence: fol.Sentence, sorts: TermSorts) -> fol.Sentence:
    """Return the sentence with constant arithmetic simplified, and nothing written out."""
    found: fol.Sentence = _Writing(sorts, binders=False).node(sentence)
    return found


def by_cases(node: Any, sorts: TermSorts) -> Any:
    """Return a sentence with a separate case for each named thing that its variable is compared with.

    A case is the sentence for one such thing; the last case covers all others. In a case, each comparison with a named
    thing is true or false, so a case is often much shorter. Only sentences that range over values are split.
    """
    made = fol.rebuilt(node, lambda part: by_cases(part, sorts))
    if not isinstance(made, fol.Quantified) or sorts.ranged(made.sort) is not None:
        return made
    x = fol.Bound(made.variable)
    told: dict[fol.Constant, set[fol.Compare]] = {}
    for own in fol.walk(made.body):
        if isinstance(own, fol.Compare) and x in (own.left, own.right):
            other = own.right if own.left == x else own.left
            if isinstance(other, fol.Constant):
                told.setdefault(other, set()).add(own)
    size = sum(1 for _ in fol.walk(made.body)) * len(told)
    if not 0 < size <= _MOST_IN_CASES or not goes_through_values(made.body, sorts):
        return made
    kind = fol.And if made.quantifier == "forall" else fol.Or
    apart: list[fol.Sentence] = []
    rest = tuple(fol.Compare("=" if kind is fol.And else "!=", x, own) for own in told)
    for case in (*told, None):
        truths = {said: TRUE if (said.op == "=") is (own == case) else FALSE for own in told for said in told[own]}
        body = plain(replaced(made.body, truths), sorts)
        if case is None:
            others = joined(fol.Or if kind is fol.And else fol.And, (*rest, body))
            apart.append(plain(fol.Quantified(made.quantifier, made.variable, others, made.sort), sorts))
        elif made.sort in (None, ANY, own_sort := sorts.sort(case, {})):
            apart.append(substituted(body, {made.variable: case}))
        elif own_sort == ANY:
            return made
    return joined(kind, apart)


def joined(kind: type[fol.And | fol.Or], operands: Iterable[fol.Sentence]) -> fol.Sentence:
    """Return a conjunction or a disjunction without neutral operands, or its constant if an operand decides it."""
    settles, empty = (FALSE, TRUE) if kind is fol.And else (TRUE, FALSE)
    found: dict[fol.Sentence, None] = {}
    for operand in operands:
        if operand == settles:
            return settles
        for own in operand.operands if isinstance(operand, kind) else (operand,):
            found.setdefault(own)
    return next(iter(found)) if len(found) == 1 else kind(tuple(found)) if found else empty


def denied(sentence: fol.Sentence) -> fol.Sentence:
    """Return the negation of a sentence."""
    if sentence in (TRUE, FALSE):
        return FALSE if sentence == TRUE else TRUE
    return sentence.operand if isinstance(sentence, fol.Not) else fol.Not(sentence)


def clauses(sentence: fol.Sentence) -> tuple[fol.Sentence, ...]:
    """Return sentences whose conjunction is the sentence, each once, by the following laws.

    `A ∧ B` and `¬(A ∨ B)` are split, and `A ↔ B` into two directions; `∀` and `A →` are distributed over the parts.
    """
    return tuple(dict.fromkeys(_split(sentence)))


def _split(node: fol.Sentence) -> list[fol.Sentence]:
    match node:
        case fol.And(operands):
            return [part for each in operands for part in _split(each)]
        case fol.Iff(left, right):
            return [*_split(fol.Implies(left, right)), *_split(fol.Implies(right, left))]
        case fol.Implies(left, right):
            return [fol.Implies(left, part) for part in _split(right)]
        case fol.Quantified("forall", variable, body, sort):
            return [fol.Quantified("forall", variable, part, sort) for part in _split(body)]
        case fol.Not(operand) if (pushed := pushed_in(operand)) is not None:
            parts = _split(pushed)
            # A single part that is no quantifier keeps its wording, "there is none".
            return [node] if isinstance(operand, fol.Quantified) and len(parts) == 1 else parts
    return [node]


def pushed_in(node: fol.Sentence) -> fol.Sentence | None:
    """Return the negation of `¬A`, `A ∨ B`, `A → B` or `∃x A`, with the `¬` moved inwards or cancelled.

    The result is None for all other sentences.
    """
    match node:
        case fol.Not(operand):
            return operand
        case fol.Or(operands):
            return fol.And(tuple(map(denied, operands)))
        case fol.Implies(left, right):
            return fol.And((left, denied(right)))
        case fol.Quantified("exists", variable, body, sort):
            return fol.Quantified("forall", variable, denied(body), sort)
    return None
