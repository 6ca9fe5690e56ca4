"""Two types go together or they do not, and a type is refined by another one."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.logic.units import unit
from holdtrue.logic.value_sorts import DATE, MOMENT, TIME, WHOLE, Amount, Calendar
from holdtrue.rules.refinement import at, refined
from holdtrue.rules.schema import read_schema
from holdtrue.rules.syntax import RuleError
from holdtrue.rules.type_lattice import common_step, conversion, same_units, unified
from holdtrue.rules.type_notation import read_type
from holdtrue.rules.types import (
    BARE,
    DURATION,
    FLAG,
    NULL,
    TEXT,
    Field,
    ListOf,
    MapOf,
    Name,
    Nullable,
    Number,
    Record,
    Type,
    without_null,
)
from holdtrue.rules.values import Reader
from tests.rules.schemas import same, types, valid
from tests.rules.written_types import write_type

STEPS = st.none() | st.fractions(min_value=Fraction(1, 1000), max_value=10).filter(bool)
NUMBERS = st.builds(
    lambda name, step, bare: Number(Amount(unit("" if bare else name), step), bare=bare),
    st.sampled_from(["", "kg", "g", "t", "USD", "EUR", "hour", "day", "night", "%"]),
    STEPS,
    st.booleans(),
)
BAG = Record({"weight": Field(Number(Amount(unit("kg"))))})
LIGHT = Record({"weight": Field(Number(Amount(unit("g"))))})
TWIN = Record({"weight": Field(Number(Amount(unit("kg"))))})
LEAVES: st.SearchStrategy[Type] = NUMBERS | st.sampled_from(
    [FLAG, TEXT, NULL, DATE, TIME, MOMENT, Calendar("moment", "Z"), Name("user"), Name(values=("a",)), BAG, LIGHT, TWIN]
)
TYPES = st.recursive(
    LEAVES,
    lambda own: st.one_of(own.map(ListOf), own.map(MapOf), own.map(lambda one: Nullable(without_null(one)))),
    max_leaves=4,
)


@given(TYPES, TYPES)
def test_it_does_not_matter_which_type_is_named_first(left: Type, right: Type) -> None:
    one, other = unified(left, right), unified(right, left)
    assert (one is None) is (other is None)
    assert same_units(left, right) is same_units(right, left)


@given(TYPES)
def test_a_type_goes_together_with_itself_and_with_null(type: Type) -> None:
    assert unified(type, type) is not None
    found = unified(type, NULL)
    assert found == type or found == Nullable(type)
    assert same_units(type, type)


@given(NUMBERS, NUMBERS)
def test_numbers_go_together_in_one_unit_and_in_a_step_that_both_have(left: Number, right: Number) -> None:
    found = unified(left, right)
    together = left.bare or right.bare or left.sort.unit.dimension == right.sort.unit.dimension
    assert (found is not None) is together
    if not isinstance(found, Number):
        return
    assert found.bare is (left.bare and right.bare)
    if left.sort.step is None or right.sort.step is None:
        assert found.sort.step is None
        return
    step = common_step(left, right)
    assert step
    assert (left.sort.step / step).denominator == 1
    assert (right.sort.step * conversion(right, left) / step).denominator == 1


@pytest.mark.parametrize(
    ("left", "right", "found"),
    [
        (BARE, Number(Amount(unit("USD"), Fraction(1, 100))), Number(Amount(unit("USD"), Fraction(1, 100)))),
        (Number(Amount(), bare=True), Number(WHOLE), Number(Amount())),
        (Number(Amount(unit("hour"))), DURATION, Number(Amount(unit("hour")))),
        (Nullable(FLAG), FLAG, Nullable(FLAG)),
        (ListOf(BARE, 2), ListOf(NULL, 0), ListOf(Nullable(BARE))),
        (Name("user"), TEXT, Name("user")),
        (Name(values=("a", "b")), Name(values=("b", "c")), Name(values=("a", "b", "c"))),
        (Name(values=("a",)), TEXT, TEXT),
        (Name("user"), Name("booking"), None),
        (DATE, MOMENT, None),
        (Calendar("moment", "EST"), Calendar("moment", "Z"), None),
        (FLAG, BARE, None),
        (TEXT, BARE, None),
        (ListOf(TEXT), ListOf(FLAG), None),
        (MapOf(TEXT), ListOf(TEXT), None),
        (BAG, TWIN, BAG),
        (BAG, LIGHT, None),
        (BAG, Record({}), None),
    ],
)
def test_what_two_types_have_in_common(left: Type, right: Type, found: Type | None) -> None:
    assert unified(left, right) == found


DATA = {
    "user_id": "text",
    "cabin": ["economy", "business"],
    "payments": {"list of": {"id": "text", "amount": "number 0.."}},
    "profile?": {"or null": {"methods": {"map of": {"source": "text", "last four": "text or null"}}}},
    "seats": "map of whole",
    "people": "list of text from 1 up to 9",
    "bags": "whole 0..10",
    "leaves": "moment Z",
    "born": "date",
    "gift": "bool",
    "weight": "kg",
    "owner": "id of user",
}
CALL = read_type(DATA, {}, "book")


def new(data: object) -> Type:
    return read_type(data, {}, "refine")


@pytest.mark.parametrize(
    ("path", "refinement", "result"),
    [
        ("user_id", "id of user", "id of user"),
        ("user_id", "date", "date"),
        ("user_id", "duration", "duration"),
        ("user_id", "USD(2)", "USD(2)"),
        ("user_id", ["a", "b"], ["a", "b"]),
        ("cabin", ["business"], ["business"]),
        ("cabin", "text", ["economy", "business"]),
        ("payments[].amount", "USD(2)", "USD(2) 0.."),
        ("payments[].amount", "USD(2) ..500", "USD(2) 0..500"),
        ("payments[].amount", "duration", "duration 0s.."),
        (
            "payments",
            {"list of": {"amount": "USD(2)"}, "up to": 5},
            {"list of": {"id": "text", "amount": "USD(2) 0.."}, "up to": 5},
        ),
        ("profile.methods{}.source", ["card", "gift"], ["card", "gift"]),
        ("profile.methods{}['last four']", "id of card", "id of card or null"),
        ("profile.methods{}['last four']", "id of card or null", "id of card or null"),
        ("seats{}", "whole 0..", "whole 0.."),
        ("seats", {"economy": "whole 0..", "business?": "whole"}, {"economy": "whole 0..", "business?": "whole"}),
        ("people", "list of id of user up to 5", "list of id of user from 1 up to 5"),
        ("bags", "whole 2..20", "whole 2..10"),
        ("bags", "USD(2)", "whole USD 0..10"),
        ("bags", "number by 4", "number by 4 0..8"),
        ("leaves", "moment EST", "moment EST"),
        ("owner", "text", "id of user"),
        ("born", "date", "date"),
        ("", {"user_id": "id of user", "gift": "bool"}, {**DATA, "user_id": "id of user"}),
    ],
)
def test_a_part_is_refined_and_the_rest_stays(path: str, refinement: object, result: object) -> None:
    found = refined(CALL, path, new(refinement))
    assert write_type(at(found, path)) == result
    assert without_null(found).__class__ is Record and str(found) == "book"
    back = write_type(CALL)
    assert back == DATA, "the schema itself is as it was"


@pytest.mark.parametrize(
    ("path", "refinement", "message"),
    [
        ("user_idd", "text", "^user_idd: book has no 'user_idd'; did you mean 'user_id'"),
        ("payments[].amuont", "USD", r"^payments\[\]\.amuont: payments\[\] has no 'amuont'; did you mean 'amount'"),
        ("zzz", "text", "book has no 'zzz'; it has user_id, cabin, payments"),
        ("payments.amount", "USD", r"payments is a list; write payments\[\] for its items"),
        ("seats.economy", "whole", "seats is a map of any names; write seats{} for its values"),
        ("profile[]", "text", r"profile is a record; name a field of it, such as profile\.methods"),
        ("born.year", "whole", "born is date, which has no parts"),
        (
            "payments[].amount",
            "date",
            r"payments\[\]\.amount is number in the schema, and cannot be date; it can become a number",
        ),
        ("payments[].amount", "USD(2) ..-1", "no number is within both"),
        ("weight", "USD", "is kg in the schema, and cannot be USD"),
        ("cabin", ["first"], "cabin is never 'first' in the schema; it is one of economy, business"),
        ("cabin", ["busines"], "did you mean 'business'"),
        ("cabin", "date", "it can become an id, or some of its values"),
        ("owner", "id of card", "owner is id of user in the schema, and cannot be id of card"),
        ("born", "text", "born is date in the schema, and cannot be text"),
        ("user_id", "list of text", "it can become an id, an enumeration"),
        ("user_id", "text or null", "user_id is never null in the schema; write text"),
        ("people", "list of text up to 0", "people has at least 1 items, and cannot have at most 0"),
        ("people", "list of bool", r"people\[\] is text in the schema, and cannot be bool"),
        ("people", "text", "cannot be text; it can become a list"),
        ("seats", {"economy": "text"}, r"seats\.economy is whole in the schema, and cannot be text"),
        ("", {"user": "id of user"}, "book has no 'user'; did you mean"),
        ("", "text", "book is book in the schema|cannot be text"),
        ("user id", "text", "'user id' is no path, from ' id' on"),
        ("payments[0]", "text", "is no path, from '.0.' on"),
        ("a" + ".a" * 100, "text", "over 60 steps"),
    ],
)
def test_a_refinement_that_cannot_be_is_named(path: str, refinement: object, message: str) -> None:
    with pytest.raises(RuleError, match=message):
        refined(CALL, path, new(refinement))


def test_a_field_that_no_type_could_say_gets_one() -> None:
    schema = {"properties": {"meta": {}, "when": {"type": ["string", "integer"]}}, "required": ["meta"]}
    found = read_schema(schema, "call").type
    with pytest.raises(RuleError, match=r"^meta\.tag: meta is not read, since the schema does not say what it is"):
        refined(found, "meta.tag", new("text"))
    with pytest.raises(RuleError, match=r"^when: when is not read, since it may be text or whole$"):
        at(found, "when")
    told = refined(refined(found, "meta", new("map of text")), "", new({"when": "date"}))
    assert write_type(told) == {"meta": "map of text", "when?": "date"}
    assert isinstance(told, Record) and told.unread == {}


def test_ids_and_enumerations_go_together() -> None:
    found = at(refined(refined(CALL, "cabin", new("id of cabin")), "cabin", new(["economy"])), "cabin")
    assert found == Name("cabin", ("economy",))


@given(types(schema=True))
@settings(max_examples=300)
def test_a_type_is_refined_by_itself(type: Type) -> None:
    assert same(refined(type, "", type), type)


@given(types(schema=True), types(schema=True), st.data())
@settings(max_examples=1000)
def test_a_refined_type_reads_nothing_that_its_schema_refuses(type: Type, other: Type, data: st.DataObject) -> None:
    try:
        found = refined(type, "", other)
    except RuleError:
        return
    if "Name" in repr(type) or "MapOf" in repr(type) or "name='s'" in repr(other):
        return  # A text may become a number, a number a duration, which may be written; a map a record, which is open.
    value: Any = valid(found, data.draw)
    Reader().read(value, type, "x")
