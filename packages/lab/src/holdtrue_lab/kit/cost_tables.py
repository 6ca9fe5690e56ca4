"""This module declares the report tables about costs, gains of verification, and retries, for all kinds of answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from holdtrue_lab.figures.cells import MISSING, coverage, in_interval, points, points_interval, rate_in_interval
from holdtrue_lab.figures.table import MODEL, Column
from holdtrue_lab.kit.costs import Gain, RightCost
from holdtrue_lab.kit.retries import RetryRow
from holdtrue_lab.kit.tables import AGAINST, METHOD, Cells, Lines, ReportTable, by_pair

FORMS = {"calls": ".2f", "prompt_tokens": ".0f", "completion_tokens": ".0f", "tokens": ".0f", "seconds": ".2f"}
DOLLARS = "dollars"


def form_of(cost: str) -> str:
    """Return the number format of a cost; dollars of one answer are small, and get three significant digits."""
    return FORMS.get(cost, ".3g")


def _costs(report: Any) -> Iterator[tuple[Sequence[str], RightCost]]:
    for each in report.right_costs:
        yield (report.names.model(each.arm), report.names.method(each.arm)), each


def _cells(title: str, cost: str) -> Cells[RightCost]:
    show = _shown(form_of(cost))
    return {Column(title, optional=cost == DOLLARS): lambda each: in_interval(each.per_right[cost], show)}


def _shown(form: str) -> Callable[[float | None], str]:
    return lambda value: MISSING if value is None else format(value, form)


_BY_ARM = Lines((MODEL, METHOD), _costs)
_RIGHT: Cells[RightCost] = {Column("right"): lambda each: coverage(each.right, each.answers)}
_ALL_SPENT = (
    "All that a method spent, also where it was wrong, by the answers (turns, queries, trials or questions) that it "
    "got right; nothing stands where no answer is right."
)

right_cost = ReportTable[RightCost](
    "right_cost",
    "Cost of a right answer",
    f"{_ALL_SPENT} Seconds are those of calls, whichever method paid for them first, and of the solver{{prices}}.",
    _BY_ARM,
    {**_RIGHT, **_cells("calls", "calls"), **_cells("seconds", "seconds"), **_cells(DOLLARS, DOLLARS)},
)

right_tokens = ReportTable[RightCost](
    "right_tokens",
    "Tokens of a right answer",
    _ALL_SPENT,
    _BY_ARM,
    {**_RIGHT, **_cells("prompt", "prompt_tokens"), **_cells("comple\u00adtion", "completion_tokens")},
)

_GAINED = (
    "Each method that checks answers, against the plainest one with the same model (of those that do not check, the "
    "one with the fewest calls, then tokens), on the problems that both have finished."
)
_NO_GAIN = "No cost of a gain stands where nothing is gained{prices}."

verification = ReportTable[Gain](
    "verification",
    "What verification gains",
    f"{_GAINED} {_NO_GAIN}",
    by_pair(lambda report: report.gains),
    {
        Column("prob\u00adlems"): lambda each: str(each.problems),
        Column("gained in 100"): lambda each: in_interval(each.gained, points),
        Column("seconds a gain"): lambda each: in_interval(each.per_gained["seconds"], _shown(".1f")),
        Column("dollars a gain", optional=True): lambda each: in_interval(
            each.per_gained[DOLLARS], _shown(form_of(DOLLARS))
        ),
    },
)

_Extra = tuple[Gain, str]


def _extras(report: Any) -> Iterator[tuple[Sequence[str], _Extra]]:
    for each in report.gains:
        names = (report.names.model(each.arm), report.names.method(each.arm), report.names.method(each.other))
        for cost in ("calls", "tokens", "seconds", DOLLARS):
            if each.extra[cost].value is not None:
                yield (*names, cost), (each, cost)


def _more(title: str, what: str) -> Cells[_Extra]:
    def cell(extra: _Extra) -> str:
        gain, cost = extra
        return in_interval(getattr(gain, what)[cost], _shown(f"+{form_of(cost)}"))

    return {Column(title): cell}


verification_costs = ReportTable[_Extra](
    "verification_costs",
    "What verification costs",
    f"{_GAINED} {_NO_GAIN}",
    Lines((MODEL, METHOD, AGAINST, Column("extra", words=True)), _extras),
    {
        **_more("an answer", "extra"),
        **_more("a right one gained", "per_gained"),
        Column("an\u00adswers"): lambda extra: str(extra[0].answers),
    },
)

COST_TABLES = (right_cost, right_tokens, verification, verification_costs)


def gain_in_words(each: Gain, other: str) -> str:
    """Return one sentence about the gain of verification over the other method, and about its cost."""
    gained, extra = each.gained, each.extra
    if gained.value is None or extra["calls"].value is None or extra["seconds"].value is None:
        return ""
    sure = "" if gained.low is None else f" {points_interval(gained.low, gained.high)}"
    dollars = "" if extra[DOLLARS].value is None else f", {extra[DOLLARS].value:+{form_of(DOLLARS)}} dollars"
    return (
        f"In 100 answers {points(gained.value)} right ones over {other}{sure}, for {extra['calls'].value:+.2f} calls, "
        f"{extra['seconds'].value:+.2f} s{dollars} an answer"
    )


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
    """Return whether any retry in a report's runs repeated an earlier request of the same turn."""
    return any(row.identical.hits for run in report.runs for row in run.retries)
