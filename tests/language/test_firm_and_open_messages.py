"""Messages by words alone: what is only supposed, asked or denied is not accepted, and plain reasons hold nothing back.

The messages were written by somebody who looked for faults in what blanks reasons, idle phrases and limits.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from holdtrue.language.extract import LlmExtractor
from holdtrue.language.reading import MessageContext
from holdtrue.language.reading_weights import shipped_reading_weights
from holdtrue.models.chat import Reply, Request
from holdtrue.world.instance import Constraint, Instance
from holdtrue.world.registry import find_domain

TABLE = Instance(
    find_domain("seating"), ["Ann", "Bob", "Cy", "Carol", "Dana"], {"num_entities": 6, "table_shape": "rectangular"}
)
PLAN = Instance(find_domain("scheduling"), ["Demo", "Review", "Party"], {"num_slots": 8, "max_duration": 3})
GRID = Instance(
    find_domain("logic_grid"),
    ["Ann", "Bob", "Carol", "Dana"],
    {
        "categories": {
            "color": ["Red", "Blue", "Green", "Yellow"],
            "pet": ["Cat", "Dog", "Bird", "Fish"],
            "profession": ["Doctor", "Artist", "Teacher", "Chef"],
        }
    },
)


class Unasked:
    """A model that would give probabilities and is never to be asked, as words choose whatever they say."""

    name = "unasked"
    gives_likelihoods = True

    async def complete(self, request: Request) -> Reply:
        raise AssertionError("no model is asked here")

    async def aclose(self) -> None:
        """Nothing is open."""


READER = LlmExtractor(Unasked(), weights=replace(shipped_reading_weights(), settled=0.0))


async def accepted(instance: Instance, message: str) -> set[Constraint]:
    read = await READER.read(instance, message, MessageContext(2, ()))
    return {instance.canonical(one.constraint) for one in read.readings if one.constraint and one.status == "accepted"}


@pytest.mark.parametrize(
    "message",
    [
        "Ann sits next to Bob because she likes him?",
        "Seat Ann next to Bob because she's shy if possible.",
        "Put Ann in seat 2 because she is shy, unless Bob minds.",
        "Put Ann in seat 2 because Cy said so, maybe.",
        "Seat Ann next to Bob because it's his birthday or put her in seat 5.",
        "If Bob agrees, so let's seat Ann next to Bob.",
        "If it rains, we go inside, so Ann gets seat 2.",
        "In case Cy cancels, and so frees a seat, Ann takes seat 2.",
        "Don't even ask for Ann in seat 2.",
        "I don't care whether Ann sits next to Bob.",
        "I don't really care to see Ann in seat 2.",
        "Bob thinks Ann needs help, so Ann should sit next to Bob.",
        "Cy isn't sure yet, so for now Ann is in seat 2.",
        "Sorry if this is wrong, Ann sits next to Bob.",
        "Ann and Bob side by side: risky.",
    ],
)
async def test_a_seat_that_is_only_supposed_or_asked_about_is_not_accepted(message: str) -> None:
    assert await accepted(TABLE, message) == set()


@pytest.mark.parametrize(
    "message",
    [
        "Nothing prevents the Demo from starting before slot 4.",
        "The Demo is not prohibited from starting before slot 4.",
        "No one minds the Demo after slot 4.",
        "There's no harm in starting the Demo before slot 4.",
        "The Demo can't not be before slot 4.",
        "I am not saying the Demo starts after slot 4.",
        "It's a myth that the Demo can't start before slot 4.",
        "It is not the case that the Demo starts no earlier than slot 3.",
        "The Demo didn't start before slot 4.",
        "The Demo can't wait until slot 4.",
        "The Demo can't end before slot 4.",
        "The Demo may go in slot 2 and 7.",
        "Demo and Review must not be in two different slots.",
        "The Review isn't ready, so the Demo cannot start before slot 3.",
        "If it rains so please put the Demo in slot 2.",
        "Should it rain, so the Demo goes in slot 2.",
        "Demo after Review? Hm.",
    ],
)
async def test_a_start_that_is_permitted_denied_or_supposed_is_not_accepted(message: str) -> None:
    assert await accepted(PLAN, message) == set()


@pytest.mark.parametrize(
    "message",
    [
        "Ann is Red because of the rain or else Blue.",
        "Provided Carol agrees, so Ann is Red.",
        "Rumour has it, so Ann is Red.",
        "I don't care that Ann is Red.",
        "Suppose they agree, so Ann is Red.",
    ],
)
async def test_a_color_that_is_only_supposed_is_not_accepted(message: str) -> None:
    assert await accepted(GRID, message) == set()


@pytest.mark.parametrize(
    ("message", "made"),
    [
        ("Dana has a leg in a cast, so she sits next to Cy", ("adjacent", "Dana", "Cy")),
        ("Ann and Bob keep quarrelling so don't put them side by side", ("not_adjacent", "Ann", "Bob")),
        ("Seat Ann next to Bob, because he would be lost without her.", ("adjacent", "Ann", "Bob")),
        ("Whatever anybody may have told you, Ann is not to sit beside Bob.", ("not_adjacent", "Ann", "Bob")),
    ],
)
async def test_a_reason_holds_nothing_back(message: str, made: tuple[str, ...]) -> None:
    kind, *args = made
    assert TABLE.canonical(Constraint(kind, tuple(args))) in await accepted(TABLE, message)


@pytest.mark.parametrize(
    ("message", "made"),
    [
        ("The Demo can't start before slot 3.", ("within", "Demo", 3, 8)),
        ("Don't let the Demo start any later than slot 4.", ("within", "Demo", 1, 4)),
        ("The Demo is not in or after slot 4.", ("within", "Demo", 1, 3)),
        ("The Demo isn't on or before slot 4.", ("within", "Demo", 5, 8)),
        ("The Demo starts at or before slot 6.", ("within", "Demo", 1, 6)),
        ("Demo and Review: two different slots", ("not_simultaneous", "Demo", "Review")),
    ],
)
async def test_limits_mean_the_number_that_people_mean(message: str, made: tuple[str | int, ...]) -> None:
    kind, *args = made
    assert await accepted(PLAN, message) == {PLAN.canonical(Constraint(str(kind), tuple(args)))}


async def test_other_words_name_an_attribute() -> None:
    made = GRID.canonical(Constraint("different", ("Ann", "Bob", "profession")))
    assert await accepted(GRID, "Ann and Bob do not do the same job.") == {made}
    made = GRID.canonical(Constraint("different", ("Ann", "Bob", "pet")))
    assert await accepted(GRID, "The animals of Ann and Bob must differ from one another.") == {made}


@pytest.mark.parametrize(
    ("message", "made"),
    [
        ("The Demo must not be put off beyond slot 3.", ("within", "Demo", 1, 3)),
        ("Demo starting any time up to and including slot 4", ("within", "Demo", 1, 4)),
        ("the Demo doesn't start until slot 5 or later", ("within", "Demo", 5, 8)),
    ],
)
async def test_ends_of_a_range_are_the_right_ones(message: str, made: tuple[str | int, ...]) -> None:
    read = await READER.read(PLAN, message, MessageContext(2, ()))
    kind, *args = made
    assert [one.constraint for one in read.readings] == [Constraint(str(kind), tuple(args))]


async def test_the_others_are_those_who_were_not_spoken_of() -> None:
    table = Instance(find_domain("seating"), ["Ann", "Bob", "Cy", "Dee"], {"num_entities": 6, "table_shape": "round"})
    made = {table.canonical(Constraint("adjacent", pair)) for pair in (("Ann", "Bob"), ("Cy", "Dee"))}
    assert (
        await accepted(table, "Ann and Bob sit next to each other, and the other two sit next to each other.") == made
    )
