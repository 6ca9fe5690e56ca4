"""The values that tools showed, and the names under which they stood."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from holdtrue.guard.conversation.shown_values import ShownValues

NAMES = frozenset({frozenset(("vet",))})


def test_values_have_the_names_of_their_fields() -> None:
    own = ShownValues()
    own.add({"day": "2026-03-10"}, {"free": [{"vet": "Dr. Quill", "hour": "08:45"}], "open": True})
    assert own.texts == {"Dr. Quill", "08:45", "free", "vet", "hour", "open"}
    assert own.names()["dr quill"] == NAMES and own.names()["2026 03 10"] == frozenset({frozenset(("day",))})


def test_a_result_may_be_json_in_a_text() -> None:
    own = ShownValues()
    own.add("{}", '{"vet": "Dr. Quill"}')
    own.add({}, "no json")
    assert own.names()["dr quill"] == NAMES and "no json" in own.texts


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


@given(_JSON, _JSON)
def test_any_result_can_be_added(arguments: object, result: object) -> None:
    own = ShownValues()
    own.add(arguments, result)
    assert all(isinstance(text, str) for text in own.texts) and own.names() == own.names()
