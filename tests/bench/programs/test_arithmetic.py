from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.programs.arithmetic import DEEPEST, Fault, read_constraint
from holdtrue.logic.formula import Variable
from holdtrue.logic.sorts import IntSort

VARIABLES = {name: Variable(name, IntSort(1, 4)) for name in ("a", "b", "red_book")}


def holds(text: str, a: int, b: int, red_book: int = 1) -> bool:
    return read_constraint(text, VARIABLES).holds({"a": a, "b": b, "red_book": red_book})


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("a == 2", {(2, 1), (2, 2), (2, 3)}),
        ("a == b + 1", {(2, 1), (3, 2)}),
        ("a == 3 - 1", {(2, 1), (2, 2), (2, 3)}),
        ("a - b >= 2", {(3, 1)}),
        ("-a + 4 < b", {(2, 3), (3, 2), (3, 3)}),
        ("1 < a < b", {(2, 3)}),
        ("a == 1 or a == 3 and b == 1", {(1, 1), (1, 2), (1, 3), (3, 1)}),
        ("(a == 1 || a == 3) && b == 1", {(1, 1), (3, 1)}),
        ("not a != b", {(1, 1), (2, 2), (3, 3)}),
        ("not a == 1 and b == 1", {(2, 1), (3, 1)}),
        ("AllDifferentConstraint([a, b, red_book])", {(2, 3), (3, 2)}),
    ],
)
def test_what_constraints_say(text: str, pairs: set[tuple[int, int]]) -> None:
    assert {(a, b) for a in range(1, 4) for b in range(1, 4) if holds(text, a, b)} == pairs


@pytest.mark.parametrize(
    ("text", "kind", "position"),
    [
        ("c == 1", "undeclared", 0),
        ("a == c", "undeclared", 5),
        ("a", "unparsed", 1),
        ("", "unparsed", 0),
        ("a == ", "unparsed", 4),
        ("a = = 1", "unparsed", 4),
        ("a == 1 b", "unparsed", 7),
        ("(a == 1", "unparsed", 7),
        ("a ==\t1;", "unparsed", 6),
        ("a == 1234567", "unparsed", 4),
        ("AllDifferentConstraint(a, b)", "unparsed", 23),
        ("AllDifferentConstraint([])", "unparsed", 24),
        ("__import__('os').system('true')", "unparsed", 11),
        ("a.__class__ == 1", "unparsed", 1),
        ("a == b * 2", "unparsed", 6),
        ("a == ٣", "unparsed", 4),
        ("not " * (DEEPEST + 2) + "a == 1", "unsupported", 4 * (DEEPEST + 1)),
        ("(" * (DEEPEST + 2) + "a == 1" + ")" * (DEEPEST + 2), "unsupported", DEEPEST + 1),
    ],
)
def test_what_is_no_constraint(text: str, kind: str, position: int) -> None:
    with pytest.raises(Fault) as raised:
        read_constraint(text, VARIABLES)
    assert (raised.value.kind, raised.value.position) == (kind, position)


_PIECES = [
    "a",
    "b",
    "c",
    "1",
    "99",
    "==",
    "<",
    "-",
    "+",
    "(",
    ")",
    "[",
    "]",
    ",",
    "and",
    "or",
    "not",
    "!",
    "AllDifferentConstraint",
    "é",
]


@given(st.lists(st.sampled_from(_PIECES), max_size=14).map(" ".join) | st.text(max_size=30))
@settings(max_examples=150, deadline=None)
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        formula = read_constraint(text, VARIABLES)
    except Fault as fault:
        assert 0 <= fault.position <= len(text)
    else:
        formula.holds({"a": 1, "b": 2, "red_book": 3})
