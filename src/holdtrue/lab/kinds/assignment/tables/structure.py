"""What the problems are like (DRIFT-Bench, table 2)."""

from __future__ import annotations

from holdtrue.figures.cells import decimal
from holdtrue.figures.table import Column, Table, make_table
from holdtrue.lab.kinds.assignment.report import Report
from holdtrue.lab.kit.by_row import DOMAIN


def structure(report: Report) -> Table:
    """What the problems are like, as far as journals show it."""
    return make_table(
        "structure",
        "The problems",
        "Entities are those that answers speak of, types the constraint types that were ever read; final is the mean "
        "number of gold constraints at the last turn. Of problems that were played. (DRIFT-Bench, table 2.)",
        [
            DOMAIN,
            Column("prob\u00adlems"),
            Column("mean turns"),
            Column("short\u00adest"),
            Column("longest"),
            Column("enti\u00adties"),
            Column("types"),
            Column("final"),
        ],
        [
            (
                each.domain,
                str(each.problems),
                decimal(each.turns),
                str(each.shortest),
                str(each.longest),
                decimal(each.entities),
                str(len(each.types)),
                decimal(each.final),
            )
            for each in report.structures
        ],
    )
