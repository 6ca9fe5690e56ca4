"""Brackets that a simulated model leaves open can be closed again, and what is too long is cut."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from holdtrue.models.chat import Reply, Request, user
from holdtrue.record import ReplyKind, Usage
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
