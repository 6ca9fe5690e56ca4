"""Changes by name, or in any words, affect only the commitments that they name."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from holdtrue.language.inferred_changes import infer_change
from holdtrue.language.matching import match_sentence
from holdtrue.language.readers import TemplateExtractor
from holdtrue.language.reading import ActiveCommitment, MessageContext, Reading
from holdtrue.world.instance import Constraint, Instance
from tests.language.changes_by_name import AGENDA, make_instance, play, read_cases
from tests.slow import first_of

CASES = read_cases(Path(__file__).parent / "data" / "changes_by_name.jsonl")
WORDS = (
    "Design Review Demo Board Sync Lunch One Stand Up Drop Off Undo Cancel Forget Last Call Rule Instead No Show All "
    "Hands But First Not Only If Or And Of The Never Mind Move Change Q3 1:1 2 2025 R&D A/B C++ C# O'Neill Kids' "
    '"Big" (internal) Dr. Yahoo! @ #4 St. café x-ray turn That C001'
)
words = st.sampled_from(WORDS.split())
names = st.builds(
    lambda parts, joint: joint.join(parts),
    st.lists(words, min_size=1, max_size=3),
    st.sampled_from([" ", " ", "-"]),
).filter(lambda name: re.search(r"[A-Za-z]{2}", name) is not None)
COMMANDS = (
    "Cancel {}.",
    "Cancel the {}.",
    "Please drop {}",
    "Forget what I said about {}.",
    "Scrap '{}', please",
    "{} is off.",
    "{} has been cancelled",
    "No more {}.",
    "Could you remove the rule about {}?",
)
AMENDMENTS = ("Move {} to day 6", "{} is on day 6 instead", "Put {} on day 6 instead", "Actually, {} is on day 6.")


@st.composite
def agreements(draw: st.DrawFn) -> tuple[Instance, tuple[ActiveCommitment, ...]]:
    """Return an agenda with odd names, and commitments about them."""
    known = draw(st.lists(names, min_size=2, max_size=4, unique_by=lambda name: re.sub(r"\W", "", name).casefold()))
    week = AGENDA.instance(known)
    pairs = st.lists(st.sampled_from(known), min_size=2, max_size=2, unique=True)
    one = st.one_of(
        st.builds(lambda name, day: week.constraint("on", [name, day]), st.sampled_from(known), st.integers(1, 5)),
        st.builds(lambda pair: week.constraint("before", pair), pairs),
        st.builds(lambda pair, gap: week.constraint("apart", [*pair, gap]), pairs, st.integers(1, 3)),
    )
    made = dict.fromkeys(map(week.canonical, draw(st.lists(one, min_size=1, max_size=4))))
    return week, tuple(
        ActiveCommitment(f"C{number:03d}", constraint, number) for number, constraint in enumerate(made, 1)
    )


async def read(week: Instance, message: str, held: tuple[ActiveCommitment, ...]) -> tuple[Reading, ...]:
    return (await TemplateExtractor().read(week, message, MessageContext(9, held))).readings


def touched(readings: tuple[Reading, ...]) -> set[Constraint]:
    gone = {one.constraint for one in readings if one.act == "withdraws" and one.status != "rejected"}
    return {one for one in (*gone, *(reading.replaces for reading in readings)) if one is not None}


@given(agreements(), st.sampled_from(COMMANDS), st.data())
async def test_a_name_takes_back_what_is_about_it_and_nothing_else(
    agreed: tuple[Instance, tuple[ActiveCommitment, ...]], command: str, data: st.DataObject
) -> None:
    week, held = agreed
    name = data.draw(st.sampled_from(week.entities))
    # Beside 'Cancel Lunch', "Cancel Lunch" names that and not 'Lunch'.
    assume(not any(other.endswith(name) and other != name for other in week.entities))
    about = {one.constraint for one in held if name in week.entities_in(one.constraint)}
    readings = await read(week, command.format(name), held)
    assert touched(readings) <= about
    if len(about) == 1:
        assert touched(readings) == about
    elif len(about) > 1:
        assert touched(readings) == set()
        assert any("which of C" in (reading.reason or "") for reading in readings)


@given(agreements(), st.sampled_from(AMENDMENTS), st.data())
async def test_an_amendment_replaces_only_what_is_about_what_it_names(
    agreed: tuple[Instance, tuple[ActiveCommitment, ...]], amendment: str, data: st.DataObject
) -> None:
    week, held = agreed
    name = data.draw(st.sampled_from(week.entities))
    assume(not any(other.endswith(name) and other != name for other in week.entities))
    readings = await read(week, amendment.format(name), held)
    assert touched(readings) <= {one.constraint for one in held if week.entities_in(one.constraint) == (name,)}
    stated = [one for one in readings if one.act != "withdraws" and one.status != "rejected"]
    assert [one.constraint for one in stated] == [week.constraint("on", [name, 6])]
    days = [one for one in held if one.constraint.type == "on" and one.constraint.args[0] == name]
    assert all(one.status == "accepted" for one in stated) or len(days) > 1


@pytest.mark.parametrize("message", ["Cancel Design Design C001 Zyx.", "Cancel C001 Zyx.", "Forget C001 and Zyx."])
async def test_an_id_beside_an_unknown_name_touches_nothing(message: str) -> None:
    week = AGENDA.instance(["Design Design"])
    readings = await read(week, message, (ActiveCommitment("C001", week.constraint("on", ["Design Design", 1]), 1),))
    assert touched(readings) == set()
    assert all(reading.status == "rejected" and "Zyx" in (reading.reason or "") for reading in readings)


@pytest.mark.parametrize("name", ["Cancel Cancel", "Drop Drop", "Drop Design", "Cancel Cancel Cancel"])
@pytest.mark.parametrize("verb", ["Cancel", "Drop", "drop"])
async def test_a_name_that_repeats_the_verb_before_it_is_the_name(name: str, verb: str) -> None:
    week = AGENDA.instance([name, "Lunch"])
    agreed = week.constraint("on", [name, 1])
    assert touched(await read(week, f"{verb} {name}.", (ActiveCommitment("C001", agreed, 1),))) == {agreed}


@given(agreements(), st.sampled_from((*COMMANDS, *AMENDMENTS)), names, st.sampled_from(["{} Zyx", "Zyx {}", "{}-Zyx"]))
async def test_an_unknown_name_touches_nothing_and_says_why(
    agreed: tuple[Instance, tuple[ActiveCommitment, ...]], message: str, name: str, unknown: str
) -> None:
    week, held = agreed
    readings = await read(week, message.format(unknown.format(name)), held)
    assert touched(readings) == set()
    assert readings and all(reading.status == "rejected" and reading.reason for reading in readings)


@given(agreements())
async def test_any_spelling_of_a_name_is_the_name(agreed: tuple[Instance, tuple[ActiveCommitment, ...]]) -> None:
    week, held = agreed
    for name in week.entities:
        about = [one.constraint for one in held if name in week.entities_in(one.constraint)]
        if len(about) > 1 or len(name.split()) == 1:
            continue
        for spelled in (name.upper(), name.lower(), name.replace("'", "\u2019"), name.replace(" ", "  ")):
            assert touched(await read(week, f"Cancel {spelled}.", held)) == set(about)


@pytest.mark.parametrize("case", first_of(CASES, 60), ids=[case["id"] for case in CASES])
def test_no_case_touches_what_it_does_not_name(case: dict[str, object]) -> None:
    assert not play(case).wrong


@pytest.mark.parametrize(
    ("message", "guess"), [("Cancel the Desing Review", "Design Review"), ("Cancel the Review", "Design Review")]
)
async def test_a_name_like_one_that_is_known_is_told_and_touches_nothing(message: str, guess: str) -> None:
    week = AGENDA.instance(["Design Review", "Lunch"])
    held = (ActiveCommitment("C001", week.constraint("on", ["Design Review", 2]), 1),)
    (reading,) = await read(week, message, held)
    assert reading.status == "rejected" and f"did you mean '{guess}'" in (reading.reason or "")


DATA = Path(__file__).parent / "data"
INFERRED = read_cases(DATA / "changes_in_any_wording.jsonl")
MANY_WAYS = read_cases(DATA / "changes_in_many_ways.jsonl")
AGREED = [
    "Gala is on day 3",
    "Demo is before Gala",
    "Retro is not on day 2",
    "Demo and Retro are at least 2 days apart",
]
WEEK = make_instance({"setting": "agenda", "names": ["Gala", "Demo", "Retro", "Lunch"], "agreed": AGREED, "new": []})


def stated(sentence: str) -> Constraint:
    made = match_sentence(WEEK, sentence)
    assert made is not None
    return WEEK.canonical(made)


HELD = [ActiveCommitment(f"C{number:03}", stated(sentence), number) for number, sentence in enumerate(AGREED, start=1)]


@pytest.mark.parametrize("part", first_of(range(8), 1))
def test_most_changes_are_made_and_none_is_wrong(part: int) -> None:
    outcomes = [(case, play(case)) for case in INFERRED[part::8]]
    assert [case["message"] for case, outcome in outcomes if outcome.wrong] == []
    missed = [case["message"] for case, outcome in outcomes if not outcome.exact]
    assert len(missed) <= 0.1 * len(outcomes), missed


@pytest.mark.parametrize("part", first_of(range(2), 1))
def test_idioms_that_nothing_knows_change_nothing_that_they_do_not_name(part: int) -> None:
    outcomes = [(case, play(case)) for case in MANY_WAYS[part::2]]
    assert [case["message"] for case, outcome in outcomes if outcome.wrong] == []
    left = [(case, outcome) for case, outcome in outcomes if not (case["gone"] or case["new"])]
    assert left
    assert [case["message"] for case, outcome in left if not outcome.exact] == []


SAID_WORDS = st.sampled_from(
    "the gala demo retro lunch day 1 2 3 4 is not off cancel move to instead of drop no longer before can now".split()
)


@given(st.lists(SAID_WORDS, min_size=1, max_size=10).map(" ".join))
def test_a_change_is_about_all_that_is_named_and_nothing_else(sentence: str) -> None:
    change = infer_change(WEEK, sentence, HELD)
    if change is None:
        return
    named = {name for name in WEEK.entities if name.casefold() in sentence.split()}
    touched = {name for one in change.ends for name in WEEK.entities_in(one.constraint)}
    assert named and named & touched
    assert named <= touched | (set(WEEK.entities_in(change.made)) if change.made else set())
    for one in change.ends:
        assert named & set(WEEK.entities_in(one.constraint))
    if change.made is not None:
        assert set(WEEK.entities_in(change.made)) <= named and change.made not in {one.constraint for one in HELD}
