"""Find all constraints that a sentence may state: those that use only the things that it mentions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations, product

from holdtrue.language.denials_and_limits import given_end, is_bounded
from holdtrue.language.direction import lacks_side, names_side
from holdtrue.language.grounding import Mentions, mentions
from holdtrue.language.names import cached_per_instance
from holdtrue.world.domain import AttributeName, ConstraintType, Entity, Integer, ValueOf
from holdtrue.world.instance import Arg, Constraint, Instance

_MOST_NAMES = 8  # longer lists are not read: the number of candidates grows with the square of the names
_CLAUSES = re.compile(r",|;|:|\b(?:and|but|while|whereas|with|plus|nor|or)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Candidates:
    """`Candidates` are the constraints that a sentence may state, as argument lists by type.

    `whole` has the types that use everything the sentence mentions, and `part` every type that the mentions can fill.
    If `several` is true, the sentence may state more than one constraint.
    """

    whole: Mapping[str, Sequence[tuple[Arg, ...]]]
    part: Mapping[str, Sequence[tuple[Arg, ...]]]
    several: bool

    @property
    def single(self) -> Mapping[str, Sequence[tuple[Arg, ...]]]:
        """Return the argument lists to choose from if the sentence states one constraint."""
        return self.whole or self.part

    @property
    def only_one(self) -> bool:
        """Return whether at most one constraint is possible."""
        return not self.several and sum(len(lists) for lists in self.single.values()) == 1

    def hold(self, instance: Instance, constraint: Constraint) -> bool:
        """Return whether the sentence may state this constraint, in any order of its arguments."""
        wanted = instance.canonical(constraint)
        return any(
            instance.canonical(Constraint(constraint.type, args)) == wanted
            for args in self.part.get(constraint.type, ())
        )


@cached_per_instance
def candidates(instance: Instance, sentence: str) -> Candidates:
    """Find all constraints that use only the things that the sentence mentions.

    A relation to somebody's side is a candidate only if the sentence names a side. It is the only candidate if the
    sentence says whose side.
    """
    found = mentions(instance, sentence)
    if len(found.entities) > _MOST_NAMES or len(found.numbers) + len(found.values) > _MOST_NAMES:
        return Candidates({}, {}, False)
    part = {name: args for name, kind in instance.types.items() if (args := list(fill(instance, kind, found)))}
    for name in [name for name in part if lacks_side(instance.types[name], sentence)]:
        del part[name]
    _hold_to_limits(instance, sentence, found, part)
    whole = {name: args for name, args in part.items() if _uses_all(instance, instance.types[name], found)}
    for name in whole:
        if names_side(instance.types[name], sentence, found.entities):
            whole = {name: whole[name]}
            break
    several = bool(part) and (not whole or (not found.range and _clauses(instance, sentence) > 1))
    return Candidates(whole, part, several)


def one_of(constraints: Iterable[Constraint]) -> Candidates:
    """Return the candidates of a sentence that means one of these constraints."""
    lists: dict[str, list[tuple[Arg, ...]]] = {}
    for one in constraints:
        lists.setdefault(one.type, []).append(one.args)
    return Candidates(lists, lists, False)


def fill(instance: Instance, kind: ConstraintType, mentions: Mentions) -> Iterator[tuple[Arg, ...]]:
    """Yield every list of arguments of the type that the mentions allow."""
    slots = sum(isinstance(argument, Entity) for argument in kind.arguments)
    if len(mentions.entities) < slots:
        return
    ordered = permutations(mentions.entities, slots)
    for entities in ordered:
        if (
            kind.symmetric
            and slots >= 2
            and mentions.entities.index(entities[0]) > mentions.entities.index(entities[1])
        ):
            continue
        for rest in product(*_choices(instance, kind, mentions)):
            named, others = iter(entities), iter(rest)
            args = tuple(next(named) if isinstance(argument, Entity) else next(others) for argument in kind.arguments)
            if _fits(kind, args, mentions):
                yield args


def _choices(instance: Instance, kind: ConstraintType, mentions: Mentions) -> Iterator[Sequence[Arg]]:
    """Yield, for each argument that is not an entity, the values that the sentence allows."""
    integers = [argument for argument in kind.arguments if isinstance(argument, Integer)]
    for argument in kind.arguments:
        match argument:
            case Integer():
                low, high = instance.bound(argument.low), instance.bound(argument.high)
                numbers = [*mentions.numbers, *mentions.loose, *([high] if mentions.last else [])]
                if len(integers) == 2 and len(set(numbers)) == 1 and mentions.range:
                    numbers += [low, high]  # "by slot 4": the setting gives the other end
                implied = {number for words, number in kind.number_words if words in mentions.text}
                yield sorted({number for number in numbers if low <= number <= high} | implied)
            case AttributeName():
                takes_value = any(is_of_named(other) for other in kind.arguments)
                by_value = [attribute for attribute, _ in mentions.values]
                if takes_value:
                    yield list(dict.fromkeys(by_value))
                else:
                    among = instance.attribute_names(argument)
                    named = [name for name in dict.fromkeys([*mentions.attributes, *by_value]) if name in among]
                    # A sentence may leave out the attribute, unless the type is only for some of the attributes.
                    yield named if named or argument.among else among
            case ValueOf():
                yield list(dict.fromkeys(label for _, label in mentions.values))


def _hold_to_limits(instance: Instance, sentence: str, found: Mentions, part: dict[str, list[tuple[Arg, ...]]]) -> None:
    """Remove candidates that state a limited number exactly, and ranges that limit it on the wrong side."""
    kinds = {name: instance.types[name] for name in part}
    integers = {name: [own for own in kind.arguments if isinstance(own, Integer)] for name, kind in kinds.items()}
    if not found.range or not any(len(ends) > 1 for ends in integers.values()):
        return
    side = given_end(instance, sentence)
    if side is None:
        return
    numbers = {*found.numbers, *found.loose}
    for name, ends in integers.items():
        if len(ends) == 1 and not is_bounded(kinds[name]):
            del part[name]
        elif len(ends) == 2 and len(numbers) == 1:
            (number,) = numbers
            low, high = instance.bound(ends[0].low), instance.bound(ends[1].high)
            wanted = (low, number) if side == "latest" else (number, high)
            kept = [args for args in part[name] if tuple(arg for arg in args if isinstance(arg, int)) == wanted]
            part[name] = kept or part[name]


def is_of_named(argument: object) -> bool:
    """Return whether the argument is a value of the attribute in another argument."""
    return isinstance(argument, ValueOf) and not isinstance(argument.argument, str)


def _fits(kind: ConstraintType, args: tuple[Arg, ...], mentions: Mentions) -> bool:
    for argument, value in zip(kind.arguments, args, strict=True):
        if isinstance(argument, ValueOf) and (argument.attribute_in(args), value) not in mentions.values:
            return False
    integers = [value for argument, value in zip(kind.arguments, args, strict=True) if isinstance(argument, Integer)]
    # 'Slot 7' is no range from 7 to itself, and one of several numbers is no range either.
    if len(set(integers)) < len(integers) and (not mentions.range or len({*mentions.numbers, *mentions.loose}) > 1):
        return False
    return kind.canonical is None or kind.canonical(args) == args


def _uses_all(instance: Instance, kind: ConstraintType, mentions: Mentions) -> bool:
    """Return whether one constraint of this type uses every entity, value and certain number of the sentence."""

    def count(sort: type) -> int:
        return sum(isinstance(argument, sort) for argument in kind.arguments)

    takes_numbers = any(isinstance(a, Integer) for k in instance.types.values() for a in k.arguments)
    return (
        len(mentions.entities) == count(Entity)
        and (not takes_numbers or _ends(mentions.numbers, count(Integer)) <= count(Integer))
        and (not mentions.numbers or not takes_numbers or count(Integer) > 0)
        and len({label for _, label in mentions.values}) <= count(ValueOf)
    )


def _ends(numbers: Sequence[int], integers: int) -> int:
    """Return the count of numbers. '2, 3 or 4' counts as two, the ends of a range, if a type takes two numbers."""
    run = integers == 2 and len(numbers) > 2 and max(numbers) - min(numbers) == len(set(numbers)) - 1
    return 2 if run else len(numbers)


def _clauses(instance: Instance, sentence: str) -> int:
    parts = [mentions(instance, part) for part in _CLAUSES.split(sentence)]
    return sum(bool(part.numbers or part.values or len(part.entities) > 1) for part in parts)
