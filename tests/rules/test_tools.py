"""Tools as apps tell them to models: every common way to write one, and the published ones of two benchmarks."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict, Field

from holdtrue.rules.refinement import at, refined
from holdtrue.rules.syntax import RuleError
from holdtrue.rules.tools import ToolSchema, read_tools
from holdtrue.rules.type_notation import read_type
from holdtrue.rules.values import Reader
from tests.data import DATA, read_jsonl
from tests.rules.written_types import write_type

AIRLINE = DATA / "tau_airline"
SCHEMA = {
    "type": "object",
    "properties": {"order": {"type": "string", "minLength": 1}, "amount": {"type": "number", "minimum": 0}},
    "required": ["order"],
    "additionalProperties": False,
}
TOLD = {"name": "refund", "description": "Pay back."}


def only(definition: object) -> ToolSchema:
    (found,) = read_tools([definition])
    return found


def plain(tool: ToolSchema) -> Any:
    return tool.name, tool.description, write_type(tool.arguments), tool.notes


@pytest.mark.parametrize(
    "definition",
    [
        {"type": "function", "function": {**TOLD, "parameters": SCHEMA, "strict": True}},
        {"type": "function", **TOLD, "parameters": SCHEMA, "strict": True},
        {**TOLD, "parameters": SCHEMA},
        {**TOLD, "inputSchema": SCHEMA},
        {**TOLD, "input_schema": SCHEMA, "cache_control": {"type": "ephemeral"}},
        {"type": "custom", **TOLD, "input_schema": SCHEMA},
    ],
)
def test_every_way_to_write_a_tool_says_the_same(definition: object) -> None:
    found = only(definition)
    assert write_type(found.arguments) == {"order": "text", "amount?": "number 0.."}
    assert (found.name, found.description, str(found.arguments)) == ("refund", "Pay back.", "refund")
    assert (found.result, found.read_only) == (None, None)
    assert found.notes == ("refund.order: minLength is no part of its type",)


def test_mcp_tells_the_result_and_whether_it_reads() -> None:
    result = {"type": "object", "properties": {"left": {"type": "number"}, "raw": {}}, "required": ["left"]}
    tool = {**TOLD, "inputSchema": {"type": "object"}, "outputSchema": result, "annotations": {"readOnlyHint": True}}
    found = only(tool)
    assert found.result is not None and write_type(found.result) == {"left": "number"}
    assert (found.read_only, write_type(found.arguments)) == (True, {})
    assert found.notes == (
        "result of refund.raw: the schema does not say what it is; it is not read, and rules cannot speak of it",
    )
    unsaid = only({**tool, "outputSchema": {"type": "object"}, "annotations": {"title": "Refund"}})
    assert (unsaid.result, unsaid.read_only) == (None, None)
    assert unsaid.notes == ("result of refund: the schema does not list its fields, so it has no type",)


class Leg(BaseModel):
    flight: str
    day: str


class BookFlight(BaseModel):
    """Book a flight."""

    model_config = ConfigDict(extra="forbid")

    legs: list[Leg] = Field(max_length=2)
    bags: int = Field(default=0, ge=0)


def test_a_pydantic_model_is_a_tool() -> None:
    found = only(BookFlight)
    assert (found.name, found.description) == ("BookFlight", "Book a flight.")
    assert write_type(found.arguments) == {
        "legs": {"list of": {"flight": "text", "day": "text"}, "up to": 2},
        "bags?": "whole 0..",
    }


def test_an_object_that_dumps_itself_is_a_tool() -> None:
    class Listed(BaseModel):
        name: str
        input_schema: dict[str, Any] = Field(alias="inputSchema")
        output_schema: dict[str, Any] | None = Field(default=None, alias="outputSchema")

    assert plain(only(Listed(name="refund", inputSchema=SCHEMA))) == plain(
        only({"name": "refund", "parameters": SCHEMA})
    )


def test_arguments_of_any_names_are_not_read() -> None:
    for others in ({"type": "string"}, {"type": ["integer", "null"]}):
        found = only({"name": "set", "parameters": {"type": "object", "additionalProperties": others}})
        assert write_type(found.arguments) == {}
        assert found.notes == ("set: its arguments have any names, and are not read",)


def test_arguments_may_be_a_definition() -> None:
    schema = {"$defs": {"Refund": SCHEMA}, "$ref": "#/$defs/Refund"}
    assert write_type(only({"name": "refund", "parameters": schema}).arguments) == {
        "order": "text",
        "amount?": "number 0..",
    }


class Odd(BaseModel):
    model_config = ConfigDict(arbitrary_types_allowed=True)
    holds: Callable[[], int]


@pytest.mark.parametrize(
    ("definition", "message"),
    [
        (None, r"^tools\[0\]: a tool is an object, a function or a pydantic model class, not None"),
        ("refund", "not 'refund'"),
        (int, "not a type"),
        ({}, r"tools\[0\]: a tool has a name"),
        ({"name": ""}, "a tool has a name"),
        ({"name": 5}, r"tools\[0\]\.name: it is a text, not 5"),
        ({"name": "a\ud800"}, "half a character"),
        ({"name": "a", "description": ["b"]}, r"tools\[0\]\.description: it is a text, not a list"),
        ({"type": "web_search"}, r"tools\[0\]: a tool of type 'web_search' has no arguments"),
        ({"type": "bash_20250124", "name": "bash"}, "has no arguments"),
        ({"type": ["function"]}, "has no arguments"),
        ({"type": "custom", "name": "run"}, "'run' takes a text that no schema tells of"),
        ({"type": "function", "function": "refund"}, r"tools\[0\]\.function: a function is an object, not 'refund'"),
        ({"type": "function", "function": {}}, r"tools\[0\]\.function: a tool has a name"),
        ({"name": "a", "paramaters": SCHEMA}, "no 'paramaters'; did you mean 'parameters'"),
        ({"name": "a", "inputschema": SCHEMA}, "did you mean 'inputSchema'|did you mean 'input_schema'"),
        ({"name": "a", "parameters": SCHEMA, "inputSchema": SCHEMA}, "one of parameters and inputSchema, not both"),
        ({"name": "a", "parameters": "none"}, "^a: a schema is an object, not 'none'"),
        ({"name": "a", "parameters": {"type": "string"}}, r"tools\[0\]: the arguments of 'a' are an object, not text"),
        ({"name": "a", "parameters": {"properties": {"b": 5}}}, r"^a\.b: a schema is an object, not 5"),
        ({"name": "a", "outputSchema": 5}, "^result of a: a schema is an object"),
        ({"name": "a", "annotations": True}, r"tools\[0\]\.annotations: they are an object, not True"),
        ({"name": "a", "annotations": {"readOnlyHint": "yes"}}, "readOnlyHint: it is true or false, not 'yes'"),
        (Odd, "Odd has no JSON Schema: "),
    ],
)
def test_what_is_no_tool_is_refused_with_its_place(definition: object, message: str) -> None:
    with pytest.raises(RuleError, match=message):
        read_tools([definition])


@pytest.mark.parametrize("definitions", [{"name": "a"}, "tools", None, b"tools", 5])
def test_tools_are_a_list(definitions: Any) -> None:
    with pytest.raises(RuleError, match="tools are a list of definitions"):
        read_tools(definitions)


def test_a_name_is_used_once() -> None:
    with pytest.raises(RuleError, match=r"^tools\[2\]: the name 'a' is that of tools\[0\] too"):
        read_tools([{"name": "a"}, {"name": "b"}, {"type": "function", "function": {"name": "a"}}])


@dataclass(frozen=True)
class Hostile:
    """This class has no JSON schema, though it has the method for it."""

    model_json_schema: object = None


def test_only_classes_are_asked_for_their_schema() -> None:
    with pytest.raises(RuleError, match="not a Hostile"):
        read_tools([Hostile()])


@pytest.mark.skipif(not AIRLINE.is_dir(), reason="the tools of tau-bench are not beside the repository")
def test_the_tools_of_an_airline_read_all_their_calls() -> None:
    tools = {own.name: own for own in read_tools(json.loads((AIRLINE / "tools.json").read_text(encoding="utf-8")))}
    assert len(tools) == 14 and not any(own.notes for own in tools.values())
    book = tools["book_reservation"].arguments
    refinements = {
        "user_id": "id of user",
        "payment_methods[].amount": "USD(2) 0..",
        "flights[].date": "date",
        "passengers[].dob": "date",
        "total_baggages": "whole 0..",
    }
    told: Any = book
    for path, data in refinements.items():
        told = refined(told, path, read_type(data, {}, f"refine.{path}"))
    assert [write_type(at(told, path)) for path in refinements] == list(refinements.values())
    calls = 0
    for line in read_jsonl(AIRLINE / "conversations.jsonl"):
        for call in (call["function"] for message in line["messages"] for call in message.get("tool_calls") or ()):
            type = told if call["name"] == "book_reservation" else tools[call["name"]].arguments
            arguments = json.loads(call["arguments"])
            assert Reader().read(arguments, type, call["name"]).keys() == arguments.keys()
            calls += 1
    assert calls > 500


GEMINI = {
    "type": "OBJECT",
    "properties": {
        "type": {"type": "STRING", "enum": ["OBJECT", "b"], "nullable": True},
        "tags": {"type": "ARRAY", "items": {"type": "INTEGER"}, "maxItems": "3"},
        "either": {"anyOf": [{"type": "NUMBER"}, {"type": "NULL"}], "default": {"type": "STRING"}},
    },
    "required": ["type"],
}


def test_tools_of_gemini_have_their_types_in_upper_case() -> None:
    result = {"type": "OBJECT", "properties": {"left": {"type": "NUMBER"}}}
    found = only({"functionDeclarations": [{**TOLD, "parameters": GEMINI, "response": result}]})
    names = {"or null": ["OBJECT", "b"]}
    assert write_type(found.arguments) == {"type": names, "tags?": "list of whole up to 3", "either?": "number or null"}
    assert found.result is not None and write_type(found.result) == {"left?": "number"}
    assert found.defaults == {"either": {"type": "STRING"}}
    plain = only({**TOLD, "parametersJsonSchema": {"type": "object", "properties": {"n": {"type": "integer"}}}})
    assert write_type(plain.arguments) == {"n?": "whole"}


def test_lists_of_tools_may_be_within_the_settings_of_a_request() -> None:
    tools = [{"toolSpec": {"name": "refund", "inputSchema": {"json": SCHEMA}}}, {"cachePoint": {"type": "default"}}]
    for within in ({"tools": tools}, {"toolConfig": {"tools": tools, "toolChoice": {"auto": {}}}}, [{"tools": tools}]):
        (found,) = read_tools(within)
        assert write_type(found.arguments) == {"order": "text", "amount?": "number 0.."}


@pytest.mark.parametrize("parameters", [True, {"anyOf": [{"type": "string"}, SCHEMA]}])
def test_arguments_that_no_type_expresses_are_not_read(parameters: Any) -> None:
    found = only({"name": "set", "parameters": parameters})
    assert write_type(found.arguments) == {}
    assert found.notes[0].endswith("so it has no type; its arguments are not read, and rules cannot speak of them")


def test_all_faults_of_a_tool_are_told_at_once() -> None:
    bad = {"a": {"type": "dict"}, "b": 5, "c": {"items": {"type": "int"}}, "d": {"anyOf": [{"enum": []}]}}
    with pytest.raises(RuleError) as caught:
        only({"name": "q", "parameters": {"type": "object", "properties": bad}, "outputSchema": {"type": "any"}})
    told = str(caught.value).split("\n")
    assert [own.split(": ")[0] for own in told] == ["q.a", "q.b", "q.c[]", "q.d", "result of q"]
    many = {"type": "object", "properties": {f"f{own}": 5 for own in range(99)}}
    with pytest.raises(RuleError, match=r"q\.f19: .*\nq: 79 more faults$"):
        only({"name": "q", "parameters": many})
