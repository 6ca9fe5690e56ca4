"""Types in the notation of policies are read and written again, and mistakes are named."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.errors import InputError
from holdtrue.logic.units import unit
from holdtrue.logic.value_sorts import DATE, MOMENT, NUMBER, TIME, WHOLE, Amount, Calendar
from holdtrue.rules.paths import below, instead, read_path, written
from holdtrue.rules.syntax import RuleError
from holdtrue.rules.type_notation import MOST_PARTS, read_type
from holdtrue.rules.types import (
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
)
from tests.rules.schemas import same, types
from tests.rules.written_types import write_type

CENTS = Amount(unit("USD"), Fraction(1, 100))
FLIGHT = Record({"price": Field(Number(CENTS))}, "Flight")
NAMED: dict[str, Type] = {"Flight": FLIGHT, "SKU": Name("sku")}


def read(data: object) -> Type:
    return read_type(data, NAMED, "types.T")


@pytest.mark.parametrize(
    ("data", "type"),
    [
        ("text", TEXT),
        ("bool", FLAG),
        ("null", NULL),
        ("whole", Number(WHOLE)),
        ("whole 0..10", Number(WHOLE, Fraction(0), Fraction(10))),
        ("whole 0..", Number(WHOLE, Fraction(0))),
        ("  whole   ..-3 ", Number(WHOLE, None, Fraction(-3))),
        ("number", Number()),
        ("number 0..1", Number(NUMBER, Fraction(0), Fraction(1))),
        ("number 0.5..1/3", None),
        ("number -1/3..0.5", Number(NUMBER, Fraction(-1, 3), Fraction(1, 2))),
        ("number by 0.25", Number(Amount(step=Fraction(1, 4)))),
        ("decimal(2)", Number(Amount(step=Fraction(1, 100)))),
        ("USD(2)", Number(CENTS)),
        ("USD(2) 0..500", Number(CENTS, Fraction(0), Fraction(500))),
        ("USD", Number(Amount(unit("USD")))),
        ("kg", Number(Amount(unit("kg")))),
        ("whole night 1..", Number(Amount(unit("night"), Fraction(1)), Fraction(1))),
        ("date", DATE),
        ("time", TIME),
        ("moment", MOMENT),
        ("moment Z", Calendar("moment", "Z")),
        ("moment EST", Calendar("moment", "EST")),
        ("duration", DURATION),
        ("duration 1h30m..P1D", Number(DURATION.sort, Fraction(5400), Fraction(86400))),
        ("id of user", Name("user")),
        ("list of text", ListOf(TEXT)),
        ("list of USD(2) up to 5", ListOf(Number(CENTS), 5)),
        ("list of whole 1..2 from 1 up to 5", ListOf(Number(WHOLE, Fraction(1), Fraction(2)), 5, 1)),
        ("list of (list of text) up to 5", ListOf(ListOf(TEXT), 5)),
        ("list of list of text", ListOf(ListOf(TEXT))),
        ("map of list of text", MapOf(ListOf(TEXT))),
        ("text or null", Nullable(TEXT)),
        ("id of user or null", Nullable(Name("user"))),
        ("list of (text or null)", ListOf(Nullable(TEXT))),
        ("(list of Flight) or null", Nullable(ListOf(FLIGHT))),
        ("((Flight))", FLIGHT),
        ("SKU", Name("sku")),  # A declared name takes precedence over a currency.
        (["yes", "no"], Name(values=("yes", "no"))),
        ({"list of": ["a", "b"], "from": 1, "up to": 2}, ListOf(Name(values=("a", "b")), 2, 1)),
        ({"map of": ["a"]}, MapOf(Name(values=("a",)))),
        ({"or null": ["a"]}, Nullable(Name(values=("a",)))),
    ],
)
def test_a_type_is_read(data: object, type: Type | None) -> None:
    if type is None:
        with pytest.raises(RuleError, match="no number is at least"):
            read(data)
    else:
        assert read(data) == type


def test_a_record_has_required_and_optional_fields() -> None:
    data = {
        "price": "USD(2)",
        "note?": "text",
        "flight": "Flight",
        "to": {"city": "text"},
        "ok?!": "bool",
        "up to": "date",
    }
    found = read_type(data, NAMED, "types.Trip", "Trip")
    assert isinstance(found, Record)
    assert {name: own.required for name, own in found.fields.items()} == {
        **dict.fromkeys(("price", "flight", "to", "ok?", "up to"), True),
        "note": False,
    }
    assert found.fields["flight"].type is FLIGHT, "a declared type is the same object wherever it is named"
    assert (str(found), str(found.fields["to"].type)) == ("Trip", "types.Trip.to")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("string", r"types\.T: there is no type 'string' here; write text$"),
        ("map of strnig", r"types\.T\{\}: "),
        ("decimel(2)", "did you mean decimal"),
        ("Flight(2)", "Flight, which has no scale"),
        ("list", "write list of X"),
        ("nonsense", "write text, bool, whole.* or one of: Flight, SKU; a unit of your own needs"),
        ("moment UTC", "write moment Z"),
        ("moment Z..", "has no range|there is no type"),
        ("text 0..3", "text has no range"),
        ("0..10", "a range needs the kind of number: whole 0..10"),
        ("", "no type is written here"),
        ("whole 5..3", "no number is at least 5 and at most 3"),
        ("whole 0.5..3", r"0\.5 is no whole"),
        ("whole ..", "a range has a bound"),
        ("number 1/0..", "is no range"),
        ("duration 1..2", "write duration 1h..24h"),
        ("decimal(2) by 3", "a step is a number over 0"),
        (
            "list of list of text up to 5",
            r"Write list of \(list of text\) up to 5, or list of \(list of text up to 5\)",
        ),
        ("list of text or null", r"Write \(list of text\) or null, or list of \(text or null\)"),
        ("text or null or null", "write 'or null' once"),
        ("list of text from 3 up to 2", "no list has at least 3 and at most 2 items"),
        ("(text", "do not match"),
        ("(text) up to 3", "are followed by 'up to 3'"),
        ("id of big user", "which is one word"),
        (None, "no type is written here"),
        (5, "not 5"),
        ({"a": [True, "no"]}, r"types\.T\.a\[0\]: YAML reads yes, on and true as true.* put it in quotes"),
        ({"a": [2024]}, r"types\.T\.a\[0\]: the values of an enumeration are texts, not 2024"),
        ([], "at least one value"),
        (["a", "b", "a"], "the value 'a' is listed twice"),
        ([["a"]], "not a list"),
        ({False: "text"}, "YAML reads no, off and false as false"),
        ({2024: "text"}, "2024 needs quotes"),
        ({"?": "text"}, "a field has a name, and '.' is none"),
        ({"a": "text", "a?": "text"}, r"types\.T\.a: the field is there twice"),
        ({"first name": "txt"}, r"types\.T\['first name'\]: .*did you mean 'text'"),
        ({"list of": "text", "note": "text"}, "'note' cannot stand beside 'list of'"),
        ({"list of": "text", "up to": "5"}, "'up to' is a whole number from 0, not '5'"),
        ("moment \ud800", "half a character"),
        ({"\ud800": "text"}, "half a character"),
        (["a", "\ud800"], r"types\.T\[1\]: there is half a character"),
        ("x" * 2000, "1,000 characters at most, not 2,000"),
        ("(" * 500 + "text" + ")" * 400, "nested deeper than 60|do not match"),
        ("list of " * 90 + "text", "nested deeper than 60"),
    ],
)
def test_a_mistake_is_named_with_its_path(data: object, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        read(data)
    assert str(caught.value).startswith("types.T") and len(str(caught.value)) < 500


def test_a_word_of_the_notation_is_no_name_for_a_type() -> None:
    with pytest.raises(RuleError, match="'date' is a word of the notation"):
        read_type("date", {"date": TEXT}, "types.T")


@given(types(schema=False))
@settings(max_examples=1000)
def test_what_is_written_is_read_as_the_same_type(type: Type) -> None:
    assert same(read_type(write_type(type), {}, "t"), type)


@pytest.mark.parametrize(
    "type",
    [
        Name("user", ("ann", "bob")),
        Name("two words"),
        Number(bare=True),
        Number(Amount(unit("point"))),
        Number(WHOLE, Fraction(1, 2)),
        Calendar("moment", "two words"),
        Record({"inner": Field(Name(values=()))}),
    ],
)
def test_what_would_be_read_otherwise_is_not_written(type: Type) -> None:
    with pytest.raises(RuleError, match="the notation cannot say this type"):
        write_type(type)


def test_types_without_end_are_refused() -> None:
    circle: dict[str, Any] = {}
    circle.update(a=circle, b=circle)
    with pytest.raises(RuleError, match="nested deeper than 60"):
        read(circle)
    laughs: Any = "text"
    for _ in range(30):
        laughs = {"a": laughs, "b": laughs}
    with pytest.raises(RuleError, match=f"over {MOST_PARTS:,} parts"):
        read(laughs)
    with pytest.raises(RuleError, match="10,000 fields at most, not 100,000"):
        read({f"field {place}": "text" for place in range(100_000)})
    with pytest.raises(RuleError, match="10,000 values at most"):
        read([str(place) for place in range(100_000)])
    shared: Type = TEXT
    for _ in range(50):
        shared = Record({"a": Field(shared), "b": Field(shared)})
    with pytest.raises(RuleError, match=f"over {MOST_PARTS:,} parts"):
        write_type(shared)


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)
WORDS = st.lists(
    st.sampled_from(
        "list of map or null up to from 3 text whole 0..5 .. by ( ) USD(2) id moment Z Flight é \x00".split(" ")
    ),
    max_size=8,
).map(" ".join)


@given(ANYTHING | WORDS | st.dictionaries(WORDS, WORDS, max_size=3))
@settings(max_examples=1000)
def test_anything_is_a_type_or_an_error_with_its_path(data: object) -> None:
    try:
        found = read(data)
    except RuleError as error:
        assert str(error).startswith("types.T")
    else:
        assert same(read_type(write_type(found), {}, "t"), found)


NAMES = st.text(min_size=1, max_size=60).filter(lambda name: len(name) <= 60)


@given(st.lists(NAMES.map(lambda name: f".{name}") | st.sampled_from(("[]", "{}")), max_size=6))
@settings(max_examples=300)
def test_a_path_is_read_as_it_is_written(steps: list[str]) -> None:
    assert read_path(written(steps)) == tuple(steps)


def test_names_are_suggested_or_listed() -> None:
    assert instead("paymet", ("amount", "payment")) == "did you mean 'payment'?"
    assert instead("x", ("amount", "first name")) == "there is amount, 'first name'"
    assert instead("x", (), "it has") == "it has nothing"
    assert instead("q" * 10**6, [f"name{place}" for place in range(10**5)]).endswith("name9 and 99,990 more")
    assert below("user", "x" * 70) == "user['" + "x" * 57 + "...']"
