"""This module exports runs as a data set, and restores each run from the data set, byte for byte."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from holdtrue.errors import RecordError, SettingsError
from holdtrue.files import write_whole
from holdtrue_lab.kit.entry import Entry, FailureEntry, PlayedEntry
from holdtrue_lab.kit.export.data_set import DATA, DataSet, Origin, Part, split_name
from holdtrue_lab.kit.export.problem_rows import TEXT, WHOLE, Column
from holdtrue_lab.kit.folder import open_folder
from holdtrue_lab.kit.journal import read_placed
from holdtrue_lab.kit.settings import CALLS_FILE, JOURNAL_FILE, SETTINGS_FILE

JOURNAL, CALLS, RUNS = "journal", "calls", "runs"


def _if_played(read: Callable[[PlayedEntry[Any]], Any]) -> Callable[[Entry], Any]:
    return lambda entry: None if isinstance(entry, FailureEntry) else read(entry)


def _outcome(entry: Entry) -> str:
    return entry.error if isinstance(entry, FailureEntry) else entry.record.detail.outcome_of(entry.record).value


_JOURNAL = (
    Column("suite", TEXT, "the suite"),
    Column("problem", TEXT, "the problem's id"),
    Column("domain", TEXT, "the group that reports show it in"),
    Column("method", TEXT, "the method; with the model it is the arm of a comparison"),
    Column("model", TEXT, "the model that was asked, null in a failure", _if_played(lambda entry: entry.record.model)),
    Column("turn", WHOLE, "the turn, counted from 1"),
    Column("turns", WHOLE, "how many turns the problem has, null in a failure", _if_played(lambda entry: entry.turns)),
    Column("kind", TEXT, "the kind of answer, or `failure`"),
    Column("outcome", TEXT, "the outcome of the turn, in the words of its kind; the error of a failure", _outcome),
    Column(
        "right",
        WHOLE,
        "how many answers of the turn are right, null where gold is not known",
        _if_played(lambda entry: entry.tally and entry.tally[0]),
    ),
    Column("answers", WHOLE, "how many there are", _if_played(lambda entry: entry.tally and entry.tally[1])),
)
_ENTRY = Column("entry", TEXT, "the line of the journal, as JSON: all that happened in the turn")
_CALLS = (Column("call", TEXT, "a paid call, as JSON: what was asked, what came back, and what it cost"),)


def export_runs(folders: Sequence[Path], out: Path, origin: Origin, *, calls: bool = False) -> list[Part]:
    """Write the journals of runs, each as a split, with their settings. If `calls` is true, add the calls to models.

    Raises `RecordError` if a run cannot be read, and the errors of `DataSet`.
    """
    folders = list(dict.fromkeys(folders))
    settings = {folder: open_folder(folder) for folder in folders}
    if without := [own for own in folders if not (own / SETTINGS_FILE).is_file()]:
        raise RecordError(f"{without[0]}: {SETTINGS_FILE} is missing: nobody could tell what was run")
    names: dict[Path, str] = {}
    for folder in folders:
        names[folder] = split_name(folder.resolve().name, names.values())
    parts = [Part(JOURNAL, "A row for each turn that was played, and for each failure.", (*_JOURNAL, _ENTRY))]
    suites = ", ".join(sorted({f"`{own.get('suite', '?')}`" for own in settings.values()}))
    about = (
        f"Runs of holdtrue's suite {suites}, each a split. `holdtrue export unpack` makes their folders again, which "
        f"`holdtrue report` reads; `{RUNS}/` has their settings."
    )
    with DataSet(out) as data:
        for folder, name in names.items():
            data.write(parts[0], name, _journal_rows(folder))
            place = data.folder / RUNS / name / SETTINGS_FILE
            place.parent.mkdir(parents=True, exist_ok=True)
            write_whole(place, (folder / SETTINGS_FILE).read_text(encoding="utf-8"))
        if calls:
            parts.append(Part(CALLS, "A row for each paid call.", _CALLS))
            for folder, name in names.items():
                data.write(parts[1], name, ({"call": line} for line in _lines(folder / CALLS_FILE)))
        data.finish(origin, about)
    return parts


def _journal_rows(folder: Path) -> Iterator[Mapping[str, Any]]:
    with (folder / JOURNAL_FILE).open("rb") as file:
        for place, entry in read_placed(folder):
            file.seek(place)
            cells = {column.name: column.cell(entry) for column in _JOURNAL}
            yield {**cells, _ENTRY.name: file.readline().decode("utf-8").removesuffix("\n")}


def _lines(path: Path) -> Iterator[str]:
    """Yield the complete lines of a file; a missing file has none."""
    if not path.is_file():
        return
    with path.open("rb") as file:
        for line in file:
            if line.endswith(b"\n"):
                yield _text(line)


def _text(line: bytes) -> str:
    """Return a line as text. Lone surrogates, which no table can hold, become JSON escapes."""
    try:
        return line.decode("utf-8").removesuffix("\n")
    except UnicodeDecodeError:
        value = json.loads(line.decode("utf-8", "surrogatepass"))
        return json.dumps(value, separators=(",", ":"))


def unpack_runs(data_set: Path, out: Path) -> list[Path]:
    """Restore the folders of the runs in a data set within `out`, and return them.

    Each restored folder is complete or missing. Raises `RecordError` if `data_set` is damaged or holds no runs, and
    `SettingsError` if a folder exists already.
    """
    names = sorted(path.parent.name for path in (data_set / RUNS).glob(f"*/{SETTINGS_FILE}"))
    if not names:
        raise RecordError(f"{data_set}: no runs are in it ({RUNS}/*/{SETTINGS_FILE} is missing)")
    folders = [out / name for name in names]
    for folder in folders:
        if folder.exists():
            raise SettingsError(f"{folder} is there already; choose another folder")
    drafts = [out / f".{name}.{os.getpid()}.part" for name in names]
    try:
        for draft, name in zip(drafts, names, strict=True):
            draft.mkdir(parents=True)
            _unpack(data_set, name, draft)
        for draft, folder in zip(drafts, folders, strict=True):
            draft.replace(folder)
    except OSError as error:
        raise RecordError(f"{out}: cannot be written: {error.strerror}") from error
    finally:
        for draft in drafts:
            shutil.rmtree(draft, ignore_errors=True)
    return folders


def _unpack(data_set: Path, name: str, folder: Path) -> None:
    _unpack_lines(data_set / DATA / f"{JOURNAL}-{name}.parquet", "entry", folder / JOURNAL_FILE)
    calls = data_set / DATA / f"{CALLS}-{name}.parquet"
    if calls.is_file():
        _unpack_lines(calls, "call", folder / CALLS_FILE)
    source = data_set / RUNS / name / SETTINGS_FILE
    try:
        settings = source.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise RecordError(f"{source}: cannot be read: {error}") from error
    write_whole(folder / SETTINGS_FILE, settings)


def _unpack_lines(source: Path, column: str, path: Path) -> None:
    with path.open("wb") as written:
        written.writelines(f"{line}\n".encode() for line in _texts(source, column))


def _texts(source: Path, column: str) -> Iterator[str]:
    """Yield the texts of a column; raises `RecordError` if the column is missing or holds other values."""
    try:
        for batch in pq.ParquetFile(source).iter_batches(columns=[column]):
            for text in batch.column(column).to_pylist():
                if not isinstance(text, str):
                    raise RecordError(f"{source}: column {column} has something that is no text")
                yield text
    except (OSError, ValueError, KeyError) as error:
        raise RecordError(f"{source}: cannot be read: {error}") from error
