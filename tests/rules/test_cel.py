"""Expressions are read as CEL writes them and have the values that CEL says; hostile text is one kind of error."""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from holdtrue.logic.value_sorts import WHOLE, Calendar
from holdtrue.rules import cel
from holdtrue.rules.cel import read_cel, write_cel
from holdtrue.rules.checker import Scope, check
from holdtrue.rules.compilation import compile_rule
from holdtrue.rules.syntax import (
    DEEPEST,
    Constant,
    Entries,
    Expression,
    Ident,
    Index,
    Invoke,
    Items,
    Place,
    RuleError,
    Select,
    parts,
)
from holdtrue.rules.types import DURATION, FLAG, NULL, TEXT, ListOf, MapOf, Number, Type
from holdtrue.rules.values import Fault, read_duration, read_moment
from tests.patience import counted

RESERVED = (
    "as break const continue else for function if import let loop package namespace return var void while".split()
)
NAMES = st.sampled_from(["call", "x", "_y1", "inner", "in_", "true1", "nullable", "in2", "e1", "u", "r", "b"])
FIELDS = NAMES | st.sampled_from([*RESERVED, "content-type", "a b", "/api/v1", "1st", "in", "true", "a.b", "-"])
CONSTANTS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**30), 10**30),
    st.decimals(allow_nan=False, allow_infinity=False, places=4).map(Fraction),
    st.text(max_size=12),
).map(Constant)


def expressions() -> st.SearchStrategy[Expression]:
    """Expressions of every kind, such as somebody could write."""
    return st.recursive(CONSTANTS | NAMES.map(Ident), _larger, max_leaves=12)


def _larger(own: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    several = st.lists(own, max_size=3).map(tuple)
    pairs = st.lists(st.tuples(own, own), max_size=3).map(tuple)
    binary = st.sampled_from(["<", "<=", ">", ">=", "==", "!=", "in", "+", "-", "*", "/", "%"])
    chains = st.lists(own, min_size=2, max_size=4).map(tuple)
    return st.one_of(
        st.builds(Select, own, FIELDS),
        st.builds(Index, own, own),
        st.builds(Items, several),
        st.builds(Entries, pairs),
        st.builds(Invoke, NAMES, several),
        st.builds(Invoke, NAMES | st.sampled_from(RESERVED), several, own),
        st.builds(lambda name, *args: Invoke(name, args), binary, own, own),
        st.builds(Invoke, st.sampled_from(["&&", "||"]), chains),
        st.builds(lambda name, one: Invoke(name, (one,)), st.sampled_from(["!", "-"]), own),
        st.builds(lambda *args: Invoke("?:", args), own, own, own),
    )


@settings(max_examples=500)
@given(expressions())
@example(Invoke("-", (Constant(5),)))
@example(Invoke("-", (Constant(-5),)))
@example(Select(Constant(5), "x"))
@example(Index(Constant(Fraction(1, 2)), Constant(-1)))
@example(Invoke("f", (), Constant(-1)))
@example(Constant("'\\\r\n\x00\x7f\ud800"))
@example(Invoke("||", (Invoke("||", (Ident("a"), Ident("b"))), Ident("c"))))
def test_what_is_written_is_read_as_the_same_expression(expression: Expression) -> None:
    text = write_cel(expression)
    assert read_cel(text) == expression
    assert write_cel(read_cel(text)) == text


@settings(max_examples=600)
@given(st.text(alphabet="abinx_ '\"\\`rb0189.eu+-*/%<>=!&|?:,()[]{}\n\r\t\u00e9", max_size=30))
@example("x inx")
@example("24.indexOf('2')")
@example("'a\\'")
@example("in(1)")
@example("r'\\' + 'x'")
@example("//")
def test_any_text_is_an_expression_or_an_error_with_its_place(text: str) -> None:
    try:
        expression = read_cel(text)
    except RuleError as error:
        lines = text.split("\n")
        assert error.place is not None
        assert 1 <= error.place.line <= len(lines)
        assert 1 <= error.place.column <= len(lines[error.place.line - 1]) + 1
        assert str(error).startswith(f"line {error.place.line}, column {error.place.column}: ")
    else:
        assert read_cel(write_cel(expression)) == expression


def test_every_part_has_its_place() -> None:
    expression = read_cel("call.bags.all(b,\n  b.weight <= 23) &&\n 'a\\nb' in [x, y]", Place(7, 5))
    found = {}
    stack = [expression]
    while stack:
        own = stack.pop()
        found[write_cel(own)] = (own.place.line, own.place.column)
        stack += parts(own)
    assert found["call"] == (7, 5)
    assert found["call.bags"] == (7, 10)
    assert found["call.bags.all(b, b.weight <= 23)"] == (7, 15)
    assert found["b.weight"] == (8, 5)
    assert found["23"] == (8, 15)
    assert found["'a\\nb'"] == (9, 2)
    assert found["y"] == (9, 16)


@pytest.mark.parametrize(
    ("text", "where", "says"),
    [
        ("a &&", (1, 5), "unexpected end"),
        ("a\n&& b c", (2, 6), "unexpected 'c'"),
        ("'''a\nb''' + 1 1", (2, 10), "unexpected '1'"),
        ("  ", (1, 1), "the expression is empty"),
        ("// only this", (1, 13), "unexpected end"),
        ("x inx", (1, 3), "unexpected 'inx'"),
        ("[1, 2", (1, 6), "unexpected end"),
        ("f(1,)", (1, 5), "unexpected ')'"),
        ("[1,,]", (1, 4), "unexpected ',]'"),
        ("a = b", (1, 3), "unexpected '= b'"),
        ("a ? b", (1, 6), "unexpected end"),
        ("a.?b", (1, 3), "unexpected '?b'"),
        ("5.", (1, 2), "unexpected '.'"),
        ("24.f()", (1, 3), "unexpected '.f()'"),
        ("x == 'abc", (1, 6), 'unexpected "\'abc"'),
        ("größe", (1, 3), "unexpected 'öße'"),
        ("a\u00a0+ b", (1, 2), "unexpected"),
        ("1u", (1, 1), "numbers have a sign"),
        ("b'x'", (1, 1), "bytes"),
        ("x.y{z: 1}", (1, 1), "messages cannot be written in rules"),
        ("a + '\\q'", (1, 5), "no escape of CEL: \\q"),
        ("'\\ud800'", (1, 1), "there is no character U+D800"),
        ("'\\U00110000'", (1, 1), "there is no character U+110000"),
        ("'\\400'", (1, 1), "no escape of CEL"),
        ("`a-b`", (1, 1), "write it after a point"),
        ("a.`b", (1, 3), "unexpected '`b'"),
        ("a.`b`(1)", (1, 3), "the name of a function stands in no backticks"),
        ("a.in", (1, 3), "write ['in']"),
    ],
)
def test_an_error_names_its_line_and_column(text: str, where: tuple[int, int], says: str) -> None:
    with pytest.raises(RuleError) as found:
        read_cel(text)
    assert found.value.place == Place(*where)
    assert says in found.value.message


def test_the_place_of_an_error_is_counted_from_where_the_text_begins() -> None:
    for text, where in (("a b", Place(4, 12)), ("a +\n b c", Place(5, 4))):
        with pytest.raises(RuleError) as found:
            read_cel(text, Place(4, 10))
        assert found.value.place == where


@pytest.mark.parametrize("word", RESERVED)
def test_reserved_words_are_no_names_but_may_be_fields(word: str) -> None:
    for text in (word, f"{word} + 1", f"[1].all({word}, true)", f"{word}(1)"):
        with pytest.raises(RuleError, match=f"{word} is a reserved word of CEL"):
            read_cel(text)
    assert read_cel(f"call.{word}") == Select(Ident("call"), word)
    assert read_cel(f"call.{word}(1)") == Invoke(word, (Constant(1),), Ident("call"))
    assert read_cel(f"{word}s") == Ident(f"{word}s")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0x1F", 31),
        ("-0x1F", -31),
        ("--7", 7),
        ("0.10", Fraction(1, 10)),
        (".5", Fraction(1, 2)),
        ("2e3", Fraction(2000)),
        ("-2.5E-1", Fraction(-1, 4)),
        ("null", None),
        ("'\\x41\\X41\\101\\u0041\\U00000041'", "AAAAA"),
        ("r'\\n'", "\\n"),
        ("r'\\'", "\\"),
        ('R"""a\n\'"b"""', "a\n'\"b"),
        ("'''it's\r\nso'''", "it's\nso"),
        ("'(((' // ((( '", "((("),
        ("'\\`\\?\\\"\\'\\\\'", "`?\"'\\"),
    ],
)
def test_literals_are_exact(text: str, value: object) -> None:
    found = read_cel(text)
    assert found == Constant(value)  # type: ignore[arg-type]
    assert isinstance(found, Constant)
    assert type(found.value) is type(value)


def test_chains_of_one_connective_are_as_deep_as_one() -> None:
    assert read_cel("a && b && c") == Invoke("&&", (Ident("a"), Ident("b"), Ident("c")))
    assert len(parts(read_cel(" || ".join(["a"] * 500)))) == 500


def test_lists_and_maps_may_end_in_a_comma() -> None:
    assert read_cel("[1, [2, 3,], // last\n]") == read_cel("[1, [2, 3]]")
    assert read_cel("{'a': 1,}") == read_cel("{'a': 1}")


def test_fields_with_odd_names_are_written_in_backticks() -> None:
    assert read_cel("call.`content-type`.b") == Select(Select(Ident("call"), "content-type"), "b")
    assert write_cel(Select(Ident("call"), "content-type")) == "call.`content-type`"
    assert write_cel(Select(Ident("call"), "in")) == "call.`in`"
    assert read_cel("call.`$größe[]`") == Select(Ident("call"), "$größe[]")
    with pytest.raises(RuleError, match="unexpected 'öße'; a name with other letters goes in backticks"):
        read_cel("call.größe")
    for name in ("a`b", "", "a\nb"):
        with pytest.raises(RuleError, match="is no name in CEL"):
            write_cel(Select(Ident("call"), name))
    with pytest.raises(RuleError, match="is no name in CEL"):
        write_cel(Ident("if"))


def test_a_fraction_that_is_no_decimal_cannot_be_written() -> None:
    with pytest.raises(RuleError, match="1/3 is no decimal"):
        write_cel(Constant(Fraction(1, 3)))


HOSTILE = {
    "selects": "a" + ".a" * 2_000,
    "denials": "!" * 4_000 + "a",
    "lists": "[" * 19_000,
    "choices": "a?b:" * 800 + "c",
    "sums": "a+" * 1_500 + "a",
    "memberships": "1 in " * 1_000 + "1",
    "backslashes": "'" + "\\\\" * 9_000,
    "long quotes": '"""' * 6_000,
    "comments": "//" * 9_000,
    "backticks": "a.`" * 6_000,
    "digits": "9" * 19_000,
    "exponent": "1e999999999",
    "long exponent": "1e" + "9" * 10_000,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_is_refused_with_little_work(text: str) -> None:
    with counted() as calls, pytest.raises(RuleError):
        read_cel(text)
    assert calls.made < 1_000_000


def test_a_megabyte_of_text_is_refused_unread() -> None:
    for text in ("a" * 1_000_000, "'" + "\\\\" * 500_000, "(" * 1_000_000):
        with pytest.raises(RuleError, match=f"over {cel.LONGEST:,}"):
            read_cel(text)


def test_depth_is_limited_where_brackets_are_and_where_they_are_not() -> None:
    read_cel("(" * DEEPEST + "a" + ")" * DEEPEST)
    read_cel("'" + "(" * 1000 + "'")
    read_cel("!" * DEEPEST + "a")
    read_cel("a?b:" * DEEPEST + "c")
    for text in ("(" * (DEEPEST + 1) + "a" + ")" * (DEEPEST + 1), "!" * 300 + "a"):
        with pytest.raises(RuleError, match="nested deeper"):
            read_cel(text)


UTC = Calendar("moment", "Z")
TYPES: dict[str, Type] = {
    "bool": FLAG,
    "int": Number(WHOLE),
    "string": TEXT,
    "null": NULL,
    "duration": DURATION,
    "timestamp": UTC,
}


@cache
def suite() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((Path(__file__).parent / "cel_conformance.json").read_text("utf-8"))
    return found


def type_of(name: str) -> Type:
    """The type that a name of CEL's says: `list(int)`, `map(string, string)`."""
    if name.startswith("list("):
        return ListOf(type_of(name[5:-1]))
    if name.startswith("map(string, "):
        return MapOf(type_of(name[12:-1]))
    return TYPES[name]


def value_of(data: Any) -> Any:
    """The value that the file writes as JSON."""
    match data:
        case list():
            return tuple(map(value_of, data))
        case {"map": entries}:
            return {key: value_of(own) for key, own in entries.items()}
        case {"duration": text}:
            return read_duration(text)
        case {"timestamp": text}:
            return read_moment(text, UTC)
    return data


def alike(left: Any, right: Any) -> bool:
    """Return whether two values are equal; a bool equals no number."""
    if isinstance(left, tuple) and isinstance(right, tuple):
        return len(left) == len(right) and all(map(alike, left, right))
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(alike(left[key], right[key]) for key in left)
    return isinstance(left, bool) is isinstance(right, bool) and bool(left == right)


@pytest.mark.parametrize("section", suite()["covered"])
def test_examples_of_cel_have_their_values(section: str) -> None:
    for own in suite()["covered"][section]:
        assert kept(own), own["name"]


def kept(example: dict[str, Any]) -> bool:
    """Whether an expression has the value, or the error, that CEL says."""
    given = example.get("given", {})
    scope = Scope({name: type_of(type) for name, (type, _) in given.items()})
    expression = read_cel(example["expr"])
    assert read_cel(write_cel(expression)) == expression
    try:
        rule = compile_rule(check(expression, scope))
    except RuleError:
        return example.get("refused", False) is True
    try:
        found = rule({name: value_of(value) for name, (_, value) in given.items()})
    except Fault:
        return "error" in example and "refused" not in example
    return "error" not in example and alike(found, value_of(example["value"]))


def test_every_test_of_cel_is_covered_or_left_out_with_a_reason() -> None:
    counts = suite()["counts"]
    covered = sum(map(len, suite()["covered"].values()))
    left_out = 0
    for reason, own in suite()["left_out"].items():
        named = sum(len(names.split()) for section, names in own.items() if section != "count")
        assert named == own["count"], reason
        left_out += named
    assert (covered, left_out, covered + left_out) == (counts["covered"], counts["left_out"], counts["tests"])


def test_the_list_says_where_it_is_from() -> None:
    assert suite()["licence"] == "Apache-2.0"
    assert "@bufbuild/cel-spec 0.6.1" in suite()["source"]
