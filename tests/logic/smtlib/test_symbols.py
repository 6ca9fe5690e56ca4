"""Names become symbols and come back, whatever they are."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from holdtrue.logic.smtlib.symbols import TAKEN, name_of, quoted, symbol_fault, symbol_of

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


@pytest.mark.parametrize("symbol", ["%", "%;", "%zz;", "%110000;", "%FFFFFFFFFF;", "%41"])
def test_what_no_name_was_escaped_to_stays(symbol: str) -> None:
    assert name_of(symbol) == symbol


@pytest.mark.parametrize(
    ("symbol", "written"),
    [("a", "a"), ("<=", "<="), ("a.b-c!", "a.b-c!"), ("a b", "|a b|"), ("1a", "|1a|"), ("", "||"), ("é", "|é|")],
)
def test_bars_stand_where_they_must(symbol: str, written: str) -> None:
    assert quoted(symbol) == written


def test_reserved_words_are_written_between_bars() -> None:
    assert quoted("push") == "|push|"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("a|b", "the character U+007C cannot stand in a symbol"),
        ("a\\b", "the character U+005C cannot stand in a symbol"),
        ("a\x00", "the character U+0000 cannot stand in a symbol"),
        ("a\u202eb", "the character U+202E cannot stand in a symbol"),
        ("a\u00a0b", "the character U+00A0 cannot stand in a symbol"),
        (unicodedata.normalize("NFD", "é"), "a symbol must be in the Unicode normal form NFC"),
        ("naïve name 日本", None),
    ],
)
def test_what_cannot_stand_in_a_symbol(text: str, fault: str | None) -> None:
    assert symbol_fault(text) == fault
