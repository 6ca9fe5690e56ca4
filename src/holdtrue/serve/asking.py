"""Ask the upstream for the answers to one request, and read them. Each answer is paid for once."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from typing import Any

from holdtrue.errors import HoldtrueError, InputError
from holdtrue.guard.clients.guarded_turn import Form
from holdtrue.serve.proxy_request import ProxyRequest
from holdtrue.serve.stored_responses import continued
from holdtrue.serve.telemetry import Served
from holdtrue.serve.upstream import Headers, Upstream, UpstreamAnswer, UpstreamFault


class UpstreamRefused(HoldtrueError):
    """The upstream answered with an error, which goes to the caller as it is."""

    def __init__(self, answer: UpstreamAnswer) -> None:
        super().__init__(f"the upstream answered with status {answer.status}")
        self.answer = answer


class UpstreamBroke(HoldtrueError):
    """The upstream's stream ended with an error, whose event goes to the caller as it is."""

    def __init__(self, event: Mapping[str, Any], headers: Headers) -> None:
        super().__init__("the stream of the upstream ended with an error")
        self.event, self.headers = event, headers


class UnreadAnswer(UpstreamFault):
    """The upstream gave an answer that cannot be read."""


class Asking:
    """An `Asking` asks the upstream for the answers to one request.

    If a turn is played again after a conflict, it gets the same answers to the same requests. Each time begins with
    `begin`.
    """

    def __init__(
        self, upstream: Upstream, path: str, headers: Headers, own: ProxyRequest, form: Form, served: Served
    ) -> None:
        self._upstream, self._path, self._headers, self._own, self.form = upstream, path, headers, own, form
        self._served = served
        self._known: dict[tuple[int, bytes], UpstreamAnswer] = {}
        self._asked = 0
        self.begun: Headers | None = None
        """The headers of the first good answer, as soon as they have come."""
        self.last: UpstreamAnswer | None = None

    def begin(self) -> None:
        """Begin to play the turn from its first request."""
        self._asked = 0

    async def send(self, asked: Mapping[str, Any]) -> Any:
        """Return the answer to a request as its form reads it.

        Raises `UpstreamRefused`, `UpstreamBroke` and `UpstreamFault`.
        """
        found = await self.asked(asked)
        try:
            events = found.events() if found.is_stream else []
            broken = next((own for own in events if own.get("type") == "error" or own.get("error")), None)
            if broken is not None:
                raise UpstreamBroke(broken, found.headers)
            return self.form.untyped(self.form.body_of(events) if found.is_stream else found.json())
        except (InputError, ValueError, TypeError, AttributeError, LookupError) as error:
            raise UnreadAnswer(502, f"the upstream gave an answer that cannot be read: {error}") from error

    async def asked(self, asked: Mapping[str, Any]) -> UpstreamAnswer:
        """Return the answer to a request as it came."""
        own = self._own
        body = own.body if own.continues is None and asked == own.given else b""
        body = body or json.dumps(continued(asked, own.continues), separators=(",", ":")).encode()
        # Two attempts may have equal requests.
        key = self._asked, body
        self._asked += 1
        if key not in self._known:
            begun = time.perf_counter()
            try:
                self._known[key] = await self._upstream.send("POST", self._path, self._headers, body, self._begin)
            finally:
                self._served.upstream_s += time.perf_counter() - begun
        self.last = found = self._known[key]
        if found.status >= 300:
            raise UpstreamRefused(found)
        return found

    def _begin(self, headers: Headers) -> None:
        self.begun = self.begun or headers
