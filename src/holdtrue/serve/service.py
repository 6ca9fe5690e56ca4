"""The app of `holdtrue serve`: the proxy, the guardrail API, health and metrics, with a policy that can be replaced."""

from __future__ import annotations

import asyncio
import json
import logging
import signal
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from holdtrue.budget import Budget
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
_log = logging.getLogger(__name__)


class GuardInUse:
    """A `GuardInUse` is the guard for new requests. A new policy makes a new guard over the same store and model.

    `make` returns the guard of a policy, and `load` reads the policy anew.
    """

    def __init__(self, make: Callable[[Policy], Guard], load: Callable[[], Policy]) -> None:
        self._make, self._load = make, load
        self.guard = make(load())
        self._former: list[Guard] = []

    def __call__(self) -> Guard:
        """Return the guard for a new request."""
        return self.guard

    async def reload(self) -> bool:
        """Read the policy anew, and return whether it is in use now. A faulty policy is refused, with its faults."""
        try:
            policy = await asyncio.to_thread(self._load)
            faults = await asyncio.to_thread(faults_of, policy)
        except HoldtrueError as error:
            faults = [str(error)]
        if faults:
            _log.error("the new policy is refused, and the old one stays: %s", "; ".join(faults))
            return False
        self._former.append(self.guard)
        self.guard = self._make(policy)
        _log.warning("the policy in use is now %s", policy.digest)
        return True

    async def aclose(self) -> None:
        """Write all waiting events, also those of former guards, and release the store."""
        for own in self._former:
            with suppress(HoldtrueError):
                await own.save()
        await self.guard.aclose()


def faults_of(policy: Policy, seconds: float = CHECK_S) -> list[str]:
    """Return the faults that `holdtrue policy check` proves of a policy, in sentences."""
    from holdtrue.guard.analysis.policy_analysis import analyse_policy

    return [own.text for own in analyse_policy(policy, Budget(timeout_s=seconds)).faults]


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


def policy_loader(path: Path) -> Callable[[], Policy]:
    """Return a function that reads a policy file."""
    from holdtrue.guard.policy_file import load_policy

    return partial(load_policy, path)
