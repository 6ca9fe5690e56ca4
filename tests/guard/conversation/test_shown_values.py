"""The values that tools showed."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from holdtrue.guard.conversation.shown_things import shown_texts


def test_values_and_the_names_of_their_fields_are_shown() -> None:
    given = {"free": [{"vet": "Dr. Quill", "hour": "08:45"}], "open": True}
    assert {*shown_texts(given)} == {"Dr. Quill", "08:45", "free", "vet", "hour", "open"}


def test_a_result_may_be_json_in_a_text() -> None:
    assert {*shown_texts('{"vet": "Dr. Quill"}')} == {"vet", "Dr. Quill"}
    assert {*shown_texts("no json")} == {"no json"}


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


@given(_JSON)
def test_any_result_can_be_added(result: object) -> None:
    assert all(isinstance(text, str) for text in shown_texts(result))
