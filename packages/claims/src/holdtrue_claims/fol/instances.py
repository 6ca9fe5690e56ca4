"""Instantiate sentences for the terms that they mention, round by round, until no quantifier is left in the instances.

"There is" becomes a new function. A variable of "all" is replaced by terms that occur in the same argument places, or
by all terms of its sort. The instances follow from the sentences, so unsatisfiable instances prove the sentences
unsatisfiable (after Y. Ge and L. de Moura, "Complete instantiation for quantified formulas in SMT", 2009).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from itertools import chain
from typing import Any

from holdtrue.errors import FormulaError
from holdtrue.logic.value_sorts import DATE, MOMENT, TIME, Amount, Instant, ValueSort
from holdtrue_claims.fol import syntax as fol
from holdtrue_claims.fol.evaluation import Evaluation
from holdtrue_claims.fol.moving import Moving
from holdtrue_claims.fol.syntax import replaced, substituted
from holdtrue_claims.fol.term_sorts import SortError, TermSorts
from holdtrue_claims.fol.value_clauses import disjuncts
from holdtrue_claims.fol.value_readings import NotTold, in_day, is_of, within
from holdtrue_claims.fol.value_windows import Literal, guards, is_value, literal, step_of
from holdtrue_claims.fol.vocabulary import ANY, Function, Vocabulary
from holdtrue_claims.fol.written_out import FALSE, TRUE, denied, joined, written_out

_MOST_PARTS = 8_000
"""The largest number of parts of the instances of one sentence in one round."""
_MOST_OF_ONE = 400
"""The largest number of instances of one "all" in one round."""
_YEAR = 366
MEMBER = "∈ "
"""The prefix of the predicate that states the sort of a thing."""
_MOST_THINGS = 12
"""The largest number of things that are enumerated for a count or a sum."""


class Instances:
    """`Instances` holds instances of sentences by id. `vocabulary` includes the functions that replace "there is"."""

    def __init__(
        self, vocabulary: Vocabulary, sentences: Mapping[str, fol.Sentence], at_each: Callable[[], object]
    ) -> None:
        self._at_each, self._added = at_each, set[str]()
        self.vocabulary, self.sorts, self._names = vocabulary, TermSorts(vocabulary), 0
        self._evaluation = Evaluation(None, {}, self.sorts, at_each, {})
        self._witnesses: dict[fol.Term, tuple[fol.Term, fol.Term]] = {}
        self._unlisted: set[fol.Term] = set()
        self._rules = {id: self._normal(sentence, True, {}) for id, sentence in sentences.items()}
        self._made: dict[tuple[str, fol.Sentence], None] = {}
        self._at: dict[tuple[str, int], dict[fol.Term, None]] = {}
        self._of: dict[Any, dict[fol.Term, None]] = {}
        self._binders: dict[fol.Count | fol.Total, None] = {}
        self._values: dict[fol.Term, Literal] = {}
        self._plain: dict[fol.Sentence, fol.Sentence] = {}
        self._places: dict[str, set[tuple[str, int]]] = {}
        self._days: dict[tuple[fol.Sentence, ...], dict[Instant, bool]] = {}
        self._parts = 0
        for own in vocabulary.entities:
            self._of.setdefault(own.sort, {})[fol.Constant(own.name)] = None
        # Terms within "all" are also worth a try.
        for node in (own for rule in self._rules.values() for own in fol.walk(rule)):
            if isinstance(node, fol.Apply | Instant | fol.Number) and not fol.free_in(node):
                self._name(node)
        self._named = {own for terms in self._of.values() for own in terms}

    # "There is" --------------------------------------------------------------------------------------------------

    def _normal(self, node: fol.Sentence, positive: bool, every: Mapping[str, str | None]) -> fol.Sentence:
        """Return a sentence, or its negation, with "all" as its only quantifier, and no quantifier below "not"."""
        if not _is_quantified(node):
            return node if positive else denied(node)
        match node:
            case fol.Not(operand):
                return self._normal(operand, not positive, every)
            case fol.And(operands) | fol.Or(operands):
                kind = fol.And if isinstance(node, fol.And) is positive else fol.Or
                return kind(tuple(self._normal(own, positive, every) for own in operands))
            case fol.Implies(left, right):
                return self._normal(fol.Or((fol.Not(left), right)), positive, every)
            case fol.Iff(left, right) | fol.Xor(left, right):
                other = right if isinstance(node, fol.Iff) is positive else fol.Not(right)
                both = (fol.Or((fol.Not(left), other)), fol.Or((left, fol.Not(other))))
                return fol.And(tuple(self._normal(own, True, every) for own in both))
            case fol.Quantified(quantifier, variable, body, sort):
                self._names += 1
                name = f"{variable} {self._names}"
                if (quantifier == "forall") is positive:
                    body = substituted(body, {variable: fol.Bound(name)})
                    return fol.Quantified("forall", name, self._normal(body, positive, {**every, name: sort}), sort)
                term = self._some(name, sort, {own: every[own] for own in fol.free_in(node) if own in every})
                said = self._normal(substituted(body, {variable: term}), positive, every)
                if self.sorts.ranged(sort) is None:
                    return joined(fol.And, (self._member(term, sort), said))
                return fol.And((in_day(term), said)) if self.sorts.ranged(sort) == TIME else said
        return node

    def _some(self, name: str, sort: str | None, places: Mapping[str, str | None]) -> fol.Term:
        """Return the value of a new function of these variables."""
        given = tuple("number" if self.sorts.ranged(own) is not None else own or ANY for own in places.values())
        added = Function(name, given, result=sort or ANY)
        self.vocabulary = replace(self.vocabulary, functions=(*self.vocabulary.functions, added))
        self.sorts = TermSorts(self.vocabulary)
        self._added.add(name)
        return fol.Apply(name, tuple(map(fol.Bound, places)))

    # "All" -------------------------------------------------------------------------------------------------------

    def round(self, width: int, values: Mapping[fol.Term, Literal]) -> list[tuple[str | None, fol.Sentence]]:
        """Return the new instances, each with the id of its sentence, or None for a law.

        `values` are the values of terms in every situation of the instances so far. At `width` 0 a variable takes the
        terms that occur in the same argument places. At 1 it also takes values that sentences mention, and at 2 all
        terms of its sort.
        """
        self._values = dict(values)
        for value in values.values():
            self._name(value)
            self._named.add(value)
        found: list[tuple[str | None, fol.Sentence]] = []
        for id, rule in self._rules.items():
            self._parts = 0
            said = self._said(rule, width)
            for own in said.operands if isinstance(said, fol.And) else (said,):
                if (id, own) not in self._made:
                    self._made[id, own] = None
                    found.append((id, own))
        for _, sentence in found:
            self._look_at(sentence)
        for law in [law for binder in [*self._binders] for law in self._laws(binder) if ("", law) not in self._made]:
            self._made["", law] = None
            self._look_at(law)
            found.append((None, law))
        return found

    def terms(self) -> Iterator[fol.Term]:
        """Yield the terms that apply functions to values, because their values are worth knowing."""
        for sort, terms in self._of.items():
            if not isinstance(sort, str):
                yield from (own for own in terms if isinstance(own, fol.Apply))

    def _said(self, node: fol.Sentence, width: int) -> fol.Sentence:
        """Return the instances of a sentence that has only "all" as a quantifier."""
        self._at_each()
        match node:
            case fol.Quantified(_, variable, body, sort):
                said: list[fol.Sentence] = []
                for term in self._tried(node, width):
                    if len(said) >= _MOST_OF_ONE or self._parts >= _MOST_PARTS:
                        break
                    try:
                        inside = self._inside(term, sort)
                    except NotTold:
                        continue
                    own = self._said(substituted(body, {variable: term}), width)
                    if inside != TRUE:
                        own = joined(fol.Or, (denied(inside), own))
                    if own != TRUE:
                        said.append(own)
                return joined(fol.And, said)
            case fol.And(operands) | fol.Or(operands) if _is_quantified(node):
                # Operands without a quantifier come first, because they may decide it.
                settled = FALSE if isinstance(node, fol.And) else TRUE
                made = []
                for own in sorted(operands, key=_is_quantified):
                    made.append(self._said(own, width))
                    if made[-1] == settled:
                        return settled
                return joined(type(node), made)
        if (found := self._plain.get(node)) is None:
            found = self._plain[node] = self._folded(written_out(node, self.sorts))
        self._parts += sum(1 for _ in fol.walk(found))
        return found

    def _inside(self, term: fol.Term, sort: str | None) -> fol.Sentence:
        """Return the condition under which a term has a sort. Raises `NotTold` if there is none."""
        if self.sorts.ranged(sort) is None:
            if not is_of(term, sort or ANY, {}, self.sorts):
                raise NotTold
            return self._member(term, sort)
        return within(term, sort, {}, self.sorts)

    def _member(self, term: fol.Term, sort: str | None) -> fol.Sentence:
        """Return the condition that a term has its sort. It is certain unless the term contains a function for "there
        is".
        """
        sure = sort in (None, ANY) or not any(
            isinstance(own, fol.Apply) and own.function in self._added for own in fol.walk(term)
        )
        return TRUE if sure else fol.Holds(f"{MEMBER}{sort}", (term,))

    def _tried(self, node: fol.Quantified, width: int) -> list[fol.Term]:
        sort = self.sorts.ranged(node.sort)
        if node.variable not in self._places:
            self._places[node.variable] = {
                (_name(own), at)
                for own in fol.walk(node.body)
                if isinstance(own, fol.Holds | fol.Apply)
                for at, arg in enumerate(own.args)
                if arg == fol.Bound(node.variable)
            }
        places = self._places[node.variable]
        found = dict(chain.from_iterable(self._at.get(place, {}).items() for place in places))
        if width == 1:
            found |= {own: None for own in self._worth(sort) if own in self._named} if sort is not None else {}
        if width == 2 or not places:
            found |= dict.fromkeys(self._things(node.sort) if sort is None else self._worth(sort))
        if sort is not None:
            found |= dict.fromkeys(self._edges(node, sort))
        if sort == DATE:
            found = dict.fromkeys(self._fitting(node, found))
        return [own for own in found if not self._goes_on(own)]

    def _fitting(self, node: fol.Quantified, tried: Iterable[fol.Term]) -> Iterator[fol.Term]:
        """Yield the tried terms. A day that the calendar excludes is replaced by the nearest days that it allows."""
        body = node.body
        while isinstance(body, fol.Quantified):
            body = body.body
        ruled = tuple(own for own in disjuncts(body) if _is_calendar(own, node.variable))
        for term in tried:
            if not ruled or not isinstance(term, Instant):
                yield term
                continue
            yield from self._near(ruled, node.variable, term)

    def _near(self, ruled: tuple[fol.Sentence, ...], variable: str, term: Instant) -> Iterator[Instant]:
        """Yield the nearest days that no calendar condition excludes: the last up to this day, and the first from it
        on.
        """
        settled = self._days.setdefault(ruled, {})
        for forth in (-1, 1):
            for far in range(_YEAR):
                day = Instant(term.value + forth * far, DATE)
                if day not in settled:
                    self._at_each()
                    said = (substituted(own, {variable: day}) for own in ruled)
                    settled[day] = any(self._evaluation.truth(own) for own in said)
                if not settled[day]:
                    yield day
                    break

    def _goes_on(self, term: fol.Term) -> bool:
        """Return whether a function occurs in its own arguments, or a function for "there is" in those of another such
        one.
        """

        def goes_on(node: Any, inside: tuple[str, ...]) -> bool:
            if isinstance(node, fol.Apply) and node.args:
                name = "" if node.function in self._added else node.function
                if name in inside:
                    return True
                inside = (*inside, name)
            return any(goes_on(own, inside) for own in fol.parts(node))

        if term in self._unlisted:
            return False
        return goes_on(term, ()) or any(own in self._unlisted for own in fol.walk(term))

    def _edges(self, node: fol.Quantified, sort: ValueSort) -> Iterator[Literal]:
        """Yield the values at which comparisons with the variable of "all" may change, as far as they are known."""
        for _, left, right, slope in guards(node, sort):
            nothing = {node.variable: literal(Fraction(0), sort)}
            sides = [replaced(self._folded(substituted(side, nothing)), self._values) for side in (left, right)]
            with suppress(FormulaError):
                start, end = map(self._evaluation.worth, sides)
                if isinstance(start, Fraction) and isinstance(end, Fraction):
                    edge, step = (end - start) / slope, step_of(sort) or Fraction(1)
                    for own in (edge, edge // step * step, edge // step * step + step, edge // step * step - step):
                        if is_value(own, sort):
                            yield literal(own, sort)

    def _worth(self, sort: ValueSort) -> Iterator[fol.Term]:
        """Yield the terms that may have a value of a sort."""
        for own, terms in self._of.items():
            if own == sort or (
                isinstance(own, Amount) and isinstance(sort, Amount) and own.unit.dimension == sort.unit.dimension
            ):
                yield from terms

    def _things(self, sort: str | None) -> list[fol.Term]:
        """Return the terms that certainly denote things of a sort."""
        named = (own for of, terms in self._of.items() if isinstance(of, str) for own in terms)
        return [own for own in named if is_of(own, sort or ANY, {}, self.sorts) and not self._goes_on(own)]

    # Terms -------------------------------------------------------------------------------------------------------

    def _folded(self, node: Any) -> Any:
        """Return a sentence or a term with constant arithmetic replaced by its value."""
        if isinstance(node, fol.Plus | fol.Times | fol.Operation) and not any(
            isinstance(own, fol.Apply | fol.Constant | fol.Bound | fol.Binder | fol.Choice) for own in fol.walk(node)
        ):
            return self._literal(node) or node
        return fol.rebuilt(node, self._folded)

    def _literal(self, term: fol.Term) -> Literal | None:
        try:
            sort, value = self.sorts.sort(term, {}), self._evaluation.worth(term)
        except (SortError, FormulaError):
            return None
        if isinstance(sort, str) or value is None or isinstance(value, str | Moving):
            return None
        return literal(value, sort) if is_value(value, sort) else None

    def _look_at(self, sentence: fol.Sentence) -> None:
        """Record the terms of an instance, and the places where they occur."""
        stack: list[Any] = [sentence]
        while stack:
            node = stack.pop()
            if isinstance(node, fol.Binder):
                if isinstance(node, fol.Count | fol.Total):
                    self._binders[node] = None
                continue
            stack += fol.parts(node)
            if isinstance(node, fol.Holds | fol.Apply):
                for at, arg in enumerate(node.args):
                    self._at.setdefault((_name(node), at), {})[arg] = None
                    self._name(arg)
            elif isinstance(node, fol.Compare):
                self._name(node.left)
                self._name(node.right)
            if isinstance(node, fol.Apply):
                self._name(node)

    def _name(self, term: fol.Term) -> None:
        if isinstance(term, fol.Binder | fol.Choice):
            return
        try:
            sort = self.sorts.sort(term, {})
        except SortError:
            return
        self._of.setdefault(sort, {})[term] = None
        if isinstance(term, Instant) and term.sort == MOMENT:
            for op in ("date_of", "time_of"):
                if (part := self._literal(fol.Operation(op, (term,)))) is not None:
                    self._of.setdefault(part.sort, {})[part] = None  # type: ignore[union-attr]

    # Counts and sums ---------------------------------------------------------------------------------------------

    def _laws(self, node: fol.Count | fol.Total) -> Iterator[fol.Sentence]:
        """Yield laws that hold for a count or a sum."""
        if self.sorts.ranged(node.sort) is not None:
            known = {own: self._values[own] for own in fol.walk(node) if own in self._values}
            read = written_out(fol.Compare("=", node, replaced(node, known)), self.sorts)
            if known and isinstance(read, fol.Compare) and not isinstance(read.right, fol.Binder):
                yield joined(fol.Or, (*(fol.Compare("!=", own, value) for own, value in known.items()), read))
            return
        if any(own in self._unlisted for own in fol.walk(node)):
            return  # otherwise the terms would multiply without end
        if node not in self._witnesses:
            self._names += 2
            one, other = (self._some(f"{node.variable} {self._names + at}", node.sort, {}) for at in (-1, 0))
            self._witnesses[node] = one, other
            self._unlisted |= {one, other}
        unlisted, negative = self._witnesses[node]
        things = [own for own in self._things(node.sort) if own not in self._unlisted][:_MOST_THINGS]
        summed: list[tuple[int, fol.Term]] = []
        for at, thing in enumerate(things):
            others = [
                own for own in things[:at] if not isinstance(own, fol.Constant) or not isinstance(thing, fol.Constant)
            ]
            counts = (
                self._member(thing, node.sort),
                _body(node, thing),
                *(fol.Compare("!=", thing, own) for own in others),
            )
            summed.append((1, fol.Choice(joined(fol.And, counts), _summand(node, thing), fol.Number(0))))
        listed = self._said(fol.Compare("=", node, fol.Plus(tuple(summed)) if summed else fol.Number(0)), 0)
        if not isinstance(listed, fol.Compare):
            return
        another = (
            self._member(unlisted, node.sort),
            _body(node, unlisted),
            *(fol.Compare("!=", unlisted, own) for own in things),
        )
        yield joined(fol.Or, (listed, self._said(joined(fol.And, another), 0)))
        least: fol.Sentence = replace(listed, op=">=")
        if isinstance(node, fol.Total):
            below = fol.Compare("<", _summand(node, negative), fol.Number(0))
            there = (self._member(negative, node.sort), _body(node, negative), below)
            least = joined(fol.Or, (least, joined(fol.And, there)))
        yield least


def _is_quantified(node: fol.Sentence) -> bool:
    """Return whether a sentence has a quantifier outside of its terms."""
    if isinstance(node, fol.Quantified):
        return True
    return not isinstance(node, fol.Holds | fol.Compare) and any(map(_is_quantified, fol.parts(node)))  # type: ignore[arg-type]


def _is_calendar(node: fol.Sentence, variable: str) -> bool:
    """Return whether a sentence is only about the calendar of one day."""
    inside = tuple(fol.walk(node))
    return (
        fol.free_in(node) == (variable,)
        and any(isinstance(own, fol.Operation) for own in inside)
        and not any(isinstance(own, fol.Apply | fol.Holds | fol.Constant | fol.Binder) for own in inside)
    )


def _name(node: fol.Holds | fol.Apply) -> str:
    return node.predicate if isinstance(node, fol.Holds) else node.function


def _body(node: fol.Count | fol.Total, thing: fol.Term) -> fol.Sentence:
    found: fol.Sentence = substituted(node.body, {node.variable: thing})
    return found


def _summand(node: fol.Count | fol.Total, thing: fol.Term) -> fol.Term:
    found: fol.Term = substituted(node.term, {node.variable: thing}) if isinstance(node, fol.Total) else fol.Number(1)
    return found
