"""Turn a sentence into a formula over a vocabulary that solvers decide, or say why it has no meaning there.

The vocabulary resolves names first. A declared function with the name of an operation, such as `day_of`, is that
function. A bare name is a thing, unless it is a declared function without arguments. A bare number is a number, unless
its place needs a thing and a thing has these digits as its name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from holdtrue.errors import FormulaError
from holdtrue.logic.connectives import And, Formula, Not, Or
from holdtrue.logic.formula import Truth
from holdtrue.logic.partial_witness import PartialWitness
from holdtrue_claims.fol import syntax as fol
from holdtrue_claims.fol.notation import read_fol, write_fol
from holdtrue_claims.fol.signature import thing_name
from holdtrue_claims.fol.term_sorts import TermSorts
from holdtrue_claims.fol.vocabulary import Vocabulary
from holdtrue_claims.fol.vocabulary_check import check


@dataclass(frozen=True)
class Stated(Formula):
    """A `Stated` formula holds in the structures in which its `sentence` holds; it has no variables."""

    sentence: fol.Sentence

    def own_check(self) -> Callable[[Mapping[str, int]], bool]:
        """Return a function that checks the sentence in a `Structure`, or raises `FormulaError` for missing facts."""
        return self._holds

    def _holds(self, values: Mapping[str, int]) -> bool:
        if not isinstance(values, PartialWitness):
            raise FormulaError("a first-order sentence holds in a structure, and these are bare values")
        truth = values.tells(self)
        if truth is None:
            raise FormulaError(f"the situation does not tell whether {str(self)[:200]} holds")
        return truth

    def __str__(self) -> str:
        return write_fol(self.sentence)


def sentence_of(formula: Formula) -> fol.Sentence:
    """Return the sentence of a formula made of stated ones. Raises `FormulaError` for any other formula."""
    match formula:
        case Stated(sentence):
            return sentence
        case Not(operand):
            inner = sentence_of(operand)
            return inner.operand if isinstance(inner, fol.Not) else fol.Not(inner)
        case And(operands):
            return fol.And(tuple(map(sentence_of, operands)))
        case Or(operands):
            return fol.Or(tuple(map(sentence_of, operands)))
        case Truth(value):
            return fol.And(()) if value else fol.Or(())
    raise FormulaError(f"no first-order sentence: {formula!s:.80}")


def state(sentence: fol.Sentence | None, vocabulary: Vocabulary) -> Stated:
    """Return the sentence as a formula.

    Raises `FormulaError` for unknown names, for arguments, units or dates that do not fit, and for free variables. It
    also raises this error for None, which stands for an unreadable text.
    """
    if sentence is None:
        raise FormulaError("there is no sentence: its text could not be read, and the alerts of reading it say why")
    meant = settled(sentence, vocabulary)
    alerts = check(vocabulary, meant)
    if alerts:
        raise FormulaError("; ".join(alert.message for alert in alerts))
    return Stated(meant)


def settled(sentence: fol.Sentence, vocabulary: Vocabulary) -> fol.Sentence:
    """Return the sentence with names resolved by the vocabulary. Raises `FormulaError` for deep nesting."""
    fol.check_depth(sentence)
    found: fol.Sentence = _Settling(vocabulary).node(sentence)
    return found


class _Settling:
    def __init__(self, vocabulary: Vocabulary) -> None:
        self._sorts = TermSorts(vocabulary)
        self._ranged: frozenset[str] = frozenset()
        """The variables that stand for values in the current part."""
        self._values = {own.name for own in vocabulary.functions if not own.sorts}
        self._functions = {own.name for own in vocabulary.functions}
        self._things = {own.name for own in vocabulary.entities}
        shown = Counter(_shown(own.name) for own in vocabulary.entities)
        self._doubtful = {name for name, count in shown.items() if count > 1}
        self._wanted = {
            own.name: tuple(vocabulary.value_sort(sort) is None for sort in own.sorts) for own in vocabulary.applied
        }

    def node(self, node: Any) -> Any:
        match node:
            case fol.Constant(name) if name in self._values and name not in self._things:
                return fol.Apply(name, ())
            case fol.Operation(name, args) if name in self._functions:
                return self.node(fol.Apply(name, args))
            case fol.Holds(name, args) | fol.Apply(name, args):
                things = self._wanted.get(name, (True,) * len(args))
                made = tuple(map(self.node, args))
                if len(things) == len(made):
                    made = tuple(self._thing(own) if thing else own for own, thing in zip(made, things, strict=True))
                return type(node)(name, made)
            case fol.Compare(op, left, right):
                left, right = self.node(left), self.node(right)
                if self._is_thing(left):
                    right = self._thing(right)
                if self._is_thing(right):
                    left = self._thing(left)
                return fol.Compare(op, left, right)
            case fol.Quantified(variable=name, sort=sort) | fol.Count(name, _, sort) | fol.Total(name, _, _, sort):
                outer, inner = self._ranged, self._ranged - {name}
                self._ranged = inner if self._sorts.ranged(sort) is None else inner | {name}
                found = fol.rebuilt(node, self.node)
                self._ranged = outer
                return found
        return fol.rebuilt(node, self.node)

    def _is_thing(self, side: fol.Term) -> bool:
        return isinstance(side, fol.Constant) or (isinstance(side, fol.Bound) and side.name not in self._ranged)

    def _thing(self, term: fol.Term) -> fol.Term:
        name = thing_name(term)
        if name is None or name not in self._things:
            return term
        # If one number names two things, such as 1.1 and 1.10, only quotes distinguish them.
        doubtful = name in self._doubtful and not isinstance(term, fol.Constant)
        return fol.Constant(f"{name} without quotes, which may be one of several" if doubtful else name)


@lru_cache(maxsize=4096)  # all sentences of a vocabulary share its things
def _shown(name: str) -> str:
    """Return the name as a formula without quotes shows it: 1.1 for 1.10, and 09:00 for 9:00."""
    if not name[:1].isdigit():
        return name
    read = read_fol(f"Is({name})").sentence
    return (isinstance(read, fol.Holds) and len(read.args) == 1 and thing_name(read.args[0])) or name
