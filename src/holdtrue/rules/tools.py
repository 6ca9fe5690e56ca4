"""Read the definitions of an app's tools in the forms of model providers, MCP, plain JSON and Python.

    {"type": "function", "function": {"name": ..., "parameters": ...}}      OpenAI chat
    {"type": "function", "name": ..., "parameters": ...}                    OpenAI Responses
    {"name": ..., "input_schema": ...}                                      Anthropic
    {"name": ..., "inputSchema": ..., "outputSchema": ..., "annotations": {"readOnlyHint": true}}      MCP
    {"toolSpec": {"name": ..., "inputSchema": {"json": ...}}}               Bedrock
    {"functionDeclarations": [{"name": ..., "parameters": {"type": "OBJECT", ...}}]}      Gemini
    {"name": ..., "description": ..., "parameters": ...}                    plain

Lists of tools may be within `{"tools": ...}`, `{"toolConfig": {"tools": ...}}` or `{"result": {"tools": ...}}`. A
function with type hints is a tool, and a pydantic model class is one with the name of the class. An object with
`model_dump`, as MCP clients return it, is read from its dump. Other keys are ignored, unless they look misspelt or
seem to hold the arguments.

>>> tools = read_tools([{"name": "refund", "parameters": {"properties": {"amount": {"type": "number"}}}}])
>>> {name: str(field.type) for name, field in tools[0].arguments.fields.items()}
{'amount': 'number'}
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from holdtrue.rules.function_definitions import UNREADABLE, definition_of
from holdtrue.rules.paths import check_text, nearest_name, shortened, some_of
from holdtrue.rules.schema import NothingRead, read_schema
from holdtrue.rules.schema_keywords import says, standard_form
from holdtrue.rules.syntax import RuleError
from holdtrue.rules.types import MapOf, Record, Type, without_null

_PARAMETERS = ("parameters", "input_schema", "inputSchema", "parametersJsonSchema", "parameters_json_schema")
_RESULT = ("outputSchema", "output_schema", "response", "responseJsonSchema", "response_json_schema")
_AROUND = ("toolConfig", "result", "tools", "functionDeclarations", "function_declarations", "toolSpec")
"""The keys under which lists of tools, and tools, stand."""
_KEYS = (*_PARAMETERS, *_RESULT, "name", "description", "annotations")
_TYPES = ("function", "custom")
"""The types of tools that an app runs itself; OpenAI and Anthropic run all others, which have no schema."""


@dataclass(frozen=True)
class ToolSchema:
    """A `ToolSchema` is the definition of one of an app's tools.

    Attributes:
        name: The name in tool calls.
        description: The description for the model, or "".
        arguments: The type of the arguments of a call.
        result: The type of the result, or None if the app does not declare it.
        read_only: Whether the app declares that calls change nothing (`readOnlyHint`), or None.
        notes: The constraints of the schema that the types omit, each with its path.
        about: The description of each argument, by its name.
        defaults: The default value of each argument that has one, by its name, as JSON.
        parameters: The schema of the arguments as the app wrote it, or None.
    """

    name: str
    description: str
    arguments: Record
    result: Type | None
    read_only: bool | None
    notes: tuple[str, ...]
    about: Mapping[str, str] = field(default_factory=dict)
    defaults: Mapping[str, Any] = field(default_factory=dict)
    parameters: object = None


def read_tools(definitions: object) -> tuple[ToolSchema, ...]:
    """Return the tools of a list, or of a mapping such as `{"tools": [...]}`, in order.

    Raises `RuleError` with the messages of all invalid tools and repeated names.
    """
    found = tuple(each_tool(definitions))
    if faults := [own.message for own in found if isinstance(own, RuleError)]:
        raise RuleError("\n".join(faults))
    return tuple(own for own in found if isinstance(own, ToolSchema))


def each_tool(definitions: object) -> Iterator[ToolSchema | RuleError]:
    """Yield each tool, or the error of an invalid one, in order. Raises `RuleError` if `definitions` is not a list."""
    given = (
        [definitions]
        if isinstance(definitions, Mapping) and any(key in definitions for key in _AROUND)
        else definitions
    )
    if not isinstance(given, Sequence) or isinstance(given, str | bytes):
        raise RuleError(f"tools are a list of definitions, not {shortened(given)}")
    places: dict[str, str] = {}
    for where, definition in _unpacked(given, "tools"):
        try:
            tool = read_tool(definition, where)
        except RuleError as error:
            yield error
            continue
        if (first := places.setdefault(tool.name, where)) != where:
            yield RuleError(f"{where}: the name {shortened(tool.name)} is that of {first} too")
        else:
            yield tool


def _unpacked(definitions: Sequence[object], where: str) -> Iterator[tuple[str, object]]:
    """Yield the definitions with their places, including those under keys such as `result` or `tools`."""
    for place, own in enumerate(definitions):
        path, inner = f"{where}[{place}]", own
        for key in _AROUND:
            if (
                isinstance(inner, Mapping)
                and "name" not in inner
                and isinstance(inner.get(key), Mapping | list | tuple)
            ):
                path, inner = f"{path}.{key}", inner[key]
        if isinstance(inner, list | tuple):
            yield from _unpacked(inner, path)
        elif not (isinstance(inner, Mapping) and inner.keys() == {"cachePoint"}):  # Bedrock's mark among its tools.
            yield path, inner


def read_tool(definition: object, where: str) -> ToolSchema:
    """Return one tool. Raises `RuleError`, which begins with `where`, or with the tool's name for a wrong schema."""
    given, where = _unwrapped(_as_mapping(definition, where), where)
    _check_keys(given, where)
    name = _text(given, "name", where)
    if not name:
        raise RuleError(f"{where}: a tool has a name; there is {some_of([*map(str, given)], 5) or 'nothing'}")
    parameters = _schema_of(given, _PARAMETERS, where)
    if parameters is None and given.get("type") == "custom":
        raise RuleError(f"{where}: {shortened(name)} takes a text that no schema tells of, so rules cannot speak of it")
    if parameters is None:
        _check_no_schema(given, where, name)
    faults: list[str] = []
    record, notes, result, more = Record({}, name), tuple[str, ...](), None, tuple[str, ...]()
    try:
        record, notes = _arguments(parameters, name, where)
    except RuleError as error:
        faults.append(error.message)
    try:
        result, more = _result(given, name, where)
    except RuleError as error:
        faults.append(error.message)
    if faults:
        raise RuleError("\n".join(faults))
    return ToolSchema(
        name,
        _text(given, "description", where),
        record,
        result,
        _read_only(given, where),
        (*notes, *more),
        {name: own for name, own in _annotated(parameters, "description").items() if isinstance(own, str)},
        _annotated(parameters, "default"),
        parameters,
    )


def _arguments(parameters: object, name: str, where: str) -> tuple[Record, tuple[str, ...]]:
    """Return the type of the arguments, and notes. It has no fields if no type expresses them. Raises `RuleError`."""
    try:
        found = read_schema(_with_properties({} if parameters is None else parameters), name, loose=True)
    except NothingRead as error:
        return Record({}, name), (f"{error.message}; its arguments are not read, and rules cannot speak of them",)
    record = without_null(found.type)
    if isinstance(record, MapOf):
        return Record({}, name), (*found.notes, f"{name}: its arguments have any names, and are not read")
    if not isinstance(record, Record):
        raise RuleError(f"{where}: the arguments of {shortened(name)} are an object, not {record}")
    return record, found.notes


def _check_no_schema(given: Mapping[str, Any], where: str, name: str) -> None:
    """Raise `RuleError` if a tool's arguments are under an unknown key, because the tool would seem to have none."""
    for key, own in given.items():
        listed = own.values() if isinstance(own, Mapping) and key not in _KEYS else ()
        if listed and ("properties" in own or all(_is_schema(each) for each in listed)):
            keys = ", ".join(_PARAMETERS[:3])
            raise RuleError(f"{where}: of {shortened(name)} {shortened(key)} is not read; its arguments are in {keys}")


def _is_schema(given: object) -> bool:
    return isinstance(given, Mapping) and any(key in given for key in ("type", "$ref", "enum", "anyOf"))


def _annotated(parameters: object, key: str) -> dict[str, Any]:
    """Return the value of an annotation, such as `description`, for each argument that has it."""
    properties = parameters.get("properties") if isinstance(parameters, Mapping) else None
    listed = properties.items() if isinstance(properties, Mapping) else ()
    return {name: own[key] for name, own in listed if isinstance(own, Mapping) and key in own}


def _as_mapping(definition: object, where: str) -> Mapping[str, Any]:
    model: Any = definition
    if inspect.isroutine(definition):
        return definition_of(model)
    if isinstance(definition, type) and hasattr(definition, "model_json_schema"):
        try:
            schema = model.model_json_schema()
        except UNREADABLE as error:
            raise RuleError(f"{where}: {definition.__name__} has no JSON Schema: {str(error)[:200]}") from error
        described = schema.get("description", "") if isinstance(schema, Mapping) else ""
        return {"name": definition.__name__, "description": described, "parameters": schema}
    if not isinstance(definition, Mapping | type) and hasattr(definition, "model_dump"):
        try:
            definition = model.model_dump(mode="json", by_alias=True, exclude_none=True)
        except UNREADABLE as error:
            raise RuleError(f"{where}: {type(model).__name__} has no JSON form: {str(error)[:200]}") from error
    if not isinstance(definition, Mapping):
        kinds = "an object, a function or a pydantic model class"
        raise RuleError(f"{where}: a tool is {kinds}, not {shortened(definition)}")
    return definition


def _unwrapped(given: Mapping[str, Any], where: str) -> tuple[Mapping[str, Any], str]:
    """Return the definition without OpenAI's `function` around it, and its place."""
    kind = given.get("type", "function")
    if kind not in _TYPES:
        raise RuleError(f"{where}: a tool of type {shortened(kind)} has no arguments that rules can speak of")
    if kind == "custom" or "function" not in given:
        return given, where
    inner = given["function"]
    if not isinstance(inner, Mapping):
        raise RuleError(f"{where}.function: a function is an object, not {shortened(inner)}")
    return inner, f"{where}.function"


def _check_keys(given: Mapping[str, Any], where: str) -> None:
    """Raise `RuleError` for a misspelt key, since the tool would seem to have no arguments."""
    for key in given:
        if key not in _KEYS and (near := nearest_name(str(key), _KEYS, 0.8)) is not None and near not in given:
            raise RuleError(f"{where}: a tool has no {shortened(key)}; did you mean {shortened(near)}?")


def _text(given: Mapping[str, Any], key: str, where: str) -> str:
    value = given.get(key)
    if value is not None and not isinstance(value, str):
        raise RuleError(f"{where}.{key}: it is a text, not {shortened(value)}")
    check_text(value or "", f"{where}.{key}")
    return value or ""


def _schema_of(given: Mapping[str, Any], keys: Sequence[str], where: str) -> object:
    present = [key for key in keys if given.get(key) is not None]
    if "response" in present and not isinstance(given["response"], Mapping):
        present.remove("response")  # Only Gemini describes the result under this key.
    if len(present) > 1:
        raise RuleError(f"{where}: a tool has one of {' and '.join(present)}, not both")
    found = given[present[0]] if present else None
    return standard_form(found["json"] if isinstance(found, Mapping) and found.keys() == {"json"} else found)


def _with_properties(parameters: object) -> object:
    """Return a schema of arguments with `properties`, which are empty if the schema describes none."""
    if isinstance(parameters, Mapping) and parameters.get("patternProperties") and not parameters.get("properties"):
        parameters = {key: own for key, own in parameters.items() if key != "additionalProperties"}
    if not isinstance(parameters, Mapping) or says(parameters) or parameters.get("type", "object") != "object":
        return parameters
    return {**parameters, "type": "object", "properties": {}}


def _result(given: Mapping[str, Any], name: str, where: str) -> tuple[Type | None, tuple[str, ...]]:
    schema = _schema_of(given, _RESULT, where)
    if schema is None:
        return None, ()
    try:
        found = read_schema(schema, f"result of {name}")
    except NothingRead as error:
        return None, (str(error),)
    return found.type, found.notes


def _read_only(given: Mapping[str, Any], where: str) -> bool | None:
    annotations = given.get("annotations")
    if annotations is None:
        return None
    if not isinstance(annotations, Mapping):
        raise RuleError(f"{where}.annotations: they are an object, not {shortened(annotations)}")
    hint = annotations.get("readOnlyHint")
    if hint is not None and not isinstance(hint, bool):
        raise RuleError(f"{where}.annotations.readOnlyHint: it is true or false, not {shortened(hint)}")
    return hint
