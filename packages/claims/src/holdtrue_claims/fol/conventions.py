"""Conventions are unstated assumptions in the reading of sentences, such as that two names mean two things.

With each convention more follows from the sentences. `without` removes conventions: it returns sentences that follow
from the given ones and do not depend on the removed conventions.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import combinations
from typing import Literal, get_args

from holdtrue.logic.units import DAY
from holdtrue.logic.value_sorts import DATE, MOMENT, TIME, Amount, Instant
from holdtrue_claims.fol import syntax as fol
from holdtrue_claims.fol.laws import stated_laws
from holdtrue_claims.fol.signature import names_in
from holdtrue_claims.fol.syntax import replaced
from holdtrue_claims.fol.term_sorts import Bindings, TermSorts, split_months
from holdtrue_claims.fol.value_readings import in_day
from holdtrue_claims.fol.vocabulary import ANY, Entity, Function, Predicate, Vocabulary
from holdtrue_claims.fol.vocabulary_check import check

_SOME_DAY = Instant(0, DATE)
_NEVER = fol.Compare("<", fol.Number(1), fol.Number(0))


CalendarConvention = Literal["one_day", "month_ends", "clocks"]
"""Conventions about the meaning of sums: of times within one day, of months and a date, and of local moments."""


def calendar_weakened(sentence: fol.Sentence, vocabulary: Vocabulary, dropped: Collection[str]) -> fol.Sentence:
    """Return a weaker sentence in which sums that depend on these conventions may have any value.

    It follows from the sentence, and is the sentence itself if there is no such sum.
    """
    return _Weakening(vocabulary, dropped).weaker(sentence, {}, positive=True)


class _Weakening:
    def __init__(self, vocabulary: Vocabulary, dropped: Collection[str]) -> None:
        self._sorts, self._dropped = TermSorts(vocabulary), dropped

    def weaker(self, node: fol.Sentence, bound: Bindings, *, positive: bool) -> fol.Sentence:
        """Return a sentence that follows from `node`, or, if `positive` is false, one from which `node` follows."""
        match node:
            case fol.Not(operand):
                return fol.Not(self.weaker(operand, bound, positive=not positive))
            case fol.And(operands) | fol.Or(operands):
                return type(node)(tuple(self.weaker(own, bound, positive=positive) for own in operands))
            case fol.Implies(left, right):
                then = self.weaker(right, bound, positive=positive)
                return fol.Implies(self.weaker(left, bound, positive=not positive), then)
            case fol.Quantified(quantifier, variable, body, sort):
                inner = {**bound, variable: sort or ANY}
                return fol.Quantified(quantifier, variable, self.weaker(body, inner, positive=positive), sort)
            case fol.Iff(left, right) if self._matters(node, bound):
                both = (fol.Implies(left, right), fol.Implies(right, left))
                return fol.And(tuple(self.weaker(own, bound, positive=positive) for own in both))
            case fol.Xor(left, right) if self._matters(node, bound):
                return self.weaker(fol.Iff(left, fol.Not(right)), bound, positive=positive)
        within = tuple(dict.fromkeys(self._conditions(node, bound, {}, short=positive and _is_short(node))))
        if not within:
            return node
        return fol.Or((fol.Not(fol.And(within)), node)) if positive else fol.And((*within, node))

    def _matters(self, node: fol.Sentence, bound: Bindings) -> bool:
        """Return whether a sentence has a sum whose meaning depends on the dropped conventions."""
        return any(True for _ in self._conditions(node, bound, {}, short=False))

    def _conditions(
        self, node: fol.Sentence | fol.Term, bound: Bindings, inner: Mapping[str, str | None], *, short: bool
    ) -> Iterator[fol.Sentence]:
        """Yield conditions under which no sum in a part depends on a dropped convention, for all values of its
        variables.
        """
        match node:
            case fol.Quantified(_, variable, _, sort) | fol.Count(variable, _, sort) | fol.Total(variable, _, _, sort):
                # A rebound variable comes last, so that the inner binding counts.
                inner = {**{name: of for name, of in inner.items() if name != variable}, variable: sort}
                bound = {**bound, variable: sort or ANY}
            case fol.Plus():
                condition = self._condition(node, bound, short=short)
                if condition is not None:
                    free = fol.free_variables(condition)
                    for name, of in reversed(tuple(inner.items())):
                        condition = fol.Quantified("forall", name, condition, of) if name in free else condition
                    yield condition
        for part in fol.parts(node):
            yield from self._conditions(part, bound, inner, short=short)

    def _condition(self, summed: fol.Plus, bound: Bindings, *, short: bool) -> fol.Sentence | None:
        if len(summed.parts) == 1 or self._is_progression(summed):
            return None
        sorts = [self._sorts.sort(term, bound) for _, term in summed.parts]
        if "clocks" in self._dropped and MOMENT in sorts:
            return _NEVER
        dates = {name: _SOME_DAY for name, of in bound.items() if self._sorts.ranged(of) == DATE}
        rest, months = split_months(summed.parts, self._sorts, dates)
        if months and "month_ends" in self._dropped:
            before = rest[0][1] if len(rest) == 1 and rest[0][0] == 1 else fol.Plus(rest)
            return _has_the_day(before, summed, months)
        if "one_day" not in self._dropped or TIME not in sorts:
            return None
        times = [(factor, term) for (factor, term), sort in zip(summed.parts, sorts, strict=True) if sort == TIME]
        if sum(factor for factor, _ in times) == 1:
            return in_day(summed)
        if len(times) != 2 or not short:
            return _NEVER
        later, earlier = sorted(times, key=lambda own: -own[0])
        return fol.Compare(">=", later[1], earlier[1])

    def _is_progression(self, summed: fol.Plus) -> bool:
        """Return whether a sum adds equal steps to a written time, which fixes the meant times."""
        written = [term for _, term in summed.parts if isinstance(term, Instant)]
        steps = [term for _, term in summed.parts if isinstance(term, fol.Times | fol.Bound)]
        plain = all(isinstance(own, fol.Bound | fol.Number) for term in steps for own in fol.parts(term) or (term,))
        return len(written) == len(steps) == 1 and len(summed.parts) == 2 and plain


def _has_the_day(before: fol.Term, after: fol.Term, months: int) -> fol.Sentence:
    """Return the condition that the later date's month has the earlier date's day. Days up to 28 always exist."""
    day = fol.Operation("day_of", (before,))
    always = fol.Compare("<=", day, fol.Number(28))
    if months % 12 == 0:
        return fol.Or((always, fol.Compare("!=", fol.Operation("month_of", (before,)), fol.Number(2))))
    return fol.Or((always, fol.Compare("=", fol.Operation("day_of", (after,)), day)))


def _is_short(node: fol.Sentence) -> bool:
    """Return whether a sentence states a duration of less than a day, so that no days lie between its ends."""
    match node:
        case fol.Compare("=" | "<" | "<=", _, fol.Number(value, unit)) | fol.Compare(
            "=" | ">" | ">=", fol.Number(value, unit), _
        ):
            return 0 <= value * unit.factor < DAY.factor
    return False


Convention = Literal["names", "kinds", "values", "steps", CalendarConvention]
CONVENTIONS: tuple[Convention, ...] = ("names", "kinds", "values", "steps", *get_args(CalendarConvention))
IN_WORDS: Mapping[Convention, str] = {
    "names": "Different names stand for different things.",
    "kinds": "Each named thing is of the one kind that it was said to be.",
    "values": "Where a word says what belongs to a thing, such as its owner, there is one, and only one.",
    "steps": "Amounts are whole, or have no more decimals than they were declared with.",
    "one_day": "Times of day that are added to, or taken from one another, are of one day.",
    "month_ends": "Where a month lacks a day, such as 30 February, its last day is meant.",
    "clocks": "No clock is put forward or back between two local moments.",
}
"""Each convention as a sentence."""

Said = Mapping[str, fol.Sentence]
"""Sentences that have to hold together, by id."""


def without(dropped: Collection[Convention], vocabulary: Vocabulary, said: Said) -> tuple[Vocabulary, Said]:
    """Return a vocabulary and sentences, by the same ids, whose meaning no longer includes the dropped conventions.

    If none of these conventions matters, the result is the given vocabulary and sentences.
    """
    said = {id: calendar_weakened(own, vocabulary, dropped) for id, own in said.items()}
    if "values" in dropped:
        vocabulary, said = _related(vocabulary, said)
    if "steps" in dropped:
        vocabulary = _unstepped(vocabulary, said)
    if not {"names", "kinds"} & set(dropped) or not any(_tells_things_apart(own, vocabulary) for own in said.values()):
        return vocabulary, said
    if "names" not in dropped:
        return _unkinded(vocabulary, said)
    nodes = [node for own in said.values() for node in fol.walk(own)]
    # A quantifier or a count may concern any named thing, mentioned or not.
    ranged = any(isinstance(node, fol.Binder) for node in nodes)
    used = {node.name for node in nodes if isinstance(node, fol.Constant)}
    # Sorts are unknown then too, because equal things have equal sorts.
    return replace(
        vocabulary, aliases=(tuple(own.name for own in vocabulary.entities if ranged or own.name in used),)
    ), said


def _unkinded(vocabulary: Vocabulary, said: Said) -> tuple[Vocabulary, Said]:
    """Return the vocabulary with things of any sort, and the sentences with an additional one that states each sort."""
    sorted_ = [own for own in vocabulary.entities if own.sort != ANY]
    laws: list[fol.Sentence] = [law for law in stated_laws(vocabulary) if isinstance(law, fol.Compare)]
    named = ((fol.Compare("=", fol.Bound("x"), fol.Constant(own.name)), own.sort) for own in sorted_)
    laws += [fol.Quantified("exists", "x", is_it, sort) for is_it, sort in named]
    opened = [sort for sort in vocabulary.closed if sort != ANY and vocabulary.named(sort)]
    laws += [_all_there_are(sort, map(fol.Constant, (own.name for own in vocabulary.named(sort)))) for sort in opened]
    made = replace(
        vocabulary,
        entities=tuple(replace(own, sort=ANY) for own in vocabulary.entities),
        functions=tuple(replace(own, distinct=False) for own in vocabulary.functions),
        sorts=(*vocabulary.sorts, *(own.sort for own in sorted_)),
        closed=tuple(sort for sort in vocabulary.closed if sort not in opened),
    )
    return made, {**said, "kinds": fol.And(tuple(laws))}


def _all_there_are(sort: str, things: Iterable[fol.Term]) -> fol.Sentence:
    """Return the sentence that the listed things are all things of a sort."""
    listed = fol.Or(tuple(fol.Compare("=", fol.Bound("x"), thing) for thing in things))
    return fol.Quantified("forall", "x", listed, None if sort == ANY else sort)


def aliases(sentences: Iterable[fol.Sentence]) -> tuple[tuple[str, ...], ...]:
    """Return groups of names that sentences equate, or may equate. Stated equations override the convention "names"."""
    groups: list[set[str]] = []
    for sentence in sentences:
        for node in fol.walk(sentence):
            match node:
                case fol.Compare("=", fol.Constant(one), fol.Constant(other)) if one != other:
                    joined = {one, other}.union(*(group for group in groups if group & {one, other}))
                    groups = [*(group for group in groups if not group & joined), joined]
    return tuple(tuple(sorted(group)) for group in groups)


def loosened(vocabulary: Vocabulary) -> tuple[Vocabulary, tuple[fol.Sentence, ...], Mapping[fol.Term, fol.Term]]:
    """Return a vocabulary in which names of `vocabulary.aliases` are functions without arguments, and its laws.

    Such a function may have any thing of the name's sort as its value. The laws say that names of different groups
    differ, and they list the things of closed sorts. The mapping gives the term of each such name.
    """
    group_of = {name: place for place, names in enumerate(vocabulary.aliases) for name in names}
    loose = [own for own in vocabulary.entities if own.name in group_of]
    if not loose:
        return vocabulary, (), {}
    taken = {own.name for own in vocabulary.applied}
    function = {own.name: own.name if own.name not in taken else f"{own.name} (thing)" for own in loose}
    terms: dict[fol.Term, fol.Term] = {fol.Constant(name): fol.Apply(made, ()) for name, made in function.items()}

    def term(own: Entity) -> fol.Term:
        return terms.get(fol.Constant(own.name), fol.Constant(own.name))

    laws: list[fol.Sentence] = [
        fol.Compare("!=", term(one), term(other))
        for one, other in combinations(vocabulary.entities, 2)
        if {one.name, other.name} & group_of.keys() and group_of.get(one.name, -1) != group_of.get(other.name, -2)
    ]
    opened = [sort for sort in vocabulary.closed if any(own.name in group_of for own in vocabulary.named(sort))]
    laws += [_all_there_are(sort, map(term, vocabulary.named(sort))) for sort in opened]
    made = replace(
        vocabulary,
        entities=tuple(own for own in vocabulary.entities if own.name not in group_of),
        functions=(
            *vocabulary.functions,
            *(Function(function[own.name], (), result=own.sort, meaning=own.name) for own in loose),
        ),
        closed=tuple(sort for sort in vocabulary.closed if sort not in opened),
        sorts=(*vocabulary.sorts, *(own.sort for own in loose)),
        aliases=(),
    )
    return made, tuple(laws), terms


def _tells_things_apart(sentence: fol.Sentence, vocabulary: Vocabulary) -> bool:
    """Return whether a sentence may depend on whether two names mean the same thing."""
    sorts = TermSorts(vocabulary)
    closed = {None, *vocabulary.thing_sorts} if ANY in vocabulary.closed else set(vocabulary.closed)
    for node in fol.walk(sentence):
        match node:
            case fol.Count() | fol.Total():
                return True
            case fol.Quantified(sort=sort) if sort in closed:
                return True
            case fol.Compare(left=left, right=right):
                for side in (left, right):
                    named = isinstance(side, fol.Constant | fol.Bound | fol.Choice)
                    if named or (isinstance(side, fol.Apply) and isinstance(sorts.result(side.function), str)):
                        return True
    return False


def _unstepped(vocabulary: Vocabulary, said: Said) -> Vocabulary:
    """Return the vocabulary with arbitrary fractions as amounts, or the given one if a sentence needs whole numbers."""
    functions = tuple(map(lambda own: _any_amount(own, vocabulary), vocabulary.functions))
    made = replace(vocabulary, functions=functions)
    return vocabulary if any(check(made, own) for own in said.values()) else made


def _any_amount(function: Function, vocabulary: Vocabulary) -> Function:
    sort = vocabulary.value_sort(function.result)
    if not isinstance(sort, Amount) or sort.step is None:
        return function
    return replace(function, result=str(Amount(sort.unit)))


def _related(vocabulary: Vocabulary, said: Said) -> tuple[Vocabulary, Said]:
    """Return the vocabulary and the sentences with each function to things as a predicate of its arguments and its
    value.
    """
    bound = [own for own in vocabulary.functions if own.sorts and vocabulary.value_sort(own.result) is None]
    used = {node.function for own in said.values() for node in fol.walk(own) if isinstance(node, fol.Apply)}
    functions = {own.name: own for own in bound if own.name in used}
    if not functions:
        return vocabulary, said
    try:
        made = {id: _Relating(functions).sentence(own, positive=True) for id, own in said.items()}
    except _OutOfReach:
        return vocabulary, said
    relations = tuple(Predicate(own.name, (*own.sorts, own.result), own.meaning) for own in functions.values())
    others = tuple(own for own in vocabulary.functions if own.name not in functions)
    sorts = (*vocabulary.sorts, *(own.result for own in functions.values()))
    return replace(vocabulary, predicates=(*vocabulary.predicates, *relations), functions=others, sorts=sorts), made


class _OutOfReach(Exception):
    """A function occurs in a place where its value cannot be quantified. The exception never leaves this file."""


class _Relating:
    """A `_Relating` replaces functions by relations. A statement about a function's value becomes a statement about
    every related thing, and there must be one.

    An equation with the value becomes the relation itself, so that neither existence nor uniqueness is assumed.
    """

    def __init__(self, functions: Mapping[str, Function]) -> None:
        self._functions = functions
        self._made = 0

    def sentence(self, node: fol.Sentence, *, positive: bool) -> fol.Sentence:
        match node:
            case fol.Not(operand):
                return fol.Not(self.sentence(operand, positive=not positive))
            case fol.Implies(left, right):
                return fol.Implies(self.sentence(left, positive=not positive), self.sentence(right, positive=positive))
            case fol.And(operands) | fol.Or(operands):
                return type(node)(tuple(self.sentence(own, positive=positive) for own in operands))
            case fol.Quantified(quantifier, variable, body, sort):
                return fol.Quantified(quantifier, variable, self.sentence(body, positive=positive), sort)
            case fol.Xor(left, right) | fol.Iff(left, right):
                return type(node)(self.sentence(left, positive=False), self.sentence(right, positive=False))
        return self._atom(node, positive)

    def _atom(self, atom: fol.Holds | fol.Compare, positive: bool) -> fol.Sentence:
        found = next(self._innermost(atom), None)
        if found is None:
            return self._counts(atom)
        match atom:
            case fol.Compare("=" | "!=" as op, left, right) if found in (left, right):
                value = right if found == left else left
                said = self._atom(fol.Holds(found.function, (*found.args, value)), positive)
                return said if op == "=" else fol.Not(said)
        self._made += 1
        own = self._functions[found.function]
        value = fol.Bound(f"value{self._made}")
        sort = None if own.result == ANY else own.result
        inner = self._atom(replaced(atom, {found: value}), positive)
        is_value = fol.Holds(found.function, (*found.args, value))
        some = fol.Quantified("exists", value.name, fol.And((is_value, inner)), sort)
        every = fol.Quantified("forall", value.name, fol.Implies(is_value, inner), sort)
        return fol.And((some, every)) if positive else some

    def _counts(self, atom: fol.Sentence) -> fol.Sentence:
        """Return an atom with the sentences inside its counts and sums changed, too."""

        def changed(node: fol.Sentence | fol.Term) -> fol.Sentence | fol.Term:
            match node:
                case fol.Count(variable, body, sort):
                    return fol.Count(variable, self.sentence(body, positive=False), sort)
                case fol.Total(variable, term, body, sort):
                    if next(self._innermost(term), None) is not None:
                        raise _OutOfReach
                    return fol.Total(variable, term, self.sentence(body, positive=False), sort)
                case fol.Choice() if self._functions.keys() & names_in(node):
                    raise _OutOfReach
            found: fol.Sentence | fol.Term = fol.rebuilt(node, changed)
            return found

        found: fol.Sentence = fol.rebuilt(atom, changed)
        return found

    def _innermost(self, node: fol.Sentence | fol.Term) -> Iterator[fol.Apply]:
        """Yield the functions in an atom whose arguments contain no function, outside of counts and sums."""
        if isinstance(node, fol.Count | fol.Total | fol.Choice):
            return
        for part in fol.parts(node):
            yield from self._innermost(part)
        match node:
            case fol.Apply(name, args) if name in self._functions:
                if all(next(self._innermost(arg), None) is None for arg in args):
                    yield node
