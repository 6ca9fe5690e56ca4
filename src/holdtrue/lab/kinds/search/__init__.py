"""Candidates: what is measured of searches for a solution."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from holdtrue.figures.table import Table
    from holdtrue.lab.kinds.search.entry import SearchEntry
    from holdtrue.lab.kinds.search.report import SearchReport
    from holdtrue.lab.kit.kind import Page, Teller
    from holdtrue.lab.kit.plan import Plan
    from holdtrue.lab.kit.players import Player
    from holdtrue.models.chat import ChatModel


class SearchKind:
    """The kind of answer; everything is loaded when it is asked for."""

    name = "search"

    @property
    def entry(self) -> type[SearchEntry]:
        from holdtrue.lab.kinds.search.entry import SearchEntry

        return SearchEntry

    def player(self, plan: Plan, others: Sequence[ChatModel]) -> Player:
        from holdtrue.lab.kinds.search.player import SearchPlayer

        return SearchPlayer(plan)

    def tally(self, entry: SearchEntry) -> tuple[int, int]:
        return (0, 0) if entry.score is None else (int(entry.score.correct), 1)

    def teller(self) -> Teller:
        from holdtrue.lab.kinds.search.teller import SearchTeller

        return SearchTeller()

    def open_report(self, suite: str, folders: Sequence[Path]) -> SearchReport:
        from holdtrue.lab.kinds.search.report import read_search_report

        return read_search_report(suite, folders)

    def sections(self, report: SearchReport) -> list[tuple[str, list[Table]]]:
        from holdtrue.lab.kinds.search.tables.contents import sections

        return sections(report)

    def short_tables(self, report: SearchReport) -> list[Table]:
        from holdtrue.lab.kinds.search.tables.contents import short_tables

        return short_tables(report)

    def page(self, report: SearchReport, transcripts: int) -> Page:
        from holdtrue.lab.kinds.search.page import make_page

        return make_page(report, transcripts)

    def write_rows(self, folders: Sequence[Path], path: Path) -> None:
        from holdtrue.lab.kinds.search.flat import write_parquet

        write_parquet(folders, path)


KIND = SearchKind()
