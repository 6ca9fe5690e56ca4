"""Reading by a model, in our way and in the published one, with models that reply from a script."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.language.extract import LlmExtractor, ReadingSettings
from holdtrue.language.readers import SYSTEM, UpstreamExtractor
from holdtrue.language.reading import Extraction, MessageContext
from holdtrue.models.chat import Request
from holdtrue.models.scripted import ScriptModel
from holdtrue.world.instance import Constraint, Instance
from holdtrue.world.logic_grid import LOGIC_GRID
from holdtrue.world.scheduling import SCHEDULING
from holdtrue.world.seating import SEATING

TABLE = SEATING.instance(["Nora", "Omar", "Priya", "Quentin"])
WEEK = SCHEDULING.instance(["Budget", "Audit", "Demo"])
GRID = LOGIC_GRID.instance(["Robin", "Morgan", "Skyler", "Reese"])


def reply(*stated: tuple[str, list[Any]]) -> str:
    return json.dumps({"constraints": [{"type": type, "args": args} for type, args in stated]})


def view(request: Request) -> str:
    """Return the way in which a request asks."""
    if request.purpose == "extract_direction":
        return "choice"
    assert request.schema is not None
    asked = list(request.schema["properties"])
    return {("constraints",): "plain", ("meaning",): "restate", ("meaning", "constraints"): "explain"}[tuple(asked)]


def by_view(**texts: str) -> ScriptModel:
    """A model that replies by the way in which it is asked."""
    return ScriptModel(lambda request: texts[view(request)])


def said(words: str) -> str:
    return json.dumps({"meaning": words})


async def read(
    model: ScriptModel, message: str, instance: Instance = TABLE, settings: ReadingSettings | None = None
) -> Extraction:
    return await LlmExtractor(model, settings).read(instance, message, MessageContext())


async def test_agreeing_views_are_accepted() -> None:
    model = by_view(plain=reply(("adjacent", ["Omar", "Nora"])), restate=said("Nora is next to Omar"))
    found = await read(model, "Nora and Omar want to be neighbours")
    assert [(r.status, r.constraint) for r in found.readings] == [
        ("accepted", Constraint("adjacent", ("Nora", "Omar")))
    ]
    assert [call.purpose for call in found.calls] == ["extract", "extract"]


async def test_two_against_one_decide() -> None:
    stated = reply(("adjacent", ["Nora", "Omar"]))
    refused = reply(("not_adjacent", ["Nora", "Omar"]))
    found = await read(ScriptModel([stated, refused, refused]), "Nora and Omar should sit nowhere near")
    assert [(r.status, r.constraint) for r in found.readings] == [
        ("accepted", Constraint("not_adjacent", ("Nora", "Omar")))
    ]
    assert len(found.calls) == 3


async def test_three_opinions_leave_a_doubt() -> None:
    model = ScriptModel(
        [reply(("adjacent", ["Nora", "Omar"])), reply(("not_adjacent", ["Nora", "Omar"])), reply()],
    )
    found = await read(model, "Nora and Omar should sit near")
    assert [(r.status, r.reason) for r in found.readings] == [("doubtful", "readings differ")]
    assert found.readings[0].confidence < 0.5


async def test_cues_decide_the_direction_whatever_the_model_says() -> None:
    wrong = reply(("before", ["Budget", "Audit"]))
    found = await read(by_view(plain=wrong, restate=said("Budget is before Audit")), "Budget comes after Audit", WEEK)
    assert [(r.status, r.constraint) for r in found.readings] == [
        ("accepted", Constraint("before", ("Audit", "Budget")))
    ]
    assert len(found.calls) == 2


async def test_without_a_cue_two_directions_are_a_doubt() -> None:
    one, other = reply(("before", ["Budget", "Audit"])), said("Budget is after Audit")
    found = await read(by_view(plain=one, restate=other), "Budget needs Audit to be out of the way", WEEK)
    assert [r.status for r in found.readings] == ["doubtful"]


async def test_what_names_nothing_costs_no_call() -> None:
    found = await read(ScriptModel([]), "Thank you so much! How are you?")
    assert found == Extraction(())


@pytest.mark.parametrize(
    ("message", "instance", "reason"),
    [
        ("Is Nora next to Omar?", TABLE, "a question states nothing"),
        ("Where does Nora sit, at 3?", TABLE, "a question states nothing"),
        ("I like Nora", TABLE, "no constraint can be made"),
        ("The doctor is Ann", GRID, "names none of"),
    ],
)
async def test_what_cannot_be_a_constraint_is_rejected_without_a_call(
    message: str, instance: Instance, reason: str
) -> None:
    found = await read(ScriptModel([]), message, instance)
    assert [(r.status, r.constraint) for r in found.readings] == [("rejected", None)]
    assert reason in (found.readings[0].reason or "")


async def test_what_the_sentence_does_not_mention_is_never_committed() -> None:
    invented = reply(("adjacent", ["Nora", "Priya"]))
    found = await read(ScriptModel([invented] * 3), "Nora and Omar are neighbours")
    assert [(r.status, r.constraint) for r in found.readings] == [("rejected", None)]
    assert found.readings[0].reason == "not in the sentence: Nora must sit next to Priya"


async def test_each_sentence_is_read_by_itself() -> None:
    def answer(request: Request) -> str:
        said = request.messages[-1].content.splitlines()[-1]
        return reply(("at_position", ["Nora", 3])) if "Nora" in said else reply(("at_position", ["Omar", 2]))

    found = await read(ScriptModel(answer), "Nora takes seat 3. Also, Omar takes seat 2. Thanks!")
    assert [r.constraint for r in found.readings] == [
        Constraint("at_position", ("Nora", 3)),
        Constraint("at_position", ("Omar", 2)),
    ]
    assert [r.sentence for r in found.readings] == ["Nora takes seat 3", "Omar takes seat 2"]


async def test_what_is_read_as_stating_nothing_is_told() -> None:
    found = await read(ScriptModel([reply(), said("nothing")]), "Nora and Omar are my friends")
    assert found.stated == ()
    assert [(r.status, r.reason) for r in found.readings] == [("rejected", "read as stating no constraint")]
    assert len(found.calls) == 2


async def test_one_bad_item_does_not_spoil_the_good_ones() -> None:
    mixed = reply(("at_position", ["Nora", 3]), ("at_position", ["Nora", 99]), ("adjacent", ["Omar", "Priya"]))
    found = await read(ScriptModel([mixed]), "Nora takes seat 3")
    assert [(r.status, r.constraint) for r in found.readings] == [
        ("accepted", Constraint("at_position", ("Nora", 3))),
        ("rejected", None),
        ("rejected", None),
    ]
    assert (found.readings[1].reason or "").startswith("out_of_range")


async def test_thoughts_and_prose_around_the_reply_do_no_harm() -> None:
    chatty = "<think>{a}</think> Sure: " + reply(("at_position", ["Nora", 3])) + " Anything else?"
    found = await read(ScriptModel([chatty]), "Nora takes seat 3")
    assert [r.constraint for r in found.readings] == [Constraint("at_position", ("Nora", 3))]


MALFORMED = [
    "",
    "no",
    "{",
    "[]",
    "{}",
    '{"constraints": 3}',
    '{"constraints": [3]}',
    '{"constraints": [{"type": "adjacent"}]}',
    '{"constraints": [{"type": ["x"], "args": ["Nora", "Omar"]}]}',
    '{"constraints": [{"type": "adjacent", "args": ["Nora"]}]}',
    '{"constraints": [{"type": "adjacent", "args": ["Nora", {"a": 1}]}]}',
    '{"constraints": [{"type": "same_side", "args": ["Nora", "Omar"]}]}',
    '{"meaning": "nobody knows"}',
    '{"meaning": 7}',
]


@pytest.mark.parametrize("text", MALFORMED)
async def test_malformed_replies_are_rejected_with_a_reason(text: str) -> None:
    found = await read(ScriptModel([text] * 3), "Nora and Omar are neighbours")
    assert [(r.status, r.constraint) for r in found.readings] == [("rejected", None)]
    assert found.readings[0].reason
    assert all(call.usage.calls == 1 for call in found.calls)


@given(st.lists(st.one_of(st.text(max_size=60), st.sampled_from(MALFORMED)), min_size=3, max_size=3))
@settings(deadline=None, max_examples=60)
async def test_no_reply_makes_the_reader_raise(texts: list[str]) -> None:
    found = await read(ScriptModel(texts), "Nora and Omar are neighbours")
    assert all(r.constraint is not None or r.reason for r in found.readings)


async def test_a_request_shows_the_setting_then_the_sentence_and_nothing_of_later() -> None:
    seen: list[Request] = []

    def answer(request: Request) -> str:
        seen.append(request)
        return reply(("duration", ["Demo", 2]))

    await LlmExtractor(ScriptModel(answer)).read(
        WEEK, "Demo lasts 2 slots. Audit lasts 3 slots.", MessageContext(answer="xyz")
    )
    first = seen[0].messages[-1].content.splitlines()
    assert first == [*WEEK.setup_lines(), "Sentence: Demo lasts 2 slots"]
    contents = [message.content for message in seen[0].messages]
    assert not any("Audit lasts" in text or "xyz" in text for text in contents)


async def test_requests_share_all_but_the_last_message() -> None:
    seen: list[Request] = []

    def answer(request: Request) -> str:
        seen.append(request)
        return reply(("duration", ["Demo", 2]))

    one_view = ReadingSettings(views=("plain",), tie_break=None)
    await read(ScriptModel(answer), "Demo lasts 2 slots. Audit lasts 3 slots.", WEEK, one_view)
    assert seen[0].messages[:-1] == seen[1].messages[:-1]


async def test_which_commitment_is_meant_is_never_left_to_one_view() -> None:
    agreed = [Constraint("at_position", ("Nora", 3))]
    calls: list[Any] = []
    nothing = json.dumps({"meaning": "nothing", "constraints": []})
    doubting = by_view(plain=reply(("at_position", ["Nora", 3])), restate=said("nothing"), explain=nothing)
    readings = await LlmExtractor(doubting).read_sentence(TABLE, "Nora's form need not be signed", calls, agreed)
    assert [reading.constraint for reading in readings] == [None] and len(calls) == 3
    sure = by_view(plain=reply(("at_position", ["Nora", 3])), restate=said("Nora is in seat 3"))
    [reading] = await LlmExtractor(sure).read_sentence(TABLE, "Nora need not sit there", calls, agreed)
    assert (reading.status, reading.constraint) == ("accepted", agreed[0])


async def test_an_answer_to_no_question_is_told_and_asks_no_model() -> None:
    found = await read(ScriptModel([]), "Yes, please.")
    assert [(r.status, r.reason) for r in found.readings] == [("rejected", "it answers, and nothing was asked")]
    assert found.calls == ()
    assert (await read(ScriptModel([]), "Thanks a lot!")).readings == ()


SEATS = SEATING.instance(["Nora", "Omar", "Priya"])


async def test_the_prompt_has_the_published_fields() -> None:
    seen: list[Request] = []

    def answer(request: Request) -> str:
        seen.append(request)
        return '{"constraints": []}'

    found = await UpstreamExtractor(ScriptModel(answer)).read(
        SEATS, "Nora sits at 1", MessageContext(4, answer='{"Nora": 1}')
    )
    assert found.readings == ()
    assert len(found.calls) == 1
    assert seen[0].messages[0].content == SYSTEM
    lines = seen[0].messages[1].content.splitlines()
    assert lines[:5] == [
        "Domain: seating",
        "Source turn: 4",
        "Entities: Nora, Omar, Priya",
        "Latest user message: Nora sits at 1",
        'Assistant response: {"Nora": 1}',
    ]
    assert "- at_position: args [entity, integer]" in lines
    assert not any("same_side" in line for line in lines)  # this table has no sides


async def test_items_are_read_one_by_one() -> None:
    reply = (
        'Here: {"constraints": [{"type": "at_position", "args": ["nora", 1]}, '
        '{"type": "at_position", "args": ["Zed", 1]}, {"type": "on_top_of", "args": []}, 5]}'
    )
    found = await UpstreamExtractor(ScriptModel([reply])).read(SEATS, "Nora sits at 1", MessageContext(answer=""))
    assert found.readings[0].constraint == Constraint("at_position", ("Nora", 1))
    assert [r.status for r in found.readings] == ["accepted", "rejected", "rejected", "rejected"]
    assert [r.code for r in found.readings] == [None, "unknown_entity", "unknown_type", None]
