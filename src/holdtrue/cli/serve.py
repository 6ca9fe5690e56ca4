"""The command `holdtrue serve`: a server that stands between apps and their model, and lets only allowed calls out."""

from __future__ import annotations

import asyncio
import logging
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from holdtrue.cli.app_server import LOOPBACK, serve_app
from holdtrue.cli.declared_options import spread
from holdtrue.cli.guard_options import Mode, PolicyFile, Reader, StoreName, guard_maker
from holdtrue.cli.model_options import BaseUrl
from holdtrue.cli.page import page_people
from holdtrue.errors import SettingsError
from holdtrue.serve.proxy_request import ServerSettings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.applications import Starlette
    from starlette.routing import BaseRoute

    from holdtrue.serve.api_keys import Keys
    from holdtrue.serve.service import GuardInUse

UPSTREAM_KEY = "HOLDTRUE_UPSTREAM_KEY"
"""The environment variable with the key of the upstream."""
_STOP_S = 30
"""Seconds in which requests under way may end after an interrupt."""


@spread
def serve(
    policy: PolicyFile,
    upstream: Annotated[
        str | None, typer.Option(help="The address of the model's server, such as https://HOST/v1.")
    ] = None,
    store: StoreName = None,
    mode: Mode = "enforce",
    model: Reader = None,
    base_url: BaseUrl = None,
    host: Annotated[str, typer.Option(help="The address; without --key-file only loopback.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 takes a free one.")] = 0,
    key_file: Annotated[Path | None, typer.Option(help="The hashes of callers' keys, with their tenants.")] = None,
    people: Annotated[
        Path | None, typer.Option(help="The hashes of people's keys, with their rights, for the page at /holdtrue/.")
    ] = None,
    page_name: Annotated[
        str, typer.Option(help="Your name: the page needs no key then, and only this machine may use it.")
    ] = "",
    check_config: Annotated[bool, typer.Option("--check-config", help="Check all settings, and end.")] = False,
    log_contents: Annotated[
        bool, typer.Option("--log-contents", help="Write requests and answers into the log, too.")
    ] = False,
    *,
    settings: ServerSettings,
) -> None:
    """Serve a model behind the guard: holdtrue serve --policy policy.yaml --upstream https://HOST/v1.

    Apps send chat completions, Responses or Anthropic's messages, as to the model's server itself. Each request names
    its conversation. Only allowed calls of tools come back, and a stopped call is handled as --on-block says. A verdict
    stands beside each answer.

    With --people or --page-name, people see and correct conversations on a page at /holdtrue/.

    The server also has the generic guardrail API of litellm's proxy. Without --upstream it has nothing else.

    A key is bound to a tenant, or with * speaks for the tenant that a request names. If HOLDTRUE_UPSTREAM_KEY is set,
    its value goes to the upstream in place of the callers' keys.

    SIGHUP reads the policy anew; a faulty one is refused. The server ends after its last request when it is
    interrupted. Exit code: 2 for a wrong setting, 4 if the address or the store cannot be used.
    """
    from holdtrue.extras import need

    need("holdtrue serve", "aiohttp", "openai", "anthropic", "opentelemetry", "starlette", "uvicorn")
    from holdtrue.serve.api_keys import read_keys
    from holdtrue.serve.service import faults_of, guard_in_use

    if key_file is None and host not in LOOPBACK:
        raise SettingsError(f"--host {host}: without --key-file everybody on the network could ask; give a key file")
    if settings.hold_claims and model is None:
        raise SettingsError("--hold-claims needs --model, which reads the claims")
    _log_lines()
    keys = None if key_file is None else read_keys(key_file)
    in_use = guard_in_use(policy, guard_maker(store, mode, model, base_url))
    if check_config:
        faults = asyncio.run(faults_of(policy))
        in_use.guard.close()
        if faults:
            raise SettingsError(faults)
        told = f"{len(keys)} keys" if keys else "no keys"
        print(
            f"The settings can be used: policy {in_use.guard.policy.digest[:12]}, {told}, upstream {upstream or '-'}."
        )
        return
    more: list[Any] = []
    if people is not None or page_name:
        from starlette.routing import Mount

        from holdtrue.serve.page_app import page_routes

        own = page_people(people, page_name, host)
        more = [Mount("/holdtrue", routes=page_routes(in_use, in_use.guard.store, own))]
    app = _app(in_use, keys, upstream, settings, log_contents, more)
    # The headers of an answer are those of the upstream.
    serve_app(
        app,
        host,
        port,
        log_config=None,
        server_header=False,
        proxy_headers=False,
        date_header=False,
        timeout_graceful_shutdown=_STOP_S,
    )


def _app(
    in_use: GuardInUse,
    keys: Keys | None,
    upstream: str | None,
    settings: ServerSettings,
    log_contents: bool,
    more: Sequence[BaseRoute],
) -> Starlette:
    """Return the app of a server. Raises `SettingsError` for settings that leave nothing to serve."""
    from holdtrue.serve.guardrail_api import GuardrailApi, is_decidable
    from holdtrue.serve.proxy import Proxy
    from holdtrue.serve.service import service_app
    from holdtrue.serve.telemetry import Telemetry
    from holdtrue.serve.upstream import Upstream

    proxy = guardrail = None
    if upstream is not None:
        key = os.environ.get(UPSTREAM_KEY) or None
        to = Upstream(upstream, key, settings.upstream_timeout_s, settings.most_answer_bytes)
        proxy = Proxy(in_use, to, keys, settings, Telemetry(contents=log_contents))
    if is_decidable(in_use.guard.policy):
        guardrail = GuardrailApi(in_use, keys, settings)
    elif proxy is None:
        raise SettingsError("the policy decides on structured answers, which only --upstream can serve")
    return service_app(in_use, keys, proxy, guardrail, more)


def _log_lines() -> None:
    """Let the process write its log as JSON lines to standard error."""
    from holdtrue.serve.telemetry import REQUESTS, JsonLines

    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines())
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    REQUESTS.setLevel(logging.INFO)
