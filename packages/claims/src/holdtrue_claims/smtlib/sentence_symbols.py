"""The symbols of a vocabulary: sorts of things, names, predicates and functions as SMT-LIB declares them.

A sort of its own (`own_sorts`) is declared as one. All other things are of one sort more, and their sorts are
predicates of it. A function of amounts with a step is a whole number of steps, any other one a real number of its unit;
dates are whole numbers of days, times and moments of seconds. Numbers that are arguments are real ones of the base unit
of their dimension, as sentences may ask about 2.5 where whole ones are meant. No two symbols are alike, and none has a
meaning for a usual solver.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Container
from dataclasses import dataclass
from fractions import Fraction

from holdtrue.logic.smtlib import typed_terms as smt
from holdtrue.logic.smtlib.symbols import symbol_of
from holdtrue.logic.value_sorts import Amount
from holdtrue_claims.fol.term_sorts import Sort, TermSorts
from holdtrue_claims.fol.vocabulary import ANY, Function, Predicate, Vocabulary


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


_THEORIES = frozenset(
    """
    iff implies if rem divisible pi euler sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh sqrt exp
    select store const map default union intersect setminus complement subset as-array card concat extract repeat
    zero_extend sign_extend rotate_left rotate_right ext_rotate_left ext_rotate_right bit2bool is is-a cons insert nil
    head tail pair first second mk-pair fp to_fp lambda choice assert-not ite is_int RNE RNA RTP RTN RTZ NaN String
    Array Seq RegEx RegLan FloatingPoint RoundingMode BitVec Unicode Char Set Bag List Pair Tuple Relation Float16
    Float32 Float64 Float128 UnitTuple tuple member singleton roundNearestTiesToEven roundNearestTiesToAway
    roundTowardPositive roundTowardNegative roundTowardZero int2bv bv2int bv2nat nat2bv int_to_bv ubv_to_int sbv_to_int
    partial-order linear-order tree-order piecewise-linear-order transitive-closure
    """.split()
)
_FAMILIES = re.compile(r"(?:bv\w*|\^.*|(?:str|re|seq|fp|int|char|set|bag|rel|array|tuple|root|table|sep)[.-].*)", re.S)


def fresh_symbol(name: str, taken: Container[str]) -> str:
    """Return a symbol for a name that is not taken: that of the name alone, where it can be (`symbols.name_of`)."""
    symbol = symbol_of(name) or "nameless"
    if symbol in _THEORIES or _FAMILIES.fullmatch(symbol):
        symbol = f"%{ord(symbol[0]):X};{symbol[1:]}"
    found, number = symbol, 2
    while found in taken:
        found, number = f"{symbol} {number}", number + 1
    return found
