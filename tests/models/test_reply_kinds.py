"""Whatever JSON a server answers with, it is a reply or a fault, and nothing else comes of it."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.models.reply_kinds import ServerReply, classify_body
from holdtrue.models.retry_policy import Fault
from holdtrue.record import ReplyKind

ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12) | st.just("stop") | st.just("text"),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["type", "text", "code", "message", "filtered", "name", "loc"]), inner)
    ),
    max_leaves=6,
)


def some(*names: str, **given: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """An object with some of these members, each of any value or as given."""
    return st.fixed_dictionaries({}, optional=dict.fromkeys(names, ODD) | given)


MESSAGES = some("content", "refusal", "tool_calls", "function_call", "reasoning_content", "content_filter_results")
CHOICES = some(
    *("finish_reason", "native_finish_reason", "finish_details", "content_filter_results", "error"),
    message=MESSAGES | ODD,
)
BODIES = some(
    "error", "errors", "detail", "object", "usage", "prompt_filter_results", choices=st.lists(CHOICES | ODD) | ODD
)


@given(BODIES | ODD)
@settings(max_examples=400, deadline=None)
def test_every_value_is_a_reply_or_a_fault(body: object) -> None:
    try:
        reply = classify_body(body)
    except Fault as fault:
        assert fault.words
        return
    assert isinstance(reply, ServerReply)
    assert reply.kind is not ReplyKind.ANSWER or reply.text.strip()
    reply.text.encode()
    assert all(0 <= count <= 10**9 for count in reply.tokens)
