"""Runs of suite `reading`: played, killed, resumed, and reported."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from holdtrue.cli.main import app
from holdtrue.errors import SettingsError
from holdtrue.language.reading_weights import shipped_reading_weights
from holdtrue.models import model_registry
from holdtrue_lab.kinds.readings.entry import ReadingEntry
from holdtrue_lab.kit.journal import read_entries
from holdtrue_lab.kit.settings import JOURNAL_FILE
from tests.lab.suites.reading.messages import MESSAGES, message, write_messages
from tests.language.test_likelihood import Channel, prefers

DEVELOPMENT = Path(__file__).parents[3] / "language" / "data" / "development_sentences.jsonl"
GOLD = sum(len(own["gold"]) for own in MESSAGES)
TABLE: dict[str, Any] = {"domain": "seating", "entities": ["Nora", "Omar", "Tara"], "context": {}}
HUG = message("hugs", "single", "Nora hugs Omar's chair", ["adjacent", "Nora", "Omar"], **TABLE)


def holdtrue(*words: object) -> str:
    result = CliRunner().invoke(app, [str(word) for word in words], terminal_width=200)
    assert result.exit_code == 0, (result.output, result.exception)
    return result.output


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_messages(tmp_path_factory.mktemp("messages"))


@pytest.fixture(scope="module")
def folder(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("reading") / "run"
    holdtrue("run", "reading", "--data", data, "--out", out, "-q")
    return out


def rows(folder: Path) -> dict[str, Any]:
    return {row["arm"]["method"]: row for row in json.loads(holdtrue("report", folder, "--json"))["runs"][0]["rows"]}


def test_gold_is_exact_and_rules_read_the_domain_s_own_wording(folder: Path) -> None:
    found = {method: row["figures"] for method, row in rows(folder).items()}
    gold, rules, nothing = found["gold"], found["rules"], found["nothing"]
    assert (gold["exact"]["hits"], gold["exact"]["of"]) == (len(MESSAGES), len(MESSAGES))
    assert (gold["wrong"]["hits"], gold["wrong"]["of"], gold["missed"]["hits"]) == (0, GOLD, 0)
    assert (nothing["exact"]["hits"], nothing["missed"]["hits"], nothing["missed"]["of"]) == (2, GOLD, GOLD)
    assert rules["exact"]["hits"] == 5 and rules["missed"]["hits"] == 1 and rules["wrong"]["hits"] == 0
    assert rules["taken_back"] == 1 and rules["rejected"] + rules["in_doubt"]["hits"] >= 2


def test_figures_are_told_apart_by_kind_domain_and_style(folder: Path) -> None:
    parts = rows(folder)["rules"]["parts"]
    assert {(own["by"], own["name"], own["figures"]["messages"]) for own in parts} == {
        ("kind", "single", 2),
        ("kind", "multi", 1),
        ("kind", "hedged", 2),
        ("kind", "odd", 1),
        ("domain", "logic_grid", 6),
        ("style", "terse", 4),
        ("style", "formal", 1),
        ("style", "chatty", 1),
    }


def test_a_reading_that_a_method_does_not_accept_is_in_doubt(data: Path, tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text('[[method]]\nname = "strict"\nbase = "gold"\naccepted = 1.1\n', encoding="utf-8")
    out = tmp_path / "run"
    words = ("--plan", plan, "--data", data)
    holdtrue("run", "reading", *words, "--out", out, "-q")
    found = rows(out)["strict"]["figures"]
    assert found["wrong"]["of"] == 0 and found["with_doubtful"]["hits"] == len(MESSAGES)
    assert (found["doubtful"]["hits"], found["doubtful_right"]["hits"]) == (GOLD, GOLD)


def test_no_method_but_llm_needs_a_model(folder: Path, data: Path, tmp_path: Path) -> None:
    assert "no model" in holdtrue("report", folder)
    words = ["run", "reading", "--data", f"{data}", "--method", "llm", "--out", f"{tmp_path / 'run'}"]
    with pytest.raises(SettingsError, match="name one with --model"):
        CliRunner().invoke(app, words, catch_exceptions=False)


def test_a_model_is_asked_and_paid_for(data: Path, tmp_path: Path) -> None:
    script = tmp_path / "script.jsonl"
    script.write_text((json.dumps({"text": '{"constraints":[]}'}) + "\n") * 60, encoding="utf-8")
    out = tmp_path / "run"
    model = ("--method", "llm", "--model", f"script/{script}", "--max-connections", "1")
    holdtrue("run", "reading", "--data", data, *model, "--out", out, "-q")
    entries = [own for own in read_entries(out) if isinstance(own, ReadingEntry)]
    asked = sum(len(own.record.extraction) for own in entries)
    row = rows(out)["llm"]
    assert len(entries) == len(MESSAGES) and asked
    assert row["calls"]["value"] == pytest.approx(asked / len(MESSAGES))
    assert all(row[name]["value"] is not None for name in ("prompt_tokens", "completion_tokens", "seconds"))


def test_a_model_s_likelihoods_are_asked_for_through_the_call_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = Channel(prefers("must sit next to", 15.0))
    monkeypatch.setattr(model_registry, "open_model", lambda name, **more: model)
    words = ("--method", "llm", "--model", "script/channel", "--out", tmp_path / "run", "-q")
    without_words = tmp_path / "w.json"
    without_words.write_text(json.dumps(replace(shipped_reading_weights(), phrasings={}).to_json()), encoding="utf-8")
    holdtrue("run", "reading", "--data", write_messages(tmp_path, HUG), *words, "--weights", without_words)
    assert any(asked.likelihood for asked in model.asked)
    row = rows(tmp_path / "run")["llm"]
    assert row["figures"]["exact"]["hits"] == 1 and row["calls"]["value"] == len(model.asked)


def test_a_file_without_weights_is_refused(data: Path, tmp_path: Path) -> None:
    path = tmp_path / "w.json"
    path.write_text('{"weights": {}}', encoding="utf-8")
    words = ["run", "reading", "--data", f"{data}", "--weights", f"{path}", "--out", f"{tmp_path / 'run'}"]
    with pytest.raises(SettingsError, match="no weights of sentences"):
        CliRunner().invoke(app, words, catch_exceptions=False)


def test_weights_of_ones_own_read_messages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, data = tmp_path / "w.json", write_messages(tmp_path, HUG)
    monkeypatch.setattr(model_registry, "open_model", lambda name, **more: Channel(prefers("must sit next to", 15.0)))
    words = ("run", "reading", "--data", data, "--method", "llm", "--model", "script/channel", "-q")
    for accepted, exact in ((0.7, 1), (1.1, 0)):
        path.write_text(json.dumps(replace(shipped_reading_weights(), accepted=accepted).to_json()), encoding="utf-8")
        out = tmp_path / f"run{exact}"
        holdtrue(*words, "--weights", path, "--out", out)
        assert rows(out)["llm"]["figures"]["exact"]["hits"] == exact


def test_a_killed_run_goes_on_to_the_same_records(folder: Path, data: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    holdtrue("run", "reading", "--data", data, "--out", out, "-q")
    journal = out / JOURNAL_FILE
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[:5]) + lines[5][:20])
    holdtrue("run", "reading", "--data", data, "--out", out, "-q")

    def told(place: Path) -> set[Any]:
        found = [own for own in read_entries(place) if isinstance(own, ReadingEntry)]
        return {(own.problem, own.method, own.record.readings, str(own.score)) for own in found}

    assert told(out) == told(folder) and len(told(folder)) == 3 * len(MESSAGES)


def test_messages_are_told_in_words_and_on_a_page(folder: Path, tmp_path: Path) -> None:
    said = " ".join(holdtrue("report", folder, "--turns").split())
    assert "logic_grid/both, message 1 of 1, rules message: logic_grid, multi, formal, both" in said
    assert 'states assign(Mei, pet, Cat) ("Mei is assigned Cat in category pet", accepted, 1.00)' in said
    assert "agreed before: assign(Mei, pet, Cat)" in said and "missed: assign(Rafael, pet, Dog)" in said
    table = " ".join(holdtrue("report", folder, "--all").split())
    assert all(title in table for title in ("Kinds of messages", "Readings in doubt", "bootstrap over messages"))
    page = tmp_path / "page.html"
    holdtrue("report", folder, "--html", page)
    text = page.read_text(encoding="utf-8")
    assert "Risk against coverage" in text and "none other than Rafael" in text
    holdtrue("report", folder, "--parquet", tmp_path / "turns.parquet")
    assert (tmp_path / "turns.parquet").stat().st_size > 0


def test_what_was_read_is_written_as_files_have_it(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "gold.jsonl"
    holdtrue("report", folder, "--predictions", out, "--method", "gold")
    found = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert {own["id"]: own["accepted"] for own in found} == {f"logic_grid/{own['id']}": own["gold"] for own in MESSAGES}


def test_the_development_sentences_play_without_an_error_and_gold_is_exact(tmp_path: Path) -> None:
    out = tmp_path / "run"
    holdtrue("run", "reading", "--data", DEVELOPMENT, "--method", "rules,gold", "--out", out, "-q")
    found = rows(out)
    assert found["gold"]["figures"]["exact"]["hits"] == found["gold"]["figures"]["exact"]["of"] == 690
    assert all(row["finished"] == 690 and row["failed"] == 0 for row in found.values())
