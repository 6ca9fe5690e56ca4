"""Show the retries of a report's runs: how many were the same request again, and what they mended."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from holdtrue.figures.cells import coverage, rate_in_interval
from holdtrue.figures.table import MODEL, Column
from holdtrue.lab.kit.retries import RetryRow
from holdtrue.lab.kit.tables import METHOD, Lines, ReportTable


def _rows(report: Any) -> Iterator[tuple[Sequence[str], RetryRow]]:
    names = report.names
    for run in report.runs:
        for row in run.retries:
            yield (names.model_in(run.folder, row.arm), names.method(row.arm), row.kind), row


retries = ReportTable[RetryRow](
    "retries",
    "Retries",
    "A retry asks again because an attempt failed; it is identical if its turn had sent the same request before, which "
    "can bring nothing else at temperature 0, and further if it follows another retry of the turn. Shares are of "
    "retries; mended counts turns of which this retry was the first attempt to respect everything.",
    Lines((MODEL, METHOD, Column("attempt", words=True)), _rows),
    {
        Column("turns"): lambda row: coverage(row.retried, row.turns),
        Column("retries"): lambda row: str(row.identical.of),
        Column("iden\u00adtical %"): lambda row: rate_in_interval(row.identical),
        Column("of fur\u00adther ones %"): lambda row: rate_in_interval(row.identical_further),
        Column("same answer %"): lambda row: rate_in_interval(row.same),
        Column("mended by 1st / 2nd / later"): lambda row: " / ".join(map(str, row.mended)),
    },
)


def any_identical(report: Any) -> bool:
    """Return whether some retry of a report's runs sent a request that its turn had sent before."""
    return any(row.identical.hits for run in report.runs for row in run.retries)
