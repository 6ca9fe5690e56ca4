"""Hold all methods of a report against the plain one of their kind, which everybody knows by its name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from holdtrue_lab.kit.groups import Group
from holdtrue_lab.kit.headline import best_of


def over_plain(method: str) -> Callable[[Any, Group[Any]], tuple[Any | None, Any | None]]:
    """Return what finds, for a headline, the row of the plain `method`, and of the best other one that is no control.

    Each may be None.
    """

    def find(report: Any, group: Group[Any]) -> tuple[Any | None, Any | None]:
        rows = [row for row in group.whole if row.finished and row.arm.method not in report.controls]
        plain = next((row for row in rows if row.arm.method == method), None)
        return plain, best_of((row for row in rows if row is not plain), lambda row: row.accuracy.value)

    return find
