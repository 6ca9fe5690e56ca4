"""Take premises about all values in, so that what is left to decide speaks of single values.

A premise `∀d ∈ date (weekday_of(d) ≤ 5 → Open(d))` holds with others if and only if these do once `Open(d)` is read as
`weekday_of(d) ≤ 5 ∨ Open(d)` wherever they have it for a date (after W. Ackermann, "Untersuchungen über das
Eliminationsproblem der mathematischen Logik", 1935): whatever is a situation of those is one of all, with that reading
for the predicate. So too for functions, of which a premise states the value or a limit. Of other premises about all
values, those that sentences name are put in as well, which proves more and changes no truth.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from itertools import islice, product
from math import gcd, prod
from typing import Any

from holdtrue.logic.fol import syntax as fol
from holdtrue.logic.fol.edits import substituted
from holdtrue.logic.fol.signature import names_in
from holdtrue.logic.fol.term_sorts import SortError, TermSorts, months_in
from holdtrue.logic.fol.value_windows import DENIED, is_value, step_of, values_in, worth_of
from holdtrue.logic.fol.vocabulary import ANY
from holdtrue.logic.fol.written_out import FALSE, MOST_NODES, TRUE, denied, goes_through_values, joined
from holdtrue.logic.units import DAY
from holdtrue.logic.value_sorts import DATE, TIME, Amount, Instant, ValueSort

_MOST_INSTANCES = 200
_MOST_READINGS = 100
_MOST_PARTS = 64
"""Into so many parts at most one is taken apart that has conjunctions in it."""
Prefix = tuple[tuple[str, str | None], ...]
"""The variables that a premise is about, all of them, each with its sort."""
Bindings = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Reduced:
    """A `Reduced` has what is left of sentences, by their ids.

    Attributes:
        sentences: A sentence for each id; they can all hold if and only if the sentences before could.
        needs: Of each id all ids of which something was put into its sentence.
        weaker: What is left may hold where the sentences before could not: proofs count, and situations do not.
        readings: How names were read, in turn: what was asked holds in a situation where it does by these readings.
    """

    sentences: Mapping[str, fol.Sentence]
    needs: Mapping[str, frozenset[str]]
    weaker: bool
    readings: tuple[Reading, ...]


@dataclass(frozen=True, slots=True)
class _Clause:
    """A part of a premise: for all values of the prefix some of these operands hold."""

    id: str
    prefix: Prefix
    operands: tuple[fol.Sentence, ...]

    @property
    def sentence(self) -> fol.Sentence:
        return _for_all(self.prefix, joined(fol.Or, self.operands))


def reduced(
    sentences: Mapping[str, fol.Sentence],
    kept: frozenset[str],
    sorts: TermSorts,
    write: Callable[[fol.Sentence], fol.Sentence],
) -> Reduced:
    """Return what is left of sentences, written out by `write`; of the names of `kept` others speak as well."""
    work = _Reduction(sorts, {id: [*_clauses(id, sentence, (), sorts)] for id, sentence in sentences.items()})
    work.eliminate(kept)
    return work.finished(write)


class _Reduction:
    def __init__(self, sorts: TermSorts, clauses: dict[str, list[_Clause]]) -> None:
        self._sorts, self._clauses = sorts, clauses
        self._needs: dict[str, frozenset[str]] = {id: frozenset() for id in clauses}
        self._readings: list[Reading] = []
        self._most = 2 * sum(map(len, clauses.values())) + _MOST_PARTS

    def eliminate(self, kept: frozenset[str]) -> None:
        for _ in range(_MOST_READINGS):
            if not self._eliminate_one(kept):
                return

    def _eliminate_one(self, kept: frozenset[str]) -> bool:
        clauses = [own for each in self._clauses.values() for own in each]
        found = [(clause, own) for clause in clauses for own in _readings(clause, self._sorts) if own.name not in kept]
        # A definition rids all clauses of the name; a single value first would hide what others say of all.
        found.sort(key=lambda pair: (not pair[0].prefix, not pair[1].defines))
        return any(self._put_in(clause, reading) for clause, reading in found)

    def _put_in(self, clause: _Clause, reading: Reading) -> bool:
        """Read a name in all other clauses as one of them says; return whether that could be done."""
        made: dict[str, list[_Clause]] = {}
        size = 0
        for id, clauses in self._clauses.items():
            rest = [own for own in clauses if own is not clause]
            if not any(reading.name in names_in(own.sentence) for own in rest):
                made[id] = rest
                continue
            try:
                said = [reading.of(own.sentence, {}) for own in rest]
            except NotTold:
                return False
            size += sum(1 for sentence in said for _ in fol.walk(sentence))
            if size > MOST_NODES or any(_depth(sentence) > fol.DEEPEST for sentence in said):
                return False
            made[id] = [new for sentence in said for new in _clauses(id, sentence, (), self._sorts)]
            self._needs[id] |= {clause.id} | self._needs[clause.id] if made[id] != rest else frozenset()
        if sum(map(len, made.values())) > self._most:
            return False
        self._clauses = made
        self._readings.append(reading)
        return True

    def finished(self, write: Callable[[fol.Sentence], fol.Sentence]) -> Reduced:
        found: dict[str, fol.Sentence] = {}
        weaker = False
        everything = [own.sentence for each in self._clauses.values() for own in each]
        for id, clauses in self._clauses.items():
            said: list[fol.Sentence] = []
            for clause in clauses:
                whole = write(clause.sentence)
                said += map(write, _instances(clause, everything, self._sorts))
                if _is_countless(whole, self._sorts) and clause.prefix:
                    weaker = True
                else:
                    said.append(whole)
            found[id] = joined(fol.And, said)
        return Reduced(found, self._needs, weaker, tuple(self._readings))


def _is_countless(sentence: fol.Sentence, sorts: TermSorts) -> bool:
    """Return whether values are counted or summed in it that cannot be gone through."""
    return any(
        isinstance(own, fol.Count | fol.Total) and sorts.ranged(own.sort) is not None for own in fol.walk(sentence)
    )


def _depth(node: fol.Sentence | fol.Term) -> int:
    return 1 + max(map(_depth, fol.parts(node)), default=0)


# --- clauses ---------------------------------------------------------------------------------------------------------


def _clauses(id: str, node: fol.Sentence, prefix: Prefix, sorts: TermSorts) -> Iterator[_Clause]:
    """Yield the parts that a sentence about all values is a conjunction of; any other sentence is one part."""
    match node:
        case fol.And(operands) if operands:
            for operand in operands:
                yield from _clauses(id, operand, prefix, sorts)
        case fol.Not(operand) if (pushed := _pushed(operand)) is not None:
            yield from _clauses(id, pushed, prefix, sorts)
        case fol.Quantified("forall", variable, body, sort) if variable not in dict(prefix) and (
            prefix or goes_through_values(node, sorts)
        ):
            yield from _clauses(id, body, (*prefix, (variable, sort)), sorts)
        case _:
            operands = tuple(_operands(node)) if prefix else (node,)
            parts = [_conjuncts(own) for own in operands]
            if 1 < prod(map(len, parts)) <= _MOST_PARTS:
                for chosen in product(*parts):
                    yield from _clauses(id, fol.Or(chosen), prefix, sorts)
                return
            said = joined(fol.Or, operands)
            if said != TRUE and not any({*_operands(denied(own))} <= {*operands} for own in operands):
                yield _Clause(id, prefix, operands)


def _pushed(node: fol.Sentence) -> fol.Sentence | None:
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


def _conjuncts(node: fol.Sentence) -> tuple[fol.Sentence, ...]:
    """Return the sentences that a sentence is the conjunction of, which may be the sentence itself alone."""
    if isinstance(node, fol.Not):
        node = pushed if isinstance(pushed := _pushed(node.operand), fol.And) else node
    return node.operands if isinstance(node, fol.And) and node.operands else (node,)


def _operands(node: fol.Sentence) -> Iterator[fol.Sentence]:
    match node:
        case fol.Or(operands):
            for operand in operands:
                yield from _operands(operand)
        case fol.Implies(left, right):
            yield from _operands(denied(left))
            yield from _operands(right)
        case fol.Not(fol.And(operands)):
            for operand in operands:
                yield from _operands(denied(operand))
        case fol.Not(fol.Not(operand)):
            yield from _operands(operand)
        case fol.Compare("!=", left, right):  # one form for each, so that what says nothing is seen
            yield fol.Not(fol.Compare("=", left, right))
        case fol.Not(fol.Compare(op, left, right)) if op != "=":
            yield fol.Compare(DENIED[op], left, right)
        case _:
            yield node


def _for_all(prefix: Prefix, body: fol.Sentence) -> fol.Sentence:
    for variable, sort in reversed(prefix):
        body = fol.Quantified("forall", variable, body, sort)
    return body


def _instances(clause: _Clause, said: Iterable[fol.Sentence], sorts: TermSorts) -> Iterator[fol.Sentence]:
    """Yield what a clause says of the values that sentences name."""
    places = [(name, sort) for name, of in clause.prefix if (sort := sorts.ranged(of)) is not None]
    if not places:
        return
    named = [own for sentence in said for own in fol.walk(sentence) if isinstance(own, fol.Number | Instant)]
    choices = [values_in(named, sort) for _, sort in places]
    rest = tuple(own for own in clause.prefix if own[0] not in dict(places))
    body = _for_all(rest, joined(fol.Or, clause.operands))
    for values in islice(product(*choices), _MOST_INSTANCES):
        yield substituted(body, {name: value for (name, _), value in zip(places, values, strict=True)})


# --- readings --------------------------------------------------------------------------------------------------------


class NotTold(Exception):
    """Nobody can tell whether a place is one that a reading is of."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A `Reading` says how a name is read at the places `args`, of which the variables of `prefix` go through all.

    `new` is the reading, in which `was` stands for the atom itself.
    """

    name: str
    args: tuple[fol.Term, ...]
    prefix: Prefix
    new: Any
    sorts: TermSorts

    @property
    def defines(self) -> bool:
        """Return whether the reading says all without the name itself."""
        return self.name not in names_in(self.new)

    def of(self, node: Any, bound: Bindings) -> Any:
        """Return a sentence or a term with its own reading of the name."""
        if isinstance(node, tuple):
            return tuple(self.of(own, bound) for own in node)
        if not isinstance(node, fol.NODES) or not fol.parts(node):
            return node
        if isinstance(node, fol.Quantified | fol.Count | fol.Total):
            bound = {**bound, node.variable: node.sort or ANY}
        made = type(node)(*[self.of(getattr(node, own.name), bound) for own in fields(node)])
        if not isinstance(made, fol.Holds | fol.Apply) or _name(made) != self.name:
            return made
        terms, conditions = {}, []
        for place, term in zip(self.args, made.args, strict=True):
            if isinstance(place, fol.Bound):
                terms[place.name] = term
                sort = dict(self.prefix)[place.name]
                conditions.append(_is_in(term, sort, bound, self.sorts))
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


def _readings(clause: _Clause, sorts: TermSorts) -> Iterator[Reading]:
    """Yield the readings that a clause gives which is about values: by each one operand is so unless others hold."""
    match clause:
        case _Clause(prefix=(), operands=(fol.Compare("=", fol.Apply(), fol.Number() | Instant()),)):
            pass  # A value that is known may be the end of others.
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
                new, rest = (
                    _limited(op, atom, term, others, clause.prefix, sorts),
                    (*rest, fol.Compare("=", term, term)),
                )
            case _:
                continue
        if new is None or not _is_pattern(atom, clause.prefix):
            continue
        if _may_mention(rest, atom):
            continue
        free = {own.name for own in atom.args if isinstance(own, fol.Bound)}
        inner = tuple(own for own in clause.prefix if own[0] not in free)
        if inner:
            if not isinstance(operand, fol.Holds | fol.Not):
                continue
            others = _for_all(inner, others)
            either = (denied(others), atom) if isinstance(operand, fol.Holds) else (others, atom)
            new = joined(fol.Or if isinstance(operand, fol.Holds) else fol.And, either)
        yield Reading(_name(atom), atom.args, clause.prefix, new, sorts)


def _limited(
    op: fol.Comparison, atom: fol.Apply, term: fol.Term, others: fol.Sentence, prefix: Prefix, sorts: TermSorts
) -> fol.Term | None:
    """Return a function's value by a clause that states it or a limit; None where it may not be one of its values."""
    result, bound = sorts.result(atom.function), {name: sort or ANY for name, sort in prefix}
    if isinstance(result, str):
        own = sorts.sort(term, bound) if isinstance(term, fol.Constant) else None
        fits = op == "=" and result in (own, ANY)
    else:
        fits = _is_on_grid(term, result, bound, sorts)
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
    """Return whether the other operands speak of the atom's name, at places that may be those of the atom."""
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


def _is_in(term: fol.Term, sort: str | None, bound: Bindings, sorts: TermSorts) -> fol.Sentence:
    """Return in which case a term is one of a sort; raises `NotTold` where that cannot be said."""
    values = sorts.ranged(sort)
    if values is None:
        if sort in (None, ANY):
            return TRUE
        own = bound.get(term.name) if isinstance(term, fol.Bound) else None
        if isinstance(term, fol.Constant):
            named = sorts.sort(term, bound)
            own = str(named) if named != ANY else None
        if own == sort:
            return TRUE
        if own is not None and isinstance(term, fol.Constant):
            return FALSE
        raise NotTold
    if isinstance(term, fol.Number | Instant):
        return TRUE if is_value(worth_of(term), values) else FALSE
    if isinstance(term, fol.Bound) and sorts.ranged(bound.get(term.name)) == values:
        return TRUE
    if not _is_on_grid(term, values, bound, sorts):
        raise NotTold
    if values != TIME:
        return TRUE
    return fol.And((fol.Compare(">=", term, Instant(0, TIME)), fol.Compare("<", term, Instant(86_400, TIME))))


def _is_on_grid(term: fol.Term, sort: ValueSort, bound: Bindings, sorts: TermSorts) -> bool:
    """Return whether a term is, for sure, worth a multiple of the step of a sort, be it inside of a day or not."""
    try:
        own = sorts.sort(term, bound)
    except SortError:
        return False
    if isinstance(own, Amount) and isinstance(sort, Amount):
        alike = own.unit.dimension == sort.unit.dimension
    else:
        alike = own == sort
    step, quantum = step_of(sort), _quantum(term, bound, sorts)
    return alike and (step is None or (quantum is not None and (quantum / step).denominator == 1))


def _quantum(term: fol.Term, bound: Bindings, sorts: TermSorts) -> Fraction | None:
    """Return a number of base units of which a term is worth a multiple for sure; None where there is none."""
    parts = [own for own in fol.parts(term) if isinstance(own, fol.Term)]
    match term:
        case fol.Number():
            return abs(worth_of(term))
        case fol.Bound() | fol.Apply() | Instant():
            own = sorts.sort(term, bound)
            return None if isinstance(own, str) else step_of(own)
        case fol.Plus(summed):
            dated = sorts.sort(term, bound) == DATE
            return _common(
                _times(Fraction(factor), _quantum(part, bound, sorts))
                for factor, part in summed
                if not dated or months_in(part) is None
            )
        case fol.Times(left, right):
            return _times(_quantum(left, bound, sorts), _quantum(right, bound, sorts))
        case fol.Operation("min" | "max" | "abs") | fol.Choice():
            return _common(_quantum(part, bound, sorts) for part in parts)
        case fol.Operation("floor" | "ceil" | "div" | "year_of" | "month_of" | "day_of" | "weekday_of") | fol.Count():
            return Fraction(1)
        case fol.Operation("date_of"):
            return DAY.factor
    return None


def _times(one: Fraction | None, other: Fraction | None) -> Fraction | None:
    return None if one is None or other is None else abs(one * other)


def _common(quanta: Iterable[Fraction | None]) -> Fraction | None:
    """Return the greatest common divisor."""
    found = Fraction(0)
    for own in quanta:
        if own is None:
            return None
        whole = found.denominator * own.denominator
        found = Fraction(gcd(int(found * whole), int(own * whole)), whole)
    return found
