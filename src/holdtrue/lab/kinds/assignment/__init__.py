"""Assignments: what is measured of conversations about values of variables."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from holdtrue.figures.table import Table
    from holdtrue.lab.kinds.assignment.entry import AssignmentEntry
    from holdtrue.lab.kinds.assignment.report import Report
    from holdtrue.lab.kit.kind import Page, Teller
    from holdtrue.lab.kit.plan import Plan
    from holdtrue.lab.kit.players import Player
    from holdtrue.models.chat import ChatModel


class AssignmentKind:
    """The kind of answer; everything is loaded when it is asked for."""

    name = "assignment"

    @property
    def entry(self) -> type[AssignmentEntry]:
        from holdtrue.lab.kinds.assignment.entry import AssignmentEntry

        return AssignmentEntry

    def player(self, plan: Plan, others: Sequence[ChatModel]) -> Player:
        from holdtrue.lab.kinds.assignment.player import DriftPlayer

        return DriftPlayer(plan)

    def tally(self, entry: AssignmentEntry) -> tuple[int, int]:
        return (0, 0) if entry.score is None else (int(entry.score.correct), 1)

    def teller(self) -> Teller:
        from holdtrue.lab.kinds.assignment.teller import AssignmentTeller

        return AssignmentTeller()

    def open_report(self, suite: str, folders: Sequence[Path]) -> Report:
        from holdtrue.lab.kinds.assignment.report import read_report

        return read_report(suite, folders)

    def sections(self, report: Report) -> list[tuple[str, list[Table]]]:
        from holdtrue.lab.kinds.assignment.tables.contents import sections

        return sections(report)

    def short_tables(self, report: Report) -> list[Table]:
        from holdtrue.lab.kinds.assignment.tables.contents import short_tables

        return short_tables(report)

    def page(self, report: Report, transcripts: int) -> Page:
        from holdtrue.lab.kinds.assignment.page import make_page

        return make_page(report, transcripts)

    def write_rows(self, folders: Sequence[Path], path: Path) -> None:
        from holdtrue.lab.kinds.assignment.flat import write_parquet

        write_parquet(folders, path)


KIND = AssignmentKind()
