"""Labels: what is measured of answers to queries about premises."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from holdtrue.figures.table import Table
    from holdtrue.lab.kinds.labels.entry import LabelEntry
    from holdtrue.lab.kinds.labels.report import LabelReport
    from holdtrue.lab.kit.kind import Page, Teller
    from holdtrue.lab.kit.plan import Plan
    from holdtrue.lab.kit.players import Player
    from holdtrue.models.chat import ChatModel


class LabelsKind:
    """The kind of answer; everything is loaded when it is asked for."""

    name = "labels"

    @property
    def entry(self) -> type[LabelEntry]:
        from holdtrue.lab.kinds.labels.entry import LabelEntry

        return LabelEntry

    def player(self, plan: Plan, others: Sequence[ChatModel]) -> Player:
        from holdtrue.lab.kinds.labels.player import LabelPlayer

        return LabelPlayer(plan)

    def tally(self, entry: LabelEntry) -> tuple[int, int]:
        if entry.score is None:
            return 0, 0
        gold, given = entry.score.gold, entry.record.labels
        return sum(given.get(id) == label for id, label in gold.items()), len(gold)

    def teller(self) -> Teller:
        from holdtrue.lab.kinds.labels.teller import LabelTeller

        return LabelTeller()

    def open_report(self, suite: str, folders: Sequence[Path]) -> LabelReport:
        from holdtrue.lab.kinds.labels.report import read_label_report

        return read_label_report(suite, folders)

    def sections(self, report: LabelReport) -> list[tuple[str, list[Table]]]:
        from holdtrue.lab.kinds.labels.tables.contents import sections

        return sections(report)

    def short_tables(self, report: LabelReport) -> list[Table]:
        from holdtrue.lab.kinds.labels.tables.contents import short_tables

        return short_tables(report)

    def page(self, report: LabelReport, transcripts: int) -> Page:
        from holdtrue.lab.kinds.labels.page import make_page

        return make_page(report, transcripts)

    def write_rows(self, folders: Sequence[Path], path: Path) -> None:
        from holdtrue.lab.kinds.labels.flat import write_parquet

        write_parquet(folders, path)


KIND = LabelsKind()
