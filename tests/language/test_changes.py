"""Test how the readers read withdrawals and amendments."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.reading import Sentence, load_sentences
from holdtrue.language.change_detection import detect_change
from holdtrue.language.extract import LlmExtractor
from holdtrue.language.readers import TemplateExtractor
from holdtrue.language.reading import ActiveCommitment, MessageContext, Reading
from holdtrue.language.sentences import split_sentences
from holdtrue.language.withdrawals import remarks_on_it, spot_withdrawal
from holdtrue.models.scripted import ScriptModel
from holdtrue.world.instance import Constraint, Instance
from holdtrue.world.seating import SEATING
from tests.data import DRIFT, needs_data
from tests.lab.suites.drift.instances import INSTANCES, constraints
from tests.language.rota import ACTIVE, WEEK, agreed, made

ON, BEFORE, APART, OFF = (one.constraint for one in ACTIVE)
TABLE = SEATING.instance(["Nora", "Omar", "Priya", "Quentin"])


def seated(*statements: tuple[str, Any, Any]) -> tuple[ActiveCommitment, ...]:
    return tuple(
        ActiveCommitment(f"C{number:03d}", TABLE.canonical(TABLE.constraint(type, args)), number)
        for number, (type, *args) in enumerate(statements, 1)
    )


async def read(message: str, active: Sequence[ActiveCommitment] = ACTIVE, turn: int = 4) -> list[Reading]:
    found = await TemplateExtractor().read(WEEK, message, MessageContext(turn, active))
    assert not found.calls
    return list(found.readings)


async def read_one(message: str, active: Sequence[ActiveCommitment] = ACTIVE) -> Reading:
    (reading,) = await read(message, active)
    return reading


@pytest.mark.parametrize(
    ("message", "constraint"),
    [
        ("Forget that.", OFF),
        ("Withdraw C002.", BEFORE),
        ("Ann no longer has to work on day 2", ON),
        ("Can we drop the rule about Ann and Bob?", BEFORE),
    ],
)
async def test_what_is_taken_back_is_one_that_holds(message: str, constraint: Constraint) -> None:
    reading = await read_one(message)
    assert (reading.act, reading.status, reading.constraint) == ("withdraws", "accepted", constraint)


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ("Ann no longer has to work before Cy", "nothing of this was agreed"),
        (
            "Forget what I said about Dee's holidays.",
            "it is not worded like C004, the only commitment that it can mean",
        ),
        ("Forget that Zoe works before Bob.", "argument 1 of before: 'Zoe' is none of Ann, Bob, Cy, Dee"),
        ("Drop C009", "there is no active commitment C009"),
        ("Drop C001 and what I said about Bob", "C001 is not about Bob"),
        ("Forget the last two rules", "which of C001, C002, C003, C004?"),
        ("Forget the first rule.", "which of C001, C002, C003, C004?"),
    ],
)
async def test_what_is_not_clear_is_rejected_and_says_between_what(message: str, reason: str) -> None:
    reading = await read_one(message)
    assert (reading.act, reading.status, reading.constraint) == ("withdraws", "rejected", None)
    assert reading.reason == reason and reading.code is None


@pytest.mark.parametrize(
    ("message", "word"),
    [
        ("Forget everything but C001", "but"),
        ("Forget everything except the rule about Dee.", "except"),
        ("Drop C003, not C001", "not"),
        ("Drop C001 unless Bob objects", "unless"),
    ],
)
async def test_a_condition_or_an_exception_takes_nothing_back(message: str, word: str) -> None:
    reading, *rest = await read(message)
    assert (reading.act, reading.status) == ("withdraws", "rejected")
    assert reading.reason == f"with '{word}' it is not clear what is meant"
    assert all(one.act == "states" for one in rest)
    assert (await read_one("Drop C001 if you like")).constraint == ON


async def test_a_name_like_an_id_is_a_name() -> None:
    rooms = SEATING.instance(["C001", "C002", "Bob"])
    held = [
        ActiveCommitment("C001", rooms.constraint("at_position", ["C002", 3]), 1),
        ActiveCommitment("C002", rooms.constraint("at_position", ["Bob", 1]), 1),
    ]
    found = await TemplateExtractor().read(rooms, "Forget what I said about C002.", MessageContext(2, held))
    assert [one.constraint for one in found.readings] == [held[0].constraint]


async def test_everything_means_everything() -> None:
    assert [one.constraint for one in await read("Forget everything.")] == [ON, BEFORE, APART, OFF]
    about = await read("Forget everything I said about Ann.")
    assert [one.constraint for one in about] == [ON, BEFORE, APART]


@pytest.mark.parametrize(
    ("message", "constraint", "replaces"),
    [
        ("Actually, put Ann on day 3 instead", made("on_day", "Ann", 3), ON),
        ("Ann works on day 3 instead of day 2", made("on_day", "Ann", 3), ON),
        ("Ann works before Cy instead", made("before", "Ann", "Cy"), BEFORE),
        ("Dee works on day 1 instead of that", made("on_day", "Dee", 1), OFF),
    ],
)
async def test_an_amendment_says_what_holds_now_and_what_it_replaces(
    message: str, constraint: Constraint, replaces: Constraint
) -> None:
    reading = await read_one(message)
    assert (reading.act, reading.status) == ("amends", "accepted")
    assert (reading.constraint, reading.replaces) == (constraint, replaces)
    assert reading.sentence == message.rstrip(".")


@pytest.mark.parametrize("displaced", ["day 4", "C009"])
async def test_an_amendment_of_what_was_not_agreed_is_doubtful_and_says_so(displaced: str) -> None:
    reading = await read_one(f"Ann works on day 3 instead of {displaced}.")
    assert (reading.act, reading.status, reading.constraint) == ("states", "doubtful", made("on_day", "Ann", 3))
    assert reading.reason == f"nothing that was agreed fits '{displaced}'"


async def test_a_sentence_that_can_become_two_things_is_rejected_with_both() -> None:
    active = agreed((1, made("on_day", "Ann", 2)), (1, made("on_day", "Bob", 2)))
    reading = await read_one("Make it day 3 instead", active)
    assert reading.status == "rejected"
    assert reading.reason == 'it may mean "Ann works on day 3" or "Bob works on day 3"'
    assert (await read_one("Make it day 3 instead", active[:1])).constraint == made("on_day", "Ann", 3)


async def test_instead_of_what_was_just_taken_back() -> None:
    """The cue is spent on the withdrawal before it: nothing else is replaced."""
    active = agreed((1, made("before", "Ann", "Cy")), (2, BEFORE))
    back, new = await read("Forget that. Instead, Ann works before Dee.", active)
    assert (back.constraint, new.act, new.constraint) == (BEFORE, "states", made("before", "Ann", "Dee"))
    back, new = await read("Forget that, put Ann before Dee instead.", active)
    assert (back.constraint, new.act, new.constraint) == (BEFORE, "states", made("before", "Ann", "Dee"))


@st.composite
def conversations(draw: st.DrawFn) -> tuple[Instance, tuple[ActiveCommitment, ...], Constraint]:
    """Draw an instance of any domain, its commitments, and one more constraint."""
    instance = draw(st.sampled_from(INSTANCES))
    stated = draw(st.lists(constraints(instance), min_size=1, max_size=5))
    made = dict.fromkeys(instance.canonical(one) for one in stated)
    held = tuple(ActiveCommitment(f"C{number:03d}", one, number) for number, one in enumerate(made, 1))
    return instance, held, instance.canonical(draw(constraints(instance)))


@given(conversations(), st.sampled_from(["Forget that {}.", "drop the rule that {}", "{} instead", "Actually, {}."]))
@settings(deadline=None, max_examples=150)
async def test_every_domain_s_own_wording_can_be_taken_back_and_can_replace(
    case: tuple[Instance, tuple[ActiveCommitment, ...], Constraint], cue: str
) -> None:
    instance, held, new = case
    agreed_to = {one.constraint for one in held}
    said = cue.format(instance.sentence(new))
    (reading,) = (await TemplateExtractor().read(instance, said, MessageContext(9, held))).readings
    if cue in ("{} instead", "Actually, {}."):
        unclear = (reading.reason or "").startswith("which of C")  # several that it could take the place of
        assert (reading.status, reading.constraint) == ("doubtful" if unclear else "accepted", new)
        assert reading.replaces is None or reading.replaces in agreed_to - {new}
    elif new in agreed_to:
        assert (reading.act, reading.status, reading.constraint) == ("withdraws", "accepted", new)
    else:
        assert (reading.act, reading.status, reading.reason) == ("withdraws", "rejected", "nothing of this was agreed")


# --- with a model that reads ---------------------------------------------------------------------------------

AGREED = seated(("adjacent", "Nora", "Omar"), ("left_of", "Omar", "Nora"), ("at_position", "Nora", 2))
NEXT, LEFT, SEAT = (one.constraint for one in AGREED)


def reply(*stated: tuple[str, list[Any]]) -> str:
    return json.dumps({"constraints": [{"type": type, "args": args} for type, args in stated]})


async def read_by_model(
    message: str, *replies: str, active: Sequence[ActiveCommitment] = AGREED
) -> tuple[Reading, int, ScriptModel]:
    """Return the one reading, the number of its calls, and the model."""
    model = ScriptModel(list(replies))
    found = await LlmExtractor(model).read(TABLE, message, MessageContext(4, active))
    (reading,) = found.readings
    return reading, len(found.calls), model


async def test_where_the_words_settle_it_no_model_is_asked() -> None:
    for message, meant in (
        ("Nora no longer has to sit at position 2", SEAT),
        ("Forget about Omar left of Nora", LEFT),
        ("Drop C001", NEXT),
    ):
        reading, calls, _ = await read_by_model(message)
        assert (reading.act, reading.constraint, calls) == ("withdraws", meant, 0)


async def test_a_model_chooses_among_what_fits_and_its_calls_are_counted() -> None:
    chosen = reply(("adjacent", ["Nora", "Omar"]))
    message = "Nora and Omar don't have to be neighbours any more"
    reading, calls, _ = await read_by_model(message, chosen, '{"meaning": "Nora is next to Omar"}')
    assert (reading.act, reading.status, reading.constraint, calls) == ("withdraws", "accepted", NEXT, 2)
    assert reading.confidence < 1


async def test_a_model_is_offered_nothing_but_what_fits() -> None:
    schemas = []

    def answer(request: Any) -> str:
        schemas.append(json.dumps(request.schema))
        return reply()

    found = await LlmExtractor(ScriptModel(answer)).read(
        TABLE, "Forget the idea that Nora is Omar's companion", MessageContext(4, AGREED)
    )
    assert [(one.status, one.reason) for one in found.readings] == [("rejected", "which of C001, C002?")]
    assert schemas and all("at_position" not in schema and "Priya" not in schema for schema in schemas)
    assert "left_of" in schemas[0] and "Sentence: the idea" not in schemas[0]


@pytest.mark.parametrize(
    "replies",
    [
        [reply()] * 3,
        ["nonsense"] * 3,
        [reply(("at_position", ["Nora", 3]))] * 3,  # holds, and is not meant
        [
            reply(("adjacent", ["Nora", "Omar"])),
            '{"meaning": "Omar is to the left of Nora"}',
            reply(),
        ],  # three opinions
    ],
)
async def test_a_model_that_does_not_know_takes_nothing_back(replies: list[str]) -> None:
    reading, _, _ = await read_by_model("Forget the one where Nora and Omar are neighbours", *replies)
    assert reading.status == "rejected" and reading.constraint is None


async def test_an_amendment_s_new_statement_is_read_without_the_words_of_the_old_one() -> None:
    seen: list[str] = []

    def answer(request: Any) -> str:
        seen.append(request.messages[-1].content.splitlines()[-1])
        return reply(("at_position", ["Nora", 4]))

    found = await LlmExtractor(ScriptModel(answer)).read(
        TABLE, "I'd like Nora in chair 4 instead of number 2", MessageContext(4, AGREED)
    )
    (reading,) = found.readings
    assert (reading.act, reading.constraint, reading.replaces) == (
        "amends",
        TABLE.constraint("at_position", ["Nora", 4]),
        SEAT,
    )
    assert set(seen) == {"Sentence: I'd like Nora in chair 4"} and len(found.calls) == len(seen)


async def test_what_is_doubtful_replaces_nothing() -> None:
    three = [reply(("adjacent", ["Nora", "Priya"])), reply(("not_adjacent", ["Nora", "Priya"])), reply()]
    reading, _, _ = await read_by_model("Instead, Nora and Priya should be near", *three)
    assert (reading.act, reading.status, reading.replaces) == ("states", "doubtful", None)


# --- sentences that only state -------------------------------------------------------------------------------


def of_same_problem(sentences: Sequence[Sentence], one: Sentence) -> tuple[ActiveCommitment, ...]:
    """Return everything that the sentences about the same problem state, as earlier commitments."""
    stated = {made for other in sentences if other.instance is one.instance for made in other.gold}
    order = sorted(stated, key=lambda made: (made.type, *map(str, made.args)))
    return tuple(ActiveCommitment(f"C{number:03d}", made, number) for number, made in enumerate(order, 1))


async def changes_among(sentences: Sequence[Sentence]) -> int:
    """Return how many sentences are read as a change, after all others were agreed."""
    # A reader that states nothing, because only changes count.
    reader = TemplateExtractor()
    found = 0
    for one in sentences:
        read = await reader.read(one.instance, one.text, MessageContext(99, of_same_problem(sentences, one)))
        found += any(reading.act != "states" for reading in read.readings)
    return found


@needs_data
async def test_no_reworded_sentence_of_the_benchmark_is_taken_for_a_change() -> None:
    """Counts only: the sentences themselves are a test set and stay unseen."""
    folder = DRIFT / "reworded"
    sentences = load_sentences(folder / "sentences.jsonl", folder / "dev")
    parts = [part for one in sentences for part in split_sentences(one.text, one.instance.entities)]
    counted = sum(detect_change(part) is not None for part in parts)
    changing = await changes_among(sentences)
    assert len(parts) >= len(sentences) > 100
    if counted or changing:
        pytest.fail(f"{counted} of {len(parts)} look like changes, {changing} are read as changes", pytrace=False)


@given(st.text(max_size=80), st.sampled_from(["forget ", "no longer has to ", " instead of ", "change ", ", not "]))
@settings(deadline=None, max_examples=150)
async def test_no_message_makes_the_reader_raise_and_only_what_holds_is_taken_back(text: str, cue: str) -> None:
    for reading in await read(f"Ann {cue}{text} Ann"):
        if reading.act == "withdraws" and reading.constraint is not None:
            assert reading.constraint in [one.constraint for one in ACTIVE]
        assert reading.constraint is not None or reading.reason


@pytest.mark.parametrize(
    "text",
    [
        "Ann works on day 2",
        "Don't forget that Ann works on day 2",
        "Never forget Ann",
        "I forget whether Ann works on day 2",
        "Ann must no longer work on day 2",  # forbids
        "Ann needs not to sit next to Bob",
        "Drop Ann at day 2",
        "Remove Ann from day 2",
        "Lift Ann to floor 3",
        "Cancel the meeting",
        "The meeting is off",
        "I don't have to repeat that Ann works before Bob",
        "Never mind",
        "Ann said: forget it",
        "If Ann works on day 2, forget that Bob does",
        "We could drop the rule about Ann",
        "Drop any of the rules about Ann",
        "No two of them work on the same day",
    ],
)
def test_statements_take_nothing_back(text: str) -> None:
    assert spot_withdrawal(text) is None


@pytest.mark.parametrize(
    "unit", ["please ", "forget that ", "no longer has to ", "the rule ", "never mind, ", " ", "drop a b ", "lifting "]
)
def test_hostile_sentences_come_to_an_end(unit: str) -> None:
    spot_withdrawal((unit * 1000)[:1000])
    remarks_on_it((unit * 1000)[:1000])
