"""Which clauses only give a reason or remark on what was said."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdtrue.language.reason_clauses import clauses, without_remarks


@pytest.mark.parametrize(
    ("text", "blanked"),
    [
        ("keep E and E apart, nobody wants a second quarrel", "nobody wants a second quarrel"),
        ("because nothing else fits, E sits next to E", "because nothing else fits"),
        ("the band was late so E is before E", "the band was late"),
        ("as for E and E, they must never sit together", ""),  # what 'they' must not do is the rule itself
        ("E sits next to E, which nobody wants", ""),
        ("E is before E because E is not ready", ""),
    ],
)
def test_reasons_and_remarks_are_blanked(text: str, blanked: str) -> None:
    left = without_remarks(text)
    assert len(left) == len(text)
    assert "".join(was for was, now in zip(text, left, strict=True) if was != now).replace(" ", "") == blanked.replace(
        " ", ""
    )


@given(st.text(alphabet="ENX,.;:() abcso'"))
def test_a_clause_with_a_name_is_never_blanked_and_the_rest_stays_in_its_place(text: str) -> None:
    left = without_remarks(text)
    assert len(left) == len(text)
    assert all(now in (was, " ") for was, now in zip(text, left, strict=True))
    assert [letter for letter in left if letter in "ENX"] == [letter for letter in text if letter in "ENX"]
    spans = list(clauses(text))
    assert spans == sorted(spans) and all(start < end for start, end in spans)
