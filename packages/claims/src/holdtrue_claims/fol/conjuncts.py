"""The clauses of a sentence: the parts that it states all of, found by laws that hold in every situation."""

from __future__ import annotations

from holdtrue_claims.fol import syntax as fol
from holdtrue_claims.fol.written_out import denied


def clauses(sentence: fol.Sentence) -> tuple[fol.Sentence, ...]:
    """Return sentences that together say what the sentence says, each once: as many as these laws give.

    `A ∧ B` and `¬(A ∨ B)` are split, and `A ↔ B` into two directions; `∀` and `A →` are distributed over what they say.
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
            # That there is none stays in the words in which it was said, if that is a single part.
            return [node] if isinstance(operand, fol.Quantified) and len(parts) == 1 else parts
    return [node]


def pushed_in(node: fol.Sentence) -> fol.Sentence | None:
    """Return the denial of a sentence as a conjunction, or as something about all; None where it is none of these."""
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
