"""The command `holdtrue serve-guardrail`: a server that gateways ask before and after each request to a model."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from holdtrue.cli.declared_options import spread
from holdtrue.cli.guard_options import Mode, PolicyFile, Reader, StoreFile, open_guard
from holdtrue.cli.model_options import BaseUrl
from holdtrue.errors import InfrastructureError, SettingsError
from holdtrue.serve.guardrail_request import GuardrailSettings

if TYPE_CHECKING:
    from starlette.applications import Starlette


@spread
def serve_guardrail(
    policy: PolicyFile,
    store: StoreFile = None,
    mode: Mode = "enforce",
    model: Reader = None,
    base_url: BaseUrl = None,
    host: Annotated[str, typer.Option(help="The address; without --key-file only loopback.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 takes a free one.")] = 0,
    key_file: Annotated[Path | None, typer.Option(help="The hashes of callers' keys, with their tenants.")] = None,
    *,
    settings: GuardrailSettings,
) -> None:
    """Serve the generic guardrail API of litellm's proxy: holdtrue serve-guardrail --policy policy.yaml.

    The gateway sends each history before a request to its model, and the calls of each answer after it. A stopped call
    blocks the answer. Each request names its conversation, and one without a name is refused.

    A key is bound to a tenant, or with * speaks for the tenant that a request names.

    The server ends after its last request when it is interrupted. Exit code: 2 for a wrong setting, 4 if the address or
    the store cannot be used.
    """
    from holdtrue.extras import need

    need("holdtrue serve-guardrail", "starlette", "uvicorn")
    from holdtrue.serve.api_keys import read_keys
    from holdtrue.serve.guardrail_api import guardrail_app

    if key_file is None and host not in ("localhost", "127.0.0.1", "::1"):
        raise SettingsError(f"--host {host}: without --key-file everybody on the network could ask; give a key file")
    keys = None if key_file is None else read_keys(key_file)
    _serve(guardrail_app(open_guard(policy, store, mode, model, base_url), keys, settings), host, port)


def _serve(app: Starlette, host: str, port: int) -> None:
    """Print the address and serve the app until the process is interrupted."""
    import uvicorn

    from holdtrue.serve.guardrail_api import ROUTE

    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listening = socket.create_server((host, port), family=family)
    except OSError as error:
        raise InfrastructureError(f"{host}:{port}: nobody can listen there: {error.strerror or error}") from error
    shown = f"[{host}]" if ":" in host else host
    print(f"http://{shown}:{listening.getsockname()[1]}{ROUTE}", flush=True)
    uvicorn.Server(uvicorn.Config(app, log_level="warning", access_log=False)).run(sockets=[listening])
