"""What a model is taught before it reads."""

from __future__ import annotations

import json

import pytest

from holdtrue.language.prompts import define, lessons, wordings, written
from holdtrue.world.domain import Attribute, AttributeName, ConstraintType, Domain, Entity, Integer, ValueOf
from holdtrue.world.instance import Instance
from holdtrue.world.logic_grid import LOGIC_GRID
from holdtrue.world.scheduling import SCHEDULING
from holdtrue.world.seating import SEATING

SHIFTS = Domain(
    name="shifts",
    attributes=[Attribute("day", low=1, high=5), Attribute("place", values=["bar", "door"])],
    constraint_types=[
        ConstraintType("on", (Entity(), Integer(1, 5)), "{0} works on day {1}", lambda w, a, k: a.day.eq(k)),
        ConstraintType("before", (Entity(), Entity()), "{0} works before {1}", lambda w, a, b: a.day < b.day),
        ConstraintType(
            "has", (Entity(), AttributeName(), ValueOf(1)), "{0} has {1} {2}", lambda w, a, c, v: a[c].eq(v)
        ),
    ],
)
BUILT_IN = [
    SEATING.instance(["Nora", "Omar", "Priya", "Quentin"], {"table_shape": "rectangular"}),
    SCHEDULING.instance(["Budget", "Audit", "Demo"]),
    LOGIC_GRID.instance(["Robin", "Morgan", "Skyler", "Reese"]),
]


@pytest.mark.parametrize("instance", BUILT_IN, ids=lambda instance: instance.domain.name)
def test_every_built_in_type_is_defined_and_has_examples_that_fit_it(instance: Instance) -> None:
    for kind in instance.types.values():
        assert kind.definition
        assert kind.wordings
        assert len(kind.examples) >= 2
        for example in kind.examples:
            names = [arg for arg, slot in zip(example.args, kind.arguments, strict=True) if isinstance(slot, Entity)]
            assert all(str(name) in example.sentence for name in names)
            kind.sentence.format(*example.args)


def test_a_domain_without_examples_is_taught_by_its_sentences() -> None:
    week = SHIFTS.instance(["Ida", "Bo"])
    taught = lessons(week, 2)
    stated = [(sentence, [(kind.name, args) for kind, args in facts]) for sentence, facts in taught]
    assert ("Jonas works on day 2", [("on", ("Jonas", 2))]) in stated  # 'Ida' is taken by the problem itself
    assert any(len(facts) == 2 for _, facts in stated)
    assert sum(not facts for _, facts in stated) == 2
    assert define(week).splitlines()[0] == "- on(A, number): A works on day number."
    assert not any("Bo " in sentence or "Ida" in sentence for sentence, _ in stated)


def test_lessons_are_the_same_for_every_sentence_and_setting() -> None:
    other = SEATING.instance(["Xena", "Yan", "Zoe", "Ulf", "Tom", "Sam"], {"table_shape": "rectangular"})
    assert lessons(BUILT_IN[0], 5) == lessons(other, 5)


def test_wordings_begin_with_the_entity_that_was_named_first() -> None:
    before = BUILT_IN[1].types["before"]
    assert wordings(before, ("Demo", "Audit"), "Audit") == ["Audit is after Demo"]
    assert wordings(before, ("Demo", "Audit"), None) == ["Demo is before Audit", "Audit is after Demo"]
    on = SHIFTS.constraint_types[0]
    assert wordings(on, ("Bo", 2), "Bo") == ["Bo works on day 2"]


def test_replies_of_lessons_say_it_in_words_and_then_write_it() -> None:
    before = BUILT_IN[1].types["before"]
    stated = [(before, ("Demo", "Audit"))]
    assert written("Audit waits for Demo", stated) == (
        '{"meaning":"Audit is after Demo","constraints":[{"type":"before","args":["Demo","Audit"]}]}'
    )
    assert json.loads(written("Thanks", [])) == {"meaning": "nothing", "constraints": []}
