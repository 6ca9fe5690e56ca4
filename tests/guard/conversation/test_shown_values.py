"""The values that tools showed."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from holdtrue.guard.conversation.shown_values import ShownValues


def test_values_and_the_names_of_their_fields_are_shown() -> None:
    own = ShownValues()
    own.add({"free": [{"vet": "Dr. Quill", "hour": "08:45"}], "open": True})
    assert own.texts == {"Dr. Quill", "08:45", "free", "vet", "hour", "open"}


def test_a_result_may_be_json_in_a_text() -> None:
    own = ShownValues()
    own.add('{"vet": "Dr. Quill"}')
    own.add("no json")
    assert own.texts == {"vet", "Dr. Quill", "no json"}


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


@given(_JSON)
def test_any_result_can_be_added(result: object) -> None:
    own = ShownValues()
    own.add(result)
    assert all(isinstance(text, str) for text in own.texts)
