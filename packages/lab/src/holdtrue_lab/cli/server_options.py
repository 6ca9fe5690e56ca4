"""Options about a model on a server, which runs and studies have: how much it thinks, and how long it may take."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextvars import ContextVar
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from holdtrue.models.chat import ChatModel
    from holdtrue.models.model_registry import ServerOptions

Thinking = Annotated[
    str | None, typer.Option(help="on or off: chat_template_kwargs of the request, as vLLM and SGLang take it.")
]
Effort = Annotated[
    str | None, typer.Option(help="How much a model thinks, such as low or high; some models refuse the option.")
]
Fields = Annotated[
    str | None,
    typer.Option(metavar="JSON", help='More fields of each request, such as {"top_k": 20}; null leaves a field out.'),
]
TryLimit = Annotated[float | None, typer.Option(help="Seconds for one try of a call to a server [default: 600].")]
CallLimit = Annotated[
    float | None, typer.Option(help="Seconds for a call with all its tries [default: three tries and half a minute].")
]
SERVER_OPTIONS: Mapping[str, Any] = {
    "thinking": Thinking,
    "reasoning_effort": Effort,
    "request": Fields,
    "timeout_s": TryLimit,
    "total_s": CallLimit,
}
STUDY: ContextVar[ServerOptions | None] = ContextVar("study", default=None)
"""The options of the study that runs."""


def server_options(given: Mapping[str, Any]) -> ServerOptions:
    """Return the options of a command by their names (`SERVER_OPTIONS`). Raises `SettingsError`."""
    from holdtrue.models.model_registry import ServerOptions

    return ServerOptions(given["timeout_s"], given["total_s"], _extra_body(given))


def open_for(name: str, server: ServerOptions | None, base_url: str | None = None) -> ChatModel:
    """Open a model by name. The options and the address are those of models on a server, and others run without."""
    from holdtrue.models.model_registry import open_model

    is_served = name.startswith("openai/")
    return open_model(name, base_url=base_url, options=server) if is_served else open_model(name)


def _extra_body(given: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the fields that the options add to each request, or None."""
    from holdtrue.errors import SettingsError
    from holdtrue.models.sampling import check_extra_body
    from holdtrue.options import one_of

    found: dict[str, Any] = {}
    if given["reasoning_effort"] is not None:
        found["reasoning_effort"] = given["reasoning_effort"]
    if given["thinking"] is not None:
        is_on = one_of("value of --thinking", given["thinking"], ("on", "off")) == "on"
        found["chat_template_kwargs"] = {"enable_thinking": is_on}
    if given["request"] is not None:
        try:
            fields = json.loads(given["request"])
        except ValueError as error:
            raise SettingsError(f"--request: no JSON: {error}") from error
        check_extra_body(fields)
        found |= fields
    return found or None
