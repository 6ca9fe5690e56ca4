"""Generate random typed sentences and structures of up to three things, and evaluate sentences by their plain meaning.

This evaluator takes only structures that have every fact. It shares no code with the evaluator under test.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from hypothesis import strategies as st

from holdtrue.logic.units import unit
from holdtrue.logic.value_sorts import Instant, read_calendar
from holdtrue_claims.fol import syntax as fol
from holdtrue_claims.fol.structure import Structure
from holdtrue_claims.fol.vocabulary import ANY, Entity, Function, Predicate, Vocabulary

WORDS = Vocabulary(
    (Entity("Ann", "guest"), Entity("Bob", "guest"), Entity("Desk")),
    (Predicate("Came", ("guest",)), Predicate("Likes", (ANY, ANY)), Predicate("Big", ("kg",)), Predicate("Open", ())),
    (
        Function("weight", ("guest",), result="kg"),
        Function("price", (ANY,), result="EUR(2)"),
        Function("nights", ("guest",), result="whole"),
        Function("arrived", ("guest",), result="date"),
        Function("boss", ("guest",), result="guest"),
        Function("rate", (), result="EUR/night"),
    ),
)
VARIABLES = ("x", "y")
EXACT = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
KINDS = {
    "kg": ("weight", ["kg", "g"]),
    "EUR": ("price", ["EUR", "eurocent"]),
    "": ("nights", [""]),
}
"""For each kind of amount its function of things, and units in which it is written."""
small = st.integers(-2, 4) | st.sampled_from([Fraction(1, 2), Fraction(5, 4)])
orders = st.sampled_from(sorted(EXACT))
dates = st.sampled_from(["2026-03-01", "2026-03-04", "2024-02-29"]).map(read_calendar)
guests: st.SearchStrategy[fol.Term] = st.sampled_from(
    [fol.Constant("Ann"), fol.Constant("Bob"), *map(fol.Bound, VARIABLES), fol.Apply("boss", (fol.Bound("x"),))]
)
things = guests | st.just(fol.Constant("Desk"))


def amounts(kind: str, bodies: st.SearchStrategy[fol.Sentence] | None = None) -> st.SearchStrategy[fol.Term]:
    """Amounts of one kind, with counts, sums and choices over statements where these are given."""
    function, units = KINDS[kind]
    whole = kind == ""
    numbers = st.builds(fol.Number, st.integers(-2, 4) if whole else small, st.sampled_from(units).map(unit))
    base: st.SearchStrategy[fol.Term] = st.builds(fol.Apply, st.just(function), guests.map(lambda guest: (guest,)))
    if kind == "EUR":
        nights = st.builds(fol.Number, st.integers(0, 3), st.just(unit("night")))
        base |= st.builds(fol.Times, st.just(fol.Apply("rate", ())), nights)
    if whole and bodies is not None:
        base |= st.builds(fol.Count, st.sampled_from(VARIABLES), bodies, sorts)

    def larger(inner: st.SearchStrategy[fol.Term]) -> st.SearchStrategy[fol.Term]:
        factors = st.integers(-2, 3) if whole else small
        found: st.SearchStrategy[fol.Term] = (
            st.lists(st.tuples(factors, inner), min_size=1, max_size=2).map(lambda parts: fol.Plus(tuple(parts)))
            | st.builds(fol.Operation, st.sampled_from(["min", "max"]), st.tuples(inner, inner))
            | st.builds(fol.Operation, st.just("abs"), st.tuples(inner))
        )
        if whole:
            divisor = st.sampled_from([-3, -2, 2, 3]).map(fol.Number)
            found |= st.builds(fol.Operation, st.sampled_from(["div", "mod"]), st.tuples(inner, divisor))
        if bodies is not None:
            found |= st.builds(fol.Choice, bodies, inner, inner)
            found |= st.builds(fol.Total, st.sampled_from(VARIABLES), inner, bodies, sorts)
        return found

    return st.recursive(base | numbers, larger, max_leaves=3)


sorts = st.sampled_from(["guest", "guest", None])


def atoms(bodies: st.SearchStrategy[fol.Sentence] | None) -> st.SearchStrategy[fol.Sentence]:
    compared = st.sampled_from(sorted(KINDS)).flatmap(
        lambda kind: st.builds(fol.Compare, orders, amounts(kind, bodies), amounts(kind, bodies))
    )
    arrival = st.builds(fol.Apply, st.just("arrived"), guests.map(lambda guest: (guest,)))
    shifted = st.builds(
        lambda at, days: fol.Plus(((1, at), (1, fol.Number(days, unit("day"))))), arrival, st.integers(1, 3)
    )
    return (
        st.builds(fol.Holds, st.just("Came"), guests.map(lambda guest: (guest,)))
        | st.builds(fol.Holds, st.just("Likes"), st.tuples(things, things))
        | st.builds(fol.Holds, st.just("Big"), amounts("kg").map(lambda amount: (amount,)))
        | st.just(fol.Holds("Open"))
        | st.builds(fol.Compare, st.sampled_from(["=", "!="]), things, things)
        | st.builds(fol.Compare, orders, arrival | shifted, dates | arrival)
        | compared
    )


def larger(inner: st.SearchStrategy[fol.Sentence]) -> st.SearchStrategy[fol.Sentence]:
    several = st.lists(inner, min_size=2, max_size=3).map(tuple)
    bound = st.builds(fol.Quantified, st.sampled_from(["forall", "exists"]), st.sampled_from(VARIABLES), inner, sorts)
    return (
        bound
        | bound
        | st.builds(fol.And, several)
        | st.builds(fol.Or, several)
        | st.builds(fol.Not, inner)
        | st.builds(fol.Implies, inner, inner)
        | st.builds(fol.Xor, inner, inner)
        | st.builds(fol.Iff, inner, inner)
    )


simple = st.recursive(atoms(None), larger, max_leaves=3)
open_sentences = st.recursive(atoms(simple), larger, max_leaves=3)


def bound_all(sentence: fol.Sentence) -> fol.Sentence:
    """The sentence for all guests that its variables can stand for."""
    for name in VARIABLES:
        sentence = fol.Quantified("forall", name, sentence, "guest")
    return sentence


sentences = open_sentences.map(bound_all)

# --- structures ------------------------------------------------------------------------------------------------------


def labels(vocabulary: Vocabulary, unnamed: int) -> list[str]:
    return [*(own.name for own in vocabulary.entities), *(f"?{place}" for place in range(1, unnamed + 1))]


def draw_structure(draw: st.DrawFn, vocabulary: Vocabulary = WORDS, unnamed: int = 1) -> Structure:
    """A whole structure: every fact about things has a value, as its sort has it."""
    of: dict[str, frozenset[str]] = {}
    for own in vocabulary.entities:
        of[own.name] = frozenset({own.sort} - {ANY})
    for label in labels(vocabulary, unnamed)[len(vocabulary.entities) :]:
        of[label] = frozenset({"guest"} if draw(st.booleans()) else ())
    facts: dict[Any, Any] = {}
    for predicate in vocabulary.predicates:
        if predicate.name == "Big":
            for value in range(-40, 60):
                facts["Big", (Fraction(value, 4),)] = (draw(st.just(value % 3 == 0)) and 1) or 0
            continue
        for args in product(of, repeat=len(predicate.sorts)):
            facts[predicate.name, args] = draw(st.integers(0, 1))
    values: dict[str, st.SearchStrategy[Any]] = {
        "kg": small,
        "EUR(2)": st.sampled_from([Fraction(1, 4), 0, 2, -1]),
        "whole": st.integers(-2, 4),
        "date": dates.map(lambda date: date.value),
        "EUR/night": small,
        "guest": st.sampled_from([label for label in of if "guest" in of[label]] or ["Ann"]),
    }
    for function in vocabulary.functions:
        for args in product(of, repeat=len(function.sorts)):
            facts[function.name, args] = draw(values[function.result])
    return Structure(vocabulary, of, facts)


structures = st.composite(draw_structure)


# --- the plain meaning -----------------------------------------------------------------------------------------------


def holds(node: fol.Sentence, where: Structure, choice: Mapping[str, str]) -> bool:
    match node:
        case fol.Holds(name, args):
            return bool(where.facts[name, tuple(worth(arg, where, choice) for arg in args)])
        case fol.Compare(op, left, right):
            return bool(EXACT[op](worth(left, where, choice), worth(right, where, choice)))
        case fol.Not(operand):
            return not holds(operand, where, choice)
        case fol.And(operands):
            return all([holds(operand, where, choice) for operand in operands])
        case fol.Or(operands):
            return any([holds(operand, where, choice) for operand in operands])
        case fol.Implies(left, right):
            return holds(right, where, choice) or not holds(left, where, choice)
        case fol.Xor(left, right):
            return holds(left, where, choice) != holds(right, where, choice)
        case fol.Iff(left, right):
            return holds(left, where, choice) == holds(right, where, choice)
        case fol.Quantified(quantifier, name, body, sort):
            found = [holds(body, where, {**choice, name: thing}) for thing in _inside(where, sort)]
            return all(found) if quantifier == "forall" else any(found)


def worth(term: fol.Term, where: Structure, choice: Mapping[str, str]) -> Any:
    """Return the value of a term: a label, or an exact number of base units (seconds for dates)."""
    match term:
        case fol.Constant(name):
            return name
        case fol.Bound(name):
            return choice[name]
        case fol.Number(value, of):
            return value * of.factor
        case Instant(value, sort):
            return value * sort.unit.factor
        case fol.Apply(name, args):
            found = where.facts[name, tuple(worth(arg, where, choice) for arg in args)]
            result = next(own.result for own in where.vocabulary.functions if own.name == name)
            values = where.vocabulary.value_sort(result)
            return found if values is None else Fraction(found) * values.unit.factor
        case fol.Plus(parts):
            return sum((factor * worth(part, where, choice) for factor, part in parts), Fraction(0))
        case fol.Times(left, right):
            return worth(left, where, choice) * worth(right, where, choice)
        case fol.Choice(condition, then, otherwise):
            return worth(then if holds(condition, where, choice) else otherwise, where, choice)
        case fol.Count(name, body, sort):
            return sum(holds(body, where, {**choice, name: thing}) for thing in _inside(where, sort))
        case fol.Total(name, summed, body, sort):
            inner = [{**choice, name: thing} for thing in _inside(where, sort)]
            return sum((worth(summed, where, own) for own in inner if holds(body, where, own)), Fraction(0))
        case fol.Operation(op, args):
            return _computed(op, [worth(arg, where, choice) for arg in args])
    raise AssertionError(term)


def _computed(op: fol.Operator, values: Sequence[Fraction]) -> Fraction:
    if op in ("min", "max"):
        return sorted(values)[0 if op == "min" else -1]
    if op == "abs":
        return values[0] if values[0] > 0 else -values[0]
    remainder = values[0]
    while remainder < 0:
        remainder += abs(values[1])
    while remainder >= abs(values[1]):
        remainder -= abs(values[1])
    return remainder if op == "mod" else (values[0] - remainder) / values[1]


def _inside(where: Structure, sort: str | None) -> Iterator[str]:
    return (thing for thing, of in where.things.items() if sort in (None, ANY) or sort in of)
