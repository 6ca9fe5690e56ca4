"""Open brackets of a simulated model can be closed, and a text that is too long is cut."""

from __future__ import annotations

import json
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from holdtrue.models.chat import Reply, Request, user
from holdtrue.record import ReplyKind, Usage
from holdtrue_lab.kit.simulation.chance import draw, shuffled
from holdtrue_lab.kit.simulation.model import CHARS_PER_TOKEN, closed, left_open, limited, tidied

OBJECTS = st.dictionaries(st.text(), st.recursive(st.integers() | st.text(), lambda inner: st.lists(inner)), min_size=1)


@given(OBJECTS)
def test_what_was_left_open_is_closed_again(value: dict[str, object]) -> None:
    text = json.dumps(value)
    assert closed(left_open(text)) == text
    assert closed(text) == text


@given(st.text())
def test_what_is_no_object_stays(text: str) -> None:
    assert tidied(text, 0.0) == text
    mended = closed(text)
    assert mended is None or isinstance(json.loads(mended[mended.index("{") :]), dict)


@given(st.text(), st.integers(1, 20))
def test_a_reply_ends_at_the_limit(text: str, tokens: int) -> None:
    reply = Reply(text, Usage(1, 10, 99))
    found = limited(reply, Request((user("?"),), "", max_tokens=tokens))
    if len(text) <= tokens * CHARS_PER_TOKEN:
        assert found == reply
    else:
        assert (found.kind, found.usage.completion_tokens) == (ReplyKind.CUT, tokens)
        assert text.startswith(found.text) and len(found.text) == tokens * CHARS_PER_TOKEN


def test_draws_depend_on_the_parts_alone() -> None:
    assert draw(1, "a", ("b",)) == draw(1, "a", ("b",))
    # The same in every process and on every machine.
    assert draw("pinned") == 0.16764763201395033
    assert shuffled(range(6), "pinned") == [4, 0, 1, 5, 2, 3]
    assert len({draw("a", "b"), draw("ab"), draw("a, b"), draw(("a", "b")), draw("b", "a")}) == 5


def test_draws_are_even() -> None:
    counts = Counter(int(10 * draw("even", index)) for index in range(10_000))
    assert set(counts) == set(range(10))
    # Ten standard deviations of a binomial count are 300.
    assert all(abs(count - 1000) < 300 for count in counts.values())


def test_shuffles_keep_all_and_reach_every_order() -> None:
    orders = {tuple(shuffled("abc", index)) for index in range(200)}
    assert len(orders) == 6
    assert all(sorted(order) == ["a", "b", "c"] for order in orders)
