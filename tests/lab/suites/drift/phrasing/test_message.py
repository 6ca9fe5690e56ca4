from __future__ import annotations

import re
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.lab.suites.drift.phrasing.message import BANKS, CONNECTIVES, OPENERS, fill, vary, vary_phrase
from holdtrue.world.instance import Constraint, Instance
from tests.lab.suites.drift.instances import INSTANCES, constraints
from tests.lab.suites.drift.named import arguments_of, named_in

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
    """All ways to say the constraint, as a pattern; a capital letter may begin them."""
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


def test_everything_that_can_vary_does() -> None:
    rng = Random(4)
    stated = [SEATING.constraint("adjacent", ["Ann", "Bob"]), SEATING.constraint("at_position", ["Cy", 3])]
    messages = [vary(rng, SEATING, stated) for _ in range(400)]
    assert all(any(part in message for message in messages) for part in (*OPENERS, *CONNECTIVES))
    orders = [message.index("Ann") < message.index("Bob") for message in messages]
    assert 150 < sum(orders) < 250
    assert {word for message in messages for word in re.findall(r"\b(?:3|3rd|three|third)\b", message)} == {
        "3",
        "3rd",
        "three",
        "third",
    }
    phrases = {vary_phrase(rng, SEATING, stated[0]) for _ in range(400)}
    assert len(phrases) == 2 * len(BANKS["seating"]["adjacent"])


def test_the_limits_of_a_range_come_in_order() -> None:
    rng = Random(4)
    turned = SCHEDULING.constraint("within", ["QA", 5, 2])
    ordered = SCHEDULING.constraint("within", ["QA", 2, 5])
    said = {vary_phrase(rng, SCHEDULING, turned) for _ in range(200)}
    assert said == {vary_phrase(rng, SCHEDULING, ordered) for _ in range(200)}
    assert "the latest that QA may start is slot 5 and the soonest is slot 2" in said


def test_the_same_stream_gives_the_same_words() -> None:
    stated = [SEATING.constraint("separated_by", ["Ann", "Bob", 1]), SEATING.constraint("left_of", ["Cy", "Dee"])]
    assert vary(Random(1), SEATING, stated) == vary(Random(1), SEATING, stated)
    assert len({vary(Random(seed), SEATING, stated) for seed in range(50)}) > 40
