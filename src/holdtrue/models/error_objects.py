"""The faults that a chat server tells in its own words: error objects of every shape, under any status."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from holdtrue.models.retry_policy import ONE_REQUEST, Fault, FaultKind, kind_of_status

_SHOWN = 400
# Words of codes that say what kind of fault it is, where the code is no status.
_SERVER_CODES = ("rate_limit", "overload", "server_error", "timeout", "unavailable", "internal")
_REFUSED_CODES = ("auth", "api_key", "permission", "model_not_found", "quota", "billing")


def fault_in(body: Mapping[str, Any], status: int | None = None) -> Fault | None:
    """Return the fault that an answer tells of in its own words, or None if it tells of none.

    `status`: of the answer, where that is no success. OpenAI puts the fault into `error`; vLLM spreads it over the body
    (`object: error`), FastAPI puts it into `detail`, others write `message` alone.
    """
    error = body.get("error") or body.get("errors")
    if not error and (status is not None or body.get("object") == "error" or "choices" not in body):
        error = body.get("detail") or (body if isinstance(body.get("message"), str) else None)
    if not error:
        return None
    if isinstance(error, list):
        error = {"message": "; ".join(_complaint(one) for one in error[:8])}
    fields: Mapping[str, Any] = error if isinstance(error, dict) else {**body, "message": None, "detail": None}
    said = fields.get("message") or fields.get("detail") or fields.get("msg")
    code = fields.get("code") if fields.get("code") is not None else fields.get("type")
    parameter = fields.get("param")
    return Fault(
        _kind_of_error(status, fields),
        said if isinstance(said, str) and said else error if isinstance(error, str) else in_words(error),
        parameter=parameter if isinstance(parameter, str) else "",
        code=str(code)[:_SHOWN] if isinstance(code, str | int) else "",
    )


def _complaint(one: object) -> str:
    """One of several complaints, as FastAPI lists them: where, and what."""
    fields = one if isinstance(one, dict) else {}
    place, said = fields.get("loc"), fields.get("msg") or fields.get("message")
    if not isinstance(said, str):
        return in_words(one)
    return f"{'.'.join(str(part)[:80] for part in place[:8])}: {said}" if isinstance(place, list) else said


def filtered_prompt(body: Mapping[str, Any]) -> str | None:
    """Return why the prompt was filtered, in the words of the answer that turns it down, or None if it was not.

    Azure says it by a code, OpenRouter by what moderation flagged.
    """
    error = body.get("error")
    if not isinstance(error, dict):
        return None
    inner, metadata = error.get("innererror"), error.get("metadata")
    codes = (error.get("code"), inner.get("code") if isinstance(inner, dict) else None)
    flagged = isinstance(metadata, dict) and bool(metadata.get("reasons")) and "flagged_input" in metadata
    if flagged or "content_filter" in codes or "ResponsibleAIPolicyViolation" in codes:
        return f"the prompt was filtered: {error.get('message') or in_words(error)}"
    return None


def _kind_of_error(status: int | None, error: Mapping[str, Any]) -> FaultKind:
    """Return the kind of a fault, by the status of the answer, else by the code that stands in its words."""
    if status is not None:
        return kind_of_status(status)
    for code in (error.get("code"), error.get("status"), error.get("type")):
        if isinstance(code, str) and code.isascii() and code.isdigit():
            code = int(code[:3])
        if isinstance(code, int) and 400 <= code < 600:
            return kind_of_status(code)
        if isinstance(code, str):
            code = code.lower()
            if any(word in code for word in _SERVER_CODES):
                return FaultKind.SERVER
            if any(word in code for word in _REFUSED_CODES):
                return FaultKind.REFUSED
            if "invalid_request" in code or "context_length" in code or "badrequest" in code:
                return kind_of_status(ONE_REQUEST[0])
    return FaultKind.CALL


def in_words(value: object) -> str:
    """Return a value of an answer in words, bounded in time and length: of containers, only what stands first."""
    if isinstance(value, dict):
        members = list(value.items())[:8]
        return "{" + ", ".join(f"{key[:80]!r}: {_brief(item)}" for key, item in members) + "}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "[" + ", ".join(map(_brief, value[:8])) + "]"
    return _brief(value)


def _brief(value: object) -> str:
    if isinstance(value, str):
        return repr(value[:_SHOWN])
    if isinstance(value, dict | list):
        return "{...}" if isinstance(value, dict) else "[...]"
    return "null" if value is None else repr(value)
