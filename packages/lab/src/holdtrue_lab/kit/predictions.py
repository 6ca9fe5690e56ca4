"""Write what one method of a run did as JSON lines that the scorers of others read, where a kind has such a form."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from holdtrue.errors import SettingsError
from holdtrue_lab.figures.report_files import write_text
from holdtrue_lab.kit.folder import open_folder
from holdtrue_lab.kit.journal import each_of
from holdtrue_lab.kit.kind import Kind
from holdtrue_lab.kit.report import kind_of, suite_of


def write_predictions(folders: Sequence[Path], path: Path, method: str | None) -> str:
    """Write the predictions of one method in one run, a JSON object on each line, and return the method's name.

    Without a `method` it is the only one that was played, or the plainest of the kind. Raises `SettingsError` for
    several runs, for a kind that has no predictions, and for a method that was not played; and `RecordError` and
    `InfrastructureError` where the journal cannot be read, or the file not be written.
    """
    if len(folders) != 1:
        raise SettingsError(f"--predictions takes one run, because predictions do not say of which they are: {folders}")
    suite = suite_of(folders)
    kind = kind_of(suite, folders)
    if kind.reporting().predictions is None:
        raise SettingsError(f"--predictions: no scorer of others reads the answers of suite {suite} ({kind.name})")
    chosen = _chosen(kind, open_folder(folders[0]).get("methods", ()), method)
    write_text(path, "".join(_lines(kind, folders, chosen)))
    return chosen


def _chosen(kind: Kind, played: Sequence[str], method: str | None) -> str:
    """Return the method whose predictions are written."""
    plainest = kind.playing().plainest
    chosen = method or (played[0] if len(played) == 1 else plainest)
    if chosen not in played:
        raise SettingsError(
            f"--predictions: the run has no method {chosen!r}; --method names one of {', '.join(played)}"
        )
    return chosen


def _lines(kind: Kind, folders: Sequence[Path], method: str) -> Iterator[str]:
    """Yield the lines of the file, in the order of the journal."""
    predictions = kind.reporting().predictions
    if predictions is not None:
        played = (entry for _, entry in each_of(folders, kind.entry) if entry.method == method)
        yield from (json.dumps(each) + "\n" for each in predictions(played))
