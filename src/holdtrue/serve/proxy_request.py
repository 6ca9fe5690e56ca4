"""Read a request to the proxy: its body, its tenant, and the conversation that it names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from holdtrue.errors import InputError, RecordError
from holdtrue.guard.clients.blocking import OnBlock
from holdtrue.guard.clients.forms import plain
from holdtrue.guard.recorded_words import load_once
from holdtrue.guard.store.event import ANSWERED, Store, check_names
from holdtrue.options import Option, one_of
from holdtrue.serve.callers import BadRequest, CallerSettings, named_tenant
from holdtrue.serve.guardrail_request import GuardrailSettings
from holdtrue.serve.protocols import Protocol

if TYPE_CHECKING:
    from starlette.datastructures import Headers

_STOPPED: dict[str, OnBlock] = {"retry": "tell_model", "refuse": "refuse", "mend": "mend", "status": "raise"}
_NAMES = ("conversation", "tenant")


@dataclass(frozen=True, slots=True)
class ServerSettings(GuardrailSettings):
    """`ServerSettings` say how the proxy asks its upstream, and what it answers after a stopped call.

    `on_block` is `retry`: the model gets the reasons and answers again, at most `attempts` times, then the caller gets
    a refusal. `refuse`: the caller gets a refusal at once. `mend`: the nearest allowed call goes out. `status`: the
    caller gets HTTP status 422.
    """

    on_block: Annotated[str, Option("After a stopped call: retry, refuse, mend, or status for HTTP 422.")] = "retry"
    attempts: Annotated[int, Option("The model may give this many answers to one request.", least=1)] = 3
    hold_claims: Annotated[
        bool, Option("Hold answers back that claim work which no call did (needs --model).", flag="--hold-claims")
    ] = False
    upstream_timeout_s: Annotated[float, Option("Seconds for one answer of the upstream.", least=0.001)] = 600.0
    most_answer_bytes: Annotated[int, Option("The size limit of one answer.", least=1)] = 64 * 2**20
    keep_alive_s: Annotated[float, Option("Seconds between comments in a stream that waits.", least=0.01)] = 5.0

    def __post_init__(self) -> None:
        GuardrailSettings.__post_init__(self)
        one_of("value of on_block", self.on_block, tuple(_STOPPED))

    @property
    def way(self) -> OnBlock:
        """Return how a guarded turn goes on after a stopped call."""
        return _STOPPED[self.on_block]


@dataclass(frozen=True, slots=True)
class ProxyRequest:
    """A `ProxyRequest` is a request that names its tenant and its conversation.

    Attributes:
        given: The parameters of the request.
        body: The bytes to send first, which are those that came if nothing in them had to change.
        continues: The stored items and response id that take the place of `previous_response_id`, or None.
    """

    protocol: Protocol
    given: dict[str, Any]
    body: bytes
    tenant: str
    conversation: str
    continues: Mapping[str, Any] | None = None

    @property
    def is_stream(self) -> bool:
        """Return whether the caller wants a stream."""
        return self.given.get("stream") is True


def parsed(body: bytes) -> dict[str, Any]:
    """Return the parameters in a body. Raises `BadRequest`, which names the fault."""
    try:
        found = load_once(body, "body")
    except (ValueError, RecursionError, RecordError) as error:
        raise BadRequest(400, f"body: no JSON: {error}") from error
    if not isinstance(found, dict):
        raise BadRequest(400, "body: a JSON object is needed")
    for name, kind in _TYPES.items():
        if found.get(name) is not None and not isinstance(found[name], kind):
            raise BadRequest(400, f"body.{name}: it has the wrong type: {found[name]!r:.60}")
    return found


_TYPES: dict[str, type | tuple[type, ...]] = {
    "model": str,
    "stream": bool,
    "metadata": dict,
    "messages": list,
    "input": (str, list),
    "tools": list,
    "previous_response_id": str,
    "conversation": (str, dict),
    "stream_options": dict,
}


def check_apart(given: Mapping[str, Any]) -> None:
    """Raise `BadRequest` for a request that names what the upstream keeps, because one key stands for all tenants."""
    items = given.get("input")
    if given.get("conversation") is not None:
        raise BadRequest(400, "conversation: the upstream keeps those of all tenants with one key; send the history")
    if any(plain(own).get("type") == "item_reference" for own in (items if isinstance(items, list) else ())):
        raise BadRequest(400, "input: the upstream keeps the items of all tenants with one key; send them whole")


async def read_request(
    protocol: Protocol,
    body: bytes,
    headers: Headers,
    settings: CallerSettings,
    bound: str | None,
    store: Store,
) -> ProxyRequest:
    """Return the request in a body. `bound` is the tenant of the caller's key.

    Raises `BadRequest` for a malformed body, and if nothing names the conversation, which is never guessed.
    """
    given = parsed(body)
    metadata = plain(given.get("metadata"))
    where = f"the header {settings.tenant_header} or metadata.tenant"
    tenant = named_tenant(headers.get(settings.tenant_header) or metadata.get("tenant"), where, bound)
    previous = given.get("previous_response_id")
    found = None if not previous else await store.conversation_with(tenant, ANSWERED, {"response": previous})
    stored = given.get("conversation")
    told = headers.getlist(settings.conversation_header)
    if len(set(told)) > 1:
        raise BadRequest(400, f"the header {settings.conversation_header} stands twice, with two values")
    named = (
        (told[0] if told else None)
        or metadata.get("conversation")
        or found
        or (plain(stored).get("id") if isinstance(stored, dict) else stored)
    )
    if previous and found is None:
        raise BadRequest(400, f"previous_response_id: no conversation of this tenant has the response {previous!r:.80}")
    if previous and found not in (None, named):
        raise BadRequest(400, f"previous_response_id: {previous!r:.80} is of another conversation")
    if not isinstance(named, str) or not named:
        raise BadRequest(
            400,
            f"nobody said which conversation this is: send its id in the header {settings.conversation_header} or in "
            "metadata.conversation, or continue a response by previous_response_id",
        )
    if not protocol.keeps_metadata and any(own in metadata for own in _NAMES):
        given["metadata"] = {name: own for name, own in metadata.items() if name not in _NAMES}
        if not given["metadata"]:
            del given["metadata"]
        body = b""
    try:
        check_names(tenant, named)
    except InputError as error:
        raise BadRequest(400, str(error)) from error
    return ProxyRequest(protocol, given, body, tenant, named)
