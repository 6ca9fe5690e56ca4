"""A correction replaces the one commitment that differs from it in a single value, be that a number or a name."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdtrue.language.readers import TemplateExtractor
from holdtrue.language.reading import ActiveCommitment, MessageContext, Reading
from holdtrue.logic.formula import at_most
from holdtrue.world.domain import Attribute, ConstraintType, Domain, Entity, Integer, ValueOf
from holdtrue.world.instance import Arg, Constraint, Instance

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")
WEEK = Domain(
    "week",
    attributes=[Attribute("day", values=DAYS), Attribute("room", low=1, high=5)],
    constraint_types=[
        ConstraintType("by", (Entity(), ValueOf("day")), "{0} is done by {1}", lambda w, a, d: a.day <= d),
        ConstraintType("below", (Entity(), Integer(1, 5)), "{0} is below room {1}", lambda w, a, n: a.room < n),
        ConstraintType("not_on", (Entity(), ValueOf("day")), "{0} is not on {1}", lambda w, a, d: a.day.ne(d)),
        ConstraintType(
            "cap",
            (Integer(1, 5), Integer(1, 5)),
            "at most {0} talks are in room {1}",
            lambda w, n, room: at_most(n, [w[each].room.eq(room) for each in w.entities]),
        ),
        ConstraintType(
            "cap_by_name",
            (Integer(1, 5), ValueOf("day")),
            "at most {0} talks are on {1}",
            lambda w, n, day: at_most(n, [w[each].day.eq(day) for each in w.entities]),
        ),
    ],
).instance(["Panel", "Dinner"])
VALUES: dict[str, tuple[st.SearchStrategy[Arg], ...]] = {
    "by": (st.just("Panel"), st.sampled_from(DAYS)),
    "below": (st.just("Panel"), st.integers(1, 5)),
    "cap": (st.integers(1, 5), st.integers(1, 5)),
    "cap_by_name": (st.integers(1, 5), st.sampled_from(DAYS)),
}
CUES = ("Actually, {}.", "Sorry, I meant {}.", "Change of plan: {}.", "No wait, {}.")


async def read_one(instance: Instance, said: str, *agreed: Constraint) -> Reading:
    held = tuple(ActiveCommitment(f"C{number:03d}", one, number) for number, one in enumerate(agreed, 1))
    (reading,) = (await TemplateExtractor().read(instance, said, MessageContext(9, held))).readings
    return reading


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Constraint, Constraint]:
    kind = draw(st.sampled_from(sorted(VALUES)))
    old, new = (WEEK.constraint(kind, [draw(each) for each in VALUES[kind]]) for _ in range(2))
    return old, new


@given(pairs(), st.sampled_from(CUES))
async def test_what_differs_in_one_place_is_replaced_and_in_two_it_is_not(
    pair: tuple[Constraint, Constraint], cue: str
) -> None:
    old, new = pair
    places = sum(was != now for was, now in zip(old.args, new.args, strict=True))
    reading = await read_one(WEEK, cue.format(WEEK.sentence(new)), old, WEEK.constraint("by", ["Dinner", "Monday"]))
    assert (reading.act, reading.status, reading.constraint) == ("amends", "accepted", new)
    assert reading.replaces == (old if places == 1 else None)


@pytest.mark.parametrize(
    "said", ["Panel is now done by Friday.", "Move the Panel to Friday.", "Change the Panel's day to Friday."]
)
async def test_other_words_of_change_replace_a_named_value_too(said: str) -> None:
    old = WEEK.constraint("by", ["Panel", "Wednesday"])
    reading = await read_one(WEEK, said, old)
    assert (reading.constraint, reading.replaces) == (WEEK.constraint("by", ["Panel", "Friday"]), old)


async def test_what_is_ruled_out_adds_up() -> None:
    reading = await read_one(
        WEEK, "Actually, the Panel is not on Friday.", WEEK.constraint("not_on", ["Panel", "Monday"])
    )
    assert reading.replaces is None


async def test_of_two_that_fit_none_is_replaced() -> None:
    by = [WEEK.constraint("by", ["Panel", day]) for day in DAYS[:2]]
    assert (await read_one(WEEK, "Actually, the Panel is done by Friday.", *by)).replaces is None


async def test_instead_of_a_number_means_its_own_place() -> None:
    one, other = WEEK.constraint("cap", [2, 3]), WEEK.constraint("cap", [3, 2])
    reading = await read_one(WEEK, "At most 4 talks are in room 3 instead of at most 2 talks.", one, other)
    assert (reading.constraint, reading.replaces) == (WEEK.constraint("cap", [4, 3]), one)


BETWEEN = ConstraintType(
    "between",
    (Entity(), ValueOf("day"), ValueOf("day")),
    "{0} is between {1} and {2}",
    lambda w, a, low, high: (low <= a.day) & (a.day <= high),
)
SPAN = Domain("span", attributes=[Attribute("day", values=DAYS)], constraint_types=[BETWEEN]).instance(
    ["Panel", "Dinner"]
)


@given(
    st.lists(st.sampled_from(DAYS), min_size=2, max_size=2, unique=True),
    st.sampled_from(DAYS),
    st.sampled_from(
        ["Move the Panel to {}.", "Change the Panel's day to {}.", "Panel is now on {}.", "Panel on {} instead"]
    ),
)
async def test_one_word_never_fills_two_places(days: list[str], day: str, said: str) -> None:
    reading = await read_one(SPAN, said.format(day), SPAN.constraint("between", ["Panel", *days]))
    assert reading.constraint is None or len(set(reading.constraint.args)) == 3


async def test_moving_what_has_two_days_means_the_sentence_of_one() -> None:
    on = ConstraintType("on", (Entity(), ValueOf("day")), "{0} is on {1}", lambda w, a, day: a.day.eq(day))
    week = Domain("span", attributes=[Attribute("day", values=DAYS)], constraint_types=[BETWEEN, on]).instance(
        ["Panel"]
    )
    agreed = week.constraint("between", ["Panel", "Tuesday", "Wednesday"])
    reading = await read_one(week, "Move the Panel to Friday.", agreed)
    assert (reading.act, reading.constraint) == ("amends", week.constraint("on", ["Panel", "Friday"]))
