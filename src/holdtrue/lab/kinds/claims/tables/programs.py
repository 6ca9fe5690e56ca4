"""The report table about programs of logic that a model wrote as its answers, and a solver ran."""

from __future__ import annotations

from collections.abc import Iterator

from holdtrue.lab.kinds.claims.row import ClaimRow
from holdtrue.lab.kinds.claims.tables import ACCURACY, ROW
from holdtrue.lab.kit.runs import Runs
from holdtrue.lab.kit.tables import BY_METHOD, Lines, ReportTable


def _writing(report: Runs[ClaimRow]) -> Iterator[tuple[tuple[str, ...], ClaimRow]]:
    return ((tuple(names), row) for names, row in BY_METHOD.find(report) if row.programs.written)


programs = ReportTable[ClaimRow](
    "programs",
    "Programs of logic and what became of them",
    "Executed: questions whose answer is the option that a program proves, and refined: those of them where an earlier "
    "program could not be run, and its error was told. Fell back: questions answered without a program in the end; "
    "no answer: neither. Ran: programs without an error, of all that were written.",
    Lines(BY_METHOD.heads, _writing),
    {
        **ACCURACY,
        **ROW.share("exe\u00adcuted", lambda row: row.programs.executed),
        **ROW.alone("re\u00adfined", lambda row: row.programs.refined),
        **ROW.alone("fell back", lambda row: row.programs.fell_back),
        **ROW.alone("no answer", lambda row: row.programs.empty),
        **ROW.alone("ran", lambda row: row.programs.ran),
        **ROW.count("pro\u00adgrams", lambda row: row.programs.written),
    },
    "Formulas that cannot all hold are an error like those that cannot be read. That a program proves an option says "
    "nothing about whether its formulas say what the sentences say.",
)
