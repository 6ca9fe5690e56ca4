"""Names in a text, whatever is in them."""

from __future__ import annotations

import pytest

from holdtrue.language.names import names_of
from tests.language.changes_by_name import AGENDA

NAMES = names_of(
    AGENDA.instance(["One-on-one", "Design Review", "Review", "O'Neill's", "C++", "Drop", "Dr. No", "Yahoo!"])
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("the one\u2010on\u2011one", ["One-on-one"]),
        ("design   review and review", ["Design Review", "Review"]),
        ("O\u2019Neill\u2019s and Review's", ["O'Neill's", "Review"]),
        ("C++, not C+ and not C", ["C++"]),
        ("pre-Review, Review-2, Reviews", []),
        ("about Dr. No.", ["Dr. No"]),
        ("Yahoo", ["Yahoo!"]),
    ],
)
def test_a_name_is_found_as_it_is_written_and_nothing_like_it(text: str, found: list[str]) -> None:
    assert [one.name for one in NAMES.find(text)] == found


def test_a_name_that_is_a_word_is_one_where_it_is_written_so() -> None:
    assert [one.name for one in NAMES.find("Drop the Review", words_too=False)] == ["Review"]
    assert [one.name for one in NAMES.find("Drop is off", words_too=False)] == ["Drop"]
    assert [one.name for one in NAMES.find("please drop Review", words_too=False)] == ["Review"]


def test_hidden_names_come_back_as_the_instance_spells_them() -> None:
    hidden = NAMES.hide("Move 'design review' to day 3")
    assert "review" not in hidden.text and hidden.restore(hidden.text) == "Move Design Review to day 3"


def test_likely_names_are_those_that_share_a_word_or_nearly_all_letters() -> None:
    assert NAMES.alike("Desing Review")[0] == "Design Review" and NAMES.alike("Gala") == ()
