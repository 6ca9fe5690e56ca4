"""The symbols of a vocabulary: sorts of things, names, predicates and functions as SMT-LIB declares them.

A sort of its own (`own_sorts`) is declared as one. All other things are of one sort more, and their sorts are
predicates of it. A function of amounts with a step is a whole number of steps, any other one a real number of its unit;
dates are whole numbers of days, times and moments of seconds. Numbers that are arguments are real ones of the base unit
of their dimension, as sentences may ask about 2.5 where whole ones are meant.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from fractions import Fraction

from holdtrue.logic.fol.term_sorts import Sort, TermSorts
from holdtrue.logic.fol.vocabulary import ANY, Function, Predicate, Vocabulary
from holdtrue.logic.smtlib import typed_terms as smt
from holdtrue.logic.smtlib.fresh_symbols import fresh_symbol
from holdtrue.logic.value_sorts import Amount


@dataclass(frozen=True, slots=True)
class SentenceSymbols:
    """`SentenceSymbols` say what stands for each name; `members` are the predicates of sorts that are not declared."""

    thing: smt.SmtSort
    own: dict[str, smt.SmtSort]
    members: dict[str, smt.Function]
    named: dict[str, smt.Function]
    predicates: dict[str, smt.Function]
    functions: dict[str, smt.Function]
    taken: frozenset[str]

    @classmethod
    def of(cls, vocabulary: Vocabulary, declared: Collection[str], taken: Collection[str]) -> SentenceSymbols:
        """Return the symbols of a vocabulary of which these sorts are declared, without those that are taken."""
        used = set(taken)

        def fresh(name: str) -> str:
            symbol = fresh_symbol(name, used)
            used.add(symbol)
            return symbol

        sorts = TermSorts(vocabulary)
        # Sorts and functions never stand in the same place, so that a room may have a room.
        own: dict[str, smt.SmtSort] = {}
        for sort in sorted(declared):
            own[sort] = smt.SmtSort(fresh_symbol(sort, {each.name for each in own.values()}))
        thing = smt.SmtSort(fresh_symbol("Thing", {each.name for each in own.values()}))

        def kind(sort: Sort) -> smt.SmtSort:
            return own.get(sort, thing) if isinstance(sort, str) else smt.REAL

        def applied(named: Predicate | Function, result: smt.SmtSort) -> smt.Function:
            return smt.Function(fresh(named.name), tuple(map(kind, sorts.arguments[named.name])), result)

        def value(function: Function) -> smt.SmtSort:
            result = sorts.result(function.name)
            if isinstance(result, str):
                return kind(result)
            return smt.REAL if isinstance(result, Amount) and result.step is None else smt.INT

        return cls(
            thing,
            own,
            named={
                entity.name: smt.Function(fresh(entity.name), (), kind(entity.sort)) for entity in vocabulary.entities
            },
            predicates={each.name: applied(each, smt.BOOL) for each in vocabulary.predicates},
            functions={each.name: applied(each, value(each)) for each in vocabulary.functions},
            members={
                sort: smt.Function(fresh(f"is a {sort}"), (thing,), smt.BOOL)
                for sort in sorted(vocabulary.thing_sorts - own.keys() - {ANY})
            },
            taken=frozenset(used),
        )


def base_factor(sort: Sort) -> Fraction:
    """Return how many base units, or seconds, a number of a function's value is; 1 for a thing."""
    if isinstance(sort, str):
        return Fraction(1)
    step = sort.step if isinstance(sort, Amount) and sort.step is not None else Fraction(1)
    return sort.unit.factor * step
