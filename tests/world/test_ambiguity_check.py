"""Two types with sentences that cannot be told apart are refused, and types that only look alike are not."""

from __future__ import annotations

from typing import Any

import pytest

from holdtrue.errors import DomainError
from holdtrue.world.domain import Attribute, AttributeName, ConstraintType, Domain, Entity, Integer, ValueOf

PAIR = (Entity(), Entity())
DAY = Attribute("day", 1, 5)
ROOM = Attribute("room", values=["hall", "loft"])


def same(name: str, sentence: str, **more: Any) -> ConstraintType:
    return ConstraintType(name, PAIR, sentence, lambda w, a, b: a.day.eq(b.day), **more)


def above(name: str, sentence: str, **more: Any) -> ConstraintType:
    return ConstraintType(name, PAIR, sentence, lambda w, a, b: a.day > b.day, **more)


def of(attribute: AttributeName, name: str, sentence: str) -> ConstraintType:
    return ConstraintType(name, (Entity(), attribute), sentence, lambda w, a, what: a[what].eq(1))


def domain(*kinds: ConstraintType, **more: Any) -> Domain:
    return Domain(**{"name": "rota", "attributes": [DAY, ROOM], "constraint_types": kinds, **more})


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (same("same", "{0} is with {1}"), above("above", "{0} is with {1}")),
        (same("same", "{0} is with {1}"), above("above", "{1} is with {0}")),
        (same("same", "{} is with {}"), above("above", "{1}  Is With {0}.")),
        (same("same", "{0} is {1}'s match"), above("above", "{0} is {1}\u2019s match")),
        (same("same", "{0} is with {1}"), above("above", "{0} is above {1}", wordings=("{0} is with {1}",))),
        (
            same("same", "{0} equals {1}", wordings=("{0} joins {1}",)),
            above("above", "{0} beats {1}", wordings=("{1} joins {0}",)),
        ),
        (of(AttributeName(), "same", "{0} has {1}"), of(AttributeName(), "above", "{0} has {1}")),
    ],
)
def test_two_types_that_read_alike_are_both_named(one: ConstraintType, other: ConstraintType) -> None:
    with pytest.raises(DomainError, match=r"^domain 'rota': the constraint types 'same' and 'above' read alike, by "):
        domain(one, other)


def test_a_type_with_a_direction_is_not_worded_both_ways() -> None:
    with pytest.raises(
        DomainError,
        match=r"constraint type 'before': '\{0\} is before \{1\}' and '\{1\} is before \{0\}' read alike with the "
        r"arguments the other way round: .* or declare it symmetric=True",
    ):
        domain(above("before", "{0} is before {1}", wordings=("{1} is before {0}",)))
    with pytest.raises(
        DomainError, match=r"with the arguments the other way round: .* word one of them in another way$"
    ):
        domain(
            ConstraintType(
                "gap",
                (Entity(), Integer(1, 5), Integer(1, 5)),
                "{0} works from {1} to {2}",
                lambda w, a, low, high: (a.day >= low) & (a.day <= high),
                wordings=("{0} works from {2} to {1}",),
            )
        )


def test_what_says_the_same_both_ways_may_be_worded_both_ways() -> None:
    kind = same("same", "{0} is with {1}", symmetric=True, wordings=("{1} is with {0}", "{0} is with {1}"))
    ordered = same(
        "also", "{0} joins {1}", wordings=("{1} joins {0}",), canonical=lambda args: tuple(sorted(args, key=str))
    )
    week = domain(kind, ordered).instance(["Ann", "Bob"])
    assert week.sentence(week.constraint("same", ["Bob", "Ann"])) == "Bob is with Ann"


def test_the_same_words_about_other_kinds_of_things_are_told_apart() -> None:
    on = ConstraintType("on", (Entity(), Integer(1, 5)), "{0} is with {1}", lambda w, a, day: a.day.eq(day))
    value = ConstraintType(
        "value", (Entity(), AttributeName(), ValueOf(1)), "{0} is with {2}", lambda w, a, what, one: a[what].eq(one)
    )
    joined = same("joined", "{0} is with{1}")
    assert len(domain(same("same", "{0} is with {1}"), on, value, joined).constraint_types) == 4


def test_attributes_that_a_function_chooses_are_compared_in_an_instance() -> None:
    days, rooms = AttributeName(among=lambda w: ["day"]), AttributeName(among=lambda w: ["room"])
    apart = domain(of(days, "one", "{0} has {1}"), of(rooms, "two", "{0} has {1}"))
    assert apart.instance(["Ann"]).constraint("two", ["Ann", "room"]).args == ("Ann", "room")
    both = AttributeName(among=lambda w: ["room", "day"])
    alike = domain(of(days, "one", "{0} has {1}"), of(both, "two", "{0} has {1}"))
    with pytest.raises(DomainError, match="the constraint types 'one' and 'two' read alike"):
        alike.instance(["Ann"])


def test_types_that_are_never_there_together_may_read_alike() -> None:
    def there(wanted: bool) -> Any:
        return lambda world: bool(world.context.get("round")) is wanted

    never = domain(
        same("round", "{0} is with {1}", applies=there(True)),
        above("straight", "{0} is with {1}", applies=there(False)),
    )
    assert list(never.instance(["Ann", "Bob"], {"round": True}).types) == ["round"]
    together = domain(same("round", "{0} is with {1}", applies=there(False)), above("straight", "{0} is with {1}"))
    with pytest.raises(DomainError, match="the constraint types 'round' and 'straight' read alike"):
        together.instance(["Ann", "Bob"])
