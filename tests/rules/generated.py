"""Draw random records, rules and partly unseen calls for property tests of rules."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from holdtrue.logic.units import unit
from holdtrue.logic.value_sorts import DATE, MOMENT, WHOLE, Amount
from holdtrue.rules import types as ty

USD = ty.Number(Amount(unit("USD"), Fraction(1, 100)), Fraction(0), Fraction(500))
COUNT = ty.Number(WHOLE, Fraction(-3), Fraction(4))
PLAN = ty.Name(values=("free", "pro", "team"))
OWNER = ty.Name(kind="user")
LINE = ty.Record(
    {"price": ty.Field(USD), "count": ty.Field(COUNT), "owner": ty.Field(OWNER), "gift": ty.Field(ty.FLAG, False)},
    "line",
)
CALL = ty.Record(
    {
        "plan": ty.Field(PLAN),
        "owner": ty.Field(OWNER),
        "note": ty.Field(ty.TEXT, False),
        "total": ty.Field(USD),
        "count": ty.Field(COUNT),
        "day": ty.Field(DATE),
        "at": ty.Field(MOMENT),
        "rush": ty.Field(ty.FLAG),
        "limit": ty.Field(ty.Nullable(COUNT)),
        "lines": ty.Field(ty.ListOf(LINE, 2)),
        "tags": ty.Field(ty.ListOf(ty.TEXT, 2)),
    },
    "call",
)
ACCOUNT = ty.Record(
    {
        "plan": ty.Field(PLAN),
        "balance": ty.Field(USD),
        "seats": ty.Field(COUNT),
        "tags": ty.Field(ty.ListOf(ty.TEXT, 2)),
    },
    "account",
)
ROOTS: dict[str, ty.Type] = {"call": CALL, "now": MOMENT}
OWNERS = ("ann", "bob")
TABLE = {"free": 1, "pro": 2, "team": 4}

_DAY = 737_000
_SCALARS = {
    "plan": st.sampled_from(PLAN.values or ()),
    "owner": st.sampled_from((*OWNERS, "eve")),
    "text": st.sampled_from(("", "a", "ab", "vip", "x")),
}


def values(type: ty.Type) -> st.SearchStrategy[Any]:
    """Return plain values of a type."""
    match type:
        case ty.Nullable(inner):
            return st.none() | values(inner)
        case ty.Flag():
            return st.booleans()
        case ty.Number(sort, low, high):
            step = sort.step or Fraction(1)
            whole = st.integers(int((low or 0) / step), int((high or 0) / step))
            return whole.map(lambda own: _number(own * step))
        case ty.Name(kind, options):
            return st.sampled_from(options) if options else _SCALARS["owner" if kind == "user" else "text"]
        case ty.ListOf(item, most):
            return st.lists(values(item), max_size=most).map(tuple)
        case ty.Record(fields):
            required = {name: values(own.type) for name, own in fields.items() if own.required}
            optional = {name: values(own.type) for name, own in fields.items() if not own.required}
            return st.fixed_dictionaries(required, optional=optional)
    return (
        st.integers(_DAY - 3, _DAY + 3) if type == DATE else st.integers(_DAY, _DAY + 5).map(lambda own: own * 40_000)
    )


def _number(value: Fraction) -> int | Fraction:
    return value.numerator if value.denominator == 1 else value


_CALENDAR = ("call.day", "call.at.date()", "date('2018-11-05')", "now.date()", "call.day + days(1)")


def numbers(depth: int) -> st.SearchStrategy[str]:
    leaf = st.sampled_from(
        ("call.count", "1", "2", "-1", "size(call.lines)", "size(call.tags)", "facts.account(call.owner).seats")
    )
    leaf |= st.sampled_from(
        ("table[call.plan]", "call.limit", "table[facts.account('ann').plan]", "call.lines[0].count")
    )
    if depth == 0:
        return leaf
    own = numbers(depth - 1)
    pair = st.tuples(own, st.sampled_from("+-*"), own).map(lambda p: f"({p[0]} {p[1]} {p[2]})")
    divided = st.tuples(own, st.sampled_from("/%"), st.sampled_from("2301")).map(lambda p: f"({p[0]} {p[1]} {p[2]})")
    over = st.sampled_from(("call.lines.map(l, l.count).sum()", "size(call.lines.filter(l, l.price > 3.0))"))
    over |= conditions(0, "l.").map(lambda c: f"size(call.lines.filter(l, {c}))")
    most = st.tuples(own, own).map(lambda p: f"math.greatest({p[0]}, {p[1]})")
    choice = st.tuples(conditions(0), own, own).map(lambda p: f"({p[0]} ? {p[1]} : {p[2]})")
    made = st.tuples(st.sampled_from(("abs", "sign", "floor", "round")), own).map(lambda p: f"math.{p[0]}({p[1]})")
    return leaf | pair | divided | over | most | choice | made


def conditions(depth: int, item: str = "") -> st.SearchStrategy[str]:
    """Return conditions in CEL; with an `item`, such as `l.`, they may speak of one line."""
    leaves = [
        "call.rush",
        "call.plan == 'pro'",
        "call.plan in ['free', 'team']",
        "call.owner == 'ann'",
        "has(call.note)",
        "call.note == 'vip'",
        "call.note.startsWith('v')",
        "call.tags.exists(t, t == 'vip')",
        "'a' in call.tags",
        "call.limit == null",
        "call.total <= facts.account(call.owner).balance",
        "facts.account('bob').plan == call.plan",
        "facts.account(call.owner).plan == facts.account('ann').plan",
        "sets.contains(facts.account('ann').tags, call.tags)",
        "call.tags == facts.account('bob').tags",
        "call.at - now >= duration('24h')",
        "call.lines.all(l, l.price * l.count <= call.total)",
        "call.lines.exists_one(l, l.owner == call.owner)",
        "call.lines.map(l, l.price).sum() == call.total",
        "call.lines[1].owner == call.lines[0].owner",
        "call.lines.all(i, l, i == 0 || l.price >= call.lines[i - 1].price)",
        "call.lines == []",
    ]
    if item:
        leaves += [f"{item}owner == call.owner", f"{item}count > call.count", f"has({item}gift)", f"{item}gift"]
    found = st.sampled_from(leaves)
    if depth == 0:
        return found
    relation = st.sampled_from(("<", "<=", "==", "!=", ">", ">="))
    compare = st.tuples(numbers(depth - 1), relation, numbers(depth - 1)).map(" ".join)
    days = st.tuples(st.sampled_from(_CALENDAR), relation, st.sampled_from(_CALENDAR)).map(" ".join)
    own = conditions(depth - 1, item)
    joined = st.tuples(own, st.sampled_from(("&&", "||")), own).map(lambda p: f"({p[0]} {p[1]} {p[2]})")
    macro = st.tuples(st.sampled_from(("all", "exists", "exists_one")), conditions(depth - 1, "l.")).map(
        lambda p: f"call.lines.{p[0]}(l, {p[1]})"
    )
    found = found | compare | days | joined | own.map(lambda one: f"!({one})")
    return found if item else found | macro
