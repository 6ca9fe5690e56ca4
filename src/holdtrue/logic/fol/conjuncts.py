"""The clauses of a sentence: the parts that it states all of, found by laws that hold in every situation."""

from __future__ import annotations

from holdtrue.logic.fol import syntax as fol


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
        case fol.Not(fol.Not(inner)):
            return _split(inner)
        case fol.Not(fol.Or(operands)):
            return [part for each in operands for part in _split(fol.Not(each))]
        case fol.Not(fol.Implies(left, right)):
            return [*_split(left), *_split(fol.Not(right))]
        case fol.Not(fol.Quantified("exists", variable, body, sort)):
            denied = _split(fol.Not(body))
            # A single part stays in the words in which it was said.
            return [fol.Quantified("forall", variable, part, sort) for part in denied] if len(denied) > 1 else [node]
    return [node]
