"""Derive readings of names from clauses about all values, and apply readings to sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Any

from holdtrue.logic.value_sorts import TIME, Instant
from holdtrue_claims.fol import syntax as fol
from holdtrue_claims.fol.signature import names_in
from holdtrue_claims.fol.syntax import substituted
from holdtrue_claims.fol.term_sorts import Bindings, TermSorts
from holdtrue_claims.fol.value_clauses import Clause, Prefix, for_all, is_on_grid
from holdtrue_claims.fol.value_windows import has_ends, is_value, worth_of
from holdtrue_claims.fol.vocabulary import ANY
from holdtrue_claims.fol.written_out import FALSE, TRUE, denied, joined


class NotTold(Exception):
    """It is unknown whether a reading applies to a place."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A `Reading` replaces a name at the arguments `args`, whose variables in `prefix` take all values.

    `new` is the replacing sentence or term, in which the name itself may occur with its old meaning.
    """

    name: str
    args: tuple[fol.Term, ...]
    prefix: Prefix
    new: Any
    sorts: TermSorts

    @property
    def defines(self) -> bool:
        """Return whether the reading replaces the name completely."""
        return self.name not in names_in(self.new)

    def of(self, node: Any, bound: Bindings) -> Any:
        """Return a sentence or a term with the reading applied."""
        inner = bound
        if isinstance(node, fol.Binder):
            inner = {**bound, node.variable: node.sort or ANY}
        made = fol.rebuilt(node, lambda own: self.of(own, inner))
        if not isinstance(made, fol.Holds | fol.Apply) or _name(made) != self.name:
            return made
        terms, conditions = {}, []
        for place, term in zip(self.args, made.args, strict=True):
            if isinstance(place, fol.Bound):
                terms[place.name] = term
                sort = dict(self.prefix)[place.name]
                conditions.append(within(term, sort, bound, self.sorts))
            else:
                conditions.append(_same(place, term))
        condition = joined(fol.And, conditions)
        if condition == FALSE:
            return made
        new = substituted(self.new, terms)
        if condition == TRUE:
            return new
        if isinstance(made, fol.Apply):
            return fol.Choice(condition, new, made)
        return joined(fol.And, (fol.Implies(condition, new), joined(fol.Or, (condition, made))))


def _name(atom: fol.Holds | fol.Apply) -> str:
    return atom.predicate if isinstance(atom, fol.Holds) else atom.function


def readings_of(clause: Clause, sorts: TermSorts) -> Iterator[Reading]:
    """Yield the readings of a clause about values: an operand must hold unless another one does."""
    match clause:
        case Clause(prefix=(), operands=(fol.Compare("=", fol.Apply(), fol.Number() | Instant()),)):
            pass  # A known value of a function is a reading, because it may bound other clauses.
        case Clause(prefix=(), operands=(fol.Holds(_, args) | fol.Not(fol.Holds(_, args)),)) if any(
            isinstance(own, fol.Number | Instant) for own in args
        ):
            pass  # So is a fact about values. Once all are substituted, the other clauses imply them.
        case _ if not any(sorts.ranged(sort) is not None for _, sort in clause.prefix):
            return
    for at, operand in enumerate(clause.operands):
        rest = clause.operands[:at] + clause.operands[at + 1 :]
        others = joined(fol.Or, rest)
        atom: Any
        match operand:
            case fol.Holds() as atom:
                new: Any = joined(fol.Or, (denied(others), atom))
            case fol.Not(fol.Holds() as atom):
                new = joined(fol.And, (others, atom))
            case fol.Iff(fol.Holds() as atom, meant) | fol.Iff(meant, fol.Holds() as atom):
                both = (fol.Implies(others, atom), joined(fol.Or, (others, meant)))
                new = meant if others == FALSE else joined(fol.And, both)
                rest = (*rest, meant)
            case fol.Compare("=" | "<=" | ">=" as op, fol.Apply() as atom, term):
                new = _limited(op, atom, term, others, clause.prefix, sorts)
                rest = (*rest, fol.Compare("=", term, term))
            case _:
                continue
        if new is None or not _is_pattern(atom, clause.prefix) or _may_mention(rest, atom):
            continue
        free = {own.name for own in atom.args if isinstance(own, fol.Bound)}
        inner = tuple(own for own in clause.prefix if own[0] not in free)
        if inner:
            if not isinstance(operand, fol.Holds | fol.Not):
                continue
            others = for_all(inner, others)
            either = (denied(others), atom) if isinstance(operand, fol.Holds) else (others, atom)
            new = joined(fol.Or if isinstance(operand, fol.Holds) else fol.And, either)
        yield Reading(_name(atom), atom.args, clause.prefix, new, sorts)


def settled_readings(sentences: Iterable[fol.Sentence], sorts: TermSorts) -> Iterator[Reading]:
    """Yield a reading for each predicate that may be replaced by true or by false.

    It may be true if no sentence becomes false when the predicate holds of more things. It may be false if none does
    when it holds of fewer.
    """
    found: dict[str, tuple[int, set[int]]] = {}
    for sentence in sentences:
        for name, places, way in _ways(sentence, 1, sorts):
            found.setdefault(name, (places, set()))[1].add(way)
    for name, (places, ways) in found.items():
        if ways in ({1}, {-1}):
            args = tuple(map(str, range(places)))
            new = TRUE if ways == {1} else FALSE
            yield Reading(name, tuple(map(fol.Bound, args)), tuple((own, None) for own in args), new, sorts)


def _ways(node: Any, way: int, sorts: TermSorts) -> Iterator[tuple[str, int, int]]:
    """Yield each predicate with its arity and a way. It is 1 if the sentence stays true when the predicate holds of
    more things, -1 for fewer things, and otherwise 0.
    """
    ways: Iterable[int] = repeat(0)
    match node:
        case fol.Holds(predicate, args):
            yield predicate, len(args), way
        case fol.Not():
            ways = (-way,)
        case fol.Implies():
            ways = (-way, way)
        case fol.And() | fol.Or() | fol.Quantified():
            ways = repeat(way)
        case fol.Compare("<" | "<=" | ">" | ">=" as op):
            rising = way if op in (">", ">=") else -way
            ways = (rising, -rising)
        case fol.Plus(summed):
            ways = (way if factor > 0 else -way for factor, _ in summed)
        case fol.Count(sort=sort) if (values := sorts.ranged(sort)) is None or has_ends(node, values):
            ways = repeat(way)
        case fol.Choice():
            ways = (0, way, way)
    for part, own in zip(fol.parts(node), ways, strict=False):
        yield from _ways(part, own, sorts)


def _limited(
    op: fol.Comparison, atom: fol.Apply, term: fol.Term, others: fol.Sentence, prefix: Prefix, sorts: TermSorts
) -> fol.Term | None:
    """Return a function's value under a clause that states or bounds it; None if it may lie off the function's grid."""
    result, bound = sorts.result(atom.function), {name: sort or ANY for name, sort in prefix}
    if isinstance(result, str):
        own = sorts.sort(term, bound) if isinstance(term, fol.Constant) else None
        fits = op == "=" and result in (own, ANY)
    else:
        fits = is_on_grid(term, result, bound, sorts)
    limited = {"=": term, "<=": fol.Operation("min", (atom, term)), ">=": fol.Operation("max", (atom, term))}[op]
    if not fits:
        return None
    return limited if others == FALSE else fol.Choice(others, atom, limited)


def _is_pattern(atom: fol.Holds | fol.Apply, prefix: Prefix) -> bool:
    variables = [arg.name for arg in atom.args if isinstance(arg, fol.Bound)]
    written = fol.Bound | fol.Constant | fol.Number | Instant
    return (
        len({*variables}) == len(variables) >= min(len(prefix), 1)
        and {*variables} <= {*dict(prefix)}
        and all(isinstance(arg, written) for arg in atom.args)
    )


def _may_mention(rest: Sequence[fol.Sentence], atom: fol.Holds | fol.Apply) -> bool:
    """Return whether the other operands mention the atom's name with arguments that may be equal."""
    for node in (own for each in rest for own in fol.walk(each)):
        if isinstance(node, fol.Holds | fol.Apply) and _name(node) == _name(atom):
            pairs = zip(atom.args, node.args, strict=True)
            if not any(isinstance(a, fol.Constant) and isinstance(b, fol.Constant) and a != b for a, b in pairs):
                return True
    return False


def _same(place: fol.Term, term: fol.Term) -> fol.Sentence:
    if place == term:
        return TRUE
    if isinstance(place, fol.Constant) and isinstance(term, fol.Constant):
        return FALSE
    if isinstance(place, fol.Number | Instant) and isinstance(term, fol.Number | Instant):
        return TRUE if worth_of(place) == worth_of(term) else FALSE
    return fol.Compare("=", term, place)


def within(term: fol.Term, sort: str | None, bound: Bindings, sorts: TermSorts) -> fol.Sentence:
    """Return the condition under which a term has a sort. Raises `NotTold` if it cannot be expressed."""
    values = sorts.ranged(sort)
    if values is None:
        if sort is None or is_of(term, sort, bound, sorts):
            return TRUE
        if isinstance(term, fol.Constant) and sorts.sort(term, bound) != ANY:
            return FALSE
        raise NotTold
    if isinstance(term, fol.Number | Instant):
        return TRUE if is_value(worth_of(term), values) else FALSE
    if isinstance(term, fol.Bound) and sorts.ranged(bound.get(term.name)) == values:
        return TRUE
    if not is_on_grid(term, values, bound, sorts):
        raise NotTold
    if values != TIME:
        return TRUE
    return in_day(term)


def is_of(term: fol.Term, sort: str, bound: Bindings, sorts: TermSorts) -> bool:
    """Return whether a term certainly denotes a thing of a sort."""
    match term:
        case _ if sort == ANY:
            return True
        case fol.Bound(name):
            return bound.get(name) == sort
        case fol.Constant():
            return sorts.sort(term, bound) == sort
        case fol.Apply(function, args):
            pairs = zip(args, sorts.arguments.get(function, ()), strict=False)
            own = all(is_of(arg, of, bound, sorts) for arg, of in pairs if isinstance(of, str))
            return own and sorts.result(function) == sort
        case fol.Choice(_, then, otherwise):
            return is_of(then, sort, bound, sorts) and is_of(otherwise, sort, bound, sorts)
    return False


def in_day(term: fol.Term) -> fol.Sentence:
    """Return the condition that a term is a time within one day."""
    return fol.And((fol.Compare(">=", term, Instant(0, TIME)), fol.Compare("<", term, Instant(86_400, TIME))))
