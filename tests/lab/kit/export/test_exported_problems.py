"""Problems of every suite with rows are exported as a data set without any loss."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from holdtrue.cli.main import app
from holdtrue.errors import RecordError, SettingsError
from holdtrue_lab.kit.export.data_set import CARD, DataSet, Origin, Part, export_problems, split_name
from holdtrue_lab.kit.export.problem_rows import TEXT, WHOLE, Column
from holdtrue_lab.kit.registry import find_suite, suite_names
from tests.lab.kit.export.loading import loaded
from tests.slow import first_of

needs_datasets = pytest.mark.skipif(find_spec("datasets") is None, reason="the library datasets is not installed")
MADE = {
    "drift": ("--problems", ["--count", "6"]),
    "cross_query": ("--cases", ["--count", "8"]),
    "belief": ("--dialogues", ["--count", "4"]),
    "cegvr": ("--problems", ["--count", "6"]),
    "verge": ("--items", ["--count", "6"]),
}


def call(*words: str) -> Any:
    return CliRunner().invoke(app, [*words])


def exported(tmp_path: Path, suite: str) -> tuple[list[Any], dict[str, list[dict[str, Any]]]]:
    """Make problems, export them by the command, and return them with the rows of each split."""
    option, recipe = MADE[suite]
    made, out = tmp_path / "made", tmp_path / "set"
    done = call("generate", suite, "--out", str(made), *recipe)
    assert done.exit_code == 0, done.output
    result = call("export", "problems", suite, option, str(made), "--out", str(out), "--licence", "mit")
    assert result.exit_code == 0, (result.output, result.exception)
    own = find_suite(suite)
    field = option.removeprefix("--")
    source = own.source(**{field: (made,) if suite == "verge" else made})
    tables = {path.stem.rpartition("-")[2]: pq.read_table(path) for path in (out / "data").glob("*.parquet")}
    return list(own.load(source, seed=42, model="none").problems), {
        split: table.to_pylist() for split, table in tables.items()
    }


@pytest.mark.parametrize("suite", first_of([*MADE], 2))
def test_every_problem_has_a_row_with_all_that_is_known(tmp_path: Path, suite: str) -> None:
    problems, splits = exported(tmp_path, suite)
    rows = {row["id"]: row for some in splits.values() for row in some}
    assert len(problems) == len(rows) == sum(map(len, splits.values())) > 0
    declared = find_suite(suite).kind.problem_rows
    assert declared is not None
    for problem in problems:
        row = rows[problem.id]
        assert set(row) == {own.name for own in declared().columns}
        assert json.loads(json.dumps(row)) == json.loads(json.dumps(dict(declared().row(problem))))
    card = (tmp_path / "set" / CARD).read_text(encoding="utf-8")
    assert 'license: "mit"' in card and find_suite(suite).cites in card and "@misc" in card
    assert all(f"| `{own.name}` |" in card for own in declared().columns)


def test_what_is_said_and_true_is_in_the_rows_of_conversations(tmp_path: Path) -> None:
    problems, splits = exported(tmp_path, "drift")
    rows = {row["id"]: row for some in splits.values() for row in some}
    for problem in problems:
        instance, row = problem.make_instance(), rows[problem.id]
        assert [turn["message"] for turn in row["turns"]] == [turn.message for turn in problem.turns]
        for number, stated in problem.gold_by_turn(instance).items():
            told = row["turns"][number - 1]["constraints"]
            assert [instance.constraint(own["type"], json.loads(own["args"])) for own in told] == list(stated)


@needs_datasets
@pytest.mark.parametrize("suite", ["drift", "cross_query"])
def test_datasets_loads_them_without_a_network(tmp_path: Path, suite: str) -> None:
    _, splits = exported(tmp_path, suite)
    found = loaded(tmp_path / "set")
    assert {split: json.loads(json.dumps(rows)) for split, rows in splits.items()} == found


def test_every_kind_but_those_of_recordings_has_rows() -> None:
    assert {name for name in suite_names() if find_suite(name).kind.problem_rows is not None} == set(MADE)


def test_recordings_stay_as_they_are(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="stay as they were recorded"):
        export_problems(find_suite("guard"), [], tmp_path / "set", Origin("own"))


def test_names_of_splits_are_names(tmp_path: Path) -> None:
    assert [split_name(own) for own in ("dev", "dev set", "1/2", "", None, "übung")] == [
        "dev",
        "dev_set",
        "1_2",
        "test",
        "test",
        "bung",
    ]
    assert split_name("a", ["a", "a_2"]) == "a_3" and split_name("all") != "all"


@needs_datasets
@pytest.mark.parametrize("name", ["2026-03-01", "2026", "no", "null", "all", "1e3", "0x1f", "true", "\u00fcbung 1"])
def test_a_split_of_any_name_is_loaded(tmp_path: Path, name: str) -> None:
    part = Part("own", "Own.", (Column("id", TEXT, "id"),))
    with DataSet(tmp_path / "set") as data:
        data.write(part, split_name(name), [{"id": "x"}])
        data.write(part, "empty", [])
        data.finish(Origin("a: b", "other: mine"), "Own.")
    assert loaded(tmp_path / "set") == {split_name(name): [{"id": "x"}]}


def test_an_empty_folder_that_is_there_is_filled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    part = Part("own", "Own.", (Column("id", TEXT, "id"),))
    (tmp_path / "here").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "here2", target_is_directory=True)
    (tmp_path / "here2").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    for place in (Path(), tmp_path / "link"):
        with DataSet(place) as data:
            data.write(part, "test", [{"id": "x"}])
            data.finish(Origin("own"), "Own.")
        assert (place / CARD).is_file() and (place / "data" / "own-test.parquet").is_file()
    assert sorted(own.name for own in tmp_path.iterdir()) == ["here", "here2", "link"]


@pytest.mark.parametrize("value", [2**70, "no number", 1.5])
def test_a_value_that_its_column_cannot_hold_is_told(tmp_path: Path, value: object) -> None:
    part = Part("own", "Own.", (Column("id", TEXT, "id"), Column("number", WHOLE, "a number")))
    with pytest.raises(RecordError, match="own: row 1"), DataSet(tmp_path / "set") as data:
        data.write(part, "test", [{"id": "x", "number": value}])
    assert not list(tmp_path.iterdir()), "what is not whole is not there"


def test_many_rows_are_written_some_at_a_time(tmp_path: Path) -> None:
    data = DataSet(tmp_path / "set")
    part = Part("own", "Own.", (Column("number", pa.int64(), "a number"),))
    assert data.write(part, "test", ({"number": own} for own in range(2_500))) == 2_500
    file = pq.ParquetFile(data.path("own", "test"))
    assert file.metadata.num_row_groups == 3 and file.read().column("number").to_pylist() == list(range(2_500))


def test_no_row_is_a_table_with_its_columns(tmp_path: Path) -> None:
    part = Part("own", "Own.", (Column("id", TEXT, "id"),))
    with DataSet(tmp_path / "set") as data:
        data.write(part, "test", [])
        data.write(part, "dev", [{"id": "x"}])
        data.finish(Origin("own"), "Own.")
    assert pq.read_schema(tmp_path / "set" / "data" / "own-test.parquet").names == ["id"]
    card = (tmp_path / "set" / CARD).read_text(encoding="utf-8")
    assert '- split: "dev"' in card and '- split: "test"' not in card, "nothing can be loaded of no row"
