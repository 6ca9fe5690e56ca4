from __future__ import annotations

import pytest

from holdtrue.errors import RecordError
from holdtrue.record import Label
from holdtrue_claims.kind.gold_logic import truth_letters
from holdtrue_lab.kinds.claims.item import read_item

RECORD = {"id": "one", "context": "Bob is red.", "question": "Is he?", "options": ["A) Yes", "B) No"], "answer": "A"}


@pytest.mark.parametrize(
    ("options", "answer", "read", "right"),
    [
        (["True", "False"], "B", {"A": "True", "B": "False"}, "B"),
        (["True", "False"], "False", {"A": "True", "B": "False"}, "B"),
        (["(A) no letter", "B: no"], "A", {"A": "(A) no letter", "B": "B: no"}, "A"),
        (["B. later", "A. sooner"], " A ", {"B": "later", "A": "sooner"}, "A"),
    ],
)
def test_options_have_letters(options: list[str], answer: str, read: dict[str, str], right: str) -> None:
    item = read_item({**RECORD, "options": options, "answer": answer}, "here")
    assert (item.options, item.answer) == (read, right)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"options": []}, "1 to 26 options"),
        ({"options": ["A) yes", "A) no"]}, "twice"),
        ({"options": "yes"}, "a list is needed"),
        ({"answer": "C"}, "none of the options A, B"),
        ({"answer": None}, "a text is needed"),
        ({"context": 3}, "a text is needed"),
    ],
)
def test_what_is_no_item_is_named(change: dict[str, object], message: str) -> None:
    with pytest.raises(RecordError, match=message) as raised:
        read_item({**RECORD, **change}, "line 3")
    assert str(raised.value).startswith("line 3")


def test_options_are_truth_values_only_where_all_of_them_are() -> None:
    assert truth_letters({"A": "True", "B": "False.", "C": "uncertain"}) == {
        Label.ENTAILED: "A",
        Label.CONTRADICTED: "B",
        Label.UNKNOWN: "C",
    }
    assert truth_letters({"A": "True", "B": "The fig jar is first."}) == {}
    assert truth_letters({}) == {}
