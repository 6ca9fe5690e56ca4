"""Words are put in their places, and the rest of the text stays."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from holdtrue.language.text_edits import with_edits


def test_an_edit_that_overlaps_an_earlier_one_is_left_out() -> None:
    assert with_edits("abcdef", [(1, 3, "X"), (2, 4, "Y"), (4, 4, "-")]) == "aXd-ef"


@given(st.text(max_size=12), st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), max_size=4))
def test_edits_that_put_back_what_stands_there_change_nothing(text: str, places: list[tuple[int, int]]) -> None:
    spans = sorted((min(one, len(text)), min(max(one, other), len(text))) for one, other in places)
    assert with_edits(text, [(start, end, text[start:end]) for start, end in spans]) == text
