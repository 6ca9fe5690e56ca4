from __future__ import annotations

import json
from pathlib import Path

import pytest

from holdtrue.errors import RecordError
from holdtrue.kinds.claims.gold_logic import truth_letters
from holdtrue.lab.kinds.claims.item import Item, load_items, read_item
from holdtrue.record import Label
from tests.data import DATA

RECORD = {"id": "one", "context": "Bob is red.", "question": "Is he?", "options": ["A) Yes", "B) No"], "answer": "A"}
FILES = (DATA / "logical_deduction" / "shared.json", DATA / "proofwriter" / "dev.json")


def test_a_list_and_lines_are_the_same(tmp_path: Path) -> None:
    other = {**RECORD, "id": "two"}
    listed, lines = tmp_path / "items.json", tmp_path / "items.jsonl"
    listed.write_text(json.dumps([RECORD, other], indent=1))
    lines.write_text(f"{json.dumps(RECORD)}\n\n{json.dumps(other)}\n")
    one = Item("one", "Bob is red.", "Is he?", {"A": "Yes", "B": "No"}, "A")
    assert load_items(listed) == load_items(lines)
    assert load_items(lines)[0] == one


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


@pytest.mark.parametrize(
    ("text", "message"),
    [("", "no items"), ("{", "no JSON"), ("[" * 20_000, "no JSON"), (json.dumps([RECORD, RECORD]), "twice")],
)
def test_files_that_cannot_be_read(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "items.jsonl"
    path.write_text(text)
    with pytest.raises(RecordError, match=message):
        load_items(path)


@pytest.mark.skipif(not FILES[0].exists(), reason="the records are not beside the repository")
def test_the_real_files_are_read() -> None:
    assert [len(load_items(path)) for path in FILES] == [150, 600]


def test_options_are_truth_values_only_where_all_of_them_are() -> None:
    assert truth_letters({"A": "True", "B": "False.", "C": "uncertain"}) == {
        Label.ENTAILED: "A",
        Label.CONTRADICTED: "B",
        Label.UNKNOWN: "C",
    }
    assert truth_letters({"A": "True", "B": "The fig jar is first."}) == {}
    assert truth_letters({}) == {}
