"""Names, types and units are checked before an evaluation, and an error names its place and types."""

from __future__ import annotations

from fractions import Fraction

import pytest

from holdtrue.logic.units import unit
from holdtrue.logic.value_sorts import DATE, MOMENT, NUMBER, TIME, WHOLE, Amount, Calendar
from holdtrue.rules import typed_expressions as t
from holdtrue.rules.cel import read_cel
from holdtrue.rules.checker import MOST_NODES, FactKind, Scope, check, check_condition
from holdtrue.rules.syntax import Expression, Ident, Invoke, Place, RuleError
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
    in_words,
)
from tests.patience import counted

CENTS = Fraction(1, 100)
USD, EUR = Number(Amount(unit("USD"), CENTS)), Number(Amount(unit("EUR"), CENTS))
KG, GRAMS, HOURS = (Number(Amount(unit(name))) for name in ("kg", "g", "hour"))
COUNT = Number(WHOLE)
USER = Name("user")
BAG = Record({"weight": Field(KG), "owner": Field(USER)}, "bag")
CALL = Record(
    {
        "back": Field(DATE),
        "out": Field(DATE),
        "clock": Field(TIME),
        "local": Field(MOMENT),
        "utc": Field(Calendar("moment", "Z")),
        "berlin": Field(Calendar("moment", "Europe/Berlin")),
        "price": Field(USD),
        "fee": Field(EUR),
        "rate": Field(Number(NUMBER)),
        "count": Field(COUNT),
        "limit": Field(Nullable(COUNT)),
        "grams": Field(GRAMS),
        "length": Field(DURATION),
        "hours": Field(HOURS),
        "cabin": Field(Name(values=("economy", "business"))),
        "user": Field(USER),
        "booking": Field(Name("booking")),
        "note": Field(TEXT, False),
        "rush": Field(FLAG),
        "agreed": Field(Nullable(FLAG)),
        "bags": Field(ListOf(BAG, 3)),
        "tags": Field(ListOf(TEXT)),
        "fees": Field(MapOf(USD)),
        "spare": Field(BAG, False),
        "held": Field(Nullable(BAG)),
    },
    "call",
)
TABLES = Record({"fees": Field(MapOf(COUNT)), "banned": Field(ListOf(USER))}, "tables")
SCOPE = Scope(
    {"call": CALL, "now": MOMENT},
    {"user": FactKind((USER,), Record({"vip": Field(FLAG), "email": Field(TEXT, False)}, "user"))},
    {"tables": ({"fees": {"gold": 0, "silver": 5}, "banned": ()}, TABLES)},
    {
        "stay": read_cel("call.back - call.out"),
        "long": read_cel("stay > days(7)"),
        "one": read_cel("two"),
        "two": read_cel("three + 1"),
        "three": read_cel("one"),
    },
)


def checked(text: str) -> t.Node:
    return check(read_cel(text), SCOPE)


def refused(text: str) -> RuleError:
    with pytest.raises(RuleError) as found:
        checked(text)
    return found.value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("call.back == call.price", "call.back is a date, not money in USD: they cannot be compared"),
        ("call.price >= call.back", "call.price is money in USD, not a date: they have no order"),
        ("5 == call.back", "5 is a whole number, not a date: they cannot be compared"),
        ("call.price + call.fee", "call.price is money in USD, not money in EUR: they cannot be added"),
        ("call.price - call.count", "call.price is money in USD, not a whole number: they cannot be subtracted"),
        ("call.back + call.out", "call.back is a date, and so is call.out: they cannot be added"),
        ("call.user == call.booking", "call.user is an id of user, not an id of booking: they cannot be compared"),
        ("call.rush < true", "call.rush is a bool, and so is true: they have no order"),
        ("call.rate % 2.5", "call.rate is a number, and so is 2.5: they have no remainder: % takes whole numbers"),
        ("call.grams == call.length", "call.grams is an amount in g, not a duration: they cannot be compared"),
        ("call.berlin < call.local", "is a moment local to Europe/Berlin, not a moment without a zone: they have no"),
        ("call.berlin - now", "is a moment local to Europe/Berlin, not a moment without a zone: they cannot be subtr"),
        ("call.utc > timestamp('2026-03-01T10:00:00')", "is a moment in UTC, not a moment without a zone"),
        ("call.cabin == 'first'", "call.cabin is one of economy, business, and never 'first'"),
        ("call.cabin in ['economy', 'first']", "call.cabin is one of economy, business, and never 'first'"),
        ("call.back == '2026-02-30'", "'2026-02-30' is no date: there is no day 2026-02-30"),
        ("call.berlin < '2026-10-25T02:30:00'", "was twice in Europe/Berlin, as clocks were put back: write it"),
        ("call.back.at(call.clock, 'Berlin') < now", "'Berlin' is no place of the time zone database"),
        ("call.length < 'soon'", "'soon' is no duration; write 24h, 1h30m or PT24H"),
        ("call.back + 1", "a date (call.back) is moved by time, such as days(3), not by a whole number"),
        ("call.back + hours(36)", "a date is moved by whole days, such as days(3), not by an amount in hour"),
        ("call.clock + hours(1)", "a time of day has no day to go on to"),
        ("call.count && true", "each side of && has to be true or false, and this is a whole number (call.count)"),
        ("!call.note", "what ! denies has to be true or false, and this is a text (call.note)"),
        ("call.count ? 1 : 2", "a condition has to be true or false, and this is a whole number (call.count)"),
        (
            "call.rush ? 1 : 'a'",
            "both ends of a choice have to be of one type, and these are a whole number and a text",
        ),
        ("[1, 'a']", "the items of a list have to be of one type, and these are a whole number and a text"),
        ("{'a': 1, 'b': true}", "the values of a map have to be of one type, and these are a whole number and a bool"),
        ("{'a': 1, 'a': 2}", "the map has the key 'a' twice"),
        ("{1: 2}", "the keys of a map are written as texts"),
        ("call.wait", "call has no 'wait'; it has back, out, clock"),
        ("call.bags.all(b, b.wieght > 3)", "bag has no 'wieght'; it has weight, owner"),
        ("call.count.x", "a whole number (call.count) has no fields, so no 'x'"),
        ("cal.back", "there is no 'cal' here; there is call, facts, long, now, one, stay, tables, three, two"),
        ("tables.costs", "there is no 'costs'; there is fees, banned"),
        ("tables.fees.bronze", "the table has no 'bronze'; it has gold, silver"),
        ("tables.fees[call.cabin]", "the table has no entry for economy, business"),
        ("call.count in tables.banned", "a whole number (call.count) is looked for in a list of id of user"),
        ("call.tags[call.rate]", "the place in a list is a whole number, not a number (call.rate)"),
        ("call.fees[1]", "the keys of a map of USD(2) are texts, and this is a whole number (1)"),
        ("call[call.note]", "a field of call is named by a text: ['name']"),
        ("call.count[0]", "a whole number (call.count) has no entries"),
        (
            "call.bags.map(b, b.weight) == [call.grams]",
            "this is a list of g, where a list of kg is meant: convert its items",
        ),
        ("call.bags.all(b)", "all takes x, condition: items.all(x, condition)"),
        ("call.bags.all(b, b, true)", "all takes place, x, condition"),
        ("call.bags.transformList(b, 1)", "transformList takes place, x, value"),
        ("all(b, true)", "all is called on a list or a map"),
        ("call.count.exists(b, true)", "exists goes through a list or a map, and this is a whole number (call.count)"),
        (
            "call.bags.filter(b, b.weight)",
            "the condition of filter has to be true or false, and this is an amount in kg",
        ),
        ("has(call)", "has() takes one field: has(call.note)"),
        ("has(call.nope)", "call has no 'nope'"),
        ("call.nope(1)", "there is no function .nope(); there is size, sum"),
        ("math.nope(1)", "there is no function math.nope(); there is math.least"),
        ("size(1, 2)", "size takes 1 argument, not 2"),
        ("size(call.count)", "size takes a list, a map or a text, and this is a whole number (call.count)"),
        ("call.tags.sum()", "sum takes a list of numbers, and this is a list of text (call.tags)"),
        ("call.note.startsWith(1)", "startsWith takes texts, and this is a whole number (1)"),
        (
            "math.greatest(call.price, call.fee)",
            "math.greatest takes numbers of one unit, not money in USD and money in EUR",
        ),
        ("math.abs(call.note)", "math.abs takes a number, and this is a text (call.note)"),
        ("int(call.price)", "int takes a number that has no unit, and this is money in USD (call.price)"),
        ("sets.contains(call.tags, [1])", "these lists have nothing in common"),
        ("timestamp(call.note)", "timestamp takes a written text: timestamp('...')"),
        ("date('2026-02-30')", "date: there is no day 2026-02-30"),
        ("days(call.price)", "a unit takes a number that has none, and this is money in USD (call.price)"),
        ("amount(1, '!')", "'!' is no unit"),
        ("call.local.getHours('+02:00')", ".getHours() with an offset takes a moment in UTC"),
        ("call.utc.getHours('Europe/Berlin')", "'Europe/Berlin' is no offset such as +02:00"),
        (
            "facts.user(call.booking)",
            "facts.user is found by an id of user, and this is an id of booking (call.booking)",
        ),
        ("facts.user()", "facts.user takes 1 key, not 0"),
        ("facts.card(1)", "there are no facts of kind 'card'; there is facts.user(...)"),
        ("facts.user", "facts are asked for by key: facts.user(...)"),
        ("two", "'two' is defined by itself: two -> three -> one -> two"),
        ("cel.bind(x, call.nope, 1)", "call has no 'nope'"),
        ("cel.bind(x, 1)", "cel.bind takes a name, its value, and what uses it"),
    ],
)
def test_a_slip_is_told_with_its_types(text: str, message: str) -> None:
    assert message in refused(text).message


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("call.rush &&\n  call.back == call.price", 2, 16),
        ("call.bags.all(b,\n b.weight < call.price)", 2, 13),
        ("[1,\n 2,\n 'a']", 3, 2),
        ("call.rush ?\n nope : 1", 2, 2),
    ],
)
def test_a_slip_is_told_with_its_place(text: str, line: int, column: int) -> None:
    error = refused(text)
    assert error.place == Place(line, column)
    assert str(error).startswith(f"line {line}, column {column}: ")


def test_a_rule_is_a_condition() -> None:
    with pytest.raises(RuleError, match="a rule has to be true or false, and this is money in USD"):
        check_condition(read_cel("call.price"), SCOPE)
    assert check_condition(read_cel("call.agreed"), SCOPE).type == FLAG


@pytest.mark.parametrize(
    ("text", "type"),
    [
        ("call.count + 1", "whole"),
        ("call.count / 2", "whole"),
        ("call.count + 0.1", "number(1)"),
        ("call.price * 2", "USD(2)"),
        ("call.price / call.count", "USD"),
        ("call.back - call.out", "whole day"),
        ("call.utc - call.utc", "duration"),
        ("call.back + days(call.count)", "date"),
        ("call.back.at(call.clock)", "moment"),
        ("call.back.at(call.clock, 'Europe/Berlin')", "moment Europe/Berlin"),
        ("call.utc.date()", "date"),
        ("call.utc.time()", "time"),
        ("call.limit", "whole or null"),
        ("call.limit + 1", "whole"),
        ("[1, null, 0.1]", "list of number(1) or null"),
        ("call.bags.map(b, b.owner)", "list of id of user"),
        ("call.bags.filter(b, true)", "list of bag"),
        ("call.rush ? call.price : 5", "USD(2)"),
        ("math.floor(call.price)", "whole USD"),
        ("math.greatest(call.back, call.out)", "date"),
        ("facts.user(call.user)", "user"),
        ("facts.user('ann').email", "text"),
        ("stay", "whole day"),
        ("long", "bool"),
        ("cel.bind(x, call.price, x + x)", "USD(2)"),
        ("size(call.tags)", "whole"),
        ("{'a': 1}", "map of whole"),
        ("tables.fees.gold", "whole"),
    ],
)
def test_types_and_units_follow_from_the_operands(text: str, type: str) -> None:
    assert str(checked(text).type) == type


@pytest.mark.parametrize(
    "text",
    [
        "call.price <= 500",
        "call.back - call.out <= 3",
        "call.length <= '2h'",
        "call.hours <= '90m' && call.length <= call.hours",
        "call.back in ['2026-01-01', '2026-12-24']",
        "call.clock < '12:30'",
        "call.utc < '2026-01-01T10:00:00+02:00'",
        "call.berlin < '2026-01-01T10:00:00'",
        "call.back.at(call.clock, 'Europe/Berlin') < call.berlin",
        "call.grams < call.bags[0].weight",
        "call.limit == null || call.limit < 3",
        "call.count == null",
        "call.tags[call.limit] == 'a'",
        "[] == call.tags && call.tags + [] == call.tags",
        "call.user in []",
        "[].all(x, x.nope > 3)",
        "sets.contains(call.tags, [])",
        "call.fees.all(k, k != 'a') && call.fees.all(k, v, v < 3)",
        "call.bags.all(call, call.weight < 3)",
        "call.bags.map(math, math.weight).all(facts, facts < 3)",
        "call == call && call.bags[0] == call.spare",
    ],
)
def test_what_has_a_meaning_is_let_in(text: str) -> None:
    assert checked(text).type == FLAG


def test_fields_that_may_be_missing_are_looked_at_and_others_are_there() -> None:
    assert checked("has(call.back)") == t.Given(True, FLAG)
    assert checked("has(facts.user('ann').vip)") == t.Given(True, FLAG)
    for text in ("has(call.note)", "has(call.spare.owner)", "has(call.held.owner)", "has(call.bags[0].owner)"):
        assert isinstance(checked(text), t.Has), text
    for text in ("has(call.fees.a)", "has(tables.fees.gold)", "has(tables.fees.nope)"):
        assert isinstance(checked(text), t.Has), text


def test_names_that_double_and_double_are_refused() -> None:
    named: dict[str, Expression] = {f"n{place + 1}": read_cel(f"n{place} + n{place}") for place in range(40)}
    scope = Scope({"n0": COUNT}, named=named)
    assert check(read_cel("n5"), scope).type == Number(WHOLE)
    sets = "[true]"
    for _ in range(25):
        sets = f"[sets.equivalent({sets}, [true])]"
    for text in ("n40", "cel.bind(a, n9, cel.bind(b, a + a + a, cel.bind(c, b + b + b, c + c + c)))", sets):
        with counted() as calls, pytest.raises(RuleError, match=f"over {MOST_NODES:,} parts"):
            check(read_cel(text), scope)
        assert calls.made < 100 * MOST_NODES


def test_a_chain_of_names_is_limited_in_its_depth() -> None:
    named: dict[str, Expression] = {f"n{place + 1}": Ident(f"n{place}") for place in range(500)}
    scope = Scope({"n0": COUNT}, named=named)
    with pytest.raises(RuleError, match="nested deeper"):
        check(Ident("n500"), scope)
    deep: Expression = Ident("n0")
    for _ in range(5000):
        deep = Invoke("-", (deep,))
    with pytest.raises(RuleError, match="nested deeper"):
        check(deep, scope)


def test_a_name_of_a_macro_hides_that_of_the_surroundings_only_within() -> None:
    node = checked("call.bags.exists(now, now.weight > 3) && now == now")
    roots = {(t.path(own), str(own.type)) for own in t.walk(node) if isinstance(own, t.Root)}
    assert roots == {("call", "call"), ("now", "bag"), ("now", "moment")}
    with pytest.raises(RuleError, match="there is no 'b' here"):
        checked("call.bags.exists(b, true) && b.weight > 3")
    assert checked("cel.bind(x, 1, cel.bind(x, x + 1, x + 1))").type == Number(WHOLE, bare=True)


def test_a_root_may_be_called_like_a_group_of_functions() -> None:
    scope = Scope({"lists": ListOf(COUNT), "math": Record({"x": Field(COUNT)})})
    for text in ("lists.size()", "lists.sum()", "math.abs(math.x)", "lists.flatten([[1], lists]).sum()"):
        assert check(read_cel(text), scope).type in (COUNT, Number(WHOLE), Number(WHOLE, Fraction(0))), text
    with pytest.raises(RuleError, match=r"there is no function \.nope\(\)"):
        check(read_cel("lists.nope()"), scope)


@pytest.mark.parametrize(
    ("type", "words"),
    [
        (FLAG, "a bool"),
        (NULL, "null"),
        (COUNT, "a whole number"),
        (Number(NUMBER), "a number"),
        (USD, "money in USD"),
        (HOURS, "an amount in hour"),
        (DURATION, "a duration"),
        (TIME, "a time of day"),
        (MOMENT, "a moment without a zone"),
        (Name(values=("a", "b")), "one of a, b"),
        (ListOf(DATE), "a list of date"),
        (MapOf(USD), "a map of USD(2)"),
        (Record({}), "a record"),
        (Nullable(DATE), "a date or null"),
    ],
)
def test_types_are_named_in_words(type: Type, words: str) -> None:
    assert in_words(type) == words
