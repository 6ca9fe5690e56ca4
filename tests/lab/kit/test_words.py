from __future__ import annotations

from holdtrue.lab.kit.words import capitalized, listed


def test_a_list_in_words() -> None:
    assert [listed(names) for names in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == ["", "a", "a and b", "a, b and c"]
    assert listed(["a", "b"], "or") == "a or b"


def test_only_the_first_letter_changes() -> None:
    assert capitalized("the ferry to Rum") == "The ferry to Rum"
