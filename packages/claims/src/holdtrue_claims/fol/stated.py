"""A first-order sentence as a formula, so that whatever asks solvers about formulas can ask about sentences too."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from holdtrue.errors import FormulaError
from holdtrue.logic.connectives import And, Formula, Not, Or
from holdtrue.logic.formula import Truth
from holdtrue.logic.partial_witness import PartialWitness
from holdtrue_claims.fol import syntax as fol


@dataclass(frozen=True)
class Stated(Formula):
    """A `Stated` formula holds in the structures in which its `sentence` does; it has no variables of its own."""

    sentence: fol.Sentence

    def own_check(self) -> Callable[[Mapping[str, int]], bool]:
        """Return what tells whether the sentence holds in a `Structure`; `FormulaError` where that cannot be told."""
        return self._holds

    def _holds(self, values: Mapping[str, int]) -> bool:
        if not isinstance(values, PartialWitness):
            raise FormulaError("a first-order sentence holds in a structure, and these are bare values")
        truth = values.tells(self)
        if truth is None:
            raise FormulaError(f"the situation does not tell whether {str(self)[:200]} holds")
        return truth

    def __str__(self) -> str:
        from holdtrue_claims.fol.notation import write_fol

        return write_fol(self.sentence)


def sentence_of(formula: Formula) -> fol.Sentence:
    """Return the sentence that a formula made of stated ones says; raises `FormulaError` for any other formula."""
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
