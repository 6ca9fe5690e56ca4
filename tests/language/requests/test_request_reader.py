"""Of a model's reply only operations with words of the message are taken; code computes the values."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from holdtrue.guard.conversation.message_reading import guard_acts
from holdtrue.guard.policy_file import make_policy
from holdtrue.language.requests.operation import Act, Claim, OpenRequest, Operation, RequestContext, acts_of, group_of
from holdtrue.language.requests.request_prompts import reading_request
from holdtrue.language.requests.request_reader import ModelRequestReader, shipped_odds
from holdtrue.models.chat import Request
from holdtrue.models.scripted import ScriptModel
from holdtrue.record import CallRecord
from holdtrue.rules.tools import read_tools

TEXT = {"type": "string"}
PROPERTIES = {
    "day": {**TEXT, "format": "date"},
    "seats": {"type": "integer"},
    "name": TEXT,
    "area": {**TEXT, "enum": ["inside", "terrace"]},
    "quiet": {"type": "boolean"},
}
ACTS = acts_of(read_tools([{"name": "reserve", "parameters": {"type": "object", "properties": PROPERTIES}}]))
OPEN = OpenRequest("Q007", "reserve", {"seats": "seats is 4"})
CONTEXT = RequestContext(1, datetime(2026, 3, 2, 9), requests=(OPEN,))
MESSAGE = "A quiet table on Friday for 5, under Lee, outside. Not for 9."


async def read(*operations: Any, message: str = MESSAGE, assistant: str = "") -> tuple[tuple[Operation, ...], int]:
    model = ScriptModel([json.dumps({"operations": operations})])
    found = await ModelRequestReader(model, {}).read_requests(ACTS, message, replace(CONTEXT, assistant=assistant))
    assert len(found.calls) == 1 and all(own.confidence == 0.85 for own in found.operations)
    return found.operations, len(found.unread)


async def test_values_are_computed_from_the_words_that_are_quoted() -> None:
    operations, unread = await read(
        ["reserve.day", "is", "Friday", "1"],
        ["reserve.seats", "is", "for 5", "1"],
        ["reserve.seats", "not", "9", "1"],
        ["reserve.area", "is", "outside", "terrace", "1"],
        ["reserve.quiet", "is", "quiet", True, "1"],
        ["reserve.name", "is", "Lee", "new"],
    )
    assert unread == 0
    assert [(own.argument, own.relation, own.value) for own in operations] == [
        ("day", "is", "2026-03-06"),
        ("seats", "is", 5),
        ("seats", "not", 9),
        ("area", "is", "terrace"),
        ("quiet", "is", True),
        ("name", "is", "Lee"),
    ]
    assert {own.request for own in operations[:5]} == {"Q007"} and operations[5].request == "new"
    assert operations[0].quote == "Friday"


@pytest.mark.parametrize(
    "own",
    [
        ["reserve.day", "is", "Saturday", "1"],
        ["reserve.seats", "is", "Lee", "1"],
        ["reserve.color", "is", "Lee", "1"],
        ["reserve.area", "is", "outside", "roof", "1"],
        ["reserve.quiet", "is", "quiet", "1"],
        ["reserve.name", "is", "1"],
        ["reserve.name", "wants", "Lee", "1"],
        ["open", "cancel", "new"],
        ["stop", "Not for 9", "9"],
        ["stop", "never mind", "1"],
        ["any", "whatever", "reserve.day", "1"],
        ["stop", 1],
        ["stop"],
        "stop",
        None,
        {},
    ],
)
async def test_what_the_message_does_not_say_is_not_taken_and_is_told(own: Any) -> None:
    assert await read(own) == ((), 1)


async def test_requests_are_opened_freed_and_taken_back() -> None:
    operations, _ = await read(
        ["open", "reserve", "new"], ["any", "on Friday", "reserve.day", "1"], ["stop", "Not for 9", "all"]
    )
    assert operations == (
        Operation("open", "reserve", "new", confidence=0.85),
        Operation("free", "reserve", "Q007", "day", quote="on Friday", confidence=0.85),
        Operation("withdraw", "reserve", "Q007", quote="Not for 9", confidence=0.85),
    )


async def test_what_is_taken_up_is_in_the_words_of_the_assistant() -> None:
    own, _ = await read(["reserve.day", "is", "Saturday", "1"], message="Fine.", assistant="Is Saturday fine?")
    assert [(each.source, each.value, each.relation) for each in own] == [("assistant", "2026-03-07", "is")]


@pytest.mark.parametrize("reply", ["", "no", "[]", '{"operations": 5}', "[" * 5_000])
async def test_a_reply_that_is_no_list_of_operations_reads_nothing_and_is_told(reply: str) -> None:
    found = await ModelRequestReader(ScriptModel([reply] * 3)).read_requests(ACTS, MESSAGE, CONTEXT)
    assert found.operations == () and len(found.unread) == 1 and found.calls


async def test_odds_are_of_a_kind_and_the_model_is_told_acts_and_requests() -> None:
    seen: list[Request] = []

    def reply(request: Request) -> str:
        seen.append(request)
        return '{"operations": [["reserve.seats", "is", "5", "1"], ["reserve.name", "is", "Lee", "1"]]}'

    reader = ModelRequestReader(ScriptModel(reply), {"number is, code": 0.99, "text is, literal": 0.7})
    found = await reader.read_requests(ACTS, MESSAGE, CONTEXT)
    assert [own.confidence for own in found.operations] == [0.99, 0.7]
    assert "reserve.area: inside | terrace" in seen[0].messages[0].content
    assert "Request 1: reserve; seats is 4" in seen[0].messages[-1].content


def test_odds_are_of_the_model_that_they_were_measured_with() -> None:
    measured = shipped_odds("local/qwen2.5-coder-1.5b")
    assert measured["any"] < 0.5 < measured["time is, code"] <= 1 and not shipped_odds("openai/another")
    request = reading_request(ACTS, MESSAGE, CONTEXT, [kind for kind, own in measured.items() if own < 0.5])
    assert request.schema is not None and '"any"' not in json.dumps(request.schema)
    assert '"any"' in json.dumps(reading_request(ACTS, MESSAGE, CONTEXT).schema)


async def test_claims_are_of_tools_with_the_values_that_their_words_say() -> None:
    said = "I have reserved a table on Friday for Lee."
    values = [["day", "Friday"], ["name", "Lee"], ["seats", "Lee"], ["color", "Lee"]]
    claims = [
        {"quote": "reserved a table on Friday", "tool": "reserve", "values": values},
        {"quote": "I have cancelled it", "tool": "reserve", "values": []},
        {"quote": said, "tool": "cancel", "values": []},
        5,
    ]
    calls = list[CallRecord]()
    reader = ModelRequestReader(ScriptModel([json.dumps({"claims": claims})]))
    found = await reader.read_claims(ACTS, said, CONTEXT, calls)
    assert found == (Claim("reserve", {"day": "2026-03-06", "name": "Lee"}, "reserved a table on Friday"),)
    assert len(calls) == 1


WHOLE = {"type": "integer"}


def tool(name: str, need: tuple[str, ...] = (), **properties: Any) -> dict[str, Any]:
    return {"name": name, "parameters": {"type": "object", "properties": properties, "required": list(need)}}


def acts(*tools: dict[str, Any], **groups: str) -> dict[str, Act]:
    return acts_of(read_tools(list(tools)), groups)


def test_an_act_is_a_tool_its_group_or_what_stands_before_the_last_dot_of_its_name() -> None:
    assert [group_of(own) for own in ("book", "Clinic.Book", "a.b.c")] == ["book", "Clinic", "a.b"]
    assert group_of("Clinic.Book", {"Clinic.Book": "visits"}) == "visits"


def test_arguments_are_named_by_their_act_and_shared_by_tools_that_take_them() -> None:
    own = acts(tool("hotel.book", room=TEXT, nights=WHOLE), tool("hotel.move", room=TEXT, day=TEXT))["hotel"]
    assert own.tools == ("hotel.book", "hotel.move")
    assert own.arguments["room"].id == "hotel.room" and own.arguments["room"].tools == own.tools
    assert own.arguments["day"].tools == ("hotel.move",)


def test_arguments_of_one_name_and_two_types_are_of_the_first_tool_alone() -> None:
    own = acts(tool("a", size=TEXT), tool("b", size=WHOLE), a="box", b="box")["box"]
    assert own.tools == ("a", "b") and own.arguments["size"].tools == ("a",)


def test_choices_of_two_tools_are_those_of_both() -> None:
    one, other = ({**TEXT, "enum": own} for own in (["red", "blue"], ["blue", "green"]))
    own = acts(tool("a", color=one), tool("b", color=other), a="box", b="box")["box"]
    assert own.arguments["color"].choices == ("red", "blue", "green")


def test_lists_and_records_are_not_read_from_words() -> None:
    inner = {"type": "object", "properties": {"x": TEXT}}
    own = tool("a", tags={"type": "array", "items": TEXT}, where=inner, note=TEXT)
    assert [name for name, each in acts(own)["a"].arguments.items() if each.is_read] == ["note"]


def test_the_object_is_an_id_that_has_to_be_given_before_one_that_may_be_left_out() -> None:
    own = tool("pay", ("bill",), coupon=TEXT, bill=TEXT, note=TEXT)
    types = {"*": {"coupon": "id of coupon", "bill": "id of bill"}}
    policy = make_policy("p", tools={"definitions": [own, tool("look", bill=TEXT)], "reads": ["look"], "types": types})
    found = guard_acts(policy)
    assert list(found) == ["pay"] and found["pay"].object == "bill"
    assert found["pay"].arguments["note"].is_text and not found["pay"].arguments["bill"].is_text
    assert acts(tool("note", text=TEXT))["note"].object == ""


def test_what_a_policy_asks_users_about_is_an_act_of_its_own() -> None:
    said = {"ill": {"type": "bool", "ask": "Were you ill?"}}
    found = guard_acts(make_policy("p", tools={"definitions": [tool("look")], "reads": ["look"]}, said=said))
    assert found["said"].arguments["ill"].about == "Were you ill?"


@pytest.mark.parametrize(
    "given",
    [
        {"do": "undo"},
        {"relation": "is not"},
        {"source": "bank"},
        {"act": None},
        {"quote": 5},
        {"confidence": 1.01},
        {"confidence": float("nan")},
    ],
)
def test_what_is_no_operation_is_refused_by_name(given: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(given))):
        Operation(**{"do": "set", "act": "pay", "argument": "bill", "value": "B-1", **given})
