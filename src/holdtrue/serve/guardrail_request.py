"""Read a request of the guardrail API, and find the conversation and the tenant that it names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from holdtrue.errors import InputError, RecordError
from holdtrue.guard.recorded_words import load_once
from holdtrue.options import Option, one_of
from holdtrue.serve.callers import BadRequest, CallerSettings, named_tenant
from holdtrue.wire import first_fault

_HIDDEN = "[present]"
"""The value that litellm gives in place of a header that it does not pass on."""


@dataclass(frozen=True, slots=True)
class GuardrailSettings(CallerSettings):
    """`GuardrailSettings` say how the server reads and answers requests.

    `errors` is the way to answer a request that nobody can decide on. `blocked`: as a blocked one, so that no setting
    of the gateway lets it pass. `status`: with an HTTP status of 422 or 500. `tenant_field` replaces the header.
    """

    tenant_field: Annotated[str | None, Option("Guardrail API: the field of request_data with the tenant.")] = None
    trust_trace_id: Annotated[
        bool, Option("Guardrail API: take litellm's trace id without another id.", flag="--trust-trace-id")
    ] = False
    errors: Annotated[
        str, Option("Guardrail API: answer what nobody can decide on as blocked, or with an HTTP status.")
    ] = "blocked"
    timeout_s: Annotated[float, Option("Guardrail API: seconds for a request.", least=0.001)] = 30.0

    def __post_init__(self) -> None:
        one_of("value of errors", self.errors, ("blocked", "status"))


class GuardrailRequest(BaseModel):
    """The body of a request. An unknown field is refused, because calls or words in it would pass unread."""

    model_config = ConfigDict(extra="forbid", strict=True)

    input_type: Literal["request", "response"]
    texts: list[str] | None = None
    images: list[str] | None = None
    tools: list[dict[str, Any]] | None = None
    tool_calls: list[dict[str, Any]] | None = None
    structured_messages: list[dict[str, Any]] | None = None
    request_data: dict[str, Any] | None = None
    request_headers: dict[str, str] | None = None
    additional_provider_specific_params: dict[str, Any] | None = None
    litellm_call_id: str | None = None
    litellm_trace_id: str | None = None
    litellm_version: str | None = None
    model: str | None = None


def read_request(body: bytes) -> GuardrailRequest:
    """Return the request in a body. Raises `BadRequest`, which names the place of the fault."""
    try:
        return GuardrailRequest.model_validate(load_once(body, "body"))
    except ValidationError as error:
        raise BadRequest(422, f"body.{first_fault(error)}") from error
    except (ValueError, RecursionError, RecordError) as error:
        raise BadRequest(400, f"body: no JSON: {error}") from error


def conversation_in(request: GuardrailRequest, headers: Mapping[str, str], settings: GuardrailSettings) -> str:
    """Return the id of the conversation: from a header, else the metadata, else the trace if it is trusted.

    `headers` are those of the request to this server. Raises `InputError` if nothing names the conversation.
    """
    name = settings.conversation_header
    metadata = (request.request_data or {}).get("metadata")
    trace = request.litellm_trace_id if settings.trust_trace_id else None
    named = metadata.get("conversation") if isinstance(metadata, dict) else None
    found = _header(request, headers, name) or named or trace
    if not found:
        raise InputError(
            f"nobody said which conversation this is: send its id in the header {name}, or as "
            "request_data.metadata.conversation (of litellm's own ids, only a trusted trace id counts)"
        )
    return str(found)


def tenant_in(
    request: GuardrailRequest, headers: Mapping[str, str], settings: GuardrailSettings, bound: str | None
) -> str:
    """Return the tenant: the one that the key is `bound` to, or the one that the request names.

    `bound` is None if the server has no keys; then "" is the tenant if none is named. Raises `InputError` if the key is
    bound to another tenant, or if it may speak for each tenant and none is named.
    """
    field = settings.tenant_field
    where = f"request_data.{field}" if field else f"the header {settings.tenant_header}"
    named = (request.request_data or {}).get(field) if field else _header(request, headers, settings.tenant_header)
    return named_tenant(named, where, bound, is_needed=bool(field))


def _header(request: GuardrailRequest, headers: Mapping[str, str], name: str) -> str | None:
    """Return a header of the request to this server, or else of the client's request to the gateway."""
    sent = {key.lower(): value for key, value in (request.request_headers or {}).items()}
    found = headers.get(name) or sent.get(name.lower())
    if found == _HIDDEN:
        raise InputError(f"the gateway does not pass on the value of {name}: in litellm, name it in extra_headers")
    return found
