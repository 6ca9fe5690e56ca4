"""Vocabularies for random typed sentences, and z3's verdict on the text of a script."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

import z3
from hypothesis import assume

from holdtrue.errors import FormulaError
from holdtrue_claims.fol import syntax as fol
from holdtrue_claims.fol.vocabulary import Entity, Vocabulary
from holdtrue_claims.smtlib.sentence_printer import write_sentences
from tests.claims.fol.typed import WORDS

LISTED = replace(WORDS, closed=("guest",))
"""The guests are all named, and a desk is no guest."""
SORTED = Vocabulary(
    (*WORDS.entities[:2], Entity("Desk", "desk")),
    tuple(replace(own, sorts=("guest", "guest")) if own.name == "Likes" else own for own in WORDS.predicates),
    tuple(replace(own, sorts=("guest",)) if own.name == "price" else own for own in WORDS.functions),
)
"""Nothing is said of things of any sort."""
SORTED_LISTED = replace(SORTED, closed=("guest",))


SHORT_S = 0.5
"""For random sentences, which may be undecidable; others are given the time that they need on a busy machine."""


def sorted_only(node: Any) -> Any:
    """The same with guests in place of things of any sort."""
    if isinstance(node, tuple):
        return tuple(map(sorted_only, node))
    if node == fol.Constant("Desk"):
        return fol.Constant("Bob")
    if not isinstance(node, fol.NODES) or not fol.parts(node):
        return node
    made = [sorted_only(getattr(node, field.name)) for field in fields(node)]
    binder = isinstance(node, fol.Quantified | fol.Count | fol.Total)
    return type(node)(*made[:-1], "guest") if binder else type(node)(*made)


def z3_says(text: str, timeout_s: float = 30.0) -> str:
    """Return z3's verdict on the text of a script: `sat`, `unsat` or `unknown`."""
    solver = z3.Solver(ctx=z3.Context())
    solver.set("timeout", int(1000 * timeout_s))
    solver.from_string(text)
    return str(solver.check())


def printed(vocabulary: Vocabulary, asked: Sequence[fol.Sentence]) -> str:
    """The script of sentences; an example that has none, for a sum over an open sort, is left out."""
    try:
        return write_sentences(vocabulary, asked)
    except FormulaError as error:
        assert "has no text in SMT-LIB" in str(error)
        assume(False)
        raise
