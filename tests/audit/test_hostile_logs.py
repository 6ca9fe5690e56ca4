"""Every row of any log is judged as `check` does or kept apart, and the audit ends normally."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from holdtrue.audit.audit_run import in_process, plan_audit, run_audit
from holdtrue.audit.shard_job import AuditSettings
from holdtrue.audit.turn_checker import Checker
from holdtrue.audit.world_cache import CachedWorld
from holdtrue.cli.main import app
from holdtrue.errors import SettingsError
from holdtrue.world.registry import BUILTIN
from tests.audit.logs import NAMES, log_of, row, write_lines
from tests.audit.test_audit_run import rows
from tests.audit.test_turn_checker import RIGHT, same, turn

AGREED = '{"type": "at_position", "args": ["Ann", 2]}'


def audited(folder: Path, name: str = "log.jsonl", explain: Any = "none", block: int = 10**7) -> list[dict[str, Any]]:
    settings = AuditSettings(explain=explain)
    run_audit(
        plan_audit([str(folder / name)], settings, str(folder / "out"), block=block), str(folder / "out"), in_process
    )
    return rows(folder / "out")


def table_of(folder: Path, **columns: list[Any]) -> list[dict[str, Any]]:
    """Audit a Parquet file of turns about four guests in their order, with other columns in it."""
    count = len(next(iter(columns.values())))
    given = {"domain": ["seating"] * count, "entities": [NAMES] * count, "constraints": ["[]"] * count}
    given |= {"answer": [json.dumps(RIGHT)] * count, **columns}
    pq.write_table(pa.table(given), folder / "log.parquet")
    return audited(folder, "log.parquet")


@pytest.mark.parametrize("broken", ["", "[", f"[{AGREED},]", f"[{AGREED}],{AGREED}]", "5", " "])
def test_a_row_that_cannot_be_read_leaves_nothing_behind(tmp_path: Path, broken: str) -> None:
    texts = [
        f"[{AGREED}]",
        broken,
        f"[{AGREED}] ",
        broken,
        f"[{AGREED}, {AGREED}]",
        f'[{AGREED}, {{"type": "x", "args": []}}]',
        broken,
    ]
    found = table_of(tmp_path, constraints=texts)
    assert [own["row"] for own in found] == [1, 3, 5] and all(own["violated"] for own in found)


@pytest.mark.parametrize(
    "answer",
    [
        json.dumps(RIGHT) + "x" * 500_001,
        json.dumps(RIGHT) + "," * 100_001,
        '{"a":' * 1500 + "1" + "}" * 1500,
        json.dumps({"Ann": 10**100, "Bob": 2, "Cy": 3, "Dee": 4}),
        {"Ann": 10**100, "Bob": 2, "Cy": 3, "Dee": 4},
        {"Ann": 2**64, "Bob": 2, "Cy": 3, "Dee": 4},
    ],
    ids=["long", "marks", "deep", "large in a text", "large", "too large"],
)
def test_the_limits_of_answers_are_the_same(answer: object) -> None:
    same(turn(answer), turn(answer, ("at_position", ["Ann", 1])))


@pytest.mark.parametrize("labels", [[" Red", "Blue"], [" Red", "Red"], ["Red", "Blue"], ["\ue0000\ue001", "x"]])
def test_labels_are_read_alike(labels: list[str]) -> None:
    context = {"categories": {"c": labels, "d": ["p", "q"]}}
    for first in labels:
        grid = {"domain": "logic_grid", "entities": ["A", "B"], "context": context, "constraints": []}
        other = next(own for own in labels if own != first)
        same({**grid, "answer": {"A": {"c": first, "d": "p"}, "B": {"c": other, "d": "q"}}})


LATIN = json.dumps(turn(RIGHT), ensure_ascii=False).encode().replace(b'"t"', b'"caf\xe9"')


@pytest.mark.parametrize(
    "line",
    [
        LATIN,
        json.dumps({**turn(RIGHT), "note": "X"}).encode().replace(b"X", b"\xe9"),
        json.dumps(turn(RIGHT)).encode().replace(b"Ann", b"\xe9"),
        json.dumps({**turn({"Bob": 1}), "entities": ["\ud800", "Bob", "Cy", "Dee"]}).encode(),
        json.dumps({**turn(RIGHT, ("at_position", ["Ann", 9]))}).encode(),
        json.dumps({**turn(RIGHT), "id": "\ud800"}).encode(),
        json.dumps({**turn(RIGHT), "context": 5}).encode(),
        b'{"domain": "seating", "entities": ["A"], "constraints": [], "answer": {"A": 1}, "context": '
        + b'{"a":' * 990
        + b"1"
        + b"}" * 991,
        b'{"domain": "seating", "entities": ["A"], "constraints": [], "answer": {"A": 1}, "score": NaN,'
        b' "conversation": "c"}',
    ],
)
def test_no_line_ends_an_audit(tmp_path: Path, line: bytes) -> None:
    (tmp_path / "log.jsonl").write_bytes(line + b"\n" + json.dumps(turn(RIGHT)).encode() + b"\n")
    found = audited(tmp_path) + rows(tmp_path / "out", "bad_rows")
    assert sorted(own["row"] for own in found) == [1, 2]
    try:
        value = json.loads(line.decode("utf-8", "surrogateescape"))
    except (ValueError, RecursionError):
        return
    named = [own["conversation"] for own in found if own["row"] == 1 and "conversation" in own]
    assert not named or named == [value.get("conversation")]


@pytest.mark.parametrize(
    "columns",
    [
        {"id": [b"x", b"y"]},
        {"answer": [b"x", None]},
        {"entities": ["[" * 10**5, "5"]},
        {"context": ['{"a":' * 2_000, "{}"]},
        {"conversation": [1.5, None]},
        {"id": [None, "x"]},
        {"constraints": [[{"type": "at_position", "turn": 1}], [{"type": "x", "turn": None}]]},
    ],
)
def test_no_table_ends_an_audit(tmp_path: Path, columns: dict[str, list[Any]]) -> None:
    found = table_of(tmp_path, **columns) + rows(tmp_path / "out", "bad_rows")
    assert sorted(own["row"] for own in found) == [1, 2]


def test_members_that_are_null_in_a_table_are_left_out(tmp_path: Path) -> None:
    agreed = [
        [{"type": "adjacent", "args": ["Ann", "Bob"], "turn": None}],
        [{"type": "adjacent", "args": ["Ann", "Cy"], "turn": 2}],
    ]
    assert [own["outcome"] for own in table_of(tmp_path, constraints=agreed, id=[None, "b"])] == ["consistent", "drift"]


def test_the_first_of_a_conversation_does_not_depend_on_where_an_audit_was_stopped(tmp_path: Path) -> None:
    lines: list[object] = [{**row(at, broken=True), "conversation": "one"} for at in range(40)]
    write_lines(tmp_path / "log.jsonl", lines)
    at_once = audited(tmp_path, explain="first", block=3_000)
    for name in ("part-000001", "part-000002"):
        (tmp_path / "out" / "verdicts" / f"{name}.parquet").unlink()
    assert audited(tmp_path, explain="first", block=3_000) == at_once
    assert sum(own["nearest"] is not None for own in at_once) == len(list((tmp_path / "out" / "verdicts").iterdir()))


def test_a_folder_of_verdicts_may_lie_among_the_logs(tmp_path: Path) -> None:
    write_lines(tmp_path / "log.jsonl", log_of(9))
    for _ in range(2):
        result = CliRunner().invoke(
            app, ["audit", str(tmp_path), str(tmp_path / "out"), "--engine", "process", "--json"]
        )
        assert json.loads(result.output)["rows"] == 9


def test_a_log_or_a_domain_that_has_changed_is_told(tmp_path: Path) -> None:
    log, out = write_lines(tmp_path / "log.jsonl", log_of(9)), str(tmp_path / "out")
    domain = tmp_path / "own.py"
    declared = 'from holdtrue import Attribute, Domain\nOWN = Domain("own", [Attribute("day", 1, 3)], [])\n'
    domain.write_text(declared, encoding="utf-8")
    settings = AuditSettings(domain=f"{domain}:OWN")
    first = plan_audit([str(log)], settings, out)
    assert plan_audit([str(log)], settings, out) == first
    domain.write_text(declared.replace("3", "2"), encoding="utf-8")
    with pytest.raises(SettingsError, match="have changed"):
        plan_audit([str(log)], settings, out)
    domain.write_text(declared, encoding="utf-8")
    log.write_bytes(log.read_bytes().replace(b"Ann0", b"Eve0"))
    with pytest.raises(SettingsError, match="have changed"):
        plan_audit([str(log)], settings, out)


def test_what_a_world_was_told_is_forgotten_before_it_fills_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("holdtrue.audit.world_cache._MOST_HELD", 5)
    world = CachedWorld(BUILTIN["seating"].instance(NAMES, {}))
    first = world.hold("at_position", ("Ann", 1))
    kept = [world.hold("at_position", (name, seat)).number for name in NAMES for seat in (1, 2, 3, 4)]
    assert len(set(kept)) == 16 or kept[0] == first.number
    checker = Checker(BUILTIN)
    agreed: list[tuple[str, list[Any]]] = [("at_position", [name, seat]) for seat in (1, 2) for name in NAMES]
    same(*(turn(RIGHT, *agreed[:size], *agreed[:2]) for size in range(1, 9)), checker=checker)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["log.txt", "out"], "a log ends in"),
        (["log.jsonl.zip", "out"], "a log ends in"),
        (["log.jsonl", "more.jsonl"], "is a log: the last name is that of the folder"),
        (["empty.jsonl", "out"], "no row is in it"),
        (["l[1].jsonl", "o[1]"], ""),
        (["LOG.JSONL", "out2"], ""),
    ],
)
def test_names_are_what_they_seem(tmp_path: Path, given: list[str], said: str) -> None:
    for name in ("log.txt", "log.jsonl.zip", "log.jsonl", "more.jsonl", "l[1].jsonl", "LOG.JSONL"):
        write_lines(tmp_path / name, log_of(4))
    (tmp_path / "empty.jsonl").touch()
    page = tmp_path / "page.html"
    paths = [str(tmp_path / name) for name in given]
    result = CliRunner().invoke(
        app, ["audit", *paths, "--engine", "process", "--html", str(page)], catch_exceptions=True
    )
    if said:
        assert said in str(result.exception)
    else:
        assert result.exit_code == 0 and "Audit of 4 turns" in page.read_text(encoding="utf-8")
