"""The kinds of clients that a guard can wrap, with their guarded methods and their harmless attributes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial, reduce
from inspect import iscoroutinefunction
from typing import Any

from holdtrue.errors import InputError
from holdtrue.guard.clients.chat_form import ChatForm
from holdtrue.guard.clients.forms import plain
from holdtrue.guard.clients.guarded_turn import Form
from holdtrue.guard.clients.messages_form import MessagesForm
from holdtrue.guard.clients.request_checks import let_run
from holdtrue.guard.clients.responses_form import HOSTED, ResponsesForm
from holdtrue.guard.policy import Policy

_SETTINGS = (
    "models files api_key base_url timeout max_retries default_headers default_query auth_headers custom_auth "
    "platform_headers user_agent qs is_closed close"
)
METHODS = frozenset(
    "create retrieve list update delete cancel complete parts search files file_batches upload upload_and_poll poll "
    "create_and_poll wait_for_processing upload_file_chunked generate edit create_variation remix extend "
    "download_content create_character get_character speech transcriptions translations voices voice_consents jobs "
    "checkpoints permissions pause resume list_events list_files count unwrap verify_signature "
    "retrieve_metadata".split()
)
"""The methods and parts of harmless attributes that return no text of a model. The contents of files are not among
them.
"""


@dataclass(frozen=True, slots=True)
class ClientShape:
    """A `ClientShape` says which attributes of a library's clients are guarded or harmless. All others are refused.

    Attributes:
        forms: The forms of the guarded `create` methods, by the paths of their resources. The first one is required.
        harmless: The attributes of a part that cannot return a tool call, by the path of the part.
        use: The methods to use instead of a refused one.
        replaced: Other replaced methods, made from the original and from the guarded `create` beside it or None.
        keeps_metadata: Whether the provider takes the id of a conversation in the metadata of a request.
    """

    forms: Mapping[str, Callable[[Policy], Form]]
    harmless: Mapping[str, frozenset[str]]
    use: str
    replaced: Mapping[str, Callable[[Any, Any], Callable[..., Any]]] = field(default_factory=dict)
    keeps_metadata: bool = True


def _begun(create: Callable[..., Any], _: Any) -> Callable[..., Any]:
    """Return the method that begins a stored conversation. It refuses items, because nobody would take them in."""

    def begin(**settings: Any) -> Any:
        if settings.get("items") or plain(settings.get("extra_body") or {}).get("items"):
            raise InputError("the items of a new conversation are refused on a guarded client: send them as input")
        return create(**settings)

    return begin


def _streamed(prefix: str) -> Callable[[Any, Any], Callable[..., Any]]:
    """Return the maker of a `stream` method: the library's own manager reads the events of a guarded answer."""

    def made(_: Any, create: Callable[..., Any]) -> Callable[..., Any]:
        is_async = iscoroutinefunction(create)

        def stream(**request: Any) -> Any:
            from anthropic import NOT_GIVEN
            from anthropic.lib import streaming

            if request.pop("output_format", None):
                raise InputError(
                    "output_format is refused on a guarded client; give output_config={'format': {'type': "
                    "'json_schema', 'schema': ...}}"
                )
            begin = partial(create, **request, stream=True)
            manager = getattr(streaming, f"{prefix}{'Async' if is_async else ''}MessageStreamManager")
            return manager(begin() if is_async else begin, output_format=NOT_GIVEN)

        return stream

    return made


def _responses_form(policy: Policy) -> ResponsesForm:
    free = [f"{name}_" for name in let_run(policy)]
    return ResponsesForm(frozenset(f"{own}_call" for own in HOSTED if any(each.startswith(f"{own}_") for each in free)))


def _messages_form(policy: Policy, is_beta: bool = False) -> MessagesForm:
    answers = frozenset(own.name for own in policy.tools.values() if own.is_answer)
    return MessagesForm(let_run(policy), answers, is_beta)


OPENAI = ClientShape(
    forms={
        "chat.completions": lambda _: ChatForm(),
        "beta.chat.completions": lambda _: ChatForm(),
        "responses": _responses_form,
    },
    harmless={
        "": frozenset(
            f"{_SETTINGS} embeddings images audio moderations uploads vector_stores fine_tuning videos webhooks "
            "admin_api_key organization project webhook_secret websocket_base_url".split()
        ),
        "responses": frozenset({"input_tokens"}),
        "conversations": frozenset({"retrieve", "update", "delete"}),
    },
    use="chat.completions.create or responses.create, also with stream=True",
    replaced={"conversations.create": _begun},
)
ANTHROPIC = ClientShape(
    forms={"messages": _messages_form, "beta.messages": partial(_messages_form, is_beta=True)},
    harmless={
        "": frozenset(f"{_SETTINGS} auth_token webhook_key".split()),
        "beta": frozenset({"models", "files"}),
        "messages": frozenset({"count_tokens"}),
        "beta.messages": frozenset({"count_tokens"}),
    },
    use="messages.create, also with stream=True, or messages.stream",
    replaced={"messages.stream": _streamed(""), "beta.messages.stream": _streamed("Beta")},
    keeps_metadata=False,
)


def shape_of(client: Any) -> ClientShape:
    """Return the shape of a client. Raises `InputError` for an object that is no client of a known library."""
    for shape in (OPENAI, ANTHROPIC):
        path = next(iter(shape.forms)).split(".")
        if hasattr(reduce(lambda own, name: getattr(own, name, None), path, client), "create"):
            return shape
    raise InputError(
        f"wrap takes an OpenAI or AsyncOpenAI client, or an Anthropic or AsyncAnthropic client, not {client!r:.80}; "
        "around another library, guard functions with guard.tool, or use heard, check and saw"
    )
