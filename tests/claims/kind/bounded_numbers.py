"""Turn formulas over bounded whole numbers into first-order sentences, whose verdicts brute force can compute."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from holdtrue.budget import Budget
from holdtrue.logic import formula as ground
from holdtrue.logic.formula import Formula, Variable
from holdtrue.solving.engine import Engine
from holdtrue.solving.result import Witness
from holdtrue_claims.fol import syntax as fol
from holdtrue_claims.fol.conventions import CONVENTIONS
from holdtrue_claims.fol.meaning import Stated, sentence_of
from holdtrue_claims.fol.structure import Structure
from holdtrue_claims.fol.vocabulary import Function, Vocabulary
from holdtrue_claims.kind.context import Context
from holdtrue_claims.solving.sentence_route import counted_sentences
from tests.solving.brute import AMPLE, VARIABLES
from tests.solving.explain.tiring import Tiring

_OPS: Mapping[ground.Comparison, fol.Comparison] = {
    "<=": "<=", "<": "<", ">=": ">=", ">": ">", "==": "=", "!=": "!="
}  # fmt: skip


def words(variables: Sequence[Variable] = VARIABLES) -> Vocabulary:
    """Return a vocabulary with one function without arguments for each variable, with the bounds of the variable."""
    functions = tuple(Function(own.name, (), own.sort.low, own.sort.high) for own in variables)
    return Vocabulary(functions=functions, stated=CONVENTIONS)


WORDS = words()
IMPOSSIBLE = Vocabulary(functions=(*WORDS.functions, Function("none", (), 1, 0)), stated=CONVENTIONS)
"""The vocabulary of `VARIABLES` with one more function, whose bounds allow no value."""


def stated(formula: Formula) -> Stated:
    """Return the formula as a stated sentence."""
    return Stated(_sentence(formula))


def all_stated(formulas: Mapping[str, Formula]) -> dict[str, Formula]:
    return {id: stated(formula) for id, formula in formulas.items()}


def context(
    premises: Mapping[str, Formula],
    vocabulary: Vocabulary = WORDS,
    budget: Budget = AMPLE,
    *,
    answers: int | None = None,
) -> Context:
    """Return a context of the premises. If given, `answers` is the number of questions that each of its engines
    answers.
    """

    def make(vocabulary: Vocabulary, background: Iterable[Formula] = (), *, closed: bool = False) -> Engine:
        engine = counted_sentences(vocabulary, background, closed=closed)
        # An engine that gives no answer gives none under an assumption either.
        return engine if answers is None else Tiring(engine, 0 if closed else answers)

    return Context(all_stated(premises), vocabulary, budget, make=make)


def values(witness: Witness | None, variables: Sequence[Variable] = VARIABLES) -> dict[str, int]:
    """The values of the variables in a situation, each one within its bounds."""
    assert isinstance(witness, Structure)
    found: dict[str, int] = {}
    for own in variables:
        value = witness[own.name]
        assert isinstance(value, int) and value in own.sort
        found[own.name] = value
    return found


def _sentence(formula: Formula) -> fol.Sentence:
    match formula:
        case ground.Compare(op, left, right):
            return fol.Compare(_OPS[op], _term(left), _term(right))
        case ground.AllDifferent(terms):
            pairs = combinations(map(_term, terms), 2)
            return fol.And(tuple(fol.Compare("!=", one, other) for one, other in pairs))
        case ground.Count(op, bound, counted):
            one, none = fol.Number(1), fol.Number(0)
            parts = tuple((1, fol.Choice(_sentence(each), one, none)) for each in counted)
            return fol.Compare(_OPS[op], fol.Plus(parts), fol.Number(bound))
        case ground.Not(operand):
            return fol.Not(_sentence(operand))
        case ground.And(operands):
            return fol.And(tuple(map(_sentence, operands)))
        case ground.Or(operands):
            return fol.Or(tuple(map(_sentence, operands)))
        case ground.Iff(left, right):
            return fol.Iff(_sentence(left), _sentence(right))
    return sentence_of(formula)


def _term(term: ground.Term) -> fol.Term:
    match term:
        case Variable(name=name):
            return fol.Apply(name, ())
        case ground.Constant(value):
            return fol.Number(value)
        case ground.Abs(inner):
            return fol.Operation("abs", (_term(inner),))
        case ground.Sum(parts):
            return fol.Plus(tuple((factor, _term(part)) for factor, part in parts))
    raise AssertionError(term)
