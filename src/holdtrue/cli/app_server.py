"""Serve an ASGI app for a verb of the command."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING, Any

from holdtrue.errors import InfrastructureError

if TYPE_CHECKING:
    from starlette.applications import Starlette

LOOPBACK = ("localhost", "127.0.0.1", "::1")


def serve_app(app: Starlette, host: str, port: int, path: str = "", **settings: Any) -> None:
    """Serve the app until the process is interrupted. `settings` are uvicorn's.

    The address with a path is printed once the app has started: then it answers, and heeds signals.
    """
    import uvicorn

    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listening = socket.create_server((host, port), family=family, backlog=1024)
    except OSError as error:
        raise InfrastructureError(f"{host}:{port}: nobody can listen there: {error.strerror or error}") from error
    shown = f"[{host}]" if ":" in host else host
    address = f"http://{shown}:{listening.getsockname()[1]}{path}"

    class Announced(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if self.started:
                print(address, flush=True)

    Announced(uvicorn.Config(app, access_log=False, **settings)).run(sockets=[listening])
