"""Read figures of report rows by their places in the JSON: `told(row).sets.consistent`."""

from __future__ import annotations

from typing import Any

from holdtrue_lab.kit.groups import FigureRow


class Told:
    """A row, or the part of its figures whose names begin with `place`."""

    def __init__(self, row: FigureRow, place: str = "") -> None:
        self.row, self.place = row, place

    def __getattr__(self, name: str) -> Any:
        path, figures = f"{self.place}{name}", self.row.figures
        if path in figures:
            return figures[path]
        if any(own.startswith(f"{path}.") for own in figures):
            return Told(self.row, f"{path}.")
        return self.row.told[name] if name in self.row.told else getattr(self.row, name)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Told) and self._own() == other._own()

    def _own(self) -> dict[str, Any]:
        return {name: value for name, value in self.row.figures.items() if name.startswith(self.place)}


def told(row: FigureRow) -> Any:
    """Return the row with its figures as attributes."""
    return Told(row)
