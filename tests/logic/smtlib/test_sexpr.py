"""Tokens, nesting and symbols are read, or refused with the place."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from holdtrue.errors import SettingsError, SmtLibError
from holdtrue.logic.smtlib.sexpr import DEEPEST, Group, ReadLimits, SExpr, Source, read_sexprs
from holdtrue.logic.smtlib.symbols import TAKEN, name_of, symbol_fault, symbol_of

LIMITS = ReadLimits()


def read(text: str, limits: ReadLimits = LIMITS) -> list[SExpr]:
    return read_sexprs(Source(text), limits)


def plain(expr: SExpr) -> Any:
    return [plain(item) for item in expr.items] if isinstance(expr, Group) else expr.text


def refuse(text: str, limits: ReadLimits = LIMITS) -> str:
    with pytest.raises(SmtLibError) as caught:
        read(text, limits)
    assert str(caught.value).startswith(f"line {caught.value.line}, column {caught.value.column}: ")
    assert len(str(caught.value)) < 200
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        (' \t\r\n ; only (a comment | " \u202e', []),
        ("(assert (< a 10))", [["assert", ["<", "a", "10"]]]),
        ("a;b\nc", ["a", "c"]),
        ("(a;)\n)", [["a"]]),
        ("|a b|(||)", ["a b", [""]]),
        ('|a;b(c"|', ['a;b(c"']),
        ('"a ""b"" ; ("', ['"a ""b"" ; ("']),
        ("1.50 0 0.0", ["1.50", "0", "0.0"]),
        (":named -5 x' ", None),
        (":named -5", [":named", "-5"]),
        ("(()(()))", [[[], [[]]]]),
    ],
)
def test_reading(text: str, found: list[Any] | None) -> None:
    if found is None:
        refuse(text)
    else:
        assert [plain(expr) for expr in read(text)] == found


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (")", "line 1, column 1: a closing parenthesis without an opening one"),
        ("a\n (b (c)", "line 2, column 2: a parenthesis that is never closed"),
        ("(a |b\nc|)", "line 1, column 4: a quoted symbol does not end on the line where it begins"),
        ('(a "b', "line 1, column 4: a string does not end"),
        ("|a\\b|", "line 1, column 1: '|a\\\\b|': the character U+005C cannot stand in a symbol"),
        ("|a\u202eb|", "line 1, column 1: '|a\\u202eb|': the character U+202E cannot stand in a symbol"),
        ("|e\u0301|", "line 1, column 1: '|e\u0301|': a symbol must be in the Unicode normal form NFC"),
        ("é", "line 1, column 1: 'é' (U+00E9) can stand in a symbol between bars only, as in |é|"),
        ("\u00a0a", "line 1, column 1: the character U+00A0 cannot stand here"),
        ("'a", "line 1, column 1: the character U+0027 cannot stand here"),
        ("#b101", "line 1, column 1: hexadecimal and binary literals are not supported"),
        (": a", "line 1, column 1: a colon without a keyword"),
        ("12ab", "line 1, column 1: '12ab' is neither a number (12, 1.5; no leading zeros) nor a symbol"),
        ("007", "line 1, column 1: '007' is neither a number"),
        ("1.", "line 1, column 1: '1.' is neither a number"),
        ("1" * 101, "line 1, column 1: a number of 101 characters; the limit is 100"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_place(text: str, message: str) -> None:
    assert refuse(text).startswith(message)


def test_limits_are_exact() -> None:
    limits = ReadLimits(max_bytes=12, max_depth=3, max_nodes=5)
    assert read("((a)) b", limits)
    assert refuse("((((", limits) == "line 1, column 4: parentheses nested more than 3 deep"
    assert read("a b c d e", limits)
    assert refuse("a b (c d e)", limits) == "line 1, column 10: more than 5 atoms and lists"
    assert read("|" + "é" * 5 + "|", limits)
    assert refuse("|" + "é" * 6 + "|", limits) == "line 1, column 9: the text is longer than 12 bytes"
    assert refuse(" \n" * 7, limits) == "line 7, column 1: the text is longer than 12 bytes"


def test_depth_is_never_left_to_recursion() -> None:
    assert refuse("(" * 100_000) == "line 1, column 201: parentheses nested more than 200 deep"
    assert refuse("(assert " * 100_000) == "line 1, column 1601: parentheses nested more than 200 deep"
    assert refuse("(" * 10_000_000).endswith("the text is longer than 1000000 bytes")
    assert DEEPEST < 500
    with pytest.raises(SettingsError, match="nested 250 deep at most, not 251"):
        ReadLimits(max_depth=251)


@settings(max_examples=200, deadline=None)
@given(st.text(st.sampled_from('() \n|";:a1.#é-') | st.characters(), max_size=30))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        read(text)
    except SmtLibError as error:
        lines = text.split("\n")
        assert 1 <= error.line <= len(lines)
        assert 1 <= error.column <= len(lines[error.line - 1]) + 1


@settings(max_examples=100, deadline=None)
@given(st.recursive(st.sampled_from(["a", "12", "|b c|", ":k"]), lambda inner: st.lists(inner, max_size=3)), st.data())
def test_lists_are_read_as_they_are_written(tree: Any, data: st.DataObject) -> None:
    space = st.sampled_from([" ", "\n", " ; )(\n", "\t\t"])

    def write(node: Any) -> str:
        if isinstance(node, str):
            return node
        return "(" + data.draw(space).join(map(write, node)) + data.draw(space) + ")"

    def bare(node: Any) -> Any:
        return re.sub(r"\|", "", node) if isinstance(node, str) else [bare(item) for item in node]

    assert [plain(expr) for expr in read(write(tree))] == [bare(tree)]


names = st.text(st.sampled_from("ab%|\\;7C =<é\u0301\u0338\u202e\n") | st.characters(), max_size=6)


@pytest.mark.parametrize(
    ("name", "symbol"),
    [
        ("Alice.position", "Alice.position"),
        ("c d", "c d"),
        ("a|b", "a%7C;b"),
        ("a\\b", "a%5C;b"),
        ("100%", "100%25;"),
        ("%7C;", "%25;7C;"),
        ("tab\there", "tab%9;here"),
        ("Zoë", "Zoë"),
        ("Zoe\u0308", "Zoe%308;"),
        ("and", "%61;nd"),
        ("let", "%6C;et"),
        ("Int", "%49;nt"),
        ("", ""),
    ],
)
def test_symbols_of_names(name: str, symbol: str) -> None:
    assert symbol_of(name) == symbol
    assert name_of(symbol) == name


@settings(max_examples=200, deadline=None)
@given(names)
@example("\ud800")
def test_every_name_comes_back_from_a_symbol_that_can_be_written(name: str) -> None:
    symbol = symbol_of(name)
    assert name_of(symbol) == name
    assert symbol_fault(symbol) is None
    assert symbol not in TAKEN


def test_names_with_a_meaning_keep_clear_of_it() -> None:
    for word in TAKEN:
        assert symbol_of(word) not in TAKEN
        assert name_of(symbol_of(word)) == word


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("a|b", "the character U+007C cannot stand in a symbol"),
        ("naïve name 日本", None),
    ],
)
def test_what_cannot_stand_in_a_symbol(text: str, fault: str | None) -> None:
    assert symbol_fault(text) == fault
