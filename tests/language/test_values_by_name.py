"""Values of one attribute by their names: 'Standup is on Tuesday'."""

from __future__ import annotations

import json

import pytest

from holdtrue.errors import ConstraintError, DomainError
from holdtrue.language.extract import LlmExtractor
from holdtrue.language.readers import TemplateExtractor
from holdtrue.language.reading import ActiveCommitment, MessageContext
from holdtrue.language.replies import free_items
from holdtrue.models.scripted import ScriptModel
from holdtrue.world.domain import Attribute, AttributeName, ConstraintType, Domain, Entity, ValueOf

DAYS = ["Monday", "Tuesday", "Friday"]
ON = ConstraintType("on", (Entity(), ValueOf("day")), "{0} is on {1}", lambda w, a, day: a.day.eq(day))
IN = ConstraintType("in", (Entity(), ValueOf("room")), "{0} is in {1}", lambda w, a, room: a.room.eq(room))
AT = ConstraintType("at", (Entity(), ValueOf("hour")), "{0} starts at {1}", lambda w, a, hour: a.hour.eq(hour))
MEETINGS = Domain(
    "meetings",
    attributes=[Attribute("day", values=DAYS), Attribute("room", values=["Red", "Blue"]), Attribute("hour", 9, 16)],
    constraint_types=[ON, IN, AT],
)
WEEK = MEETINGS.instance(["Standup", "Retro"])


def test_a_value_by_name_is_an_argument_of_its_own() -> None:
    made = WEEK.constraint("on", ["Standup", "tuesday"])
    assert made.args == ("Standup", "Tuesday")
    assert WEEK.sentence(made) == "Standup is on Tuesday"
    assert WEEK.formula(made).holds({"Standup.day": 1}) and not WEEK.formula(made).holds({"Standup.day": 2})
    assert WEEK.formula(WEEK.constraint("at", ["Retro", 10])).holds({"Retro.hour": 10})
    with pytest.raises(ConstraintError, match="argument 2 of on: 'Sunday' is no day"):
        WEEK.constraint("on", ["Standup", "Sunday"])


def test_an_attribute_that_is_not_there_is_named_where_it_is_declared() -> None:
    wrong = ConstraintType("on", (Entity(), ValueOf("week")), "{0} is on {1}", lambda w, a, week: a.day.eq(week))
    with pytest.raises(DomainError, match=r"argument \{1\}: ValueOf\('week'\) names no attribute; there are day$"):
        Domain("meetings", attributes=[Attribute("day", values=DAYS)], constraint_types=[wrong])
    late = Domain("meetings", attributes=lambda given: [Attribute("day", values=DAYS)], constraint_types=[wrong])
    with pytest.raises(DomainError, match=r"argument \{1\}: ValueOf\('week'\) names no attribute; there are day$"):
        late.instance(["Retro"])


def test_types_of_the_same_words_are_alike_only_where_a_value_can_be_of_both() -> None:
    def declared(one: ValueOf, other: ValueOf, *named: AttributeName) -> Domain:
        kinds = [
            ConstraintType(
                name, (Entity(), *named, value), f"{{0}} is {{{1 + len(named)}}}", lambda *given: given[1].day < 2
            )
            for name, value in (("one", one), ("other", other))
        ]
        rooms, others = Attribute("room", values=["Red", "Blue"]), Attribute("door", values=["red", "Green"])
        return Domain("meetings", attributes=[Attribute("day", values=DAYS), rooms, others], constraint_types=kinds)

    assert declared(ValueOf("day"), ValueOf("room")).instance(["Retro"]).entities == ("Retro",)
    with pytest.raises(DomainError, match="'one' and 'other' read alike"):
        declared(ValueOf("day"), ValueOf("day"))
    with pytest.raises(DomainError, match="'one' and 'other' read alike"):
        declared(ValueOf("room"), ValueOf("door")).instance(["Retro"])
    with pytest.raises(DomainError, match="'one' and 'other' read alike"):
        declared(ValueOf("day"), ValueOf(1), AttributeName())
    assert declared(ValueOf("day"), ValueOf(1), AttributeName(among=lambda w: ["room"])).instance(
        ["Retro"]
    ).entities == ("Retro",)


@pytest.mark.parametrize(
    ("said", "type", "args"),
    [
        ("Standup is on Tuesday.", "on", ("Standup", "Tuesday")),
        ("The retro is in red.", "in", ("Retro", "Red")),
        ("Retro starts at 11", "at", ("Retro", 11)),
    ],
)
async def test_templates_read_it_in_plain_sentences(said: str, type: str, args: tuple[str | int, ...]) -> None:
    (read,) = (await TemplateExtractor().read(WEEK, said, MessageContext(1, ()))).readings
    assert read.constraint is not None and (read.constraint.type, read.constraint.args) == (type, args)


async def test_a_value_of_another_attribute_is_refused_in_words() -> None:
    (read,) = (await TemplateExtractor().read(WEEK, "Retro is on Red.", MessageContext(1, ()))).readings
    assert read.reason == "argument 2 of on: 'Red' is no day: {Monday, Tuesday, Friday}"


@pytest.mark.parametrize(
    "said",
    [
        "Move Standup to Friday.",
        "Standup on Friday, not Tuesday.",
        "Change Standup's day to Friday.",
        "Actually, Standup is on Friday.",
    ],
)
async def test_it_is_changed_in_words(said: str) -> None:
    active = (
        ActiveCommitment("C001", WEEK.constraint("on", ["Standup", "Tuesday"]), 1),
        ActiveCommitment("C002", WEEK.constraint("in", ["Standup", "Red"]), 2),
    )
    (read,) = (await TemplateExtractor().read(WEEK, said, MessageContext(3, active))).readings
    assert read.act == "amends" and read.constraint == WEEK.constraint("on", ["Standup", "Friday"])


async def test_a_model_reads_it_and_may_only_use_what_was_named() -> None:
    stated = json.dumps({"meaning": "", "constraints": [{"type": "on", "args": ["Retro", "Friday"]}]})
    reader = LlmExtractor(ScriptModel(lambda request: stated))
    (read,) = (await reader.read(WEEK, "Could we do the Retro on Friday?", MessageContext(1, ()))).readings
    assert read.constraint == WEEK.constraint("on", ["Retro", "Friday"])


def test_the_schema_of_a_free_reading_lists_the_values() -> None:
    items = free_items(WEEK)["anyOf"]
    args = [item["properties"]["args"]["prefixItems"][1] for item in items]
    assert args == [{"enum": DAYS}, {"enum": ["Red", "Blue"]}, {"type": "integer", "minimum": 9, "maximum": 16}]
