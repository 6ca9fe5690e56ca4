"""Claims: what is measured of answers in free text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from holdtrue.figures.table import Table
    from holdtrue.lab.kinds.claims.entry import ClaimEntry
    from holdtrue.lab.kinds.claims.report import ClaimReport
    from holdtrue.lab.kit.kind import Page, Teller
    from holdtrue.lab.kit.plan import Plan
    from holdtrue.lab.kit.players import Player
    from holdtrue.models.chat import ChatModel


class ClaimsKind:
    """The kind of answer; everything is loaded when it is asked for."""

    name = "claims"

    @property
    def entry(self) -> type[ClaimEntry]:
        from holdtrue.lab.kinds.claims.entry import ClaimEntry

        return ClaimEntry

    def player(self, plan: Plan, others: Sequence[ChatModel]) -> Player:
        from holdtrue.lab.kinds.claims.player import ClaimPlayer

        return ClaimPlayer(plan, others)

    def tally(self, entry: ClaimEntry) -> tuple[int, int]:
        return (0, 0) if entry.score is None else (int(entry.score.correct), 1)

    def teller(self) -> Teller:
        from holdtrue.lab.kinds.claims.teller import ClaimTeller

        return ClaimTeller()

    def open_report(self, suite: str, folders: Sequence[Path]) -> ClaimReport:
        from holdtrue.lab.kinds.claims.report import read_claim_report

        return read_claim_report(suite, folders)

    def sections(self, report: ClaimReport) -> list[tuple[str, list[Table]]]:
        from holdtrue.lab.kinds.claims.tables.contents import sections

        return sections(report)

    def short_tables(self, report: ClaimReport) -> list[Table]:
        from holdtrue.lab.kinds.claims.tables.contents import short_tables

        return short_tables(report)

    def page(self, report: ClaimReport, transcripts: int) -> Page:
        from holdtrue.lab.kinds.claims.page import make_page

        return make_page(report, transcripts)

    def write_rows(self, folders: Sequence[Path], path: Path) -> None:
        from holdtrue.lab.kinds.claims.flat import write_parquet

        write_parquet(folders, path)


KIND = ClaimsKind()
