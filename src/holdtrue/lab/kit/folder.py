"""One run's folder, whatever its suite: what it was asked to do, how far it is, and what its rows are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from holdtrue.errors import RecordError
from holdtrue.lab.kit.arm import Arm, arm_of
from holdtrue.lab.kit.entry import PlayedEntry
from holdtrue.lab.kit.groups import Row
from holdtrue.lab.kit.plays import ArmPlays
from holdtrue.lab.kit.settings import JOURNAL_FILE, read_settings
from holdtrue.record import SCHEMA_VERSION


@dataclass(frozen=True, slots=True, kw_only=True)
class Run(Generic[Row]):
    """What one run came to. `planned` and `finished` count conversations (a problem under a method).

    `plays` are what its methods are told apart by. `how`: how its model was asked, where that is part of the model's
    name in a report of several runs.
    """

    folder: Path
    settings: Mapping[str, Any]
    planned: int | None
    finished: int
    failed: int
    rows: tuple[Row, ...]
    plays: tuple[ArmPlays, ...]
    how: str = ""

    def arm(self, entry: PlayedEntry[Any]) -> Arm:
        """What the entry's turn was played by, named as in the rows."""
        return _asked_so(arm_of(entry), self.how)

    @property
    def complete(self) -> bool:
        return self.planned is not None and self.finished >= self.planned

    def standing(self) -> dict[str, Any]:
        """What the run is, and how far, for programs."""
        return {
            "folder": str(self.folder),
            "complete": self.complete,
            "planned": self.planned,
            "finished": self.finished,
            "failed": self.failed,
            "settings": dict(self.settings),
        }


AnyRun = TypeVar("AnyRun", bound=Run[Any])


class OfArm(Protocol):
    """What belongs to an arm: its plays, or a row."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def arm(self) -> Arm: ...


Named = TypeVar("Named", bound=OfArm)


def asked_so(run: AnyRun, how: str) -> AnyRun:
    """The run with how its model was asked in the model's name."""
    rows = tuple(replace(row, arm=_asked_so(row.arm, how)) for row in run.rows)
    return replace(run, rows=rows, plays=plays_asked_so(run.plays, how), how=how)


def plays_asked_so(plays: Iterable[Named], how: str) -> tuple[Named, ...]:
    """The same of plays, or of rows."""
    return tuple(replace(each, arm=_asked_so(each.arm, how)) for each in plays)


def open_folder(folder: Path) -> dict[str, Any]:
    """The settings of a run's folder; raises `RecordError` where it is missing, or no run lies there."""
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


def planned(settings: Mapping[str, Any]) -> int | None:
    """How many conversations the settings ask for; None where they do not say."""
    problems, limit, methods = settings.get("problems"), settings.get("limit"), settings.get("methods")
    if not isinstance(problems, int) or not isinstance(methods, list):
        return None
    return (problems if limit is None else min(limit, problems)) * len(methods)


def progress(folder: Path, settings: Mapping[str, Any], rows: Iterable[Row]) -> tuple[int, int]:
    """How many conversations are finished, and failed; raises `RecordError` where there is no row yet."""
    whole = [row for row in rows if row.domain is None]
    if not whole:
        raise RecordError(f"{folder}: the run has not finished a single turn yet")
    finished = sum(row.finished for row in whole if row.arm.method in settings.get("methods", ()))
    return finished, sum(row.failed for row in whole)


def named(row: Row, settings: Mapping[str, Any]) -> Row:
    """The row with the settings' names where a method failed before any turn could say what it ran with."""
    if row.arm.model:
        return row
    names = {key: str(settings.get(key, "")) for key in ("model", "protocol", "extractor")}
    return replace(row, arm=replace(row.arm, **names))


def _asked_so(arm: Arm, how: str) -> Arm:
    return replace(arm, model=f"{arm.model}, {how}") if how else arm
