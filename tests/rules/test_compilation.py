"""Closures compute values, and decide a condition only if no unseen value can change it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from holdtrue.budget import OUT_OF_TIME
from holdtrue.logic.units import unit
from holdtrue.logic.value_sorts import DATE, MOMENT, NUMBER, TIME, WHOLE, Amount, Calendar
from holdtrue.rules import compilation
from holdtrue.rules import typed_expressions as t
from holdtrue.rules.cel import read_cel, write_cel
from holdtrue.rules.checker import FactKind, Scope, check
from holdtrue.rules.compilation import DEADLINE, FACTS, Env, compile_rule
from holdtrue.rules.numbers import ADD
from holdtrue.rules.syntax import Constant, Ident, Index
from holdtrue.rules.types import (
    DURATION,
    FLAG,
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
from holdtrue.rules.values import Fault, NotSeen, Reader, TooLong, Undecided, Unseen
from tests.patience import counted

COUNT, UTC = Number(WHOLE), Calendar("moment", "Z")
USD = Number(Amount(unit("USD"), Fraction(1, 100)))
KG, GRAMS = Number(Amount(unit("kg"))), Number(Amount(unit("g")))
BAG = Record({"weight": Field(KG), "gift": Field(FLAG, False)}, "bag")
ROOTS: dict[str, Type] = {
    "yes": FLAG,
    "no": FLAG,
    "hidden": FLAG,
    "n": COUNT,
    "rate": Number(NUMBER),
    "price": USD,
    "grams": GRAMS,
    "day": DATE,
    "clock": TIME,
    "local": MOMENT,
    "utc": UTC,
    "length": DURATION,
    "note": TEXT,
    "maybe": Nullable(FLAG),
    "limit": Nullable(COUNT),
    "held": Nullable(BAG),
    "bag": BAG,
    "bags": ListOf(BAG),
    "numbers": ListOf(COUNT),
    "none": Nullable(ListOf(COUNT)),
    "fees": MapOf(USD),
    "box": Record({"bag": Field(BAG, False), "held": Field(Nullable(BAG), False), "n": Field(COUNT)}, "box"),
}
USER = Record({"vip": Field(FLAG), "email": Field(TEXT, False)}, "user")
SCOPE = Scope(ROOTS, {"user": FactKind((Name("user"),), USER)}, {"table": ({"gold": 5}, MapOf(COUNT))})


def seen() -> Env:
    """Surroundings in which all but `hidden` is seen."""
    json = {
        "yes": True,
        "no": False,
        "n": 7,
        "rate": 2.5,
        "price": 12.5,
        "grams": 1500,
        "day": "2024-02-29",
        "clock": "14:30",
        "local": "2024-02-29T14:30:15.25",
        "utc": "2024-02-29T23:30:15.25Z",
        "length": "90m",
        "note": "Äpfel",
        "maybe": None,
        "limit": None,
        "held": None,
        "bag": {"weight": 1.5},
        "bags": [{"weight": 1.5}, {"weight": 20, "gift": True}],
        "numbers": [1, 2, 3],
        "none": None,
        "fees": {"a": 5, "b": 7.5},
        "box": {"n": 1},
    }
    env: Env = {name: Reader().read(value, ROOTS[name], name) for name, value in json.items()}
    return env | {"hidden": NotSeen("hidden", FLAG), FACTS: _facts}


def _facts(kind: str, keys: tuple[object, ...]) -> Any:
    path = f"facts.{kind}({keys[0]!r})"
    return {"ann": {"vip": True}, "bob": {"vip": NotSeen(f"{path}.vip", FLAG)}}.get(str(keys[0]), NotSeen(path, USER))


def value(text: str, **changed: Any) -> Any:
    return compile_rule(check(read_cel(text), SCOPE))(seen() | changed)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("n / 2.0", Fraction(7, 2)),
        ("0.1 + 0.2 == 0.3", True),
        ("1.0 / 3 * 3 == 1.0", True),
        ("price * n", Fraction(175, 2)),
        ("price / price", 1),
        ("grams == amount(1.5, 'kg')", True),
        ("bags.map(b, b.weight).sum() <= grams", False),
        ("[grams, bags[0].weight]", (1500, 1500)),
        ("grams in bags.map(b, b.weight)", True),
        ("math.greatest(grams, bag.weight)", 1500),
        ("math.abs(-rate)", Fraction(5, 2)),
        ("[math.floor(-rate), math.ceil(-rate), math.round(-rate), math.trunc(-rate)]", (-3, -2, -3, -2)),
        ("math.floor(rate) / 4", Fraction(1, 2)),
        ("math.round(price)", 13),
        ("math.ceil(n)", 7),
        ("int(rate) + math.sign(-price)", 1),
        ("size(note) + size(numbers) + size(fees) + size('')", 10),
        ("note.lowerAscii() + '|' + note.upperAscii()", "Äpfel|ÄPFEL"),
        ("day + days(1)", 738_946),
        ("day - date('2024-02-01')", 28),
        ("day - date('2024-02-01') < hours(24 * 29)", True),
        ("day.getFullYear() * 10000 + day.getMonth() * 100 + day.getDate()", 20_240_129),
        ("[day.getDayOfMonth(), day.getDayOfWeek(), day.getDayOfYear()]", (28, 4, 59)),
        ("[local.getHours(), local.getMinutes(), local.getSeconds(), local.getMilliseconds()]", (14, 30, 15, 250)),
        ("local.date() == day && day.at(clock) < local && local.time() > clock", True),
        ("day.at(clock, 'Z') < utc", True),
        ("utc.getDate('+01:00') == 1 && utc.getHours('01:00') == 0 && utc.getDayOfMonth('-09:30') == 28", True),
        ("utc.getDayOfYear('UTC') == 59 && utc.getMilliseconds('+02:00') == 250", True),
        ("[length.getHours(), length.getMinutes(), length.getSeconds()]", (1, 90, 5400)),
        ("duration('-1.5s').getMilliseconds()", -500),
        ("length == '1h30m' && length > hours(1) && length * 2 == hours(3)", True),
        ("utc - timestamp('2024-02-29T23:30:15Z') == duration('250ms')", True),
        ("[numbers, [4]].flatten()", (1, 2, 3, 4)),
        ("numbers.map(x, x != 2, x + n)", (8, 10)),
        ("numbers.all(i, x, x == i + 1) && numbers.exists_one(x, x > 2) && !numbers.exists(x, x > 3)", True),
        ("numbers.map(x, numbers.filter(y, y < x).sum())", (0, 1, 3)),
        ("fees.filter(k, fees[k] > 6)", ("b",)),
        ("fees.all(k, v, v < 8 && k in fees) && !('c' in fees)", True),
        ("fees == {'b': 7.5, 'a': 5.0}", True),
        ("has(bags[1].gift) && !has(bags[0].gift) && has(fees.a) && !has(fees.c)", True),
        ("maybe == null && limit == null && !maybe && (limit == null || limit > 3)", True),
        ("held == null", True),
        ("cel.bind(x, 1 / 0, true)", True),
        ("numbers.map(x, cel.bind(y, x + n, numbers.map(x, x + y).sum()))", (30, 33, 36)),
        ("facts.user('ann').vip", True),
        ("sets.contains(numbers, [3, 1]) && sets.equivalent([1, 1], [1]) && !sets.intersects(numbers, [])", True),
        ("[].all(x, x > 1) && ![].exists(x, x.y) && [].map(x, x + 1) == []", True),
        ("table.gold + table['gold']", 10),
    ],
)
def test_expressions_have_their_values(text: str, found: Any) -> None:
    result = value(text)
    assert result == found
    assert isinstance(result, bool) is isinstance(found, bool)


FAULTS = [
    "1 / (n - 7)",
    "1 % (n - 7)",
    "1.0 / (rate - 2.5)",
    "numbers[3]",
    "numbers[-1]",
    "numbers[limit]",
    "fees.c",
    "fees['c']",
    "limit + 1",
    "limit < 1",
    "size(none)",
    "none.exists(x, true)",
    "1 in none",
    "held.weight > bag.weight",
    "bags[0].gift",
    "box.bag.weight",
    "has(box.bag.weight)",
    "has(box.held.gift)",
    "has(held.weight)",
    "has(held.gift)",
    "math.least(numbers.filter(x, x > 9))",
    "numbers.map(x, 1 / (x - 2))",
    "[1 / (n - 7)]",
    "(day + days(10000000)).getFullYear()",
    "[n, n].all(x, 1 / (x - 7) > 0)",
]
SETTLED = [("{} && no", False), ("no && {}", False), ("{} || yes", True), ("yes || {}", True)]
OPEN = ["{} && yes", "yes && {}", "{} || no", "no || {}", "!{}", "{} ? yes : no", "yes && (no || {})"]


def _condition(text: str) -> str:
    node = check(read_cel(text), SCOPE)
    return text if node.type == FLAG else f"({text}) == ({text})"


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_absorbed_where_another_side_settles_the_matter(fault: str) -> None:
    condition = f"({_condition(fault)})"
    with pytest.raises(Fault):
        value(fault)
    for shape, found in SETTLED:
        assert value(shape.format(condition)) is found
    for shape in OPEN:
        with pytest.raises(Fault):
            value(shape.format(condition))


UNSEEN = [
    "hidden",
    "facts.user('bob').vip",
    "facts.user('eve').vip",
    "[yes, hidden] == [yes, yes]",
    "hidden in [yes]",
    "[hidden, yes].all(x, x)",
    "[no, hidden].exists(x, x)",
    "[no, hidden].exists_one(x, x)",
    "size([hidden].filter(x, x)) == 1",
]


@pytest.mark.parametrize("unseen", UNSEEN)
def test_what_was_not_seen_is_absorbed_where_another_side_settles_the_matter(unseen: str) -> None:
    with pytest.raises(Unseen):
        value(unseen)
    for shape, found in SETTLED:
        assert value(shape.format(f"({unseen})")) is found
    for shape in OPEN:
        with pytest.raises(Unseen):
            value(shape.format(f"({unseen})"))


@pytest.mark.parametrize("sort", ["all", "exists"])
@pytest.mark.parametrize("what", ["1 / 0 > x", "hidden"])
def test_macros_absorb_as_the_connectives_do(sort: str, what: str) -> None:
    settles = "x == 3" if sort == "exists" else "x != 3"
    assert value(f"numbers.{sort}(x, x < 3 ? ({what}) : {settles})") is (sort == "exists")
    with pytest.raises(Undecided):
        value(f"numbers.{sort}(x, x < 2 ? ({what}) : {'false' if sort == 'exists' else 'true'})")


def test_the_first_reason_is_told() -> None:
    with pytest.raises(Unseen, match="hidden was not seen"):
        value("(hidden || 1 / 0 > 1) && yes")
    with pytest.raises(Fault, match="a division by zero"):
        value("(1 / 0 > 1 || hidden) && yes")
    with pytest.raises(Fault, match=r"bag\.gift is not there"):
        value("bag.gift")
    with pytest.raises(Fault, match=r"numbers\[5\] is not there"):
        value("numbers[5]")


def test_a_marker_stands_for_just_the_value_that_is_meant() -> None:
    hidden = NotSeen("box", ROOTS["box"])
    assert value("[box.n]", box=hidden) == (NotSeen("box.n", COUNT),)
    assert value("[facts.user('eve').vip]") == (NotSeen("facts.user('eve').vip", FLAG),)
    assert value("bags.map(b, b.weight)", bags=({"weight": 1}, NotSeen("bags[1]", BAG))) == (
        1,
        NotSeen("bags[1].weight", KG),
    )
    # A computed value may be an error, and an optional value may be missing.
    for text in ("[n * 2]", "[1 / n]", "[[n].map(x, x + 1)]", "numbers.map(x, x + n)"):
        with pytest.raises(Unseen):
            value(text, n=NotSeen("n", COUNT))
    for text in ("[box.bag]", "[box.held]"):
        with pytest.raises(Unseen):
            value(text, box=hidden)
    with pytest.raises(Unseen):
        value("[held.weight]", held=NotSeen("held", ROOTS["held"]))


@pytest.mark.parametrize("text", ["sets.contains({}, [])", "sets.intersects([], {})", "sets.equivalent([], {})"])
def test_an_error_in_either_set_is_one(text: str) -> None:
    for own in ("[numbers[99]]", "numbers.map(x, 1 / 0)"):
        with pytest.raises(Fault):
            value(text.format(own))


def test_an_error_in_what_was_not_seen_decides_nothing() -> None:
    """The list that is made has an error in it where `limit` is null, so its length settles nothing before."""
    text = "[1, 2] == [limit].map(x, x * 2)"
    with pytest.raises(Unseen):
        value(text, limit=NotSeen("limit", ROOTS["limit"]))
    with pytest.raises(Fault):
        value(text)


def test_a_closure_leaves_no_trace_and_may_run_again() -> None:
    rule = compile_rule(check(read_cel("numbers.all(x, numbers.exists(y, y == x))"), SCOPE))
    env = seen()
    assert [rule(env) for _ in range(3)] == [True] * 3
    assert rule(env | {"numbers": ()}) is True


@pytest.mark.parametrize(
    "text",
    [
        "numbers.all(x, numbers.all(y, numbers.all(z, x + y + z >= 0)))",
        "numbers.all(x, x in numbers)",
        "numbers.map(x, numbers.map(y, y)).flatten() == []",
        "numbers.all(x, numbers.sum() > 0)",
        "numbers.exists(x, numbers.exists(y, y < 0) || 1 / 0 > x)",
    ],
)
def test_long_lists_within_one_another_are_stopped(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compilation, "MOST_STEPS", 10_000)
    with pytest.raises(TooLong, match="over 10,000 items would have to be looked at"):
        value(text, numbers=tuple(range(300)))


class Clock:
    """A deadline that has passed when it is looked at for the third time."""

    looks = 0

    @property
    def passed(self) -> bool:
        self.looks += 1
        return self.looks > 2


@pytest.mark.parametrize(
    "text",
    [
        "numbers.all(x, numbers.all(y, x + y >= 0))",
        "numbers.exists(x, numbers.exists(y, numbers.exists(z, x + y + z < 0)))",
        "numbers.all(x, x in numbers)",
        "numbers.all(x, numbers.all(y, numbers.all(z, [x + y] != numbers)))",
        "numbers.filter(x, numbers.all(y, x + y >= 0)) == []",
    ],
)
def test_lists_within_one_another_stop_at_once_when_the_time_is_over(text: str) -> None:
    clock = Clock()
    with pytest.raises(TooLong, match=OUT_OF_TIME):
        value(text, **{DEADLINE: clock, "numbers": tuple(range(300))})
    assert clock.looks <= 6, "each macro around another looks at the clock once more"


def test_long_lists_alone_are_not() -> None:
    many = tuple(range(10_000))
    assert value("numbers.all(x, size(numbers) > x) && no", numbers=many) is False
    assert value("numbers.all(x, x >= 0) && numbers.sum() == 49995000", numbers=many) is True
    for text in ("[1, 2].map(x, numbers).flatten()", "numbers + numbers"):
        assert len(value(text, numbers=many)) == 20_000
    with pytest.raises(Fault, match="a list has over"):
        value("numbers.map(x, numbers).flatten()", numbers=many)


def test_numbers_and_texts_that_grow_and_grow_are_stopped() -> None:
    square = "[n]" + ".map(x, x * x)" * 40 + "[0] > 0"
    with pytest.raises(Fault, match="digits"):
        value(square)
    double = "['ab']" + ".map(x, x + x)" * 40 + "[0] == ''"
    with pytest.raises(Fault, match="characters"):
        value(double)
    huge = 10**399
    assert value("n * n > n && n % 7 < 7 && n / n == 1", n=huge) is True
    assert value("rate * rate < rate", rate=Fraction(1, huge)) is True
    for text in ("numbers[n]", "(day + days(n)).getDate()"):
        with pytest.raises(Fault):
            value(text, n=10**4000)


def test_fields_may_have_odd_names() -> None:
    names = ["größe", "content-type", "a b", "", "\U0001f600", "in", "#x", "x#1", "'", "\n"]
    type = Record({name: Field(COUNT) for name in names})
    scope = Scope({"call": type, "list": ListOf(type)})
    call = Reader().read({name: place for place, name in enumerate(names)}, type, "call")
    for place, name in enumerate(names):
        text = write_cel(Index(Ident("call"), Constant(name)))
        assert compile_rule(check(read_cel(text), scope))({"call": call}) == place
    for text in ("call.`content-type` == 1", "list.all(x, x.`a b` == 2 && x['x#1'] == 7)", "has(call.`in`)"):
        assert compile_rule(check(read_cel(text), scope))({"call": call, "list": (call,)}) is True


def test_twice_the_nodes_take_twice_the_work() -> None:
    def work(nodes: int) -> int:
        text = " && ".join(f"n + {place} > {place}" for place in range(nodes))
        with counted() as calls:
            assert compile_rule(check(read_cel(text), SCOPE))(seen()) is True
        return calls.made

    assert work(300) < 3 * work(150)


def test_an_operation_has_one_or_two_operands() -> None:
    node = t.Apply(ADD, (t.Given(1, COUNT),) * 3, COUNT)
    with pytest.raises(TypeError, match="add has one or two operands"):
        compile_rule(node)
