"""Find the cells of a table by the names in its lines."""

from __future__ import annotations

from holdtrue_lab.figures.table import SOFT_HYPHEN, Table, split_interval


def rows(table: Table) -> list[dict[str, str]]:
    """Return each line by column title; an interval is under '95% of TITLE'."""
    titles = [column.title.replace(SOFT_HYPHEN, "") for column in table.columns]
    found = []
    for line in table.lines:
        cells = dict(zip(titles, line, strict=True))
        parts = {title: split_interval(cell) for title, cell in cells.items()}
        intervals = {
            f"95% of {title.removesuffix(' %')}": interval for title, (_, interval) in parts.items() if interval
        }
        found.append({**{title: figure for title, (figure, _) in parts.items()}, **intervals})
    return found


def row(table: Table, **about: str) -> dict[str, str]:
    """Return the only line that has these cells."""
    [found] = [each for each in rows(table) if about.items() <= each.items()]
    return found
