"""Other words for an attribute are known where its label is not said."""

from __future__ import annotations

import pytest

from holdtrue.language.attribute_words import attributes_by_other_words

LABELS = ("profession", "pet", "color", "favourite tree")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("they have different jobs", ["profession"]),
        ("the same line of work", ["profession"]),
        ("what Ann does for a living", ["profession"]),
        ("their animals differ", ["pet"]),
        ("two shades, please", ["color"]),
        ("jobs and animals", ["profession", "pet"]),
        ("they work together on the tree", []),
        ("a competition", []),
        ("", []),
    ],
)
def test_labels_are_found_by_words_that_mean_the_same(text: str, found: list[str]) -> None:
    assert list(attributes_by_other_words(text, LABELS)) == found
