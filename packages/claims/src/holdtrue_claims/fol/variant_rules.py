"""Rules that change one node of a sentence, for the errors that make a near variant."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from fractions import Fraction
from itertools import combinations
from typing import Any

from holdtrue.logic.units import ONE, Unit, unit
from holdtrue.logic.value_sorts import Instant, Value, show_number
from holdtrue_claims.fol import syntax as fol
from holdtrue_claims.fol.syntax import Bindings
from holdtrue_claims.fol.vocabulary import ANY, Vocabulary, fits

_TURNED: dict[fol.Comparison, tuple[fol.Comparison, ...]] = {
    "<": (">", "<=", "="),
    "<=": (">=", "<", "="),
    ">": ("<", ">=", "="),
    ">=": ("<=", ">", "="),
    "=": (">=", "<=", "!="),
    "!=": ("=",),
}
_SCALES = [
    own.split() for own in ("minute hour day week", "month quarter year", "mg g kg t", "mm cm m km", "ml l", "MB GB TB")
]


def swap_arguments(node: Any, _: Bindings) -> Iterator[Any]:
    """Exchange two arguments of a predicate or a function, or the two terms of a difference."""
    match node:
        case fol.Holds(name, args) | fol.Apply(name, args):
            for first, second in combinations(range(len(args)), 2):
                swapped = {first: args[second], second: args[first]}
                yield type(node)(name, tuple(swapped.get(place, arg) for place, arg in enumerate(args)))
        case fol.Plus(((1, one), (-1, other))) if not isinstance(other, fol.Number):
            yield fol.Plus(((1, other), (-1, one)))


def swap_things(sentence: fol.Sentence) -> Iterator[dict[fol.Term, fol.Term]]:
    """Yield replacements that exchange two named things of a sentence everywhere."""
    things = dict.fromkeys(node for node in fol.walk(sentence) if isinstance(node, fol.Constant))
    for one, other in combinations(things, 2):
        yield {one: other, other: one}


def turn_comparison(node: Any, _: Bindings) -> Iterator[Any]:
    """Reverse a comparison, or make it strict, non-strict or an equation; `B + 5 kg` becomes `B - 5 kg`."""
    match node:
        case fol.Compare(op, left, right) if not is_counted(node) and not _are_things(op, left, right):
            first, *others = _TURNED[op]
            yield fol.Compare(first, left, right)
            for place, side in (("left", left), ("right", right)):
                if isinstance(side, fol.Plus) and any(isinstance(term, fol.Number) for _, term in side.parts):
                    parts = tuple((-f if isinstance(term, fol.Number) else f, term) for f, term in side.parts)
                    turned: dict[str, Any] = {place: fol.Plus(parts)}
                    yield replace(node, **turned)
            for other in others:
                yield fol.Compare(other, left, right)


def change_number(numbers: Sequence[fol.Number | Instant]) -> Any:
    """Return a rule that replaces a written number by one of these, or by a similar one."""

    def rule(node: Any, _: Bindings) -> Iterator[Any]:
        match node:
            case fol.Number(value, own):
                others = [_in_unit(other, own) for other in numbers if isinstance(other, fol.Number)]
                for other in (*filter(None, others), *(fol.Number(each, own) for each in _near(value))):
                    if other != node:
                        yield other
            case Instant(value, sort):
                yield from (other for other in numbers if isinstance(other, Instant) and other.sort == sort)
                yield from _near_instant(node)
            case fol.Plus(parts):
                for place, (factor, term) in enumerate(parts):
                    for new in _near(factor) if abs(factor) != 1 else ():
                        yield fol.Plus((*parts[:place], (new, term), *parts[place + 1 :]))

    return rule


def change_unit(node: Any, _: Bindings) -> Iterator[Any]:
    """Give a written number another unit of its dimension: 5 days become 5 hours."""
    match node:
        case fol.Number(value, Unit(name=name)) if name:
            first, *per = name.split("/")
            for names in _SCALES:
                if first in names:
                    at = names.index(first)
                    for other in sorted(names, key=lambda own: (abs(names.index(own) - at), names.index(own))):
                        if other != first:
                            yield fol.Number(value, unit("/".join((other, *per))))
            if name == "%":
                yield fol.Number(value)


def change_quantifier(node: Any, _: Bindings) -> Iterator[Any]:
    """Replace "all", "some" and "none" by each other, and exchange two quantifiers of different kinds."""
    match node:
        case fol.Quantified(outer, x, fol.Quantified(inner, y, body, own), sort) if outer != inner:
            yield fol.Quantified(inner, y, fol.Quantified(outer, x, body, sort), own)
            yield fol.Quantified(inner, x, fol.Quantified(outer, y, body, own), sort)
        case fol.Compare(op, fol.Count(variable, body, sort), fol.Number()) if op in (">", ">="):
            yield fol.Quantified("forall", variable, body, sort)
    match node:
        case fol.Quantified("forall", variable, fol.Implies(left, right), sort):
            yield fol.Quantified("exists", variable, fol.And((left, right)), sort)
            yield fol.Quantified("forall", variable, fol.Implies(left, _denied(right)), sort)
            yield fol.Quantified("exists", variable, fol.And((left, _denied(right))), sort)
        case fol.Quantified("forall", variable, body, sort):
            yield fol.Quantified("exists", variable, body, sort)
            yield fol.Quantified("forall", variable, _denied(body), sort)
            yield fol.Quantified("exists", variable, _denied(body), sort)
        case fol.Quantified("exists", variable, fol.And((first, *rest)), sort) if rest:
            then = rest[0] if len(rest) == 1 else fol.And(tuple(rest))
            yield fol.Quantified("forall", variable, fol.Implies(first, then), sort)
            yield fol.Quantified("forall", variable, fol.Implies(first, _denied(then)), sort)
        case fol.Quantified("exists", variable, body, sort):
            yield fol.Quantified("forall", variable, body, sort)
            yield fol.Quantified("forall", variable, _denied(body), sort)


def turn_condition(node: Any, _: Bindings) -> Iterator[Any]:
    """Reverse "if ... then", or turn it into "if and only if" or back."""
    match node:
        case fol.Implies(left, right):
            yield fol.Implies(right, left)
            yield fol.Iff(left, right)
        case fol.Iff(left, right):
            yield fol.Implies(left, right)
            yield fol.Implies(right, left)


def change_connective(node: Any, _: Bindings) -> Iterator[Any]:
    """Replace "and", "or" and "either ... or" by each other, and regroup three parts."""
    match node:
        case fol.And((first, fol.Or((second, *rest)) as inner)) | fol.Or((first, fol.And((second, *rest)) as inner)):
            yield type(inner)((type(node)((first, second)), *rest))
    match node:
        case fol.And(operands) | fol.Or(operands) if len(operands) > 1:
            yield (fol.Or if isinstance(node, fol.And) else fol.And)(operands)
            if len(operands) == 2:
                yield fol.Xor(*operands)
        case fol.Xor(left, right):
            yield fol.Or((left, right))
            yield fol.And((left, right))
        case fol.Implies(left, right):
            yield fol.And((left, right))


def change_negation(node: Any, _: Bindings) -> Iterator[Any]:
    """Negate a part, remove a negation, or move it in or out."""
    match node:
        case fol.Not(operand):
            yield operand
            match operand:
                case fol.And(operands) | fol.Or(operands):
                    yield type(operand)(tuple(map(_denied, operands)))
                case fol.Implies(left, right):
                    yield fol.Implies(left, _denied(right))
                case fol.Quantified(quantifier, variable, body, sort):
                    yield fol.Quantified(quantifier, variable, _denied(body), sort)
        case fol.Quantified(quantifier, variable, fol.Not(body), sort):
            yield fol.Not(fol.Quantified(quantifier, variable, body, sort))
        case fol.Implies(left, right):
            yield fol.Implies(left, _denied(right))
            yield fol.Implies(_denied(left), right)
        case fol.Holds():
            yield fol.Not(node)
        case fol.Compare(op, left, right) if _are_things(op, left, right):
            yield fol.Compare(fol.DENIED[op], left, right)


def change_cardinality(numbers: Sequence[fol.Number | Instant]) -> Any:
    """Return a rule that changes "exactly", "at least" or "at most", or the number, in a statement about a count."""

    def rule(node: Any, _: Bindings) -> Iterator[Any]:
        match node:
            case fol.Compare(op, left, right) if is_counted(node):
                first, *others = _TURNED[op]
                yield fol.Compare(first, left, right)
                for place, side in (("left", left), ("right", right)):
                    if isinstance(side, fol.Number):
                        said = [each.value for each in numbers if isinstance(each, fol.Number) and each.unit == ONE]
                        for value in (*said, side.value + 1, side.value - 1):
                            if value >= 0 and value != side.value:
                                other_number: dict[str, Any] = {place: fol.Number(value)}
                                yield replace(node, **other_number)
                for other in others:
                    yield fol.Compare(other, left, right)
            case fol.Quantified("exists", variable, body, sort):
                yield fol.Compare("=", fol.Count(variable, body, sort), fol.Number(1))
                yield fol.Compare(">=", fol.Count(variable, body, sort), fol.Number(2))

    return rule


def change_name(vocabulary: Vocabulary) -> Any:
    """Return a rule that replaces a thing, variable, predicate, function or sort by another one."""
    things = {own.name: own.sort for own in vocabulary.entities}

    def rule(node: Any, bound: Bindings) -> Iterator[Any]:
        match node:
            case fol.Constant(name) if name in things:
                others = (other for other, sort in things.items() if fits(sort, things[name]))
                yield from (fol.Constant(other) for other in others if other != name)
            case fol.Bound(name):
                own = bound.get(name) or ANY
                others = (other for other, sort in bound.items() if fits(sort or ANY, own))
                yield from (fol.Bound(other) for other in others if other != name)
            case fol.Holds(name, args) | fol.Apply(name, args):
                known = vocabulary.predicates if isinstance(node, fol.Holds) else vocabulary.functions
                mine = next((own.sorts for own in known if own.name == name), None)
                yield from (type(node)(own.name, args) for own in known if own.name != name and own.sorts == mine)
            case fol.Quantified(quantifier, variable, body, str(sort)) if sort in vocabulary.thing_sorts:
                for other in sorted(vocabulary.thing_sorts - {sort, ANY}):
                    yield fol.Quantified(quantifier, variable, body, other)

    return rule


def leave_out(node: Any, _: Bindings) -> Iterator[Any]:
    """Remove a part: one of several that are joined, or the condition."""
    match node:
        case fol.And(operands) | fol.Or(operands) if len(operands) > 1:
            for place in range(len(operands)):
                rest = (*operands[:place], *operands[place + 1 :])
                yield rest[0] if len(rest) == 1 else type(node)(rest)
        case fol.Implies(_, right):
            yield right


def is_counted(node: fol.Compare) -> bool:
    """Return whether the comparison is about a count."""
    return isinstance(node.left, fol.Count) or isinstance(node.right, fol.Count)


def _are_things(op: str, left: fol.Term, right: fol.Term) -> bool:
    """Return whether things are compared, as far as that is visible without a vocabulary."""
    named = (fol.Constant, fol.Bound)
    return op in ("=", "!=") and (isinstance(left, named) or isinstance(right, named))


def _denied(sentence: fol.Sentence) -> fol.Sentence:
    return sentence.operand if isinstance(sentence, fol.Not) else fol.Not(sentence)


def _in_unit(other: fol.Number, own: Unit) -> fol.Number | None:
    """Return a number of the text for a place with this unit; a bare number takes the unit."""
    if other.unit.dimension == own.dimension:
        return other
    return fol.Number(other.value, own) if other.unit == ONE else None


def _near(value: Value) -> Iterator[Value]:
    exact = Fraction(value)
    whole = exact.denominator == 1
    digits = show_number(abs(exact))
    if whole and len(digits) > 1 and digits[::-1] != digits:
        yield int(digits[:-2] + digits[-1] + digits[-2]) * (1 if exact > 0 else -1)
    yield from (exact + 1, exact - 1) if whole and abs(exact) < 100 else ()
    yield exact * 2
    if not whole or exact % 2 == 0:
        yield exact / 2
    yield exact * 10


def _near_instant(instant: Instant) -> Iterator[Instant]:
    step = {"date": (1, -1, 7), "time": (3600, -3600, 1800), "moment": (3600, 86400, -86400)}[instant.sort.kind]
    if instant.sort.kind == "date":
        day = date.fromordinal(instant.value)
        for year, month, own in ((day.year, day.day, day.month), (day.year + 1, day.month, day.day)):
            try:
                yield Instant(date(year, month, own).toordinal(), instant.sort)
            except ValueError:
                continue
    if instant.sort.kind == "time":
        yield Instant((instant.value + 43200) % 86400, instant.sort)
    for change in step:
        value = instant.value + change
        if value >= 0 and (instant.sort.kind != "time" or value < 86400):
            yield Instant(value, instant.sort)
