from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, product
from random import Random
from string import Formatter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.language.direction import first_argument
from holdtrue.logic.sorts import EnumSort
from holdtrue.world.domain import AttributeName, ConstraintType, Entity, Integer, ValueOf
from holdtrue.world.instance import Arg, Constraint, Instance
from holdtrue.world.registry import BUILTIN
from holdtrue_lab.suites.drift.generate import DOMAINS
from holdtrue_lab.suites.drift.phrasing import BANKS, CONNECTIVES, OPENERS, fill, vary, vary_phrase
from tests.lab.suites.drift.instances import INSTANCES, constraints
from tests.lab.suites.drift.named import arguments_of, named_in

CASES = [
    pytest.param(kind, phrasing, id=f"{kind.name} {index}")
    for domain, bank in BANKS.items()
    for kind in BUILTIN[domain].constraint_types
    for index, phrasing in enumerate(bank.get(kind.name, ()))
]
DIRECTED = ("left_of", "before", "ordered")


def texts(instance: Instance, constraint: Constraint) -> Iterator[str]:
    """Return the constraint in all its phrasings, with its arguments in order."""
    for phrasing in BANKS[instance.domain.name][constraint.type]:
        for spelled in (False, True):
            yield fill(phrasing, instance, constraint.type, constraint.args, spelled=spelled)


def test_every_type_of_every_domain_has_six_phrasings_or_more() -> None:
    assert set(BANKS) == set(DOMAINS)
    for domain, bank in BANKS.items():
        assert set(bank) == {kind.name for kind in BUILTIN[domain].constraint_types}
        assert all(len(set(phrasings)) == len(phrasings) >= 6 for phrasings in bank.values())
        every = list(chain.from_iterable(bank.values()))
        assert len(set(every)) == len(every)


@pytest.mark.parametrize(("kind", "phrasing"), CASES)
def test_a_phrasing_names_each_argument_in_a_fitting_way(kind: ConstraintType, phrasing: str) -> None:
    fields = [(field, use) for _, field, use, _ in Formatter().parse(phrasing) if field is not None]
    assert {field for field, _ in fields} == {str(place) for place in range(len(kind.arguments))}
    counted = {str(place) for place, argument in enumerate(kind.arguments) if isinstance(argument, Integer)}
    assert all(field in counted for field, use in fields if use)
    assert {use for _, use in fields} <= {"", "th", "seat", "slot"}


@pytest.mark.parametrize(("kind", "phrasing"), CASES)
def test_a_phrasing_can_be_joined_to_others(kind: ConstraintType, phrasing: str) -> None:
    """No mark or ', and' splits it, and no denial could extend beyond the next 'and'."""
    assert not re.search(r"[.;:!?]|, and ", re.sub(r"\{.*?\}", "", phrasing))
    assert not re.match(r"(do not|don't|never|not|nobody|neither)\b", phrasing)
    assert phrasing[0] == "{" or phrasing[0].islower()


@pytest.mark.parametrize("instance", INSTANCES, ids=lambda i: f"{i.domain.name} {i.context.get('table_shape', '')}")
@given(data=st.data())
@settings(deadline=None, max_examples=20)
def test_the_arguments_can_be_found_in_the_text(instance: Instance, data: st.DataObject) -> None:
    """The text has all of them, and no other name or number."""
    constraint = data.draw(constraints(instance))
    for text in texts(instance, constraint):
        assert named_in(instance, text) == arguments_of([constraint]), text
        assert not re.search(r"\b(1|one) (seats|slots)\b", text)
        assert not re.search(r"\b(0|[2-9]|1\d|zero|two|three|four|five|six|seven|eight) (seat|slot)\b", text)


@pytest.mark.parametrize("instance", INSTANCES[1:], ids=lambda i: i.domain.name)
def test_no_text_says_two_different_things(instance: Instance) -> None:
    """Over every constraint of every type, with few entities, a text belongs to one constraint alone."""
    small = instance.domain.instance(instance.entities[:3], instance.context)
    said: dict[str, Constraint] = {}
    for constraint in every_constraint(small):
        meaning = small.canonical(constraint)
        if meaning == constraint or small.types[constraint.type].symmetric:
            for text in texts(small, constraint):
                assert said.setdefault(text.casefold(), meaning) == meaning, text
    assert len(said) > 1000


def every_constraint(instance: Instance) -> Iterator[Constraint]:
    for kind in instance.types.values():
        for args in product(*(_choices(instance, argument) for argument in kind.arguments)):
            entities = [arg for arg, argument in zip(args, kind.arguments, strict=True) if isinstance(argument, Entity)]
            if len(set(entities)) == len(entities) and _fits(instance, kind, args):
                yield instance.constraint(kind.name, list(args))


def _choices(instance: Instance, argument: object) -> list[Arg]:
    match argument:
        case Entity():
            return list(instance.entities)
        case Integer():
            return list(range(instance.bound(argument.low), instance.bound(argument.high) + 1))
        case AttributeName():
            return list(instance.attributes)
    sorts = [attribute.sort for attribute in instance.attributes.values()]
    return [label for sort in sorts if isinstance(sort, EnumSort) for label in sort.labels]


def _fits(instance: Instance, kind: ConstraintType, args: tuple[Arg, ...]) -> bool:
    """Return whether each value is one of its category's."""
    for arg, argument in zip(args, kind.arguments, strict=True):
        if isinstance(argument, ValueOf):
            sort = instance.attributes[argument.attribute_in(args)].sort
            if isinstance(sort, EnumSort) and arg not in sort.labels:
                return False
    return True


@pytest.mark.parametrize("name", DIRECTED)
def test_directed_types_are_said_from_both_ends_and_in_the_right_direction(name: str) -> None:
    """The domain's direction words determine the direction of a text, if they can read it."""
    instance = next(each for each in INSTANCES if name in each.types)
    first, second = instance.entities[:2]
    rest = ["color"] if name == "ordered" else []
    begins: list[str] = []
    matches: list[str] = []
    for text in texts(instance, instance.constraint(name, [first, second, *rest])):
        begins.append(min((first, second), key=text.index))
        found = first_argument(instance.types[name], text, (first, second))
        assert found in (first, None), text
        matches += [found] if found else []
    assert min(begins.count(first), begins.count(second)) >= 4
    assert len(matches) > len(begins) / 2


def test_types_with_two_entities_are_directed_or_symmetric() -> None:
    kinds = [kind for domain in BUILTIN.values() for kind in domain.constraint_types]
    pairs = [kind for kind in kinds if kind.arguments[:2] == (Entity(), Entity())]
    assert {kind.name for kind in pairs if not kind.symmetric} == set(DIRECTED)


SEATING, _, SCHEDULING, _ = INSTANCES


@pytest.mark.parametrize("instance", INSTANCES, ids=lambda i: f"{i.domain.name} {i.context.get('table_shape', '')}")
@given(data=st.data(), seed=st.integers())
@settings(deadline=None, max_examples=20)
def test_a_message_is_an_opener_and_one_phrasing_for_each_constraint_in_order(
    instance: Instance, data: st.DataObject, seed: int
) -> None:
    stated = data.draw(st.lists(constraints(instance), min_size=1, max_size=3))
    message = vary(Random(seed), instance, stated)
    joined = _either(CONNECTIVES).join(_phrasings(instance, constraint) for constraint in stated)
    assert re.fullmatch(f"{_either(OPENERS)}?{joined}\\.", message), message
    assert not any(letter.islower() for letter in re.findall(r"(?:^|[.] )(.)", message))
    assert named_in(instance, message) == arguments_of(stated)


def _either(texts: tuple[str, ...]) -> str:
    return f"(?:{'|'.join(map(re.escape, texts))})"


def _phrasings(instance: Instance, constraint: Constraint) -> str:
    """Return all phrasings of the constraint as a pattern; a capital letter may begin them."""
    canonical = instance.canonical(constraint).args
    orders = [canonical]
    if instance.types[constraint.type].symmetric:
        orders.append((canonical[1], canonical[0], *canonical[2:]))
    said = {
        fill(phrasing, instance, constraint.type, args, spelled=spelled)
        for phrasing in BANKS[instance.domain.name][constraint.type]
        for args in orders
        for spelled in (False, True)
    }
    return _either((*said, *(text[0].upper() + text[1:] for text in said)))


def test_the_limits_of_a_range_come_in_order() -> None:
    rng = Random(4)
    turned = SCHEDULING.constraint("within", ["QA", 5, 2])
    ordered = SCHEDULING.constraint("within", ["QA", 2, 5])
    said = {vary_phrase(rng, SCHEDULING, turned) for _ in range(200)}
    assert said == {vary_phrase(rng, SCHEDULING, ordered) for _ in range(200)}
    assert "the latest that QA may start is slot 5 and the soonest is slot 2" in said
