"""`holdtrue audit`: check millions of logged turns, and write a table of verdicts."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from holdtrue.cli.exits import ExitCode
from holdtrue.errors import RecordError, SettingsError

if TYPE_CHECKING:
    from holdtrue.audit.audit import Run
    from holdtrue.audit.shard_audit import Counts

Explain = Literal["none", "first", "all"]
Engine = Literal["process", "pool", "ray"]


def audit(
    inputs: Annotated[list[str], typer.Argument(help="Logs, and last the folder OUT for the verdicts.")],
    domain: Annotated[str | None, typer.Option(help="module:Name, file.py:Name or domain.json.")] = None,
    explain: Annotated[Explain, typer.Option(help="Of which broken turns: MUS and nearest answer.")] = "none",
    engine: Annotated[Engine, typer.Option(help="One process, a pool of them, or a Ray cluster.")] = "pool",
    address: Annotated[str | None, typer.Option(help="Ray: the address of a cluster, such as auto.")] = None,
    workers: Annotated[int | None, typer.Option(min=1, help="Processes; as a rule one a core.")] = None,
    shard_mb: Annotated[float, typer.Option(min=0.001, max=4096, help="Size of a shard of JSON lines.")] = 8,
    timeout_s: Annotated[float, typer.Option(min=0.001, help="Seconds of solver time per question.")] = 5.0,
    html: Annotated[Path | None, typer.Option(help="Write a page of what was found.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The summary as JSON.")] = False,
) -> None:
    """Check logged turns in bulk: holdtrue audit logs/ more.parquet OUT.

    Logs are files, folders or patterns of JSON lines (.jsonl) or Parquet, on this machine or where fsspec reaches
    (s3://). A line that is no turn is counted and kept apart, and stops nothing. An audit that was stopped
    goes on where it was when it is begun again. OUT/verdicts has the table, OUT/bad_rows what could not be read.

    Exit code: 4 infrastructure, 2 a wrong setting, 1 something is broken or unreadable, 3 something undecided, 0 all is
    well.
    """
    from holdtrue.extras import need

    need("holdtrue audit", "msgspec", "pyarrow", "fsspec")
    if html is not None:
        need("holdtrue audit --html", "jinja2")
    from holdtrue.audit.audit import plan_audit, run_audit
    from holdtrue.audit.shard_audit import AuditSettings
    from holdtrue.audit.shards import is_log
    from holdtrue.world.registry import find_domain

    if engine == "ray":
        need("holdtrue audit --engine ray", "ray")
    elif address is not None:
        raise SettingsError("--address goes with --engine ray")
    logs, out = inputs[:-1], inputs[-1].rstrip("/")
    if not logs:
        raise SettingsError("give the logs and then the folder for the verdicts: holdtrue audit LOG... OUT")
    if is_log(out):
        raise SettingsError(f"{out} is a log: the last name is that of the folder for the verdicts")
    if domain:
        find_domain(domain)
    settings = AuditSettings(domain, explain, timeout_s)
    plan = plan_audit(logs, settings, out, block=int(shard_mb * 2**20))
    total = len(plan.shards)
    with _Progress(total, shown=sys.stderr.isatty() and not as_json) as progress:
        counts = run_audit(plan, out, _runner(engine, workers, address), progress.tell)
    if not counts.rows:
        raise RecordError(f"{', '.join(logs)}: no row is in it: there is nothing to audit")
    if html is not None:
        from holdtrue.audit.overview import look_at
        from holdtrue.audit.page import as_page
        from holdtrue.files import write_whole

        write_whole(html, as_page(look_at(out), out))
    if as_json:
        print(json.dumps({"shards": total, **counts.to_json()}))
    else:
        _print_summary(counts, total, out)
    raise typer.Exit(_exit(counts))


def _runner(engine: Engine, workers: int | None, address: str | None) -> Run:
    from holdtrue.audit.engines import Pool, in_process
    from holdtrue.budget import cores

    if engine == "ray":
        from holdtrue.audit.ray_engine import RayEngine

        return RayEngine(address, workers)
    return in_process if engine == "process" else Pool(workers or cores())


def _exit(counts: Counts) -> ExitCode:
    from holdtrue.record import TurnOutcome

    if counts.bad or set(counts.outcomes) - {TurnOutcome.CONSISTENT.value, TurnOutcome.UNDECIDED.value}:
        return ExitCode.WRONG
    return ExitCode.UNDECIDED if counts.outcomes[TurnOutcome.UNDECIDED.value] else ExitCode.OK


def _print_summary(counts: Counts, shards: int, out: str) -> None:
    checked = counts.rows - counts.bad
    typer.echo(f"{counts.rows:,} rows in {shards:,} shards; {checked:,} turns checked, {counts.bad:,} rows unreadable")
    for outcome, number in counts.outcomes.most_common():
        typer.echo(f"  {outcome:<14} {number:>12,}  {number / checked:7.2%}")
    for reason, number in counts.reasons.most_common(5):
        typer.echo(f"  unreadable     {number:>12,}  {reason}")
    speed = checked / counts.cpu_s if counts.cpu_s else 0.0
    typer.echo(f"{speed:,.0f} turns a second of CPU; the verdicts are in {out}/verdicts")


class _Progress:
    """A line of progress on standard error, where somebody looks at it."""

    def __init__(self, total: int, *, shown: bool) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"), TimeRemainingColumn())
        self._progress = Progress(*columns, console=Console(stderr=True), disable=not shown)
        self._task = self._progress.add_task("shards", total=total)

    def __enter__(self) -> _Progress:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def tell(self, counts: Counts, done: int) -> None:
        self._progress.update(
            self._task, completed=done, description=f"{counts.rows:,} rows, {counts.bad:,} unreadable"
        )
