"""Rules written in Python are the expressions that their texts are."""

from __future__ import annotations

import operator
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdtrue.rules.cel import read_cel, write_cel
from holdtrue.rules.checker import FactKind, Scope, check, check_condition
from holdtrue.rules.python_expressions import MACROS, Written, choose, expression, function, has, root
from holdtrue.rules.syntax import RuleError
from holdtrue.rules.types import FLAG, TEXT, ListOf, Number, Record
from holdtrue.rules.types import Field as TypeField

call, facts, now, done, items = map(root, ("call", "facts", "now", "done", "items"))

OPERATORS: list[tuple[Written, str]] = [
    (call.a + call.b, "call.a + call.b"),
    (call.a - call.b, "call.a - call.b"),
    (call.a * call.b, "call.a * call.b"),
    (call.a / call.b, "call.a / call.b"),
    (call.a % call.b, "call.a % call.b"),
    (call.a + 1, "call.a + 1"),
    (1 + call.a, "1 + call.a"),
    (1 - call.a, "1 - call.a"),
    (2 * call.a, "2 * call.a"),
    (2 / call.a, "2 / call.a"),
    (2 % call.a, "2 % call.a"),
    (call.a < call.b, "call.a < call.b"),
    (call.a <= 5, "call.a <= 5"),
    (call.a > 5, "call.a > 5"),
    (call.a >= 5, "call.a >= 5"),
    (call.a == 5, "call.a == 5"),
    (call.a != 5, "call.a != 5"),
    (call.a == None, "call.a == null"),  # noqa: E711  an expression
    (call.a & call.b, "call.a && call.b"),
    (call.a | call.b, "call.a || call.b"),
    (True & call.a, "true && call.a"),
    (False | call.a, "false || call.a"),
    (~call.a, "!call.a"),
    (-call.a, "-call.a"),
    (call.a.is_in(["x", "y"]), "call.a in ['x', 'y']"),
    (call.a.is_in(call.b), "call.a in call.b"),
    (call["a b"], "call['a b']"),
    (call.items[0].n, "call.items[0].n"),
    (call.items[call.n], "call.items[call.n]"),
    # Parentheses keep the precedence.
    ((call.a + call.b) * 2, "(call.a + call.b) * 2"),
    (call.a + call.b * 2, "call.a + call.b * 2"),
    (~(call.a & call.b), "!(call.a && call.b)"),
    ((call.a | call.b) & call.c, "(call.a || call.b) && call.c"),
    (call.a - (call.b - call.c), "call.a - (call.b - call.c)"),
    (-(call.a + 1), "-(call.a + 1)"),
    ((call.a < 5) == (call.b < 5), "call.a < 5 == (call.b < 5)"),
    # Functions, methods, facts and macros
    (function("size", call.items) <= 2, "size(call.items) <= 2"),
    (function("duration", "24h"), "duration('24h')"),
    (root("math").greatest(call.a, 1), "math.greatest(call.a, 1)"),
    (call.name.startsWith("v"), "call.name.startsWith('v')"),
    (now.date() + function("days", 3), "now.date() + days(3)"),
    (facts.account(call.user).plan == "pro", "facts.account(call.user).plan == 'pro'"),
    (facts.flight(call.number, call.day).seats > 0, "facts.flight(call.number, call.day).seats > 0"),
    (has(call.note), "has(call.note)"),
    (choose(call.a > 5, 1, call.b), "call.a > 5 ? 1 : call.b"),
    (items.all("i", lambda i: i.price > 0), "items.all(i, i.price > 0)"),
    (items.exists("i", lambda i: i == 1), "items.exists(i, i == 1)"),
    (items.exists_one("i", lambda i: i == 1), "items.exists_one(i, i == 1)"),
    (items.filter("i", lambda i: i > 1), "items.filter(i, i > 1)"),
    (items.map("i", lambda i: i.price).sum(), "items.map(i, i.price).sum()"),
    (items.all("n", "i", lambda n, i: i > n), "items.all(n, i, i > n)"),
    (items.all("i", lambda i: items.exists("j", lambda j: i < j)), "items.all(i, items.exists(j, i < j))"),
    (items.all("i", lambda i: True), "items.all(i, true)"),
    (has(call["x-note"]), "has(call.`x-note`)"),
    (root("cel").bind(root("x"), call.a, root("x") + 1), "cel.bind(x, call.a, x + 1)"),
]


@pytest.mark.parametrize(("written", "text"), OPERATORS, ids=[text for _, text in OPERATORS])
def test_an_expression_is_what_its_text_says(written: Written, text: str) -> None:
    assert str(written) == text
    assert read_cel(text) == written.expression
    assert write_cel(written.expression) == text
    assert repr(written) == f"Written({text!r})"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "null"),
        (True, "true"),
        (5, "5"),
        (-5, "-5"),
        ("it's", r"'it\'s'"),
        (0.5, "0.5"),
        (1e-7, "0.0000001"),
        (Decimal("1.10"), "1.1"),
        (Fraction(1, 4), "0.25"),
        ([1, call.a], "[1, call.a]"),
        ((1, 2), "[1, 2]"),
        ([], "[]"),
        ({"a": 1, "b": [call.a]}, "{'a': 1, 'b': [call.a]}"),
        (MappingProxyType({"a": 1}), "{'a': 1}"),
        (date(2026, 3, 2), "date('2026-03-02')"),
        (time(9, 30), "time('09:30:00')"),
        (datetime(2026, 3, 2, 12, 30), "timestamp('2026-03-02T12:30:00')"),
        (datetime(2026, 3, 2, 12, 30, tzinfo=UTC), "timestamp('2026-03-02T12:30:00+00:00')"),
        (timedelta(days=1, minutes=2), "duration('86520s')"),
        (timedelta(hours=-1), "duration('-3600s')"),
        (timedelta(microseconds=1500), "duration('1500us')"),
    ],
)
def test_a_python_value_is_the_constant_that_it_is(value: Any, text: str) -> None:
    assert write_cel(expression(value)) == text
    assert write_cel(read_cel(text)) == text


ANY: Any = call.items
MISUSES: list[tuple[Callable[[], Any], str]] = [
    (lambda: bool(call.a > 5), "not true or false while it is written: join conditions by & and |"),
    (lambda: (call.a > 5) and (call.b > 5), "join conditions by & and |, deny one by ~"),
    (lambda: not call.a, "join conditions by & and |"),
    (lambda: 1 < call.a < 5, "join conditions by & and |"),
    (lambda: call.a in ["x"], "join conditions by & and |"),
    (lambda: list(call.items), "no items to go through: write .all"),
    (lambda: any(map(bool, call.items)), "no items to go through"),
    (lambda: operator.contains(ANY, "x"), "no items to go through"),
    (lambda: len(call.items), r"write \.size\(\), or function\('size'"),
    (lambda: abs(call.a), r"write root\('math'\)\.abs\(\.\.\.\)"),
    (lambda: call.a < time(12, tzinfo=UTC), "a time of day has no zone in rules"),
    (lambda: setattr(call, "a", 5), r"cannot be changed: \.a"),
    (lambda: call(5), "call is no function"),
    (lambda: (call.a + 1)(5), r"call.a \+ 1 is no function"),
    (lambda: items.all(lambda i: i > 0), "a macro takes the names of its variables and a function"),
    (lambda: items.all(5, lambda i: i > 0), "a macro takes the names"),
    (lambda: items.map("i", lambda i: object()), "no rule can say"),
    (lambda: call.a == object(), "no rule can say <object"),
    (lambda: call.a < {1, 2}, "no rule can say"),
    (lambda: call.a + b"x", "no rule can say b'x'"),
    (lambda: call.a < float("nan"), "nan is no number that a rule can say"),
    (lambda: call.a < Decimal("-Infinity"), "is no number that a rule can say"),
    (lambda: function("size", object()), "no rule can say"),
]


@pytest.mark.parametrize(("write", "message"), MISUSES)
def test_what_cannot_be_meant_is_refused_with_what_to_write(write: Callable[[], Any], message: str) -> None:
    with pytest.raises(RuleError, match=message):
        write()


def test_what_is_no_expression_looks_like_none() -> None:
    with pytest.raises(AttributeError):
        call.__array__  # noqa: B018  what is asked for
    with pytest.raises(TypeError):
        hash(call)
    assert not hasattr(call, "__array__") and not hasattr(call, "_repr_html_")


@pytest.mark.parametrize("name", MACROS)
def test_a_macro_may_be_called_with_what_is_written_already(name: str) -> None:
    item = root("i")
    assert str(getattr(items, name)(item, item > 0)) == f"items.{name}(i, i > 0)"


def test_what_is_written_is_no_string_that_is_pasted_together() -> None:
    """A value from outside stays one constant, also with CEL in it."""
    hostile = "x' || true || '"
    written = call.name == hostile
    assert written.expression == read_cel(str(written))
    assert str(call[hostile]) == r"call['x\' || true || \'']"


SCOPE = Scope(
    {
        "call": Record(
            {"n": TypeField(Number()), "name": TypeField(TEXT), "ok": TypeField(FLAG), "l": TypeField(ListOf(TEXT))}
        ),
        "m": Number(),
    },
    {"acc": FactKind((TEXT,), Record({"n": TypeField(Number())}))},
)
NUMBERS = st.sampled_from((call.n, root("m"), facts.acc(call.name).n)) | st.integers(-9, 9).map(
    lambda own: Written(expression(own))
)


def extended(own: st.SearchStrategy[Written]) -> st.SearchStrategy[Written]:
    pair = st.sampled_from((operator.add, operator.sub, operator.mul))
    return st.builds(lambda make, one, other: make(one, other), pair, own, own) | own.map(operator.neg)


TERMS = st.recursive(NUMBERS, extended, max_leaves=5)
RELATIONS = st.sampled_from((operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne))
CONDITIONS = st.recursive(
    st.builds(lambda make, one, other: make(one, other), RELATIONS, TERMS, TERMS)
    | st.sampled_from((call.ok, call.name == "x", call.name.is_in(["a", "b"]), call.l.exists("t", lambda t: t == "x"))),
    lambda own: (
        st.builds(operator.and_, own, own)
        | st.builds(operator.or_, own, own)
        | own.map(operator.invert)
        | st.builds(choose, own, own, own)
    ),
    max_leaves=6,
)


@given(CONDITIONS)
def test_what_is_written_is_read_as_it_was(written: Written) -> None:
    text = str(written)
    again = read_cel(text)
    assert write_cel(again) == write_cel(written.expression), text
    assert check_condition(again, SCOPE) == check_condition(written.expression, SCOPE)


@pytest.mark.parametrize(
    ("value", "type"),
    [
        (date(2026, 3, 2), "date"),
        (time(9, 30), "time"),
        (datetime(2026, 3, 2, 12, 30), "moment"),
        (datetime(2026, 3, 2, 12, 30, tzinfo=UTC), "moment Z"),
        (timedelta(days=-1, microseconds=7), "duration"),
    ],
)
def test_dates_and_times_of_python_have_the_types_of_rules(value: Any, type: str) -> None:
    assert str(check(expression(value), SCOPE).type).startswith(type)
