"""Runs of suite `reading`: read, killed, gone on with, reported, and scored by the project's own scorer alike."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from holdtrue.cli.main import app
from holdtrue.errors import SettingsError
from holdtrue.lab.kinds.readings.entry import ReadingEntry
from holdtrue.lab.kit.journal import read_entries
from holdtrue.lab.kit.settings import JOURNAL_FILE
from tests.data import DATA
from tests.lab.suites.reading.dialogues import DIALOGUES, write

SCORER = DATA.parent / "tools" / "score_sgd.py"
SHARED = DATA / "sgd"
METHODS = ("rules", "nothing", "gold")
needs_scorer = pytest.mark.skipif(not SCORER.is_file(), reason="the scorer is not beside the repository")


def holdtrue(*words: object) -> str:
    result = CliRunner().invoke(app, [str(word) for word in words], terminal_width=200)
    assert result.exit_code == 0, (result.output, result.exception)
    return result.output


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("dialogues"))


@pytest.fixture(scope="module")
def folder(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("reading") / "run"
    holdtrue("run", "reading", "--data", data, "--out", out, "-q")
    return out


def rows(folder: Path) -> dict[str, Any]:
    return {row["arm"]["method"]: row for row in json.loads(holdtrue("report", folder, "--json"))["runs"][0]["rows"]}


def test_gold_reads_all_and_nothing_reads_nothing(folder: Path) -> None:
    found = rows(folder)
    assert found["gold"]["events"]["f1"]["value"] == found["gold"]["accuracy"]["value"] == 1
    assert found["nothing"]["events"]["recall"]["hits"] == 0
    assert found["nothing"]["sound"]["value"] == 1
    assert 0 < found["rules"]["events"]["recall"]["value"] < 1
    assert found["rules"]["amend"]["recall"]["hits"] == 1


def test_no_method_but_llm_needs_a_model(folder: Path, data: Path, tmp_path: Path) -> None:
    assert "no model" in holdtrue("report", folder)
    words = ["run", "reading", "--data", f"{data}", "--method", "llm", "--out", f"{tmp_path / 'run'}"]
    with pytest.raises(SettingsError, match="name one with --model"):
        CliRunner().invoke(app, words, catch_exceptions=False)


def test_a_model_is_asked_once_a_message_and_paid_for(data: Path, tmp_path: Path) -> None:
    script = tmp_path / "script.jsonl"
    messages = sum(len(own["turns"]) for own in DIALOGUES)
    script.write_text((json.dumps({"text": '{"events":[]}'}) + "\n") * messages, encoding="utf-8")
    out = tmp_path / "run"
    model = f"script/{script}"
    holdtrue("run", "reading", "--data", data, "--method", "llm", "--model", model, "--out", out, "-q")
    entries = [own for own in read_entries(out) if isinstance(own, ReadingEntry)]
    assert len(entries) == messages and all(len(own.record.extraction) == 1 for own in entries)
    assert rows(out)["llm"]["calls"]["value"] == 1


def test_a_killed_run_goes_on_to_the_same_records(folder: Path, data: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    holdtrue("run", "reading", "--data", data, "--out", out, "-q")
    journal = out / JOURNAL_FILE
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[:5]) + lines[5][:20])
    holdtrue("run", "reading", "--data", data, "--out", out, "-q")

    def told(place: Path) -> set[tuple[object, ...]]:
        return {
            (own.problem, own.method, own.turn, own.record.detail.events, tuple(own.record.detail.ledger.items()))
            for own in read_entries(place)
            if isinstance(own, ReadingEntry)
        }

    assert told(out) == told(folder)


def test_turns_are_told_in_words(folder: Path) -> None:
    said = " ".join(holdtrue("report", folder, "--turns").split())
    assert "message 3 of 4, rules" in said and "changes Clinic.hour to 15:00" in said
    assert "services: Clinic+Taxi" in said and "ledger right" in said


def test_a_page_and_flat_rows_are_written(folder: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    holdtrue("report", folder, "--html", page)
    text = page.read_text(encoding="utf-8")
    assert "Risk against coverage" in text and "Actually make it 3 pm" in text
    holdtrue("report", folder, "--parquet", tmp_path / "turns.parquet")
    assert (tmp_path / "turns.parquet").stat().st_size > 0


def scored(data: Path, predictions: Path) -> Any:
    spec = importlib.util.spec_from_file_location("score_sgd", SCORER)
    assert spec is not None and spec.loader is not None
    scorer: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(scorer)
    lines = [json.loads(line) for line in data.read_text(encoding="utf-8").splitlines()]
    told = [json.loads(line) for line in predictions.read_text(encoding="utf-8").splitlines()]
    return scorer.score(lines, {own["id"]: own for own in told}, [])


def check_parity(folder: Path, data: Path, out: Path) -> None:
    found = rows(folder)
    for method in METHODS:
        predictions = out / f"{method}.jsonl"
        holdtrue("report", folder, "--predictions", predictions, "--method", method)
        counts, row = scored(data, predictions), found[method]
        kinds = ("add", "amend", "waive", "withdraw")
        right, wrong, gold = (sum(counts["all", what, kind] for kind in kinds) for what in ("right", "wrong", "gold"))
        assert (row["events"]["precision"]["hits"], row["events"]["precision"]["of"]) == (right, right + wrong)
        assert (row["events"]["recall"]["hits"], row["events"]["recall"]["of"]) == (right, gold)
        assert row["amend"]["recall"]["hits"] == counts["all", "right", "amend"]
        assert (row["accuracy"]["hits"], row["accuracy"]["of"]) == (counts["all", "joint"], counts["all", "turns"])
        assert row["sound"]["hits"] == counts["all", "sound"]
        for part in row["services"]:
            hits = sum(counts[part["name"], "right", kind] for kind in kinds)
            assert part["figures"]["recall"]["hits"] == hits


@needs_scorer
def test_the_scorer_finds_the_same(folder: Path, data: Path, tmp_path: Path) -> None:
    check_parity(folder, data / "dialogues.jsonl", tmp_path)


@needs_scorer
@pytest.mark.skipif(not SHARED.is_dir(), reason="the recorded dialogues are not beside the repository")
def test_the_scorer_finds_the_same_of_shared_dialogues(tmp_path: Path) -> None:
    part = tmp_path / "part.jsonl"
    lines = (SHARED / "share.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    part.write_text("".join(lines[::6]), encoding="utf-8")
    out = tmp_path / "run"
    holdtrue("run", "reading", "--data", part, "--out", out, "-q")
    check_parity(out, part, tmp_path)


@needs_scorer
@pytest.mark.slow
@pytest.mark.skipif(not (SHARED / "share.jsonl").is_file(), reason="the shared dialogues are not beside the repository")
def test_the_scorer_finds_the_same_of_the_shared_dialogues(tmp_path: Path) -> None:
    out = tmp_path / "run"
    holdtrue("run", "reading", "--data", SHARED, "--out", out, "-q")
    check_parity(out, SHARED / "share.jsonl", tmp_path)
