from __future__ import annotations

import json
from pathlib import Path

import pytest

from holdtrue.errors import RecordError
from holdtrue.kinds.search.problem import SearchProblem
from holdtrue_lab.suites.cegvr.files import (
    load_search_problems,
    read_problem,
    write_search_problems,
)
from holdtrue_lab.suites.cegvr.generate import generate_upstream
from tests.lab.suites.cegvr.worked import PUBLISHED, WORKED


def sparse() -> list[SearchProblem]:
    return [read_problem(PUBLISHED), read_problem(WORKED)]


def test_what_is_written_loads(tmp_path: Path) -> None:
    write_search_problems(sparse(), tmp_path / "problems.jsonl")
    assert load_search_problems(tmp_path) == load_search_problems(tmp_path / "problems.jsonl") == sparse()


def test_the_same_problems_give_the_same_bytes(tmp_path: Path) -> None:
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    write_search_problems(sparse(), one)
    write_search_problems(load_search_problems(one), two)
    assert one.read_bytes() == two.read_bytes()


def test_the_dense_form_loads(tmp_path: Path) -> None:
    made = generate_upstream(3, 2)
    write_search_problems(made, tmp_path / "problems.jsonl")
    assert load_search_problems(tmp_path) == made


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "no problems here"),
        ("\n\n", "no problems here"),
        ("{}\n", "problems.jsonl, line 1: the problem: variables is missing"),
        ("\n[1]\n", "problems.jsonl, line 2: the problem: an object is needed"),
        ("{\n", "problems.jsonl, line 1: no JSON"),
        ("[" * 100_000, "problems.jsonl, line 1: no JSON"),
        (f"{json.dumps(PUBLISHED)}\n{json.dumps(PUBLISHED)}\n", "line 2: id: .* is there twice"),
        (json.dumps({**PUBLISHED, "constraints": [{"kind": "x"}]}), r"line 1: constraints\[0\].kind: 'x' is no kind"),
    ],
    ids=str.strip,
)
def test_what_cannot_be_read_is_named_by_file_and_line(tmp_path: Path, text: str, fault: str) -> None:
    (tmp_path / "problems.jsonl").write_text(text, encoding="utf-8")
    with pytest.raises(RecordError, match=fault):
        load_search_problems(tmp_path)


def test_files_that_are_none_are_errors(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="no problems here"):
        load_search_problems(tmp_path)
    with pytest.raises(RecordError, match="cannot be read"):
        load_search_problems(tmp_path / "absent.jsonl")
    (tmp_path / "binary.jsonl").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(RecordError, match="it is no text"):
        load_search_problems(tmp_path / "binary.jsonl")
