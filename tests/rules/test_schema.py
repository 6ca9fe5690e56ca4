"""Types from JSON Schema express, note and read its constraints, and invalid schemas are refused."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum, IntEnum
from fractions import Fraction
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field

from holdtrue.errors import InputError
from holdtrue.logic.value_sorts import DATE, NUMBER, TIME, WHOLE, Amount
from holdtrue.rules.refinement import at
from holdtrue.rules.schema import NothingRead, read_schema
from holdtrue.rules.schema_validation import SchemaValidator
from holdtrue.rules.syntax import RuleError
from holdtrue.rules.type_lattice import both, narrower, wider
from holdtrue.rules.type_notation import read_type
from holdtrue.rules.types import (
    DURATION,
    FLAG,
    NULL,
    TEXT,
    ListOf,
    MapOf,
    Name,
    Nullable,
    Number,
    Record,
    Type,
    Unread,
)
from holdtrue.rules.values import Reader, ValueFault
from tests.rules.schemas import ZONED, as_schema, broken, same, types, valid
from tests.rules.written_types import write_type

AT_MOST_9 = Number(WHOLE, Fraction(1), Fraction(9))
UNREAD = "it is not read, and rules cannot speak of it"


def written(schema: object) -> Any:
    """Return the type of a schema in the notation of policies."""
    return write_type(read_schema(schema, "x").type)


def notes(schema: object) -> list[str]:
    return list(read_schema(schema, "x").notes)


@given(types(schema=True), st.data())
@settings(max_examples=600)
def test_a_schema_of_a_type_is_read_as_that_type(type: Type, data: st.DataObject) -> None:
    found = read_schema(as_schema(type, data.draw), "x")
    assert same(found.type, type) and found.notes == ()


@given(types(schema=True), st.data())
@settings(max_examples=600)
def test_values_of_a_schema_are_read(type: Type, data: st.DataObject) -> None:
    Reader().read(valid(type, data.draw), read_schema(as_schema(type, data.draw), "x").type, "x")


@given(types(schema=True), st.data())
@settings(max_examples=600)
def test_values_that_break_a_schema_are_refused(type: Type, data: st.DataObject) -> None:
    found = read_schema(as_schema(type, data.draw), "x").type
    with pytest.raises(ValueFault):
        Reader().read(broken(type, data.draw), found, "x")


@pytest.mark.parametrize(
    ("schema", "type"),
    [
        ({"type": "string", "format": "date"}, DATE),
        ({"type": "string", "format": "time"}, TIME),
        ({"type": "string", "format": "date-time"}, ZONED),
        ({"type": "string", "format": "duration"}, DURATION),
        ({"type": "null"}, NULL),
        ({"const": None}, NULL),
        ({"type": "boolean", "enum": [False, True]}, FLAG),
        ({"type": ["integer", "null"], "minimum": 1}, Nullable(Number(WHOLE, Fraction(1)))),
        ({"type": ["integer", "number"]}, Number()),
        ({"type": "integer", "minimum": 0.5, "maximum": 9.99}, Number(WHOLE, Fraction(1), Fraction(9))),
        ({"type": "integer", "exclusiveMinimum": 0, "minimum": 0}, Number(WHOLE, Fraction(1))),
        ({"type": "integer", "minimum": 0, "exclusiveMinimum": True}, Number(WHOLE, Fraction(1))),
        ({"type": "integer", "maximum": 9, "exclusiveMaximum": False}, Number(WHOLE, None, Fraction(9))),
        ({"type": "integer", "multipleOf": 1.5}, Number(Amount(step=Fraction(3)))),
        (
            {"type": "number", "multipleOf": 0.01, "maximum": 1e2},
            Number(Amount(step=Fraction(1, 100)), None, Fraction(100)),
        ),
        ({"enum": ["a", None, "a"]}, Nullable(Name(values=("a",)))),
        ({"type": "string", "enum": ["a", None, 5]}, Name(values=("a",))),
        ({"type": "string", "enum": ["a"], "nullable": True}, Nullable(Name(values=("a",)))),
        ({"enum": [2011, 2010, 2012.0]}, Number(WHOLE, Fraction(2010), Fraction(2012))),
        ({"anyOf": [{"const": "a"}, {"enum": ["b", "c"]}]}, Name(values=("a", "b", "c"))),
        ({"anyOf": [{"const": "auto"}, {"type": "string"}]}, TEXT),
        ({"anyOf": [{"type": "integer", "maximum": 5}, {"type": "number"}]}, Number()),
        ({"anyOf": [{"type": "integer"}]}, Number(WHOLE)),
        ({"allOf": [{"type": "string", "format": "date"}], "description": "when"}, DATE),
        ({"allOf": [{"type": "number", "minimum": 0.5}, {"type": "integer", "maximum": 9}]}, AT_MOST_9),
        ({"type": ["integer", "null"], "allOf": [{"type": "number", "minimum": 1, "maximum": 9}]}, AT_MOST_9),
        ({"allOf": [{"type": "string"}], "enum": ["a", "b"]}, Name(values=("a", "b"))),
        ({"allOf": [{"type": "string"}, {"type": ["string", "null"]}]}, TEXT),
        ({"type": "array", "items": {"type": "string"}, "maxItems": 5.0}, ListOf(TEXT, 5)),
        ({"items": {"type": "boolean"}, "minItems": 1}, ListOf(FLAG, None, 1)),
        ({"additionalProperties": {"type": "number"}}, MapOf(Number())),
        ({"type": "object", "properties": {}, "additionalProperties": {"type": "null"}}, MapOf(NULL)),
    ],
)
def test_what_is_said_exactly(schema: object, type: Type) -> None:
    found = read_schema(schema, "x")
    assert found.type == type and found.notes == ()


@pytest.mark.parametrize(
    ("schema", "type", "note"),
    [
        (
            {"type": "string", "pattern": "^x", "minLength": 1},
            "text",
            "x: pattern and minLength are no part of its type",
        ),
        ({"type": "string", "format": "email"}, "text", "x: the format 'email' is not checked"),
        ({"type": "number", "exclusiveMinimum": 0}, "number 0..", "x: it is over 0; 0 itself is read too"),
        ({"enum": [5, 1]}, "whole 1..5", "x: of its 2 values only the least and the greatest are part of its type"),
        ({"const": True}, "bool", "x: it is always true, which is no part of its type"),
        (
            {"type": "array", "items": {"type": "string"}, "uniqueItems": True},
            "list of text",
            "x: uniqueItems is no part of its type",
        ),
        (
            {"anyOf": [{"type": "string", "format": "date"}, {"type": "string", "format": "time"}]},
            "text",
            "x: it may be date or time, and is read as text",
        ),
        (
            {"anyOf": [{"type": "number", "minimum": 1}, {"type": "string"}, {"type": "null"}]},
            "number 1.. or null",
            "x: it may be a text in place of a number, and only a number is read",
        ),
        (
            {"anyOf": [{"type": "integer", "maximum": 0}, {"type": "integer", "minimum": 9}]},
            "whole",
            "x: it may be whole, and is read as whole",
        ),
        ({"type": "string", "anyOf": [{"pattern": "a"}, {"pattern": "b"}]}, "text", "x: anyOf is no part of its type"),
        (
            {"properties": {"a": {"type": "string"}}, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]},
            {"a?": "text"},
            "x: anyOf is no part of its type",
        ),
        (
            {"properties": {"a": {"type": "string"}}, "additionalProperties": {"type": "string"}},
            {"a?": "text"},
            "x: fields with other names are not read",
        ),
        (
            {"allOf": [{"type": "string"}, {"not": {"const": "no"}}]},
            "text",
            "x: a part of allOf is no part of its type",
        ),
    ],
)
def test_what_is_wider_than_the_schema_is_noted(schema: object, type: object, note: str) -> None:
    assert (written(schema), notes(schema)) == (type, [note])


@pytest.mark.parametrize(
    ("schema", "why"),
    [
        (True, "the schema allows anything"),
        (False, "the schema allows nothing here"),
        ({}, "the schema does not say what it is"),
        ({"title": "A", "default": 5}, "the schema does not say what it is"),
        ({"type": "object"}, "the schema does not list its fields"),
        ({"type": "object", "additionalProperties": True}, "the schema does not list its fields"),
        ({"type": "array"}, "of its items the schema allows anything"),
        ({"type": ["string", "integer"]}, "it may be text or whole"),
        ({"anyOf": [{"type": "integer"}, {"type": "string"}]}, "it may be whole or text"),
        ({"enum": ["a", 1]}, "its values are neither all texts nor all numbers"),
        ({"enum": [True, 1]}, "its values are neither all texts nor all numbers"),
        ({"enum": [[1]]}, "its values are neither all texts nor all numbers"),
        ({"type": "integer", "enum": ["1"]}, "none of its values is of its type"),
        (
            {"type": "array", "prefixItems": [{"type": "string"}]},
            "it is a tuple, whose items are of several types by their place",
        ),
        (
            {"type": "array", "items": [{"type": "string"}]},
            "it is a tuple, whose items are of several types by their place",
        ),
        (
            {"allOf": [{"type": "string"}, {"type": "number"}]},
            "its parts (allOf) are of types that do not go together",
        ),
    ],
)
def test_what_no_type_says_is_unread(schema: object, why: str) -> None:
    with pytest.raises(NothingRead, match=r"^x: .* has no type$"):
        read_schema(schema, "x")
    found = read_schema({"properties": {"a": {"type": "string"}, "b": schema}, "required": ["b"]}, "x")
    assert isinstance(found.type, Record)
    is_open = why == "the schema does not list its fields"
    assert (write_type(found.type), found.type.unread) == ({"a?": "text"}, {"b": Unread(why, is_open=is_open)})
    assert found.notes == (f"x.b: {why}; {UNREAD}",)


def test_a_required_field_without_a_schema_is_unread() -> None:
    found = read_schema({"type": "object", "properties": {}, "required": ["a"], "additionalProperties": False}, "x")
    assert isinstance(found.type, Record) and list(found.type.unread) == ["a"]


def test_shapes_of_an_object_are_read_as_all_their_fields() -> None:
    card = {
        "properties": {"kind": {"const": "card"}, "last": {"type": "string"}, "ref": {}},
        "required": ["kind", "last"],
    }
    gift = {"properties": {"kind": {"const": "gift"}, "left": {"type": "number"}, "ref": {"type": "string"}}}
    found = read_schema(
        {"$defs": {"Card": card, "Gift": gift}, "oneOf": [{"$ref": "#/$defs/Card"}, {"$ref": "#/$defs/Gift"}]}, "x"
    )
    assert write_type(found.type) == {"kind?": ["card", "gift"], "last?": "text", "left?": "number"}
    assert isinstance(found.type, Record) and list(found.type.unread) == ["ref"], (
        "what one shape cannot say, both cannot"
    )
    assert found.notes[-1] == "x: it may be Card or Gift, and is read as all their fields"


def test_parts_of_an_object_are_joined() -> None:
    base = {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}
    more = {"allOf": [{"$ref": "#/definitions/Base"}], "type": "object", "properties": {"at": {"type": "boolean"}}}
    assert written({"definitions": {"Base": base}, **more}) == {"id": "text", "at?": "bool"}
    parts: Any = [
        {"properties": {"n": {"minimum": 3}, "id": {"type": "null"}}},
        {"properties": {"n": {"enum": [1, 2]}}},
    ]
    apart = f"x.id: its parts are of types that do not go together, null and text; {UNREAD}"
    assert (written({**base, "allOf": parts}), notes({**base, "allOf": parts})) == ({"n?": "whole 1..2"}, [apart])


def test_a_union_beside_properties_is_read_with_them() -> None:
    shapes = [{"properties": {"k": {"const": own}, "n": {"type": "integer"}}, "required": ["k"]} for own in "ab"]
    beside: dict[str, Any] = {"properties": {"k": {"type": "string"}, "m": {"type": "boolean"}}, "required": ["m"]}
    assert written({**beside, "oneOf": shapes}) == {"k": ["a", "b"], "n?": "whole", "m": "bool"}
    broken: dict[str, Any] = {"properties": {"z": {"type": "integer", "minimum": 2, "maximum": 1}}}
    later = {"properties": {"u": {"properties": {}, "oneOf": [{"$ref": "#/$defs/z"}]}, "z": {"$ref": "#/$defs/y"}}}
    assert written({**later, "$defs": {"y": beside, "z": {"allOf": [{"$ref": "#/$defs/y"}, broken]}}}) == {
        "u?": {},
        "z?": written(beside),
    }


def test_a_field_is_loose_where_its_schema_takes_texts_that_its_type_does_not_read() -> None:
    price = {"anyOf": [{"type": "number"}, {"type": "string"}]}
    each = {"n": {"$ref": "#/$defs/p"}, "list": {"items": {"$ref": "#/$defs/p"}}, "of": {"properties": {"p": price}}}
    found = read_schema({"properties": {**each, "a": {"type": "string"}}, "$defs": {"p": price}}, "x", loose=True).type
    assert isinstance(found, Record)
    assert [name for name, own in found.fields.items() if own.loose] == ["n", "list"]
    of = found.fields["of"].type
    assert isinstance(of, Record) and of.fields["p"].loose
    assert Reader().read({"list": [1, "two"]}, found, "x")["list"].fits is False


def test_a_definition_is_read_once() -> None:
    money = {
        "type": "object",
        "properties": {"amount": {"type": "number"}, "code": {"type": "string", "pattern": "^[A-Z]+"}},
    }
    schema = {
        "type": "object",
        "properties": {
            "one": {"$ref": "#/$defs/a~1b%20c"},
            "two": {"type": "array", "items": {"$ref": "#/$defs/a~1b c"}},
        },
        "$defs": {"a/b c": money},
    }
    found = read_schema(schema, "x")
    assert isinstance(found.type, Record)
    one, two = (found.type.fields[name].type for name in ("one", "two"))
    assert isinstance(two, ListOf) and one is two.item and str(one) == "a/b c"
    assert found.notes == ("a/b c.code: pattern is no part of its type",)


class Cabin(Enum):
    ECONOMY = "economy"
    BUSINESS = "business"


class Rank(IntEnum):
    LOW = 1
    HIGH = 2


class Passenger(BaseModel):
    name: str
    born: date
    rank: Rank = Rank.LOW


class Card(BaseModel):
    kind: Literal["card"]
    last_four: str


class Gift(BaseModel):
    kind: Literal["gift"]
    left: Annotated[Decimal, Field(ge=0)]


class Booking(BaseModel):
    model_config = ConfigDict(extra="forbid")

    cabin: Cabin
    trip: Literal["one_way", "round_trip"]
    passengers: list[Passenger] = Field(min_length=1, max_length=5)
    price: Decimal
    paid_with: Card | Gift = Field(discriminator="kind")
    leaves: datetime
    boards: time
    lasts: timedelta
    back: date | None = None
    seats: dict[str, int] = {}
    note: str | None = None
    insured: bool = False
    discount: Annotated[float, Field(ge=0, le=1)] = 0
    extra: Any = None
    ref: int | str = 0


def test_a_pydantic_model_is_read() -> None:
    found = read_schema(Booking.model_json_schema(), "Booking")
    assert write_type(found.type) == {
        "cabin": ["economy", "business"],
        "trip": ["one_way", "round_trip"],
        "passengers": {"list of": {"name": "text", "born": "date", "rank?": "whole 1..2"}, "from": 1, "up to": 5},
        "price": "number",
        "paid_with": {"kind": ["card", "gift"], "last_four?": "text", "left?": "number 0.."},
        "leaves": "moment Z",
        "boards": "time",
        "lasts": "duration",
        "back?": "date or null",
        "seats?": "map of whole",
        "note?": "text or null",
        "insured?": "bool",
        "discount?": "number 0..1",
    }
    assert isinstance(found.type, Record) and list(found.type.unread) == ["extra", "ref"]
    assert "Booking.price: it may be a text in place of a number, and only a number is read" in found.notes
    assert f"Booking.ref: it may be whole or text; {UNREAD}" in found.notes


class Node(BaseModel):
    children: list[Node] = []


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#"},
        {
            "$ref": "#/$defs/A",
            "$defs": {"A": {"$ref": "#/$defs/B"}, "B": {"anyOf": [{"$ref": "#/%24defs/A"}, {"type": "null"}]}},
        },
    ],
)
def test_a_schema_that_is_nothing_but_itself_has_no_type(schema: object) -> None:
    with pytest.raises(NothingRead, match=r"^x: it leads back to .*, which is read 3 deep, so it has no type"):
        read_schema(schema, "x")


@pytest.mark.parametrize(
    ("schema", "path"),
    [(Node.model_json_schema(), "Node.children"), ({"properties": {"a": {"items": {"$ref": "#"}}}}, "x.a")],
)
def test_where_a_schema_contains_itself_nothing_is_read_and_that_is_noted(schema: object, path: str) -> None:
    found = read_schema(schema, "x")
    assert isinstance(found.type, Record) and any(
        own.startswith(path) and "which is read 3 deep; it is not read, and rules cannot speak of it" in own
        for own in found.notes
    )


def test_a_definition_is_read_three_deep_within_itself_or_once_where_that_is_too_much() -> None:
    parts = {"type": "array", "items": {"$ref": "#/$defs/F"}}
    node = {"type": "object", "properties": {"op": {"type": "string"}, "parts": parts}}
    found = read_schema({"properties": {"a": {"$ref": "#/$defs/F"}}, "$defs": {"F": node}}, "x")
    type: Any = found.type
    for _ in range(3):
        type = at(type, "a" if type is found.type else "parts[]")
        assert "op" in type.fields
    assert [*type.unread] == ["parts"]
    assert found.notes == (
        "F.parts: of its items it leads back to F, which is read 3 deep; it is not read, and rules cannot speak of it",
    )
    all_to_all = {
        f"d{own}": {"properties": {f"p{to}": {"$ref": f"#/$defs/d{to}"} for to in range(60)}} for own in range(60)
    }
    many = read_schema({"properties": {"a": {"$ref": "#/$defs/d0"}}, "$defs": all_to_all}, "x")
    assert any("which is read 1 deep" in own for own in many.notes)
    assert any("its references lead deeper than 60" in own for own in many.notes)


@pytest.mark.parametrize("reference", ["https://example.org/a.json", "#name"])
def test_what_an_address_or_an_anchor_names_is_not_read(reference: str) -> None:
    found = read_schema({"properties": {"a": {"$ref": reference}, "b": {"type": "string"}}}, "x")
    assert isinstance(found.type, Record) and [*found.type.fields] == ["b"]
    assert found.notes[0].startswith(f"x.a: its reference, '{reference}', is no path such as '#/$defs/day'")


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        (None, "a schema is an object, not None"),
        ("string", "a schema is an object, not 'string'"),
        ({"type": "strnig"}, "no type 'strnig'; did you mean 'string'"),
        ({"type": 5}, "a type is named by a text, not 5"),
        ({"type": []}, "one at least"),
        ({"type": "object", "properties": ["a"]}, "properties are schemas by name, not a list"),
        ({"properties": {"a": "string"}}, r"x\.a: a schema is an object, not 'string'"),
        ({"properties": {"a": {"type": "array", "items": "b"}}}, r"x\.a\[\]: a schema is an object"),
        ({"properties": {5: {}}}, "the name of a field is a text, not 5"),
        ({"properties": {}, "required": "a"}, "required is a list of names, not 'a'"),
        ({"properties": {}, "required": [5]}, "required is a list of names, not a list"),
        ({"enum": []}, "an enumeration has one value at least"),
        ({"enum": "abc"}, "an enumeration is a list of values, not 'abc'"),
        ({"anyOf": {}}, "anyOf is a list of schemas, not a dict"),
        ({"allOf": []}, "allOf is a list of schemas"),
        ({"type": "string", "format": 5}, "a format is a text, not 5"),
        ({"type": "number", "minimum": "1"}, "minimum has to be a number, not '1'"),
        ({"type": "number", "maximum": float("nan")}, "maximum has to be a number, not nan"),
        ({"type": "integer", "exclusiveMinimum": [1]}, "exclusiveMinimum has to be a number, not a list"),
        ({"type": "integer", "minimum": 10**5000}, "minimum has to be a number, not a huge number"),
        ({"type": "number", "multipleOf": 0}, "multipleOf has to be over 0"),
        ({"type": "number", "minimum": 2, "maximum": 1}, "no number is within the bounds 2 and 1"),
        ({"type": "integer", "minimum": 0.2, "maximum": 0.8}, "no number is within the bounds"),
        ({"type": "array", "items": {"type": "null"}, "minItems": 2, "maxItems": 1}, "at least 2 and at most 1 items"),
        ({"type": "array", "items": {"type": "null"}, "maxItems": -1}, "maxItems is a whole number from 0, not -1"),
        ({"type": "array", "items": {"type": "null"}, "maxItems": True}, "maxItems is a whole number from 0, not True"),
        ({"type": "array", "items": {"type": "null"}, "maxItems": float("inf")}, "maxItems is a whole number from 0"),
        ({"properties": {"\ud800": {}}}, r"half a character in '.ud800'"),
        ({"enum": ["\udfff"]}, r"half a character in '.udfff'"),
        ({"$ref": 5}, "a reference is a text such as '#/[$]defs/day', not 5"),
        ({"$ref": "#/$defs/Fligth", "$defs": {"Flight": {}}}, "has no '#/[$]defs/Fligth'; did you mean 'Flight'"),
        (
            {"properties": {"a": {"$id": "x:y", "items": {"$ref": "#/b"}}}},
            r"x\.a: the references in it start from its own",
        ),
        ({"$ref": "#/a/b", "a": 5}, "has no '#/a/b'; there is nothing"),
        ({"$ref": "#/a/9", "a": [True]}, "has no '#/a/9'"),
        ({"$ref": "#" + "/a" * 100}, "a reference of over 60 steps"),
    ],
)
def test_what_is_no_schema_is_refused_with_its_path(schema: object, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        read_schema(schema, "x")
    assert str(caught.value).startswith("x") and not isinstance(caught.value, NothingRead)


def test_large_and_deep_schemas_are_read_or_refused() -> None:
    text = {"type": "string"}
    most = read_schema({"properties": {f"field {place}": text for place in range(10_000)}}, "x").type
    assert isinstance(most, Record) and len(most.fields) == 10_000
    for wide in (
        {"properties": {f"f{place}": text for place in range(100_000)}},
        {"properties": {}, "required": list(map(str, range(10**5)))},
    ):
        with pytest.raises(RuleError, match="an object has 10,000 fields at most"):
            read_schema(wide, "x")
    with pytest.raises(RuleError, match="10,000 values at most"):
        read_schema({"enum": list(range(20_000))}, "x")
    with pytest.raises(RuleError, match="over 100,000 parts"):
        read_schema({"anyOf": [text] * 200_000}, "x")
    deep: Any = text
    for _ in range(10_000):
        deep = {"type": "array", "items": deep}
    with pytest.raises(RuleError, match="nested deeper than 60"):
        read_schema(deep, "x")
    circle: dict[str, Any] = {}
    circle["items"] = circle
    with pytest.raises(RuleError, match="nested deeper than 60"):
        read_schema(circle, "x")
    chain = {f"d{place}": {"$ref": f"#/$defs/d{place + 1}"} for place in range(10_000)}
    with pytest.raises(NothingRead, match="its references lead deeper than 60"):
        read_schema({"$defs": chain, "$ref": "#/$defs/d0"}, "x")


def test_definitions_that_double_are_read_once_each() -> None:
    doubling: dict[str, Any] = {
        f"d{place}": {"properties": {key: {"$ref": f"#/$defs/d{place + 1}"} for key in "ab"}} for place in range(25)
    }
    doubling["d25"] = {"type": "string", "pattern": "x"}
    found = read_schema({"$defs": doubling, "$ref": "#/$defs/d0"}, "x")
    assert found.notes == ("d25: pattern is no part of its type",)


def test_bounds_that_need_many_digits_are_kept_exactly() -> None:
    found = read_schema({"type": "number", "minimum": 1e-300, "maximum": 10**300}, "x").type
    assert found == Number(NUMBER, Fraction(1, 10**300), Fraction(10**300))


_KEYS = (
    "type properties required additionalProperties items prefixItems minItems maxItems enum const anyOf oneOf allOf "
    "$ref $defs minimum maximum exclusiveMinimum exclusiveMaximum multipleOf format nullable not uniqueItems a b"
).split()
_WORDS = "object array string integer number boolean null date date-time # #/$defs/a #/properties/a #/items a b".split()
SOUP = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.sampled_from((0.5, float("nan"), 1e308, -0.0))
    | st.sampled_from(_WORDS)
    | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(_KEYS), inner, max_size=5),
    max_leaves=12,
)


@given(SOUP)
@settings(max_examples=1500)
def test_anything_is_a_schema_or_an_error(schema: object) -> None:
    try:
        found = read_schema(schema, "x")
    except RuleError as error:
        assert str(error).startswith(("x", "a", "items", "["))
    else:
        assert same(read_type(write_type(found.type), {}, "t"), found.type), "what is read can be written"


@given(types(schema=True), types(schema=True), st.data())
@settings(max_examples=600)
def test_a_wider_type_reads_the_values_of_both(one: Type, other: Type, data: st.DataObject) -> None:
    found = wider(one, other)
    if found is not None:
        value = valid(data.draw(st.sampled_from((one, other))), data.draw)
        Reader().read(value, found, "x")


@given(types(schema=True), types(schema=True), st.data())
@settings(max_examples=600)
def test_either_of_two_schemas_reads_the_values_of_both(one: Type, other: Type, data: st.DataObject) -> None:
    schema = {"anyOf": [as_schema(one, data.draw), as_schema(other, data.draw)]}
    decimal = {type(one), type(other)} == {Name, Number}  # A decimal number may be a text, which is not read.
    try:
        found = read_schema(schema, "x").type
    except NothingRead:
        return
    value = valid(data.draw(st.sampled_from((one, other))), data.draw)
    if not (decimal and isinstance(value, str)):
        Reader().read(value, found, "x")


@given(types(schema=True), types(schema=True), st.data())
@settings(max_examples=600)
def test_a_narrower_type_reads_what_both_read(one: Type, other: Type, data: st.DataObject) -> None:
    value = valid(one, data.draw)
    try:
        Reader().read(value, other, "x")
    except ValueFault:
        return
    found = narrower(one, other)
    # A duration may be given as a number of seconds, and is a text in a schema.
    apart = isinstance(one, Number) and isinstance(other, Number) and one.sort.unit != other.sort.unit
    assert found is not None or apart or not isinstance(one, Name | Number)
    if found is not None:
        Reader().read(value, found, "x")


def test_of_records_that_disagree_a_field_is_unread() -> None:
    one, other = (read_schema({"properties": {"a": own}}, "x").type for own in ({"type": "string"}, {"type": "null"}))
    assert isinstance(one, Record) and isinstance(other, Record)
    why = "its parts are of types that do not go together, text and null"
    assert both(one, other).unread == {"a": Unread(why, required=False)}
    found = wider(one, other)
    assert isinstance(found, Record) and isinstance(found.fields["a"].type, Nullable)


@pytest.mark.parametrize(
    "form, good",
    [
        *(("date", "2026-03-02"), ("time", "10:30"), ("date-time", "2026-03-02T10:30"), ("duration", "PT2H")),
        *(("time", "01:59:60+02:00"), ("date-time", "2016-12-31T23:59:60Z"), ("duration", "P1Y2M")),
    ],
)
@pytest.mark.parametrize(
    "around, value",
    [
        (lambda own: {"properties": {"a": own}}, lambda text: {"a": text}),
        (lambda own: {"if": {"required": ["a"]}, "then": {"properties": {"a": own}}}, lambda text: {"a": text}),
        (lambda own: {"dependentSchemas": {"a": {"properties": {"a": own}}}}, lambda text: {"a": text}),
        (lambda own: {"patternProperties": {"^a": own}}, lambda text: {"ab": text}),
        (lambda own: {"additionalProperties": own}, lambda text: {"a": text}),
        (lambda own: {"prefixItems": [own]}, lambda text: [text]),
        (lambda own: {"contains": own}, lambda text: [1, text]),
        (lambda own: {"items": {"not": {"not": own}}}, lambda text: [text]),
    ],
)
def test_a_format_that_types_read_counts_wherever_it_stands(around: Any, value: Any, form: str, good: str) -> None:
    validator = SchemaValidator(around({"type": "string", "format": form}), "x", local=True)
    assert validator.fault(value(good)) is None
    assert validator.fault(value("soon")) is not None
    strict = SchemaValidator(validator.schema, "x")
    assert (strict.fault(value(good)) is None) is (good != "2026-03-02T10:30")
    assert SchemaValidator(around({"type": "string", "format": "email"}), "x").fault(value("soon")) is None
