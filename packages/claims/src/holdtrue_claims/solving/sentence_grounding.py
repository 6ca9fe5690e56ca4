"""Ground a first-order sentence over finitely many things: a formula with a variable for every fact.

A predicate of things is a 0/1 variable such as `Likes(Ann, Bob)`, a function's value a whole number such as `pos(Ann)`.
Different names are different things. A `Domain` may also have unnamed things that need not exist, such as
`grounded_world.OpenThings`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Protocol

from holdtrue.errors import FormulaError
from holdtrue.logic import formula as f
from holdtrue.logic.quantifiers import LARGEST_EXPANSION
from holdtrue.logic.sorts import IntSort
from holdtrue_claims.fol import syntax as fol
from holdtrue_claims.fol.naming import is_number, name_text
from holdtrue_claims.fol.signature import is_numeric, thing_name

Ranges = Mapping[str, tuple[int, int]]
"""The least and the greatest value of each function."""

TRUTH = IntSort(0, 1)
"""The range of a variable for a truth value."""
Member = tuple[str, f.Formula | None]
"""The label of a thing, and the formula by which it belongs to a range; None if it certainly does."""
_OPS: Mapping[str, f.Comparison] = {"=": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}


class Domain(Protocol):
    """A `Domain` has the things that sentences are about."""

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the named things."""

    def members(self, sort: str | None) -> Sequence[Member]:
        """Return all things that a variable of this sort can stand for."""


def ground(
    sentence: fol.Sentence,
    things: Domain,
    ranges: Ranges | None = None,
    *,
    at_each: Callable[[], object] = lambda: None,
) -> f.Formula:
    """Return the formula with the meaning of the sentence for these things.

    `at_each` is called for each thing that replaces a variable, and may raise to stop. Raises `FormulaError` for a free
    variable, an unknown thing, and a function without a range. Further reasons are a number in the place of a thing or
    the reverse, deep nesting, and more than `LARGEST_EXPANSION` parts.
    """
    fol.check_depth(sentence)
    size = _expanded(sentence, things)
    if size > LARGEST_EXPANSION:
        raise FormulaError(f"the formula is too large: {size:,} parts over {len(things.members(None))} things")
    return _Grounding(things, ranges or {}, at_each).formula(sentence, {})


def _expanded(node: fol.Sentence | fol.Term, things: Domain) -> int:
    """Return how many parts the formula would have."""
    inside = sum(_expanded(part, things) for part in fol.parts(node))
    return 1 + inside * (len(things.members(node.sort)) if isinstance(node, fol.Quantified | fol.Count) else 1)


def thing_label(name: str) -> str:
    """Return the label of a named thing: its name, in quotes if it could be read as something else."""
    return name if is_number(name) else name_text(name)


def fact_name(name: str, labels: Sequence[str]) -> str:
    """Return the name of a fact's variable, made of the labels of its things: `Likes(Ann, ?1)`."""
    return f"{name_text(name)}({', '.join(labels)})" if labels else name_text(name)


class _Grounding:
    """A `_Grounding` grounds one sentence. `choice` has the label of the thing for each variable."""

    def __init__(self, things: Domain, ranges: Ranges, at_each: Callable[[], object]) -> None:
        self._things, self._at_each = things, at_each
        self._labels = {name: thing_label(name) for name in things.names}
        self._ranges = ranges

    def formula(self, sentence: fol.Sentence, choice: Mapping[str, str]) -> f.Formula:
        made: Callable[[fol.Sentence], f.Formula] = partial(self.formula, choice=choice)
        match sentence:
            case fol.Holds(predicate, args):
                return f.Variable(fact_name(predicate, self._all(args, choice)), TRUTH).eq(1)
            case fol.Compare():
                return self._compare(sentence, choice)
            case fol.Not(operand):
                return f.Not(made(operand))
            case fol.And(operands):
                return f.And(tuple(map(made, operands)))
            case fol.Or(operands):
                return f.Or(tuple(map(made, operands)))
            case fol.Xor(left, right):
                return f.Xor(made(left), made(right))
            case fol.Implies(left, right):
                return made(left).implies(made(right))
            case fol.Iff(left, right):
                return f.Iff(made(left), made(right))
            case fol.Quantified(quantifier, variable, body, sort):
                if quantifier == "forall":
                    return f.for_all(self._things.members(sort), self._tried(variable, body, choice, f.Formula.implies))
                return f.exists(self._things.members(sort), self._tried(variable, body, choice, _both))

    def _tried(
        self,
        variable: str,
        body: fol.Sentence,
        choice: Mapping[str, str],
        joined: Callable[[f.Formula, f.Formula], f.Formula],
    ) -> Callable[[Member], f.Formula]:
        """Return a function that grounds the body for one thing, joined with the condition that it is in the range."""

        def tried(member: Member) -> f.Formula:
            self._at_each()
            label, here = member
            said = self.formula(body, {**choice, variable: label})
            return said if here is None else joined(here, said)

        return tried

    def _count(self, op: fol.Comparison, count: fol.Count, bound: fol.Term, choice: Mapping[str, str]) -> f.Formula:
        if not isinstance(bound, fol.Number) or not isinstance(bound.value, int) or bound.unit.factor != 1:
            raise FormulaError("a count is compared with something else than a whole number")
        counted = map(self._tried(count.variable, count.body, choice, _both), self._things.members(count.sort))
        return f.Count(_OPS[op], bound.value, tuple(counted))

    def _compare(self, compared: fol.Compare, choice: Mapping[str, str]) -> f.Formula:
        if isinstance(compared.left, fol.Count):
            return self._count(compared.op, compared.left, compared.right, choice)
        if isinstance(compared.right, fol.Count):
            return self._count(fol.TURNED[compared.op], compared.right, compared.left, choice)
        if is_numeric(compared):
            left, right = self._number(compared.left, choice), self._number(compared.right, choice)
            return f.Compare(_OPS[compared.op], left, right)
        same = self._thing(compared.left, choice) == self._thing(compared.right, choice)
        return f.Truth(same == (compared.op == "="))

    def _all(self, terms: Iterable[fol.Term], choice: Mapping[str, str]) -> list[str]:
        return [self._thing(term, choice) for term in terms]

    def _thing(self, term: fol.Term, choice: Mapping[str, str]) -> str:
        """Return the label of the thing that a term stands for."""
        if isinstance(term, fol.Bound):
            if term.name not in choice:
                raise FormulaError(f"no quantifier binds the variable {term.name}")
            return choice[term.name]
        name = thing_name(term)
        if name is None:
            raise FormulaError("a function's value or a sum stands where only the name of a thing can")
        if name not in self._labels:
            raise FormulaError(f"{name} is not one of the things that there are")
        return self._labels[name]

    def _number(self, term: fol.Term, choice: Mapping[str, str]) -> f.Term:
        match term:
            case fol.Number(value, unit) if isinstance(value, int) and unit.factor == 1:
                return f.Constant(value)
            case fol.Plus(summed):
                factors = [factor for factor, _ in summed if isinstance(factor, int)]
                parts = [self._number(part, choice) for _, part in summed]
                if len(factors) == len(parts):
                    return f.Sum(tuple(zip(factors, parts, strict=True)))
            case fol.Apply(function, args):
                if function not in self._ranges:
                    raise FormulaError(f"the function {function} has no range of values")
                return f.Variable(fact_name(function, self._all(args, choice)), IntSort(*self._ranges[function]))
            case fol.Constant() | fol.Bound():
                raise FormulaError(f"{term.name} is a thing, and stands where a number has to")
        raise FormulaError("a whole number or a sum of them is needed, and this is another term")


def _both(one: f.Formula, other: f.Formula) -> f.Formula:
    return f.And((one, other))
