"""A run that was exported and restored is the same run: its files byte for byte, and every figure of its report."""

from __future__ import annotations

import json
import shutil
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from holdtrue.cli.main import app
from holdtrue.errors import InputError, RecordError, SettingsError
from holdtrue.models.cache import CallLog
from holdtrue.models.chat import Reply, Request, user
from holdtrue.record import Usage
from holdtrue_lab.kit.export.data_set import CARD, Origin
from holdtrue_lab.kit.export.exported_runs import export_runs, unpack_runs
from holdtrue_lab.kit.report import open_report
from holdtrue_lab.kit.settings import CALLS_FILE, JOURNAL_FILE, SETTINGS_FILE
from tests.lab.kit.export.loading import loaded
from tests.lab.kit.test_tables_of_all_suites import MAKERS

ORIGIN = Origin("own")
needs_datasets = pytest.mark.skipif(find_spec("datasets") is None, reason="the library datasets is not installed")


def figures(folder: Path) -> Any:
    """Return the whole report but for the run's folder."""
    found = open_report([folder]).to_json()
    for run in found["runs"]:
        del run["folder"]
    return found


@pytest.mark.parametrize("suite", MAKERS)
def test_a_run_of_every_suite_comes_back_as_it_was(tmp_path: Path, suite: str) -> None:
    (tmp_path / "run").mkdir()
    [folder, *_] = MAKERS[suite](tmp_path / "run")
    export_runs([folder], tmp_path / "set", ORIGIN)
    [back] = unpack_runs(tmp_path / "set", tmp_path / "back")
    for name in (JOURNAL_FILE, SETTINGS_FILE):
        assert (back / name).read_bytes() == (folder / name).read_bytes()
    assert figures(back) == figures(folder)


@needs_datasets
def test_what_datasets_loads_has_every_line_and_makes_the_same_figures(tmp_path: Path, folders: list[Path]) -> None:
    export_runs(folders, tmp_path / "set", ORIGIN, calls=True)
    for folder, (split, lines) in zip(folders, loaded(tmp_path / "set", "journal", "entry").items(), strict=True):
        place = tmp_path / split
        place.mkdir()
        (place / JOURNAL_FILE).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        shutil.copy(folder / SETTINGS_FILE, place)
        assert figures(place) == figures(folder)
    calls = loaded(tmp_path / "set", "calls", "call")
    assert [len(own) for own in calls.values()] == [
        len((own / CALLS_FILE).read_text(encoding="utf-8").splitlines()) for own in folders
    ]


def test_the_columns_say_what_the_lines_do(tmp_path: Path, folders: list[Path]) -> None:
    [journal] = export_runs(folders[:1], tmp_path / "set", ORIGIN)
    [split] = journal.splits
    rows = pq.read_table(tmp_path / "set" / "data" / f"journal-{split}.parquet").to_pylist()
    assert len(rows) == journal.splits[split] > 0
    for row in rows:
        entry = json.loads(row["entry"])
        for name in ("suite", "problem", "domain", "method", "turn", "turns", "kind"):
            assert row[name] == entry[name]
        assert row["model"] == entry["record"]["model"] and row["answers"] == 1
        assert row["right"] == int(entry["score"]["correct"])
    [first] = open_report(folders[:1]).to_json()["runs"]
    for own in first["rows"]:
        if own["domain"] is None:
            mine = [row for row in rows if row["method"] == own["arm"]["method"]]
            assert sum(row["right"] for row in mine) / len(mine) == pytest.approx(own["accuracy"]["value"])


def test_runs_of_one_name_are_told_apart(tmp_path: Path, folders: list[Path]) -> None:
    places = []
    for parent in "ab":
        shutil.copytree(folders[0], tmp_path / parent / "my run!")
        places.append(tmp_path / parent / "my run!")
    [journal] = export_runs(places, tmp_path / "set", ORIGIN)
    assert list(journal.splits) == ["my_run", "my_run_2"]
    assert [path.name for path in unpack_runs(tmp_path / "set", tmp_path / "back")] == ["my_run", "my_run_2"]


def test_calls_come_back_whatever_a_model_said(tmp_path: Path, folders: list[Path]) -> None:
    run = tmp_path / "run"
    shutil.copytree(folders[0], run)
    log = CallLog(run / CALLS_FILE)
    request = Request((user("cut \ud83d here"),), "answer")
    log.append(request.key("m"), "m", request, Reply("half \udc00", Usage(1, 2, 3)))
    log.close()
    export_runs([run], tmp_path / "set", ORIGIN, calls=True)
    [back] = unpack_runs(tmp_path / "set", tmp_path / "back")
    again = CallLog(back / CALLS_FILE)
    found = again.find(request.key("m"))
    assert found is not None and found.text == "half \udc00"
    assert again.usage == log.usage
    again.close()


def test_a_line_that_is_torn_stays_behind(tmp_path: Path, folders: list[Path]) -> None:
    run = tmp_path / "run"
    shutil.copytree(folders[0], run)
    whole = (run / JOURNAL_FILE).read_bytes()
    (run / JOURNAL_FILE).write_bytes(whole + b'{"suite": "dri')
    export_runs([run], tmp_path / "set", ORIGIN)
    [back] = unpack_runs(tmp_path / "set", tmp_path / "back")
    assert (back / JOURNAL_FILE).read_bytes() == whole


def test_what_cannot_be_exported_or_unpacked_is_told_and_nothing_is_overwritten(
    tmp_path: Path, folders: list[Path]
) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine")
    with pytest.raises(SettingsError, match="has something in it"):
        export_runs(folders[:1], tmp_path / "full", ORIGIN)
    with pytest.raises(RecordError, match="no such folder"):
        export_runs([tmp_path / "none"], tmp_path / "set", ORIGIN)
    with pytest.raises(RecordError, match="no runs are in it"):
        unpack_runs(tmp_path / "full", tmp_path / "back")
    export_runs(folders[:1], tmp_path / "set", ORIGIN)
    unpack_runs(tmp_path / "set", tmp_path / "back")
    with pytest.raises(SettingsError, match="is there already"):
        unpack_runs(tmp_path / "set", tmp_path / "back")
    [part] = (tmp_path / "set" / "data").glob("*.parquet")
    part.write_bytes(b"no table")
    with pytest.raises(RecordError, match="cannot be read"):
        unpack_runs(tmp_path / "set", tmp_path / "other")
    assert (tmp_path / "full" / "mine.txt").read_text() == "mine"
    assert not list((tmp_path / "other").iterdir()), "a run that is not whole is not there"
    pq.write_table(pa.table({"entry": ["{}", None]}), part)
    with pytest.raises(RecordError, match="no text"):
        unpack_runs(tmp_path / "set", tmp_path / "other")
    (tmp_path / "set" / "runs" / part.stem.removeprefix("journal-") / SETTINGS_FILE).write_bytes(b"\xff\xfe")
    pq.write_table(pa.table({"entry": ["{}"]}), part)
    with pytest.raises(RecordError, match="cannot be read"):
        unpack_runs(tmp_path / "set", tmp_path / "other")
    with pytest.raises(RecordError, match="cannot be written"):
        unpack_runs(tmp_path / "set", tmp_path / "full" / "mine.txt")


@needs_datasets
def test_a_run_without_a_turn_does_not_keep_others_from_being_loaded(tmp_path: Path, folders: list[Path]) -> None:
    shutil.copytree(folders[0], tmp_path / "empty")
    (tmp_path / "empty" / JOURNAL_FILE).write_bytes(b"")
    (tmp_path / "empty" / CALLS_FILE).unlink()
    export_runs([tmp_path / "empty", folders[1]], tmp_path / "set", ORIGIN, calls=True)
    for part, column in (("journal", "entry"), ("calls", "call")):
        assert len(loaded(tmp_path / "set", part, column)) == 1
    assert len(unpack_runs(tmp_path / "set", tmp_path / "back")) == 2


def test_the_commands_do_the_same(tmp_path: Path, folders: list[Path]) -> None:
    bib = tmp_path / "own.bib"
    bib.write_text("@misc{own, title = {Own}}", encoding="utf-8")
    words = ["export", "runs", str(folders[0]), "--out", str(tmp_path / "set"), "--licence", "cc-by-4.0"]
    result = CliRunner().invoke(app, [*words, "--name", "My runs: all", "--citation", str(bib)])
    assert result.exit_code == 0 and "load_dataset" in result.stdout and "licence" not in result.stderr
    card = (tmp_path / "set" / CARD).read_text(encoding="utf-8")
    assert 'license: "cc-by-4.0"' in card and 'pretty_name: "My runs: all"' in card and "@misc{own" in card
    back = CliRunner().invoke(app, ["export", "unpack", str(tmp_path / "set"), "--out", str(tmp_path / "back")])
    assert back.exit_code == 0 and figures(Path(back.stdout.strip())) == figures(folders[0])
    silent = CliRunner().invoke(app, ["export", "runs", str(folders[0]), "--out", str(tmp_path / "other")])
    assert "--licence" in silent.stderr and 'license: "unknown"' in (tmp_path / "other" / CARD).read_text()
    missing = CliRunner().invoke(app, [*words[:4], str(tmp_path / "third"), "--citation", str(tmp_path / "none.bib")])
    assert isinstance(missing.exception, InputError) and "none.bib" in str(missing.exception)
