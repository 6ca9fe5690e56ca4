"""The command `holdtrue page`: a web page for people who answer for an assistant."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from holdtrue.cli.app_server import LOOPBACK, serve_app
from holdtrue.cli.guard_options import Reader, opened_model
from holdtrue.cli.ledger import StoreName, store_key
from holdtrue.cli.model_options import BaseUrl
from holdtrue.errors import SettingsError

if TYPE_CHECKING:
    from holdtrue.serve.page_people import People


def page(
    store: StoreName,
    policy: Annotated[
        Path | None,
        typer.Option("--policy", metavar="FILE", help="The policy; without one the page only shows events."),
    ] = None,
    people: Annotated[
        Path | None, typer.Option("--people", metavar="FILE", help="The hashes of people's keys, with their rights.")
    ] = None,
    name: Annotated[str, typer.Option("--name", help="Your name, for a page without --people.")] = "",
    model: Reader = None,
    base_url: BaseUrl = None,
    host: Annotated[str, typer.Option(help="The address; without --people only loopback.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 takes a free one.")] = 0,
) -> None:
    """Show the conversations in a store in a browser: holdtrue page talks.db --policy policy.yaml.

    The page shows what was said, decided and agreed, also while another process writes. An operator can let a stopped
    call through, take back an entry, and pass on an answer of the user.

    With --people each person signs in with a key. Without it, everybody on this machine may use the page, in one name.

    Exit code: 2 for a wrong setting or a missing store, 4 if the address or the store cannot be used.
    """
    from holdtrue.extras import need

    need("holdtrue page", "starlette", "uvicorn")
    from holdtrue.guard import Guard, load_policy, open_store
    from holdtrue.serve.page_app import page_app

    own = page_people(people, name, host)
    rules = None if policy is None else load_policy(policy)
    kept = open_store(store, key=store_key(), made=False)
    guard = None if rules is None else Guard(rules, store=kept, model=opened_model(model, base_url))
    serve_app(page_app(guard, kept, own), host, port, "/", log_level="warning", timeout_graceful_shutdown=1)


def page_people(path: Path | None, name: str, host: str) -> People:
    """Return the people of a file, or the one person who uses a page on this machine. Raises `SettingsError`."""
    from holdtrue.serve.page_people import EVERY_TENANT, People, Person, read_people

    if path is not None:
        if name:
            raise SettingsError("--name is for a page without --people; the file has the names")
        return read_people(path)
    if host not in LOOPBACK:
        raise SettingsError(f"--host {host}: without --people everybody on the network could change conversations")
    if not name.strip():
        raise SettingsError("--name is missing: changes are written down in your name; or give --people")
    return People(alone=Person(name.strip(), "operator", EVERY_TENANT))
