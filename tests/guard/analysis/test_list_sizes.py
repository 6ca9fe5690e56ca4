"""Tests that short lists show everything that longer ones show, if the analysis says so."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.guard.analysis.list_sizes import short_lists_suffice
from holdtrue.rules.cel import read_cel
from holdtrue.rules.checker import FactKind, Scope, check_condition
from holdtrue.rules.compilation import Env, compile_rule
from holdtrue.rules.typed_expressions import Node
from holdtrue.rules.types import COUNT, Field, ListOf, Record
from holdtrue.rules.values import Undecided

ITEM = Record({"size": Field(COUNT), "gift": Field(COUNT, False), "parts": Field(ListOf(COUNT))}, "item")
CALL = Record({"items": Field(ListOf(ITEM)), "sizes": Field(ListOf(COUNT)), "few": Field(ListOf(COUNT, 2))}, "call")
ORDER = Record({"sizes": Field(ListOf(COUNT))}, "order")
SCOPE = Scope({"call": CALL}, {"order": FactKind((COUNT,), ORDER)})


def rule(text: str) -> Node:
    return check_condition(read_cel(text), SCOPE)


@pytest.mark.parametrize(
    ("texts", "items"),
    [
        (["call.sizes.all(s, s > 1)"], 1),
        (["call.sizes.all(s, s > 1)", "call.sizes.exists(s, s == 1)"], 2),
        (["1 in call.sizes && 2 in call.sizes && 3 in call.sizes"], 3),
        (["call.items.all(i, i.parts.exists(p, p > i.size))"], 1),
        (["facts.order(1).sizes.exists(s, s > 1)", "facts.order(2).sizes.exists(s, s > 1)"], 2),
        (["size(call.sizes) > 3"], 4),
        (["size(call.sizes.filter(s, s > 1)) == 2"], 3),
        (["call.sizes.exists_one(s, s > 3)"], 2),
        (["call.items.map(i, i.size).sum() > call.items.map(i, i.gift).sum()"], 1),
        (["call.few[0] > 1 && size(call.few) == 2"], 0),
        (["call.few == [1, 2]"], 0),
    ],
)
def test_as_many_items_as_the_list_is_asked(texts: list[str], items: int) -> None:
    nodes = [rule(text) for text in texts]
    assert short_lists_suffice(nodes, items)
    assert items == 0 or not short_lists_suffice(nodes, items - 1)


@pytest.mark.parametrize(
    "text",
    [
        "size(call.sizes) > call.sizes[0]",
        "call.sizes[0] > 3",
        "call.sizes.sum() > 3",
        "call.sizes.sum() > call.sizes.map(s, s * 2).sum() || 1 in call.sizes",
        "call.sizes.all(i, s, i > 3 || s > 1)",
        "call.sizes.map(s, s + 1).exists(s, s > 1)",
        "size(call.sizes.map(s, s + 1)) > 0",
        "call.sizes == [1, 2]",
        "call.items.all(i, call.sizes.exists(s, s > i.size))",
        "call.items.all(i, call.items.exists(j, j.size > i.size))",
        "call.items.all(i, facts.order(i.size).sizes.exists(s, s > 1))",
        "call.few.all(f, f in call.sizes)",
        "call.items[0] in call.items",
    ],
)
def test_what_is_counted_placed_or_asked_for_each_of_others_may_need_more(text: str) -> None:
    assert not short_lists_suffice([rule(text)], 100)


def _of(item: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    over = st.tuples(st.sampled_from(("all", "exists")), item)
    return over.map(lambda pair: f"call.items.{pair[0]}(i, {pair[1]})")


INNER = st.sampled_from(
    (
        "i.size > 0",
        "size(i.parts) > 0",
        "i.parts.exists_one(p, p == 1)",
        "i.size == 0",
        "i.gift > 0",
        "1 in i.parts",
        "i.parts.all(p, p > i.size)",
    )
)
ASKED = _of(INNER | st.tuples(INNER, INNER).map(" && ".join)) | st.sampled_from(
    ("1 in call.sizes", "call.sizes.all(s, s > 0)", "size(call.sizes) == 1")
)
CONDITIONS = st.recursive(
    ASKED,
    lambda own: st.tuples(own, st.sampled_from(("&&", "||")), own).map(lambda p: f"({' '.join(p)})"),
    max_leaves=3,
)
LISTS = [(), (0,), (1,), (0, 1)]
ITEMS = [
    {"size": size, "parts": parts, **({} if gift is None else {"gift": gift})}
    for size, parts, gift in product((0, 1), LISTS, (None, 1))
]


def calls(most: int) -> Iterator[Env]:
    chosen = ITEMS[::3]
    for size in range(most + 1):
        for items in product(chosen, repeat=size):
            for sizes in LISTS:
                yield {"call": {"items": items, "sizes": sizes, "few": ()}}


def truths(node: Node, most: int) -> set[Any]:
    closure, found = compile_rule(node), set()
    for env in calls(most):
        try:
            found.add(closure(env))
        except Undecided:
            found.add(None)
    return found


@given(CONDITIONS)
@settings(max_examples=100)
def test_longer_lists_show_nothing_new(text: str) -> None:
    node = rule(text)
    least = next(items for items in range(20) if short_lists_suffice([node], items))
    shown = truths(node, min(least, 3))
    assert shown == truths(node, 4) or least > 3
