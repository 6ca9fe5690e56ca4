"""The description of the server's API, by OpenAPI 3.1. Bodies are those of OpenAI's and Anthropic's protocols."""

from __future__ import annotations

from typing import Any

from holdtrue.serve.protocols import EXTENSION, PROTOCOLS

_TEXT = {"type": "string"}
_OBJECT = {"type": "object"}
_EVENT = {"type": "object", "properties": {"event": _TEXT, "data": _TEXT}}
_MESSAGES = {"type": "array", "items": {"type": "object", "required": ["role"], "properties": {"role": _TEXT}}}
_INPUT: dict[str, Any] = {"input": {"oneOf": [_TEXT, {"type": "array", "items": _OBJECT}]}}
_HISTORY: dict[str, dict[str, Any]] = {
    "chat": {"messages": _MESSAGES},
    "responses": _INPUT,
    "messages": {"messages": _MESSAGES},
}
_PROBLEMS = {
    400: "The request is malformed, or nothing names its conversation.",
    401: "The key is missing or unknown.",
    408: "The body did not come in time.",
    413: "The body is too large.",
    415: "The body is no JSON.",
    422: "A call was stopped (`call_stopped`), or nobody could decide on calls (`not_decidable`).",
    429: "Too many requests are under way.",
    502: "The upstream gave no answer that can be read.",
    503: "The store cannot be used.",
    504: "The upstream gave no answer in time.",
}


def openapi(*, has_proxy: bool) -> dict[str, Any]:
    """Return the description. Without a proxy it has the paths of the server itself only."""
    paths: dict[str, Any] = {
        "/health": {"get": _operation("Say that the server runs.", _OBJECT)},
        "/metrics": {"get": _operation("Give the metrics of Prometheus.", _TEXT, "text/plain")},
    }
    for own in PROTOCOLS if has_proxy else ():
        held = {"type": "object", "properties": {EXTENSION: {"$ref": "#/components/schemas/Verdict"}}}
        post = _operation(f"Ask the model by the protocol {own.name}, behind the guard.", held)
        properties = {"model": _TEXT, "stream": {"type": "boolean"}, "metadata": _OBJECT, **_HISTORY[own.name]}
        schema = {"type": "object", "required": ["model", *_HISTORY[own.name]], "properties": properties}
        post["responses"]["200"]["content"]["text/event-stream"] = {"schema": _EVENT}
        post["requestBody"] = {"required": True, "content": {"application/json": {"schema": schema}}}
        names = ("Holdtrue-Conversation", "Holdtrue-Tenant")
        post["parameters"] = [{"name": name, "in": "header", "schema": _TEXT} for name in names]
        paths[own.path] = {"post": post}
    if has_proxy:
        paths["/v1/models"] = {"get": _operation("Give the models of the upstream.", _OBJECT)}
    decision = {"id": _TEXT, "tool": _TEXT, "decision": {"enum": ["allow", "block", "ask", "confirm"]}}
    verdict = {
        "type": "object",
        "properties": {
            "conversation": _TEXT,
            "verdict": {"enum": ["passed", "mended", "refused", "undecided"]},
            "attempts": {"type": "integer"},
            "calls": {"type": "array", "items": {"type": "object", "properties": decision}},
            "coverage": _OBJECT,
        },
    }
    info = {"title": "holdtrue", "version": "1", "description": "A model behind a guard."}
    return {"openapi": "3.1.0", "info": info, "paths": paths, "components": {"schemas": {"Verdict": verdict}}}


def _operation(summary: str, schema: dict[str, Any], kind: str = "application/json") -> dict[str, Any]:
    good = {"description": "The answer.", "content": {kind: {"schema": schema}}}
    return {
        "summary": summary,
        "responses": {"200": good, **{str(k): {"description": v} for k, v in _PROBLEMS.items()}},
    }
