"""Structures: finitely many things with facts about them, under which sentences are true, false, or not known to be.

Amounts are computed in base units and dates in seconds, exactly, so that kilos and grams compare. Where a fact is
missing a sentence has no truth value unless it has one whatever the fact is (Kleene's strong three-valued logic).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Literal

from holdtrue.errors import FormulaError
from holdtrue.logic.fol import syntax as fol
from holdtrue.logic.fol.signature import thing_name
from holdtrue.logic.fol.term_sorts import Sort, TermSorts
from holdtrue.logic.fol.vocabulary import ANY, Vocabulary
from holdtrue.logic.value_sorts import Amount, Calendar, Instant, Value

Fact = tuple[str, tuple["Worth", ...]]
"""A predicate or a function with its arguments."""
Worth = str | Fraction
"""What a term stands for: the label of a thing, or a number in base units."""
Missing = Literal["unknown", "false"]
_SIGNS: Mapping[str, Callable[[Fraction, Fraction], bool]] = {
    "=": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


def base_factor(sort: Amount | Calendar) -> Fraction:
    """Return how many base units a unit of the sort is; dates, times and moments are counted in seconds."""
    return sort.unit.factor


@dataclass(frozen=True)
class Structure(Mapping[str, "Value | str"]):
    """A `Structure` has `things`, each with the sorts that it is of, and `facts` about them.

    A fact of a predicate is 1 or 0, that of a function a thing's label or a number in the function's own unit. As a
    mapping it has facts by name, such as `Likes(Ann, ?1)`. Facts that are missing are `unknown`, or as `missing` says.
    """

    vocabulary: Vocabulary
    things: Mapping[str, frozenset[str]]
    facts: Mapping[Fact, Value | str]
    missing: Missing = "unknown"
    _named: dict[str, Value | str] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __getitem__(self, name: str) -> Value | str:
        return self._by_name[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name)

    def __len__(self) -> int:
        return len(self.facts)

    @cached_property
    def _by_name(self) -> Mapping[str, Value | str]:
        return {self.name(fact): value for fact, value in self.facts.items()}

    def name(self, fact: Fact) -> str:
        """Return a fact's name in words: `weight(Ann)`."""
        function, args = fact
        wanted = self.sorts.arguments.get(function, ())
        shown = [arg if isinstance(arg, str) else _show(arg, wanted[at]) for at, arg in enumerate(args)]
        return f"{function}({', '.join(shown)})" if shown else function

    def shown(self) -> dict[str, int | str]:
        """Return the facts by name for people and files: 0 or 1 for predicates, else the value in words."""
        found: dict[str, int | str] = {}
        predicates = {own.name for own in self.vocabulary.predicates}
        for fact, value in self.facts.items():
            sort = self.sorts.result(fact[0])
            if fact[0] in predicates or (isinstance(value, int) and isinstance(sort, Amount) and sort.unit.name == ""):
                found[self.name(fact)] = int(value)
            else:
                found[self.name(fact)] = value if isinstance(value, str) or isinstance(sort, str) else sort.show(value)
        return found

    @cached_property
    def sorts(self) -> TermSorts:
        return TermSorts(self.vocabulary)

    def truth(self, sentence: fol.Sentence) -> bool | None:
        """Return whether a sentence holds; None where facts are missing on which that depends.

        Raises `FormulaError` for what has no meaning here: a free variable, an unknown thing, a division by zero.
        """
        fol.check_depth(sentence)
        return self._truth(sentence, {})

    def _of_sort(self, sort: str | None) -> list[str]:
        return [thing for thing, sorts in self.things.items() if sort in (None, ANY) or sort in sorts]

    def _truth(self, node: fol.Sentence, bound: Mapping[str, str]) -> bool | None:
        match node:
            case fol.Holds(predicate, args):
                value = self._fact(predicate, args, bound)
                return None if value is None else bool(value)
            case fol.Compare():
                return self._compared(node, bound)
            case fol.Not(operand):
                value = self._truth(operand, bound)
                return None if value is None else not value
            case fol.And(operands):
                return _every(self._truth(operand, bound) for operand in operands)
            case fol.Or(operands):
                return _some(self._truth(operand, bound) for operand in operands)
            case fol.Implies(left, right):
                return _some(self._truth(part, bound) for part in (fol.Not(left), right))
            case fol.Xor(left, right) | fol.Iff(left, right):
                one, other = self._truth(left, bound), self._truth(right, bound)
                return None if one is None or other is None else (one is other) is isinstance(node, fol.Iff)
            case fol.Quantified(quantifier, variable, body, sort):
                over = _every if quantifier == "forall" else _some
                return over(self._truth(body, {**bound, variable: thing}) for thing in self._of_sort(sort))

    def _compared(self, node: fol.Compare, bound: Mapping[str, str]) -> bool | None:
        left, right = (self._worth(side, bound) for side in (node.left, node.right))
        if left is None or right is None:
            return None
        if isinstance(left, str) or isinstance(right, str):
            left, right = (self._label(side, worth) for side, worth in ((node.left, left), (node.right, right)))
            if node.op not in ("=", "!="):
                raise FormulaError("a thing stands where a number has to")
            return (left == right) is (node.op == "=")
        return _SIGNS[node.op](left, right)

    def _label(self, term: fol.Term, worth: Worth) -> str:
        """The label of a thing; a number where a thing stands is the thing that is called by its digits."""
        if isinstance(worth, str):
            return worth
        name = thing_name(term)
        if name is None:
            raise FormulaError("a number stands where a thing has to")
        return name

    def _fact(self, name: str, args: Sequence[fol.Term], bound: Mapping[str, str]) -> Value | str | None:
        wanted: Sequence[Sort] = self.sorts.arguments.get(name, (ANY,) * len(args))
        found = []
        for term, sort in zip(args, wanted, strict=True):
            worth = self._worth(term, bound)
            if worth is None:
                return None
            found.append(self._label(term, worth) if isinstance(sort, str) else worth)
        value = self.facts.get((name, tuple(found)))
        return 0 if value is None and self.missing == "false" else value

    def _worth(self, term: fol.Term, bound: Mapping[str, str]) -> Worth | None:
        match term:
            case fol.Bound(name):
                if name not in bound:
                    raise FormulaError(f"no quantifier binds the variable {name}")
                return bound[name]
            case fol.Constant(name):
                if name not in self.things:
                    raise FormulaError(f"{name} is not one of the things that there are")
                return name
            case fol.Number(value, unit):
                return Fraction(value) * unit.factor
            case Instant(value, sort):
                return Fraction(value) * base_factor(sort)
            case fol.Apply(function, args):
                value = self._fact(function, args, bound)
                sort = self.sorts.result(function)
                if value is None or isinstance(sort, str):
                    return None if value is None else str(value)
                return Fraction(value) * base_factor(sort)
            case fol.Count(variable, body, sort):
                return self._counted(variable, body, sort, bound)
            case fol.Choice(condition, then, otherwise):
                holds = self._truth(condition, bound)
                if holds is not None:
                    return self._worth(then if holds else otherwise, bound)
                one, other = self._worth(then, bound), self._worth(otherwise, bound)
                return one if one == other else None
        return self._number(term, bound)

    def _number(self, term: fol.Term, bound: Mapping[str, str]) -> Fraction | None:
        """A term of arithmetic; None where a part is not known, unless a factor of 0 makes it of no account."""
        match term:
            case fol.Plus(summed):
                total = Fraction(0)
                for factor, part in summed:
                    if factor:
                        value = self._exact(part, bound)
                        if value is None:
                            return None
                        total += factor * value
                return total
            case fol.Times(left, right):
                one, other = self._exact(left, bound), self._exact(right, bound)
                if one == 0 or other == 0:
                    return Fraction(0)
                return None if one is None or other is None else one * other
            case fol.Total(variable, summed_term, body, sort):
                return self._summed(variable, summed_term, body, sort, bound)
            case fol.Operation(op, args):
                values = [self._exact(arg, bound) for arg in args]
                known = [value for value in values if value is not None]
                return self._operation(op, args, known, bound) if len(known) == len(values) else None
        raise FormulaError(f"no term: {term!r:.80}")

    def _exact(self, term: fol.Term, bound: Mapping[str, str]) -> Fraction | None:
        worth = self._worth(term, bound)
        if isinstance(worth, str):
            raise FormulaError(f"{worth} is a thing, and stands where a number has to")
        return worth

    def _operation(
        self, op: fol.Operator, args: Sequence[fol.Term], values: Sequence[Fraction], bound: Mapping[str, str]
    ) -> Fraction:
        match op:
            case "min":
                return min(values)
            case "max":
                return max(values)
            case "abs":
                return abs(values[0])
        factor = self._unit(args[0], bound)
        dividend, divisor = values[0] / factor, values[1] / factor
        if divisor == 0:
            raise FormulaError(f"{op} by zero has no value")
        quotient = Fraction((dividend // abs(divisor)) * (1 if divisor > 0 else -1))
        return quotient if op == "div" else (dividend - divisor * quotient) * factor

    def _unit(self, term: fol.Term, bound: Mapping[str, str]) -> Fraction:
        sort = self.sorts.sort(term, dict.fromkeys(bound, ANY))
        return sort.unit.factor if isinstance(sort, Amount) else Fraction(1)

    def _counted(
        self, variable: str, body: fol.Sentence, sort: str | None, bound: Mapping[str, str]
    ) -> Fraction | None:
        truths = [self._truth(body, {**bound, variable: thing}) for thing in self._of_sort(sort)]
        return None if None in truths else Fraction(sum(map(bool, truths)))

    def _summed(
        self, variable: str, term: fol.Term, body: fol.Sentence, sort: str | None, bound: Mapping[str, str]
    ) -> Fraction | None:
        total = Fraction(0)
        for thing in self._of_sort(sort):
            inner = {**bound, variable: thing}
            holds = self._truth(body, inner)
            if holds is False:
                continue
            value = self._exact(term, inner)
            if value is None or (holds is None and value):
                return None
            total += value
        return total


def _every(truths: Iterator[bool | None]) -> bool | None:
    found: bool | None = True
    for truth in truths:
        if truth is False:
            return False
        if truth is None:
            found = None
    return found


def _some(truths: Iterator[bool | None]) -> bool | None:
    found: bool | None = False
    for truth in truths:
        if truth is True:
            return True
        if truth is None:
            found = None
    return found


def _show(value: Fraction, sort: Sort) -> str:
    return str(value) if isinstance(sort, str) else sort.show(value / base_factor(sort))
