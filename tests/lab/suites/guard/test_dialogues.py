"""Suite `guard` over dialogues: calls in right and broken forms, with messages read by gold, by rules, or not
at all.
"""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from holdtrue.cli.main import app
from holdtrue.errors import RecordError, SettingsError
from holdtrue_lab.kinds.decisions.entry import DecisionEntry
from holdtrue_lab.kit.journal import read_entries
from holdtrue_lab.suites.guard.dialogue_files import load_dialogues
from tests.data import DATA

SGD = DATA / "sgd"
TOOLS = DATA.parent / "tools"
TEXT = {"type": "string"}
RESERVE = {
    "name": "Table.Reserve",
    "description": "Reserve a table",
    "parameters": {
        "type": "object",
        "properties": {
            "day": {**TEXT, "format": "date", "description": "Day of the reservation"},
            "guests": {"type": "integer", "description": "Number of guests", "enum": [1, 2, 3, 4, 5, 6]},
            "name": {**TEXT, "description": "Name of the guest"},
        },
        "required": ["day"],
    },
    "writes": True,
}


def event(id: str, kind: str, slot: str, value: Any, source: str = "stated") -> dict[str, Any]:
    found = {"id": id, "kind": kind, "service": "Table", "slot": slot, "source": source, "surface": [str(value)]}
    return found if value is None else {**found, "value": value}


DIALOGUE: dict[str, Any] = {
    "id": "d1",
    "today": "2026-03-02",
    "services": ["Table"],
    "tools": [RESERVE],
    "turns": [
        {"system": None, "user": "for 4 guests on March 6th", "events": [
            event("e1", "add", "guests", 4), event("e2", "add", "day", "2026-03-06"),
        ], "calls": []},
        {"system": "Under the name Rossi?", "user": "yes, and 5 guests", "events": [
            event("e3", "amend", "guests", 5), event("e4", "add", "name", "Rossi", "accepted"),
        ], "calls": [
            {"id": "c1", "name": "Table.Reserve", "arguments": {"day": "2026-03-06", "guests": 5, "name": "Rossi"}},
        ]},
    ],
}  # fmt: skip
MUTANTS: list[dict[str, Any]] = [
    {"kind": "forgotten", "set": {"guests": 4}, "broken": [{"event": "e3", "slot": "guests", "value": 5}]},
    {"kind": "dropped", "set": {"name": None}, "broken": [{"event": "e4", "slot": "name", "value": "Rossi"}]},
]


def write(folder: Path, dialogues: list[Any], mutants: list[Any]) -> Path:
    lines = [{"dialogue": "d1", "turn": 1, "call": "c1", **own} for own in mutants]
    (folder / "share.jsonl").write_text("".join(json.dumps(own) + "\n" for own in dialogues), encoding="utf-8")
    (folder / "mutants.jsonl").write_text("".join(json.dumps(own) + "\n" for own in lines), encoding="utf-8")
    return folder


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    return write(folder, [DIALOGUE], MUTANTS)


def run(data: Path, out: Path, methods: str, *more: str) -> None:
    words = ["run", "guard", "--data", str(data), "--method", methods, "--out", str(out), "-q", *more]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0, (result.output, result.exception)


def decided(out: Path, method: str) -> list[tuple[str, tuple[str, ...]]]:
    entries = [own for own in read_entries(out) if isinstance(own, DecisionEntry) and own.method == method]
    found = sorted(entries, key=lambda own: (own.problem, own.turn))
    return [(own.record.detail.decision.value, own.record.detail.named) for own in found]


def test_gold_stops_the_broken_forms_alone_and_names_what_they_break(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    run(data, out, "guard_gold,allow_all,ask_always")
    assert decided(out, "guard_gold") == [("allow", ()), ("block", ("guests",)), ("block", ("name",))]
    assert decided(out, "allow_all") == [("allow", ())] * 3
    report = CliRunner().invoke(app, ["report", str(out), "--json"])
    [own] = json.loads(report.output)["runs"]
    rows = {row["arm"]["method"]: {each["source"]: each for each in row["sources"]} for row in own["rows"]}
    assert rows["guard_gold"]["accepted"]["stopped"]["value"] == 1.0
    assert rows["guard_gold"]["all broken"]["exact"]["value"] == 1.0
    assert rows["guard_gold"]["right calls"]["stopped"]["value"] == 0.0
    assert rows["ask_always"]["right calls"]["stopped"]["value"] == 1.0
    assert rows["ask_always"]["all broken"]["stopped"]["value"] == 0.0, "it names nothing"


def test_rules_hear_what_was_said(data: Path, tmp_path: Path) -> None:
    run(data, tmp_path / "run", "guard_rules")
    right, forgotten, _ = decided(tmp_path / "run", "guard_rules")
    assert right[0] == "allow"
    assert forgotten[1] == ("guests",)


def test_what_nobody_spoke_of_is_asked_about_or_only_told(data: Path, tmp_path: Path) -> None:
    turns = [*DIALOGUE["turns"][:1], {**DIALOGUE["turns"][1], "system": None, "user": "5 guests", "events": []}]
    write(data, [{**DIALOGUE, "turns": turns}], [])
    for unfounded, decision in (("ask", "ask"), ("tell", "allow")):
        run(data, tmp_path / unfounded, "guard_rules", "--unfounded", unfounded)
        assert decided(tmp_path / unfounded, "guard_rules")[0][0] == decision


def test_what_does_not_fit_is_told(data: Path, tmp_path: Path) -> None:
    def fails(message: str, *words: str, error: type[Exception] = SettingsError) -> None:
        result = CliRunner().invoke(app, ["run", "guard", "--data", str(data), "--out", str(tmp_path / "no"), *words])
        assert isinstance(result.exception, error) and message in str(result.exception), result.exception

    fails("asks a model: name one with --model", "--method", "guard_model")
    fails("take no policy", "--policy", "p.yaml")
    for changed, message in (
        ({**DIALOGUE, "today": "soon"}, "today: a day such as"),
        ({**DIALOGUE, "tools": [{"name": 5}]}, "tools"),
        ({**DIALOGUE, "turns": [{"user": 5}]}, "user"),
    ):
        write(data, [changed], [])
        with pytest.raises(RecordError, match=message):
            load_dialogues(data, "ask")
    write(data, [DIALOGUE], [{**MUTANTS[0], "call": "c9"}])
    with pytest.raises(RecordError, match=r"mutants.jsonl, line 1: there is no such call"):
        load_dialogues(data, "ask")


def test_methods_that_hear_words_play_no_conversations(tmp_path: Path) -> None:
    from tests.lab.suites.guard.library import policy
    from tests.lab.suites.guard.library import write as write_library

    folder = write_library(tmp_path / "library")
    words = ["run", "guard", "--data", str(folder), "--policy", str(policy(folder)), "--method", "guard_rules"]
    result = CliRunner().invoke(app, [*words, "--out", str(tmp_path / "run")])
    assert "hears words" in str(result.exception)
    result = CliRunner().invoke(app, ["run", "guard", "--data", str(folder), "--out", str(tmp_path / "run")])
    assert "name its file" in str(result.exception)


@pytest.mark.skipif(not SGD.is_dir(), reason="the recorded dialogues are not beside the repository")
def test_gold_stops_no_right_call_of_the_recorded_dialogues_and_each_broken_one(tmp_path: Path) -> None:
    run(SGD, tmp_path / "run", "guard_gold")
    out = tmp_path / "predictions.jsonl"
    words = ["report", str(tmp_path / "run"), "--predictions", str(out), "--method", "guard_gold"]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0, result.output
    scorer = [sys.executable, str(TOOLS / "score_sgd.py"), str(SGD / "share.jsonl"), str(out)]
    done = subprocess.run(
        [*scorer, "--mutants", str(SGD / "share_mutants.jsonl")], check=True, capture_output=True, text=True
    )
    assert "right calls 168: allow 1.000, block 0.000, ask 0.000, confirm 0.000" in done.stdout
    found = ast.literal_eval(done.stdout[done.stdout.rindex("{") :])
    same = said_as_by_default(SGD)
    assert same == 14, "what is left out has by default what was said, so that these calls break nothing"
    assert found == {"changed": "336/336", "dropped": f"{44 - same}/44", "forgotten": "44/44", "swapped": "41/41"}
    assert "just the broken slots named 0.970" in done.stdout, "451 of 465"


def said_as_by_default(folder: Path) -> int:
    """Return the number of calls that leave out only an argument whose default is the user's value."""
    lines = (folder / "share.jsonl").read_text(encoding="utf-8").splitlines()
    dialogues = {own["id"]: own for own in map(json.loads, lines)}
    found = 0
    for own in map(json.loads, (folder / "share_mutants.jsonl").read_text(encoding="utf-8").splitlines()):
        if own["kind"] == "dropped":
            dialogue, [broken] = dialogues[own["dialogue"]], own["broken"]
            calls = (each for turn in dialogue["turns"] for each in turn["calls"])
            name = next(each["name"] for each in calls if each["id"] == own["call"])
            tool = next(each for each in dialogue["tools"] if each["name"] == name)
            found += tool["parameters"]["properties"][broken["slot"]].get("default") == broken["value"]
    return found
