"""The tables of a report, for terminals and plain text.

Residual drift is only ever shown beside accuracy and `ledger_gap`: a method that projects keeps its own ledger
by construction. Rows that were given the gold constraints are titled 'oracle'.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from holdtrue.evaluation.metrics.drift_row import Cost, DriftRow, Share
from holdtrue.evaluation.statistics import Rate
from holdtrue.record import Channel, Trigger
from holdtrue.report.read import RunReport

MISSING = "-"
# Columns that are left out where they would say nothing in any line.
OPTIONAL = frozenset({"reten-\ntion %", "pro-\njected %", "ab-\nstained %", "failed"})
# Wide enough for every line: where nobody's terminal is in the way, nothing is wrapped.
_PLAIN_WIDTH = 1000
_METHOD_WIDTH = 12  # where a terminal is narrow, names are folded before numbers are cut

Cell = Callable[[DriftRow], str]


def open_console() -> Console:
    """A console on standard output: plain, with lines as long as they need to be, where that is no terminal."""
    console = Console(highlight=False, soft_wrap=False)
    return console if console.is_terminal else Console(highlight=False, width=_PLAIN_WIDTH, no_color=True)


def show(runs: Sequence[RunReport], console: Console) -> None:
    """Print the whole report."""
    for run in runs:
        console.print(heading(run))
    for table in (accuracy, channels, published_split, harm_and_help, delivery, depth, triggers, cost):
        console.print()
        console.print(table(runs))


def heading(run: RunReport) -> Text:
    """What a run is, and whether it is finished."""
    what = [str(run.settings[key]) for key in ("suite", "model", "protocol", "extractor") if key in run.settings]
    line = Text(f"{run.folder}: {', '.join(what)}")
    if not run.complete:
        planned = "an unknown number of" if run.planned is None else run.planned
        line.append(f"; UNFINISHED: {run.finished} of {planned} conversations", style="bold yellow")
    if run.failed:
        line.append(f"; {run.failed} failed", style="bold red")
    return line


def accuracy(runs: Sequence[RunReport]) -> Table:
    """How many turns were right."""
    columns: dict[str, Cell] = {
        "prob-\nlems": lambda row: str(row.problems),
        "turns": lambda row: str(row.turns),
        "accu-\nracy %": lambda row: _percent(row.accuracy.value),
        "95%\ninterval": lambda row: _interval(row.accuracy),
        "upstr.\n%": lambda row: _percent(row.upstream_accuracy.value),
        "reten-\ntion %": lambda row: _percent(row.retention),
        "decided\n%": lambda row: _percent(_divide(row.decided, row.turns)),
        "failed": lambda row: str(row.failed),
    }
    return _table("Accuracy of turns (intervals over problems)", runs, columns)


def channels(runs: Sequence[RunReport]) -> Table:
    """Why the wrong turns are wrong."""
    columns: dict[str, Cell] = {
        "accu-\nracy %": lambda row: _percent(row.accuracy.value),
        "wrong": lambda row: str(row.wrong),
        "contra-\ndiction": _channel(Channel.CONTRADICTION),
        "un-\nparsed": _channel(Channel.UNPARSED),
        "incom-\nplete": _channel(Channel.INCOMPLETE),
        "un-\ndecided": _channel(Channel.UNDECIDED),
        "drift": _channel(Channel.DRIFT),
        "ledger\ngap": _channel(Channel.LEDGER_GAP),
    }
    return _table("Channels of wrong turns (% of them)", runs, columns)


def published_split(runs: Sequence[RunReport]) -> Table:
    """The published three-way split, which also counts partial answers as right."""
    columns: dict[str, Cell] = {
        "accu-\nracy %": lambda row: _percent(row.accuracy.value),
        "ledger\ngap": _channel(Channel.LEDGER_GAP),
        "upstream\naccuracy %": lambda row: _percent(row.upstream_accuracy.value),
        "upstream\ndrift": lambda row: _share(row.upstream_drift),
        "upstream\nunsat": lambda row: _share(row.upstream_unsat),
        "upstream\nother": lambda row: _share(row.upstream_other),
    }
    return _table("As published: wrong turns by its own measure (% of them)", runs, columns)


def harm_and_help(runs: Sequence[RunReport]) -> Table:
    """What checking and repairing did, for better and for worse."""
    columns: dict[str, Cell] = {
        "alarm\nprecision": lambda row: _percent(row.alarm.precision.value),
        "alarm\nrecall": lambda row: _percent(row.alarm.recall.value),
        "retried": lambda row: str(row.repair.retried),
        "fixed": lambda row: str(row.repair.fixed),
        "harmed": lambda row: str(row.repair.harmed),
        "still\nright": lambda row: str(row.repair.still_right),
        "still\nwrong": lambda row: str(row.repair.still_wrong),
    }
    return _table("Harm and help (alarms in %, the rest in turns)", runs, columns)


def delivery(runs: Sequence[RunReport]) -> Table:
    """How good the ledger was, and what was delivered: values changed, solver's answers, no answer."""
    columns: dict[str, Cell] = {
        "phantoms\na turn": lambda row: _mean(row.ledger.phantoms, row.scored),
        "with\nphantoms %": lambda row: _percent(_divide(row.ledger.turns_with_phantoms, row.scored)),
        "gaps\na turn": lambda row: _mean(row.ledger.gaps, row.scored),
        "with\ngaps %": lambda row: _percent(_divide(row.ledger.turns_with_gaps, row.scored)),
        "churn\n%": lambda row: _percent(row.ledger.churn.value),
        "pro-\njected %": lambda row: _percent(row.projected.value),
        "ab-\nstained %": lambda row: _percent(row.abstained.value),
    }
    return _table("The ledger against gold, and what was delivered", runs, columns)


def depth(runs: Sequence[RunReport]) -> Table:
    """Accuracy by turn number."""
    numbers = sorted({point.turn for run in runs for row in run.rows for point in row.depth})
    return _table("Accuracy by turn (%)", runs, {str(number): _at_turn(number) for number in numbers})


def triggers(runs: Sequence[RunReport]) -> Table:
    """In how many turns each trigger fired: on the first attempt, and still on the final one."""
    columns = {code.value.replace("_", "\n"): _fired(code) for code in Trigger}
    return _table("Triggers (turns: on the first attempt > on the final one)", runs, columns, domains=False)


def cost(runs: Sequence[RunReport]) -> Table:
    """What a turn cost, by the method itself and for measuring it."""
    columns = _cost("", lambda row: row.cost) | _cost("meas.\n", lambda row: row.measuring)
    return _table("Cost of a turn (tokens of prompts and completions; seconds of calls)", runs, columns, domains=False)


def _channel(channel: Channel) -> Cell:
    return lambda row: _share(row.channels[channel])


def _at_turn(number: int) -> Cell:
    return lambda row: next((_percent(point.accuracy.value) for point in row.depth if point.turn == number), MISSING)


def _fired(code: Trigger) -> Cell:
    return lambda row: f"{row.triggers[code].first} > {row.triggers[code].final}"


def _cost(prefix: str, read: Callable[[DriftRow], Cost]) -> dict[str, Cell]:
    return {
        f"{prefix}calls": lambda row: f"{read(row).calls:.2f}",
        f"{prefix}prompt": lambda row: f"{read(row).prompt_tokens:.0f}",
        f"{prefix}compl.": lambda row: f"{read(row).completion_tokens:.0f}",
        f"{prefix}seconds": lambda row: f"{read(row).seconds:.2f}",
    }


def _table(title: str, runs: Sequence[RunReport], columns: Mapping[str, Cell], *, domains: bool = True) -> Table:
    rows = [row for run in runs for row in _shown_rows(run, domains)]
    cells = {name: [cell(row) for row in rows] for name, cell in columns.items()}
    cells = {name: column for name, column in cells.items() if name not in OPTIONAL or not _says_nothing(column)}
    table = Table(
        title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, show_edge=False, padding=0
    )
    table.add_column("method", min_width=_METHOD_WIDTH, overflow="fold")
    for name in cells:
        table.add_column(name, justify="right", no_wrap=True)
    lines = iter(zip(*cells.values(), strict=True))
    for run in runs:
        if len(runs) > 1:
            table.add_row(Text(str(run.folder), style="italic"))
        for row in _shown_rows(run, domains):
            table.add_row(_label(row), *next(lines), style="dim" if row.domain else None)
    return table


def _shown_rows(run: RunReport, domains: bool) -> list[DriftRow]:
    """The rows of a run; those by domain only of methods that have more than one."""
    lines = Counter(row.arm for row in run.rows)
    return [row for row in run.rows if row.domain is None or (domains and lines[row.arm] > 2)]


def _label(row: DriftRow) -> str:
    if row.domain is not None:
        return f"  {row.domain}"
    return f"oracle: {row.arm.method}" if row.arm.oracle else row.arm.method


def _says_nothing(cells: Sequence[str]) -> bool:
    return all(cell in (MISSING, "0", "0.0") for cell in cells)


def _percent(value: float | None) -> str:
    return MISSING if value is None else f"{100 * value:.1f}"


def _interval(rate: Rate) -> str:
    return MISSING if rate.low is None or rate.high is None else f"{100 * rate.low:.1f}-{100 * rate.high:.1f}"


def _share(share: Share) -> str:
    return _percent(share.share)


def _divide(hits: int, of: int) -> float | None:
    return hits / of if of else None


def _mean(total: int, of: int) -> str:
    return f"{total / of:.2f}" if of else MISSING
