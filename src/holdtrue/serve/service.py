"""The app of `holdtrue serve`: the proxy, the guardrail API, health and metrics, with a policy that can be replaced."""

from __future__ import annotations

import asyncio
import json
import logging
import signal
import sys
import threading
from asyncio.subprocess import PIPE, STDOUT
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from holdtrue.errors import HoldtrueError
from holdtrue.guard.guard import Guard
from holdtrue.guard.policy import Policy
from holdtrue.serve.api_keys import Keys
from holdtrue.serve.callers import BadRequest, bound_tenant
from holdtrue.serve.exchange import Exchange, endpoint
from holdtrue.serve.openapi import openapi
from holdtrue.serve.protocols import PROTOCOLS

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.routing import BaseRoute

    from holdtrue.serve.guardrail_api import GuardrailApi
    from holdtrue.serve.proxy import Proxy

_TEXT, _JSON = ("content-type", "text/plain; charset=utf-8"), ("content-type", "application/json")
_PASSED = ("/v1/models", "/v1/models/{model:path}")
_POSTED = ("/v1/embeddings", "/v1/moderations", "/v1/messages/count_tokens")
"""The paths whose answers can have no call of a tool."""
CHECK_S = 60.0
_FAULTY = (1, 2)
"""The exit codes of `holdtrue policy check` for a fault and for an unusable policy."""
_log = logging.getLogger(__name__)


class GuardInUse:
    """A `GuardInUse` is the guard for new requests. A new policy makes a new guard over the same store and model.

    `make` returns the guard of a policy, `load` reads the policy anew, and `check` returns the faults of its file.
    """

    def __init__(
        self, make: Callable[[Policy], Guard], load: Callable[[], Policy], check: Callable[[], Awaitable[str]]
    ) -> None:
        self._make, self._load, self._check = make, load, check
        self.guard = make(load())
        self._former: list[Guard] = []

    def __call__(self) -> Guard:
        """Return the guard for a new request."""
        return self.guard

    async def reload(self) -> bool:
        """Read the policy anew, and return whether it is in use now. A faulty policy is refused, with its faults."""
        try:
            faults = await self._check()
            policy = None if faults else self._load()
        except HoldtrueError as error:
            faults, policy = str(error), None
        if policy is None:
            _log.error("the new policy is refused, and the old one stays: %s", faults)
            return False
        # A former guard is kept for the events that it could not write yet.
        self._former = [own for own in self._former if own.waits] + [self.guard]
        self.guard = self._make(policy)
        _log.warning("the policy in use is now %s", policy.digest)
        return True

    async def aclose(self) -> None:
        """Write all waiting events, also those of former guards, and release the store."""
        for own in self._former:
            with suppress(HoldtrueError):
                await own.save()
        await self.guard.aclose()


async def faults_of(path: Path) -> str:
    """Return the faults that `holdtrue policy check` finds in a file, in sentences, or "".

    The check is a process of its own, because it takes long, and solvers of one process share caches.
    """
    command = (sys.executable, "-m", "holdtrue", "policy", "check", str(path), "--timeout-s", f"{CHECK_S:g}")
    process = await asyncio.create_subprocess_exec(*command, stdout=PIPE, stderr=STDOUT)
    told, _ = await process.communicate()
    return told.decode(errors="replace").strip() if process.returncode in _FAULTY else ""


def service_app(
    in_use: GuardInUse,
    keys: Keys | None,
    proxy: Proxy | None,
    guardrail: GuardrailApi | None,
    more: Sequence[BaseRoute] = (),
) -> Starlette:
    """Return the ASGI app of a server. It closes the guard and the upstream when it ends.

    `more` are routes of other parts, such as the page. On SIGHUP the policy is read anew.
    """
    from starlette.applications import Starlette
    from starlette.routing import Route

    from holdtrue.serve.guardrail_api import ROUTE

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        # Signals come to the main thread only.
        if threading.current_thread() is threading.main_thread():
            asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, _reloads(in_use))
        for own in PROTOCOLS if proxy is not None else ():
            own.form(in_use.guard.policy).untyped({})  # The first caller need not wait for the libraries.
        yield
        if proxy is not None:
            await proxy.upstream.aclose()
        await in_use.aclose()

    service = Service(in_use, keys, proxy)
    routes: list[BaseRoute] = [
        Route("/health", endpoint(service.health), methods=["GET"]),
        Route("/metrics", endpoint(service.metrics), methods=["GET"]),
        Route("/openapi.json", endpoint(service.openapi), methods=["GET"]),
        *more,
    ]
    if guardrail is not None:
        routes.append(Route(ROUTE, guardrail.judge, methods=["POST"]))
    if proxy is not None:
        plays = ((own.path, endpoint(partial(proxy.play, protocol=own))) for own in PROTOCOLS)
        routes += [Route(path, own, methods=["POST"]) for path, own in plays]
        routes += [Route(path, endpoint(proxy.pass_on), methods=["GET"]) for path in _PASSED]
        routes += [Route(path, endpoint(proxy.pass_on), methods=["POST"]) for path in _POSTED]
    routes.append(Route("/{path:path}", endpoint(service.refuse), methods=["GET", "POST", "PUT", "PATCH", "DELETE"]))
    return Starlette(routes=routes, lifespan=lifespan)


def _reloads(in_use: GuardInUse) -> Callable[[], None]:
    kept = set[asyncio.Task[Any]]()

    def begin() -> None:
        task = asyncio.ensure_future(in_use.reload())
        kept.add(task)  # A task that nobody holds may be garbage-collected.
        task.add_done_callback(kept.discard)

    return begin


class Service:
    """A `Service` answers the requests that are about the server itself."""

    def __init__(self, in_use: GuardInUse, keys: Keys | None, proxy: Proxy | None) -> None:
        self.in_use, self.keys, self.proxy = in_use, keys, proxy

    async def health(self, exchange: Exchange) -> None:
        """Say that the server runs, with its mode and the hash of its policy."""
        guard = self.in_use()
        await _send(exchange, 200, {"status": "ok", "mode": guard.mode, "policy": guard.policy.digest})

    async def metrics(self, exchange: Exchange) -> None:
        """Give the metrics in the text form of Prometheus. A server with keys asks for one."""
        try:
            bound_tenant(exchange.request.headers, self.keys)
        except BadRequest as error:
            await _send(exchange, error.status, {"error": str(error)})
            return
        proxy = self.proxy
        text = "" if proxy is None else proxy.telemetry.metrics(requests_under_way=proxy.admission.under_way)
        await exchange.answer(200, (_TEXT,), text.encode())

    async def openapi(self, exchange: Exchange) -> None:
        """Give the description of the API."""
        await _send(exchange, 200, openapi(has_proxy=self.proxy is not None))

    async def refuse(self, exchange: Exchange) -> None:
        """Refuse a path that is not guarded, because calls could come from it."""
        path = exchange.request.url.path
        served = ", ".join(own.path for own in PROTOCOLS) if self.proxy else "the guardrail API"
        message = f"{path[:200]} is not served here, because the guard would not see its calls; there is {served}"
        await _send(exchange, 404, {"error": {"message": message, "type": "invalid_request_error", "code": "no_path"}})


async def _send(exchange: Exchange, status: int, content: Any) -> None:
    await exchange.answer(status, (_JSON,), json.dumps(content).encode())


def guard_in_use(path: Path, make: Callable[[Policy], Guard]) -> GuardInUse:
    """Return the guard of a policy file. Raises `PolicyError`."""
    from holdtrue.guard.policy_file import load_policy

    return GuardInUse(make, partial(load_policy, path), partial(faults_of, path))
