"""The command `holdtrue audit`: check millions of logged turns or tool calls, and write tables of the results."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from holdtrue.cli.exits import ExitCode
from holdtrue.cli.model_options import BaseUrl, Connections, TokenLimit
from holdtrue.errors import RecordError, SettingsError

if TYPE_CHECKING:
    from holdtrue.audit.audit_run import AuditPlan, Run
    from holdtrue.audit.shard_job import AuditSettings, Counts, ReadingMeans

Explain = Literal["none", "first", "all"]
Engine = Literal["process", "pool", "ray"]
Unsaid = Literal["false", "unknown"]


def audit(
    inputs: Annotated[list[str], typer.Argument(help="Logs, and last the folder OUT for the tables.")],
    domain: Annotated[str | None, typer.Option(help="module:Name or file.py:Name.")] = None,
    policy: Annotated[str | None, typer.Option(help="Decide on the calls of conversations by this policy.")] = None,
    format: Annotated[str | None, typer.Option(help="The format of the logs, if a look does not tell.")] = None,
    now: Annotated[str | None, typer.Option(help="With --policy: the moment of conversations without one.")] = None,
    unsaid: Annotated[Unsaid | None, typer.Option(help="With --policy: what counts as said that nobody heard.")] = None,
    reader: Annotated[
        str, typer.Option(help="Who reads conversations: rules, or a model, such as openai/NAME.")
    ] = "rules",
    base_url: BaseUrl = None,
    connections: Connections = 8,
    token_limit: TokenLimit = None,
    skip_prose: Annotated[bool, typer.Option("--skip-prose", help="Pass over answers without any JSON.")] = False,
    explain: Annotated[Explain, typer.Option(help="Which broken turns: MUS, nearest answer, mended call.")] = "none",
    engine: Annotated[Engine, typer.Option(help="One process, a pool of them, or a Ray cluster.")] = "pool",
    address: Annotated[str | None, typer.Option(help="Ray: the address of a cluster, such as auto.")] = None,
    workers: Annotated[int | None, typer.Option(min=1, help="Processes; as a rule one a core.")] = None,
    shard_mb: Annotated[float, typer.Option(min=0.001, max=4096, help="Size of a shard of JSON lines.")] = 8,
    timeout_s: Annotated[float, typer.Option(min=0.001, help="Seconds of solver time per question.")] = 5.0,
    html: Annotated[Path | None, typer.Option(help="Write a page of what was found.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The summary as JSON.")] = False,
) -> None:
    """Check logged turns in bulk: holdtrue audit logs/ more.parquet OUT.

    Logs are files, folders or patterns of files: JSON lines (.jsonl), Parquet, a JSON document (.json), or a log of
    Inspect (.eval). Exports of OpenTelemetry, Langfuse, LangSmith and tau2 are found by their keys. They may be
    anywhere that fsspec reaches, such as s3://. An unreadable line is counted and kept apart, and the audit goes on. A
    stopped audit continues if it is started again. OUT/verdicts has the table, and OUT/bad_rows the unreadable lines.

    A line with messages in place of constraints is a conversation. Rules, and with --reader also a model, read the
    messages of users. Each answer is checked. OUT/calls.sqlite keeps the model's replies, so that nothing is asked
    twice.

    With --policy a line is a conversation with its messages. OUT/decisions has the guard's decision on each call that
    writes or that rules mention. A decision rests on the facts in earlier results of tools.

    Exit code, the first that applies: 4 for infrastructure, 2 for a wrong setting, 3 if nothing was decided. Then 1 for
    something broken or unreadable, 3 for something undecided or a reached token limit, and 0 otherwise.
    """
    from holdtrue.extras import need

    need("holdtrue audit", "msgspec", "pyarrow", "fsspec")
    if html is not None:
        need("holdtrue audit --html", "jinja2")
    if engine != "ray" and address is not None:
        raise SettingsError("--address goes with --engine ray")
    from holdtrue.audit.audit_run import plan_audit
    from holdtrue.audit.chat_reader import paid_in
    from holdtrue.audit.shard_job import RULES, AuditSettings, ReadingMeans
    from holdtrue.audit.stopped_calls import stopped_by_rule, stopped_lines
    from holdtrue.budget import cores

    logs, out = _places(inputs)
    settings = AuditSettings(domain, explain, timeout_s, policy, now, unsaid, reader, skip_prose, format)
    _check(settings, engine, out)
    if engine == "ray":
        need("holdtrue audit --engine ray", "ray")
    plan = plan_audit(logs, settings, out, block=int(shard_mb * 2**20))
    # A local model needs one process, because two would share the same cores.
    processes = workers or (1 if reader.startswith("local/") else cores())
    if reader != RULES:
        processes = min(processes, connections)
    run = _runner(engine, workers if engine == "ray" else processes, address)
    means = ReadingMeans(base_url, connections // processes, token_limit)
    counts = _run(plan, out, run, means, shown=sys.stderr.isatty() and not as_json)
    if not counts.rows:
        raise RecordError(f"{', '.join(logs)}: no row is in it: there is nothing to audit")
    if html is not None:
        from holdtrue.audit.overview import as_page, look_at
        from holdtrue.files import write_whole

        write_whole(html, as_page(look_at(out), out))
    stopped = {} if policy is None else stopped_by_rule(out)
    if as_json:
        of_rules = {} if policy is None else {"stopped": stopped}
        print(json.dumps({"shards": len(plan.shards), **counts.to_json(), **paid_in(out), **of_rules}))
    else:
        _print_summary(counts, len(plan.shards), settings, out)
        for line in stopped_lines(stopped, counts.seen):
            typer.echo(line)
    if not counts.outcomes:
        typer.echo(_nothing_decided(counts, settings), err=as_json)
    raise typer.Exit(_exit(counts))


def _places(inputs: list[str]) -> tuple[list[str], str]:
    """Return the logs, and the folder for the tables. Raises `SettingsError` if one of them is missing."""
    from holdtrue.audit.shards import is_log

    logs, out = inputs[:-1], inputs[-1].rstrip("/")
    if not logs:
        raise SettingsError("give the logs and then the folder for the verdicts: holdtrue audit LOG... OUT")
    if is_log(out):
        raise SettingsError(f"{out} is a log: the last name is that of the folder for the verdicts")
    return logs, out


def _run(plan: AuditPlan, out: str, run: Run, means: ReadingMeans, *, shown: bool) -> Counts:
    """Run the audit. Leave with exit code 3 if the token limit ends it."""
    from holdtrue.audit.audit_run import run_audit
    from holdtrue.models.gate import TokenLimitReached

    with _Progress(len(plan.shards), shown=shown) as progress:
        try:
            return run_audit(plan, out, run, progress.tell, means)
        except TokenLimitReached:
            print(
                f"Stopped at the limit of {means.token_limit:,} tokens; raise --token-limit to go on.", file=sys.stderr
            )
            raise typer.Exit(ExitCode.UNDECIDED) from None


def _runner(engine: Engine, workers: int | None, address: str | None) -> Run:
    from holdtrue.audit.audit_run import Pool, in_process

    if engine == "ray":
        from holdtrue.audit.audit_run import RayEngine

        return RayEngine(address, workers)
    return in_process if engine == "process" or workers is None else Pool(workers)


def _check(settings: AuditSettings, engine: Engine, out: str) -> None:
    """Raise `InputError` for settings that do not fit together, or that name something unknown."""
    from holdtrue.audit.shard_job import RULES
    from holdtrue.cli.model_options import reading_model
    from holdtrue.guard.log_formats.log_reading import find_format
    from holdtrue.world.registry import find_domain

    if settings.format is not None:
        find_format(settings.format)
    if settings.domain:
        find_domain(settings.domain)
    if settings.policy is not None:
        if settings.domain is not None:
            raise SettingsError("--domain is what turns are about, and --policy decides on calls: give one of them")
    elif settings.now is not None or settings.unsaid is not None:
        raise SettingsError("--now and --unsaid go with --policy")
    if settings.reader == RULES:
        return
    reading_model(settings.reader)
    if settings.policy is not None:
        raise SettingsError("--reader reads conversations about a domain; with --policy nobody listens to words")
    if engine == "ray" or "://" in out:
        raise SettingsError(
            "what a model replied is kept in a file of this machine: read with --engine pool, and give OUT as a folder"
        )


def _nothing_decided(counts: Counts, settings: AuditSettings) -> str:
    """Return the reason why a log led to no decision."""
    if counts.bad == counts.rows:
        return f"Nothing was decided: none of the {counts.rows:,} rows could be read."
    read, calls = counts.rows - counts.bad, counts.seen["calls"]
    why = (
        f"their {calls:,} calls are all of tools that only read, without a rule"
        if calls
        else "there is no call in them"
    )
    if settings.policy is None:
        why = "there is no answer in them"
    return f"Nothing was decided: {read:,} of {counts.rows:,} rows were read, and {why}."


_FINE, _OPEN = {"consistent", "allow"}, {"undecided", "ask", "confirm"}
"""Outcomes that are right, and outcomes that are not decided."""


def _exit(counts: Counts) -> ExitCode:
    if not counts.outcomes:
        return ExitCode.UNDECIDED
    if counts.bad or set(counts.outcomes) - _FINE - _OPEN:
        return ExitCode.WRONG
    return ExitCode.UNDECIDED if _OPEN & set(counts.outcomes) else ExitCode.OK


def _print_summary(counts: Counts, shards: int, settings: AuditSettings, out: str) -> None:
    from holdtrue.audit.chat_reader import paid_in

    checked, what = counts.outcomes.total(), "turns checked"
    if settings.policy is not None:
        # The end of a conversation has an outcome, but is no call.
        checked, what = checked - counts.outcomes["unmet"] - counts.outcomes["undecided"], "calls decided on"
    typer.echo(f"{counts.rows:,} rows in {shards:,} shards; {checked:,} {what}, {counts.bad:,} rows unreadable")
    for outcome, number in counts.outcomes.most_common():
        typer.echo(f"  {outcome:<14} {number:>12,}  {number / counts.outcomes.total():7.2%}")
    for reason, number in counts.reasons.most_common(5):
        typer.echo(f"  unreadable     {number:>12,}  {reason}")
    if ends := counts.seen["ends"]:
        left = counts.outcomes["unmet"], counts.outcomes["undecided"]
        typer.echo(
            f"at the end of {ends:,} conversations obligations are unmet in {left[0]:,}, undecided in {left[1]:,}"
        )
    if strays := counts.seen["strays"]:
        typer.echo(f"{strays:,} results belong to no call: see column unread")
    if named := counts.seen["named"]:
        typer.echo(f"{named:,} times a text names a tool and is read as prose: see column unread")
    if counts.partly_read:
        typer.echo(f"in {counts.partly_read:,} turns not all that users had said was read: see column coverage")
    if paid := paid_in(out):
        tokens = paid["prompt_tokens"] + paid["completion_tokens"]
        typer.echo(f"{settings.reader} was asked {paid['calls']:,} times, for {tokens:,} tokens")
    speed = checked / counts.cpu_s if counts.cpu_s else 0.0
    unit, found = what.split()[0], "the " + settings.folder
    typer.echo(f"{speed:,.0f} {unit} a second of CPU; {found} are in {out}/{settings.folder}")


class _Progress:
    """A progress bar on standard error, if that is a terminal."""

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
