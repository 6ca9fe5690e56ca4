"""This module reads the folder of one run of any suite: its settings, its progress, and its measured rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Generic, TypeVar

from holdtrue.errors import RecordError
from holdtrue.record import SCHEMA_VERSION
from holdtrue_lab.kit.arm import Arm, arm_of
from holdtrue_lab.kit.entry import Entry, FailureEntry, PlayedEntry
from holdtrue_lab.kit.groups import Row, row_json
from holdtrue_lab.kit.journal import read_entries
from holdtrue_lab.kit.pairs import OfArm
from holdtrue_lab.kit.plays import ArmPlays
from holdtrue_lab.kit.retries import RetryCounts, RetryRow
from holdtrue_lab.kit.settings import JOURNAL_FILE, read_settings
from holdtrue_lab.kit.spending import Spending


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured(Generic[Row]):
    """A `Measured` holds the measurements of one run.

    A *changed form* is a problem that was made by changing an original problem. `rows` has a row for each method over
    all domains, then for each domain. `bins` are rows over other parts of the problems, such as difficulties. Changed
    forms count in neither. `plays` are the finished problems of each arm (a method with a model), for paired tests.
    `controls` are the methods that never call the model. `forms` is 1 plus the number of changed forms of an original.
    `problems` maps problems to data that the kind of answer keeps about them. `read_run` sorts rows, bins and plays by
    the order of methods in the settings.
    """

    rows: tuple[Row, ...]
    plays: tuple[ArmPlays[Any], ...]
    controls: frozenset[str] = frozenset()
    bins: tuple[Row, ...] = ()
    forms: int = 1
    problems: Mapping[Any, Any] = field(default_factory=dict)


Measure = Callable[[Iterable[Entry], Mapping[str, Any]], Measured[Row]]
"""A function that measures a run from its settings and its entries, which can be iterated only once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run(Generic[Row]):
    """A `Run` is a run's folder with its measurements.

    `planned`, `finished` and `failed` count conversations (a problem under a method). `named_settings` are settings in
    words that a report of several runs adds to the model's name. `retries` has a row for each method and kind of retry.
    """

    folder: Path
    settings: Mapping[str, Any]
    planned: int | None
    finished: int
    failed: int
    measured: Measured[Row]
    named_settings: str = ""
    retries: tuple[RetryRow, ...] = ()

    @property
    def rows(self) -> tuple[Row, ...]:
        return self.measured.rows

    @property
    def plays(self) -> tuple[ArmPlays[Any], ...]:
        return self.measured.plays

    def arm(self, entry: PlayedEntry[Any]) -> Arm:
        """Return the arm of an entry's turn, with the model's name as in the rows."""
        return _rename_model(arm_of(entry), self.named_settings)

    @property
    def complete(self) -> bool:
        return self.planned is not None and self.finished >= self.planned

    def to_json(self) -> dict[str, Any]:
        """Return the run's settings, progress and rows as plain JSON values; shares are in 0..1."""
        rows = [row_json(row) for row in (*self.measured.rows, *self.measured.bins)]
        return {**head_json(self), "rows": rows, "retries": [asdict(row) for row in self.retries]}


def head_json(run: Run[Any]) -> dict[str, Any]:
    """Return the run's settings and progress as plain JSON values."""
    return {
        "folder": str(run.folder),
        "complete": run.complete,
        "planned": run.planned,
        "finished": run.finished,
        "failed": run.failed,
        "settings": dict(run.settings),
    }


def read_run(folder: Path, measure: Measure[Row], read: Callable[[Path], Iterable[Entry]] = read_entries) -> Run[Row]:
    """Read and measure the folder of a run, which may still be active. `read` yields its entries.

    Raises `RecordError` if the folder is missing, holds no run, or holds no turn yet.
    """
    settings, standing, spending, retries = open_folder(folder), _Standing(), Spending(), RetryCounts()
    measured = measure(retries.watch(spending.watch(standing.watch(read(folder)))), settings)
    if not measured.rows:
        changed = "only changed forms of problems were played yet"
        raise RecordError(f"{folder}: {changed if standing.begun else 'the run has not finished a single turn yet'}")
    order = _Order(settings.get("methods", ()))
    rows, bins = (order.sort(_named(row, settings) for row in each) for each in (measured.rows, measured.bins))
    return Run(
        folder=folder,
        settings=settings,
        planned=planned(settings, measured.forms),
        finished=standing.finished(settings.get("methods", ())),
        failed=standing.failed,
        measured=replace(measured, rows=rows, bins=bins, plays=order.sort(_with_costs(measured.plays, spending))),
        retries=order.sort(retries.rows()),
    )


def _with_costs(plays: Iterable[ArmPlays[Any]], spending: Spending) -> Iterator[ArmPlays[Any]]:
    for arm in plays:
        told = {key: replace(play, spent=spending.of(arm.arm, key[0])) for key, play in arm.plays.items()}
        yield replace(arm, plays=told)


def open_folder(folder: Path) -> dict[str, Any]:
    """Return the settings of a run's folder; raises `RecordError` if it is missing or holds no run."""
    if not folder.is_dir():
        raise RecordError(f"{folder}: " + ("a file; give its folder" if folder.exists() else "there is no such folder"))
    if not (folder / JOURNAL_FILE).exists():
        raise RecordError(f"{folder}: no run lies here ({JOURNAL_FILE} is missing)")
    settings = read_settings(folder) or {}
    if settings.get("schema", SCHEMA_VERSION) != SCHEMA_VERSION:
        raise RecordError(
            f"{folder}: the run was written with schema {settings['schema']!r:.20}, and this version of holdtrue reads "
            f"{SCHEMA_VERSION}: look at it with the version that played it, or play it again in another folder"
        )
    return settings


def planned(settings: Mapping[str, Any], forms: int = 1) -> int | None:
    """Return the number of conversations that the settings ask for, or None if the settings do not determine it.

    The limit in the settings counts original problems; each is played in all of its `forms`.
    """
    problems, limit, methods = settings.get("problems"), settings.get("limit"), settings.get("methods")
    if not isinstance(problems, int) or not isinstance(methods, list) or (limit is not None and problems % forms):
        return None
    return (problems if limit is None else min(limit * forms, problems)) * len(methods)


def name_settings(run: Run[Row], settings: str) -> Run[Row]:
    """Return the run with `settings`, in words, added to its model's name."""
    was = run.measured
    named = replace(
        was,
        rows=_rename_models(was.rows, settings),
        bins=_rename_models(was.bins, settings),
        plays=_rename_models(was.plays, settings),
    )
    retries = _rename_models(run.retries, settings)
    return replace(run, measured=named, named_settings=settings, retries=retries)


_Named = TypeVar("_Named", bound=OfArm)


class _Order:
    """The order in which reports show methods: first those of the settings in their order, then others by name."""

    def __init__(self, methods: Sequence[str]) -> None:
        self._places = {method: place for place, method in enumerate(methods)}

    def sort(self, found: Iterable[_Named]) -> tuple[_Named, ...]:
        """Return the items sorted by method; items of one method keep their order."""
        return tuple(sorted(found, key=self._key))

    def _key(self, found: OfArm) -> tuple[int, str]:
        method = found.arm.method
        return self._places.get(method, len(self._places)), method


def _rename_models(found: Iterable[_Named], settings: str) -> tuple[_Named, ...]:
    return tuple(replace(each, arm=_rename_model(each.arm, settings)) for each in found)


def _rename_model(arm: Arm, settings: str) -> Arm:
    return replace(arm, model=f"{arm.model}, {settings}") if settings else arm


def _named(row: Row, settings: Mapping[str, Any]) -> Row:
    """Return the row. If its method failed before the first turn, the settings supply the model and the like."""
    if row.arm.model:
        return row
    names = {key: str(settings.get(key, "")) for key in ("model", "protocol", "extractor")}
    return replace(row, arm=replace(row.arm, **names))


class _Standing:
    """A `_Standing` counts the conversations (a problem under a method) that finished or failed."""

    def __init__(self) -> None:
        self._played: dict[tuple[str, str], set[int]] = {}
        self._turns: dict[tuple[str, str], int] = {}
        self._failures: set[tuple[str, str, int]] = set()

    def watch(self, entries: Iterable[Entry]) -> Iterator[Entry]:
        """Count the entries, and yield them unchanged."""
        for entry in entries:
            if isinstance(entry, FailureEntry):
                self._failures.add((entry.problem, entry.method, entry.turn))
            else:
                self._played.setdefault((entry.problem, entry.method), set()).add(entry.turn)
                self._turns[entry.problem, entry.method] = entry.turns
            yield entry

    @property
    def begun(self) -> bool:
        return bool(self._played or self._failures)

    @property
    def failed(self) -> int:
        """The number of conversations that failed and were not finished by a later try."""
        failures = self._failures
        return len({(p, method) for p, method, turn in failures if turn not in self._played.get((p, method), ())})

    def finished(self, methods: Iterable[str]) -> int:
        """Return the number of conversations under one of these methods that have all their turns."""
        wanted = set(methods)
        return sum(len(self._played[key]) == turns for key, turns in self._turns.items() if key[1] in wanted)
