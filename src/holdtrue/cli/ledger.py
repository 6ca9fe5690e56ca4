"""The command `holdtrue ledger`: show, verify, erase, export and import the conversations in a guard's store."""

from __future__ import annotations

import asyncio
import json
import os
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from holdtrue.cli.exits import ExitCode
from holdtrue.cli.logged_input import input_name, open_input

if TYPE_CHECKING:
    from holdtrue.guard.policy import Policy
    from holdtrue.guard.store.event import Store, StoredEvent

ledger_app = typer.Typer(help="Look at the conversations that a guard has kept.", no_args_is_help=True)

StoreName = Annotated[
    str, typer.Argument(metavar="STORE", help="A store: an SQLite file, or an address postgresql://USER@HOST/NAME.")
]
Name = Annotated[str, typer.Argument(metavar="CONVERSATION", help="The id of a conversation.")]
Tenant = Annotated[str, typer.Option("--tenant", help="Whose conversation it is.")]
AllTenants = Annotated[str | None, typer.Option("--tenant", help="Only conversations of this tenant.")]
AsJson = Annotated[bool, typer.Option("--json", help="JSON lines instead of sentences.")]


def store_key() -> str | bytes | None:
    """Return the key from HOLDTRUE_STORE_KEY or HOLDTRUE_STORE_KEY_FILE, or None. Raises `InputError`."""
    from holdtrue.errors import InputError

    file = os.environ.get("HOLDTRUE_STORE_KEY_FILE")
    try:
        return Path(file).read_bytes().strip() if file else os.environ.get("HOLDTRUE_STORE_KEY") or None
    except OSError as error:
        raise InputError(f"HOLDTRUE_STORE_KEY_FILE: {file} cannot be read: {error.strerror}") from error


def _say(text: str) -> None:
    """Print a text as one line. Control characters in it are escaped, so that it cannot forge other lines."""
    from holdtrue.rules.paths import printable

    typer.echo(printable(text))


def _with_store(where: str, work: Callable[[Store], Awaitable[Any]], *, made: bool = False) -> Any:
    """Open a store, await `work` with it, and return the result. A missing file is an error unless `made` is true."""
    from holdtrue.guard.store.opening import open_store

    async def run() -> Any:
        store = open_store(where, key=store_key(), made=made)
        try:
            return await work(store)
        finally:
            await store.aclose()

    return asyncio.run(run())


@ledger_app.command(name="list")
def list_conversations(file: StoreName, tenant: AllTenants = None, as_json: AsJson = False) -> None:
    """List the conversations in a store: the tenant, the id, the number of events, and when the last one was."""
    kept = _with_store(file, lambda store: store.conversations(tenant))
    for own in kept:
        if as_json:
            _say(json.dumps(asdict(own)))
        else:
            erased = "  erased" if own.erased else ""
            _say(f"{own.tenant or '-'}  {own.conversation}  {own.events} events  {own.last_at[:19]}Z{erased}")
    if not kept and not as_json:
        _say("There is no conversation.")


@ledger_app.command()
def show(file: StoreName, conversation: Name, tenant: Tenant = "", as_json: AsJson = False) -> None:
    """Show the events of a conversation: messages, readings, results of tools, and decisions with their reasons."""
    from holdtrue.errors import InputError
    from holdtrue.guard.store.event import in_words, line_of

    events = _with_store(file, lambda store: store.read(tenant, conversation))
    if not events:
        kept = _with_store(file, lambda store: store.conversations())
        others = [repr(own.tenant) for own in kept if own.conversation == conversation]
        hint = f"; there is one of tenant {' and '.join(others)}: add --tenant" if others else ""
        hint = hint or "; holdtrue ledger list names all"
        raise InputError(f"there is no conversation {conversation!r} of tenant {tenant!r}{hint}")
    for own in events:
        for line in [line_of(own)] if as_json else in_words(own):
            _say(line)


@ledger_app.command()
def verify(
    file: StoreName,
    tenant: AllTenants = None,
    policy: Annotated[
        list[Path] | None,
        typer.Option("--policy", help="Replay every decision by the policy that made it; may be given several times."),
    ] = None,
) -> None:
    """Check that no event was changed, left out or put in: every event has its hash, and follows the one before it.

    A file alone does not show that the last events of a conversation are missing. To find that out, keep the last hash
    of `export` elsewhere. A decision by a policy that is not given is counted, and not replayed.

    Exit code: 2 for an unusable file, 1 if something is wrong, and 0 otherwise.
    """
    from holdtrue.guard.policy_file import load_policy
    from holdtrue.guard.store.event import chain_fault, key_of

    async def read(store: Store) -> tuple[list[tuple[StoredEvent, ...]], bytes]:
        kept = await store.conversations(tenant)
        return [await store.read(own.tenant, own.conversation) for own in kept], key_of(store)

    conversations, key = _with_store(file, read)
    policies = {own.digest: own for own in map(load_policy, policy or ())}
    faults, counts = list[str](), Counter[str]()
    for events in conversations:
        name = f"{events[0].tenant or '-'}  {events[0].conversation}"
        found = chain_fault(events, key)
        if found is not None:
            faults.append(f"{name}: {found}")
        elif policies:
            results = [*_replay(events, policies)]
            counts.update(results)
            faults += [f"{name}: {own}" for own in results if own not in ("same", "no policy")]
    for own in faults:
        _say(own)
    total = sum(map(len, conversations))
    if faults:
        _say(f"{len(faults)} faults in {len(conversations)} conversations.")
        raise typer.Exit(ExitCode.WRONG)
    _say(f"{len(conversations)} conversations with {total:,} events are whole.")
    if policies:
        _say(f"{counts['same']:,} decisions come out the same from their own records.")
    if others := counts["no policy"]:
        _say(f"{others:,} were made by policies that are not given.")


def _replay(events: tuple[StoredEvent, ...], policies: Mapping[str, Policy]) -> Iterator[str]:
    """Replay the decisions of a conversation. Yield "same" or "no policy" for each, or a sentence on its fault."""
    for own in events:
        if own.kind != "decided":
            continue
        record = json.loads(own.content["record"])
        policy = policies.get(record["given"]["policy"])
        if policy is None:
            yield "no policy"
        elif _is_same(record, json.loads(json.dumps(policy.replay(record).to_json(mend=False), default=str))):
            yield "same"
        else:
            yield f"event {own.seq}: the decision does not come out the same from its record"


def _is_same(record: Mapping[str, Any], again: Mapping[str, Any]) -> bool:
    """Return whether a decision came out the same. In old records the sentences may differ."""
    if "answered" in record["given"]:
        return record == again
    return all(record[name] == again[name] for name in ("kind", "rules", "mend"))


@ledger_app.command()
def erase(
    file: StoreName,
    reason: Annotated[str, typer.Option("--reason", help="Why it is erased; this stays.")],
    conversation: Annotated[
        str | None,
        typer.Argument(metavar="CONVERSATION", help="The id of a conversation, if not --all or --older-than."),
    ] = None,
    tenant: AllTenants = None,
    older_than: Annotated[
        str | None,
        typer.Option("--older-than", metavar="DAYS", help="Days since the last event, such as 90d."),
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="All conversations of the --tenant.")] = False,
) -> None:
    """Erase conversations but for tombstones, which say how many events there were and why they are gone.

    With --older-than it erases all conversations of a --tenant, or of all tenants, whose last event is older. With
    --all it erases all of one --tenant, which is "" for conversations without one. A tombstone is not erased again.
    """
    from holdtrue.errors import InputError

    if (conversation is not None) + (older_than is not None) + everything != 1:
        raise InputError("erase takes a CONVERSATION, --older-than DAYS or --all")
    if everything and tenant is None:
        raise InputError("--all needs a --tenant")
    if conversation is not None:
        left = _with_store(file, lambda store: store.erase(tenant or "", conversation, reason))
        _say(f"{conversation} is erased: {left.content['events']} events are gone, and a tombstone stays.")
        return
    end = None if older_than is None else _days_ago(older_than)

    async def erase_old(store: Store) -> tuple[int, int]:
        old = [
            own for own in await store.conversations(tenant) if not own.erased and (end is None or own.last_at < end)
        ]
        for own in old:
            await store.erase(own.tenant, own.conversation, reason)
        return len(old), sum(own.events for own in old)

    count, events = _with_store(file, erase_old)
    _say(f"{count} conversations with {events:,} events are erased.")


def _days_ago(text: str) -> str:
    """Return the moment some days ago, in the form that events have. Raises `InputError` for another text."""
    from datetime import UTC, datetime, timedelta

    from holdtrue.errors import InputError

    days = text.removesuffix("d")
    if not days.isascii() or not days.isdigit() or len(days) > 6:
        raise InputError(f"--older-than is a number of days such as 90d, not {text!r:.40}")
    return (datetime.now(UTC) - timedelta(days=int(days))).strftime("%Y-%m-%dT%H:%M:%S.%f")


@ledger_app.command()
def export(file: StoreName, tenant: AllTenants = None) -> None:
    """Write all events as JSON lines to standard output."""
    from holdtrue.guard.store.event import line_of

    async def lines(store: Store) -> None:
        for own in await store.conversations(tenant):
            for event in await store.read(own.tenant, own.conversation):
                _say(line_of(event))

    _with_store(file, lines)


@ledger_app.command(name="import")
def import_lines(
    file: Annotated[str, typer.Argument(metavar="STORE", help="A store; a file is made if it is not there.")],
    lines: Annotated[str, typer.Argument(metavar="LINES", help="What export wrote; - is standard input.")],
) -> None:
    """Write exported conversations into a store, each as a whole, with the hashes that it had.

    Exit code: 2 for lines that are no events, 1 if a conversation was left out, and 0 otherwise.
    """
    from holdtrue.guard.store.event import read_events, write_events

    with open_input(lines) as given:
        events = read_events(given, input_name(lines))
    done = _with_store(file, lambda store: write_events(store, events), made=True)
    for own in done.left_out:
        _say(f"left out: {own}")
    _say(f"{done.conversations} conversations with {done.events:,} events are written.")
    if done.left_out:
        raise typer.Exit(ExitCode.WRONG)
