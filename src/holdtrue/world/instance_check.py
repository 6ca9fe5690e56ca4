"""Try a declaration's functions in an instance, each with a few sample arguments.

A formula may be undefined for some arguments, but not for all samples. Samples are few and near zero, since a range may
have 10^12 numbers.
"""

from __future__ import annotations

import random
from collections.abc import Hashable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from holdtrue.errors import ConstraintError, FormulaMistake, InputError
from holdtrue.logic.formula import Formula, Variable
from holdtrue.logic.formula_mistakes import no_formula
from holdtrue.logic.sorts import EnumSort, IntSort, first_values
from holdtrue.world.ambiguity_check import check_alike
from holdtrue.world.declaration import Argument, AttributeName, ConstraintType, Entity, Integer, ValueOf, is_text
from holdtrue.world.declaration_check import check_texts
from holdtrue.world.declaration_errors import MISTAKES, Place, in_words, own_code
from holdtrue.world.world import Arg, Axiom, Constraint

if TYPE_CHECKING:
    from holdtrue.world.instance import Instance

_SAMPLES = 6
_ENOUGH = 2
"""A type is accepted after this many samples that work."""

_NARROW = 1_000
"""The greatest size of a range whose ends are tried, since a formula may list all numbers up to its argument."""

_LARGE = 2_000
"""A type is accepted after one sample if its formula has more parts than this."""

_ALWAYS = (FormulaMistake, NameError)
"""The errors that show a mistake in the function, not unsuitable arguments."""


def check_instance(instance: Instance) -> None:
    """Raise `DomainError`, which names the domain and the place in it, if a declared function fails here."""
    place, shape = Place(f"domain {instance.domain.name!r}"), _shape(instance)
    if shape in instance.domain.tried:
        return
    for kind in instance.types.values():
        _try_type(place.at(f"constraint type {kind.name!r}"), instance, kind)
    check_alike(place, instance.types.values(), instance)
    for what, lines in (("setup", instance.domain.setup), ("conventions", instance.domain.conventions)):
        if callable(lines):
            with own_code(place.at(what)):
                check_texts(place.at(what), listed(lines(instance)))
    instance.domain.tried.add(shape)


def _shape(instance: Instance) -> Hashable:
    """Return a key of all that the declared functions can depend on, except names of entities and values."""
    sorts = tuple((name, own.sort.low, own.sort.high) for name, own in instance.attributes.items())
    return len(instance.entities), tuple(instance.types), sorts, hash(repr(instance.context))


def listed(given: object) -> object:
    """Return the items of an iterator as a tuple; return other values unchanged."""
    return tuple(given) if isinstance(given, Iterator) else given


def check_axioms(place: Place, axioms: object, before: Sequence[Axiom] = ()) -> Sequence[Axiom]:
    """Return the result of a domain's function `axioms`.

    Raises `DomainError` if it is not a list of laws with sentences and new ids; `before` has the laws made already.
    """
    known = {axiom.id: "a law that its attributes bring along" for axiom in before}
    if isinstance(axioms, str) or not isinstance(axioms, Sequence):
        raise place.error(f"axioms must give a list of Axiom(id, sentence, formula), not {axioms!r:.60}")
    for number, axiom in enumerate(axioms, start=1):
        if not isinstance(axiom, Axiom) or not (is_text(axiom.id) and is_text(axiom.sentence)):
            raise place.error(f"axiom {number} must be an Axiom(id, sentence, formula), not {axiom!r:.60}")
        if axiom.id in known:
            raise place.error(
                f"axiom {number} has the id {axiom.id!r:.60} of {known[axiom.id]}; give it one of its own"
            )
        known[axiom.id] = f"axiom {number}"
    return axioms


def check_formula(formula: object, known: dict[str, Variable]) -> Formula:
    """Return `formula`. Raises `FormulaError` if it is not a formula over the `known` variables."""
    if not isinstance(formula, Formula):
        raise no_formula(formula, "formula")
    for variable in formula.variables:
        if known.get(variable.name) is not variable and known.get(variable.name) != variable:
            raise FormulaMistake(f"{formula!s:.60} is about {variable}, which no entity of this problem has")
    return formula


def _try_type(place: Place, instance: Instance, kind: ConstraintType) -> None:
    failed: list[str] = []
    refused = 0
    worked = 0
    for made in _samples(place, instance, kind):
        args = ", ".join(map(str, made.args))
        try:
            formula = instance.formula(made)
            _try_canonical(place, instance, kind, made, formula)
        except _ALWAYS as error:
            raise place.error(f"formula of ({args}): {in_words(error)}") from error
        except ConstraintError as error:
            # An error that the function raises itself rejects these arguments on purpose.
            refused += error.__cause__ is None
            failed.append(f"({args}): {error}")
        except (InputError, *MISTAKES) as error:
            failed.append(f"({args}): {in_words(error)}")
        else:
            worked += 1
            if worked == _ENOUGH or formula.size > _LARGE:
                return
    if failed and not worked and refused < len(failed):
        raise place.error(
            f"its formula fails for all arguments that were tried, as for {failed[0]}. If it is meant for few "
            "arguments only, give an example that has some, or let it raise ConstraintError for the others"
        )


def _try_canonical(
    place: Place, instance: Instance, kind: ConstraintType, constraint: Constraint, formula: Formula
) -> None:
    """Raise `DomainError` if constraints with the same canonical form differ in meaning, since they would be merged."""
    if kind.canonical is None and not kind.symmetric:
        return
    if kind.canonical is not None:
        with own_code(place.at("canonical")):
            args: object = kind.canonical(constraint.args)
        if not isinstance(args, tuple) or len(args) != len(constraint.args):
            raise place.at("canonical").error(
                f"must give a tuple of {len(constraint.args)} arguments, not {args!r:.60}"
            )
    try:
        same = instance.constraint(kind.name, instance.canonical(constraint).args)
        swapped = (constraint.args[1], constraint.args[0], *constraint.args[2:]) if kind.symmetric else constraint.args
        others = [same, instance.constraint(kind.name, swapped)]
    except ConstraintError as error:
        raise place.error(
            f"symmetric or canonical makes of {constraint.args} what is no such constraint: {error}"
        ) from error
    if instance.canonical(same) != same:
        again = instance.canonical(same).args
        raise place.error(
            f"canonical makes {same.args} of {constraint.args}, and of that {again}; it must leave that be"
        )
    if ("same", kind.name) in instance.domain.tried:
        return  # This is the slowest test, and the declaration does not change between instances.
    for other in others:
        values = _difference(formula, instance.formula(other))
        if values is not None:
            values_text = ", ".join(f"{name} {value}" for name, value in values.items())
            raise place.error(
                f"symmetric or canonical takes {constraint.args} and {other.args} for the same, and their formulas "
                f"differ (where {values_text})"
            )
    instance.domain.tried.add(("same", kind.name))


def _difference(one: Formula, other: Formula) -> dict[str, int] | None:
    """Return values for which only one of the formulas holds, or None if a few random tries find none."""
    if one == other or one.size > _LARGE:
        return None
    variables = sorted(one.variables | other.variables, key=lambda variable: variable.name)
    drawn = random.Random(0)
    for _ in range(12):
        values = {v.name: drawn.choice(first_values(v.sort, 10)) for v in variables}
        if one.holds(values) != other.holds(values):
            return values
    return None


def _samples(place: Place, instance: Instance, kind: ConstraintType) -> Iterator[Constraint]:
    """Yield a few constraints of this type; there may be none in an instance with few entities or numbers."""
    seen: set[Constraint] = set()
    for made in islice(_drawn(place, instance, kind), 4 * _SAMPLES):
        if made is not None and made not in seen:
            seen.add(made)
            yield made
        if len(seen) == _SAMPLES:
            return


def _drawn(place: Place, instance: Instance, kind: ConstraintType) -> Iterator[Constraint | None]:
    # The declared examples come first, since the formula has to work for them.
    for round in range(_SAMPLES + len(kind.examples)):
        example = kind.examples[round] if round < len(kind.examples) else None
        args: list[Arg] = []
        for position, argument in enumerate(kind.arguments):
            wanted = None if example is None else example.args[position]
            choices = _choices(place.at_argument(position), instance, argument, args, wanted)
            if isinstance(argument, Entity) and kind.distinct_entities:
                used = {args[at] for at in range(position) if isinstance(kind.arguments[at], Entity)}
                choices = [entity for entity in choices if entity not in used]
            if not choices:
                return
            args.append(choices[0] if wanted in choices[:1] else choices[(round + position) % len(choices)])
        yield Constraint(kind.name, tuple(args))


def _choices(
    place: Place, instance: Instance, argument: Argument, before: Sequence[Arg], wanted: Arg | None
) -> Sequence[Arg]:
    """Return some of the values that an argument can have, with the wanted one first if it is allowed."""
    match argument:
        case Entity():
            return instance.entities[:_SAMPLES]
        case AttributeName():
            with own_code(place):
                names = check_texts(
                    place, listed(argument.among(instance)) if argument.among else (*instance.attributes,)
                )
            for name in names:
                if name not in instance.attributes:
                    raise place.error(f"among gives {name!r}, which is none of {', '.join(instance.attributes)}")
            return names
        case Integer():
            with own_code(place):
                low, high = instance.bound(argument.low), instance.bound(argument.high)
            for bound in (low, high):
                if isinstance(bound, bool) or not isinstance(bound, int):
                    raise place.error(f"a bound must be a whole number (// in place of /), not {bound!r:.60}")
            first = [wanted] if isinstance(wanted, int) and low <= wanted <= high else []
            return [*first, *_numbers(low, high)]
        case ValueOf():
            named = argument.attribute_in(before)
            if named not in instance.attributes:
                raise place.error(f"ValueOf({named!r}) names no attribute; there are {', '.join(instance.attributes)}")
            sort = instance.attributes[named].sort
            return sort.labels[:_SAMPLES] if isinstance(sort, EnumSort) else _numbers(sort.low, sort.high)


def _numbers(low: int | None, high: int | None) -> list[int]:
    """Return some numbers of a range, those nearest to zero if it is wide; an empty range has none."""
    if low is not None and high is not None and low > high:
        return []
    sort = IntSort(low, high)
    middle = 0 if low is None else max(0, low)
    middle = middle if high is None else min(middle, high)
    found = [middle, middle + 1, middle - 1, middle + 2]
    if low is not None and high is not None and high - low <= _NARROW:
        found += [low, high, (low + high) // 2]
    return list(dict.fromkeys(number for number in found if number in sort))
