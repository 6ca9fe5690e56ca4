"""Finding cells in a table by what they are about."""

from __future__ import annotations

from holdtrue.figures.table import SOFT_HYPHEN, Table


def rows(table: Table) -> list[dict[str, str]]:
    """Each line by column title; of two columns with one title the second."""
    titles = [column.title.replace(SOFT_HYPHEN, "") for column in table.columns]
    return [dict(zip(titles, line, strict=True)) for line in table.lines]


def row(table: Table, **about: str) -> dict[str, str]:
    """The only line that has these cells."""
    [found] = [each for each in rows(table) if about.items() <= each.items()]
    return found
