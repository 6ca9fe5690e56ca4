"""Write the problems of a suite as a data set."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from holdtrue.errors import SettingsError
from holdtrue_lab.kit.export.data_set import DataSet, Origin, Part, split_name
from holdtrue_lab.kit.suite import Suite

DEFAULT_SPLIT = "test"


def export_problems(suite: Suite, problems: Sequence[Any], folder: Path, origin: Origin) -> Part:
    """Write problems, in the splits that they are of, and return what was written.

    Raises `SettingsError` for a suite whose problems are no rows, and what `DataSet` raises.
    """
    if suite.kind.problem_rows is None:
        raise SettingsError(
            f"{suite.name}: its conversations stay as they were recorded: share the files that they came in"
        )
    rows = suite.kind.problem_rows()
    by_split: dict[str, list[Any]] = {}
    for problem in problems:
        by_split.setdefault(split_name(rows.split(problem) or DEFAULT_SPLIT), []).append(problem)
    part = Part(rows.what, f"The {rows.what} of suite `{suite.name}`.", rows.columns)
    about = f"{rows.what.capitalize()} of holdtrue's suite `{suite.name}`. {suite.about.splitlines()[0]}"
    with DataSet(folder) as data:
        for split, some in by_split.items():
            data.write(part, split, map(rows.row, some))
        data.finish(origin, about)
    return part
