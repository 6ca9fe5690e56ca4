"""This module writes played turns as a flat Parquet table; each kind of answer declares its columns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Generic, TypeVar

from holdtrue_lab.figures.report_files import stream_rows
from holdtrue_lab.kit.entry import PlayedEntry
from holdtrue_lab.kit.journal import each_of
from holdtrue_lab.kit.retries import find_retries

Entry = TypeVar("Entry", bound=PlayedEntry[Any])
Read = str | Callable[[Any], Any]


@dataclass(frozen=True)
class FlatRows(Generic[Entry]):
    """A `FlatRows` makes the flat rows of a kind of answer.

    `conversations` groups the entries of journals, by default each entry alone. `rows` returns the objects of a group,
    one for each row. A column has a type and a reader: a function of the object, or a path of attributes. The cell is
    empty if a value on the path is None. A column of integers shows the length of a list, and a column of texts its
    items, separated by commas.
    """

    entry: type[Entry]
    columns: Mapping[str, tuple[type, Read]]
    rows: Callable[[Path, Sequence[Entry]], Iterable[Any]]
    conversations: Callable[[Iterable[tuple[Path, Entry]]], Iterable[tuple[Path, Sequence[Entry]]]] = lambda played: (
        (folder, [entry]) for folder, entry in played
    )

    def read(self, folders: Sequence[Path]) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of these runs, streamed from their journals; raises `RecordError`."""
        for folder, entries in self.conversations(each_of(folders, self.entry)):
            yield from self.cells(folder, entries)

    def cells(self, folder: Path, entries: Sequence[Entry]) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of one conversation of the run in this folder."""
        for row in self.rows(folder, entries):
            yield tuple(read(row) for read in self._readers)

    @cached_property
    def _readers(self) -> list[Callable[[Any], Any]]:
        return [_reader(kind, read) for kind, read in self.columns.values()]

    def write(self, folders: Sequence[Path], path: Path) -> None:
        """Write the rows of these runs as one Parquet file.

        Raises `RecordError` for an unreadable journal, `InfrastructureError` for an unwritable file, and
        `SettingsError` if polars is missing.
        """
        stream_rows(lambda: self.read(folders), {name: kind for name, (kind, _) in self.columns.items()}, path)


NAMED: Mapping[str, tuple[type, Read]] = {
    "run": (str, "folder"),
    "suite": (str, "entry.suite"),
    "problem": (str, "entry.problem"),
    "domain": (str, "entry.domain"),
}
"""The first columns of every kind, for rows that have a `folder` and an `entry`."""
_SPENT: Mapping[str, tuple[type, str]] = {
    "calls": (int, "calls"),
    "prompt_tokens": (int, "prompt_tokens"),
    "completion_tokens": (int, "completion_tokens"),
    "tokens": (int, "tokens"),
    "latency_s": (float, "latency_s"),
}


def spent(path: str, *names: str, prefix: str = "") -> dict[str, tuple[type, Read]]:
    """Return usage columns of these names, such as `tokens`, each after `prefix`; `path` leads to the usage."""
    return {f"{prefix}{name}": (_SPENT[name][0], f"{path}.{_SPENT[name][1]}") for name in names}


COSTS = ("calls", "prompt_tokens", "completion_tokens", "latency_s")


def solver(path: str, *, prefix: str = "") -> dict[str, tuple[type, Read]]:
    """Return columns about the solver's calls and time, each name after `prefix`; `path` leads to the turn."""
    return {
        f"{prefix}solver_calls": (int, f"{path}.solver_calls"),
        f"{prefix}solver_s": (float, f"{path}.solver_s"),
    }


def _count_retries(flag: str | None) -> Read:
    """Return a function that counts the retries of a row's turn, or only those with this flag of `Retry`."""
    return lambda row: sum(flag is None or getattr(retry, flag) for retry in find_retries(row.entry))


RETRY_COLUMNS: Mapping[str, tuple[type, Read]] = {
    "retries": (int, _count_retries(None)),
    "identical_retries": (int, _count_retries("identical")),
    "same_answer_retries": (int, _count_retries("same")),
}
"""Columns about the retries of a row's turn, for rows that have an `entry`."""


def _reader(kind: type, read: Read) -> Callable[[Any], Any]:
    find = _follow(read.split(".")) if isinstance(read, str) else read

    def cell(row: Any) -> Any:
        value = find(row)
        if value is None or kind not in (int, str):
            return value
        if isinstance(value, tuple | list):
            return len(value) if kind is int else ",".join(value)
        return str(value) if kind is str else value

    return cell


def _follow(path: Sequence[str]) -> Callable[[Any], Any]:
    def find(row: Any) -> Any:
        for name in path:
            if row is None:
                return None
            row = getattr(row, name)
        return row

    return find
