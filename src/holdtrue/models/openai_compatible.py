"""A model behind any server that speaks the OpenAI chat-completions protocol."""

from __future__ import annotations

import hashlib
import json
import logging
import math
import os
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from holdtrue.errors import HoldtrueError, ModelRefused, ModelUnreachable, RequestRefused
from holdtrue.models.chat import Reply, Request, well_formed, well_formed_json
from holdtrue.record import ReplyKind, Usage

if TYPE_CHECKING:
    from openai.types.chat import ChatCompletion

_log = logging.getLogger(__name__)

# Bad request, unprocessable content: how servers turn down a parameter that they do not know.
_NOT_TAKEN = (400, 422)
# The same, and content too large: the fault of one request.
_ONE_REQUEST = (400, 413, 422)
# Timeout, conflict, rate limit: tried again by the client, as are all server errors.
_TRIED_AGAIN = (408, 409, 429)


class OpenAIModel:
    """The model `model` of a server.

    `base_url` and `api_key` default to the environment's `OPENAI_BASE_URL` and `OPENAI_API_KEY`, then to OpenAI
    itself; other servers may need no key. Rate limits, server errors and lost connections are tried again up to
    `retries` times, after waits that double from half a second to eight, with jitter, or as long as the server
    says (Retry-After). `timeout_s` bounds one try. A reply's latency includes the waits.

    A schema that the server turns down is left out from then on, and a warning is logged once. Other schemas are
    still sent, so that how a request is asked does not depend on the ones before it. Lone surrogates, which
    UTF-8 cannot carry, become U+FFFD on the way out and in.

    Raises `ModelRefused` where OpenAI's own server is meant and there is no key.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        retries: int = 5,
        timeout_s: float = 180.0,
    ) -> None:
        base_url = base_url or os.environ.get("OPENAI_BASE_URL") or None
        api_key = api_key or os.environ.get("OPENAI_API_KEY") or None
        if api_key is None and base_url is None:
            raise ModelRefused(f"openai/{model} needs a key: set OPENAI_API_KEY, or give the base URL of a server")
        from openai import AsyncOpenAI

        self._model = model
        self._client = AsyncOpenAI(base_url=base_url, api_key=api_key or "none", max_retries=retries, timeout=timeout_s)
        self._refused_schemas: set[str] = set()
        self._limit_name = "max_tokens"

    @property
    def name(self) -> str:
        return f"openai/{self._model}"

    async def complete(self, request: Request) -> Reply:
        """The reply.

        Raises `ModelUnreachable` without a connection or after the last failed try, `RequestRefused` with the
        server's own words where it turns this request down or answers it with no message, `ModelRefused` where
        it says no to all requests (key, rights, unknown model) or does not speak the protocol.
        """
        from openai import APIConnectionError, APIError, APIStatusError

        start = time.perf_counter()
        try:
            completion = await self._ask(request, with_schema=self._sends_schema_of(request))
        except APIConnectionError as error:
            reason = f" ({error.__cause__})" if error.__cause__ else ""
            raise ModelUnreachable(f"{self._where}: {error.message}{reason}") from error
        except APIStatusError as error:
            raise _kind_of(error.status_code)(f"{self._where}: {error.message}") from error
        except APIError as error:
            raise ModelRefused(f"{self._where}: {error.message}") from error
        except ValueError as error:
            raise ModelRefused(f"{self._where}: the answer is no JSON: {error}") from error
        return self._reply(completion, time.perf_counter() - start)

    async def aclose(self) -> None:
        await self._client.close()

    @property
    def _where(self) -> str:
        return f"{self.name} at {self._client.base_url}"

    def _sends_schema_of(self, request: Request) -> bool:
        return request.schema is not None and _hash(request.schema) not in self._refused_schemas

    async def _ask(self, request: Request, *, with_schema: bool) -> ChatCompletion:
        """One call, made again without what the server does not take."""
        from openai import APIStatusError
        from openai.types.chat import ChatCompletion as Completion

        limit_name = self._limit_name
        try:
            # `chat.completions.create` walks the whole request through type hints first, which costs more
            # processor time than sending it; `post` sends what it is given, with the same retries and errors.
            completion: ChatCompletion = await self._client.post(
                "/chat/completions", body=self._parameters(request, with_schema), cast_to=Completion
            )
            return completion
        except APIStatusError as error:
            if error.status_code not in _NOT_TAKEN:
                raise
            if limit_name == "max_tokens" and "max_completion_tokens" in error.message:
                self._limit_name = "max_completion_tokens"
                return await self._ask(request, with_schema=with_schema)
            if not with_schema or request.schema is None:
                raise
            completion = await self._ask(request, with_schema=False)
            if not self._refused_schemas:
                _log.warning("%s turns a JSON schema down; replies are not bound by it: %s", self._where, error.message)
            self._refused_schemas.add(_hash(request.schema))
            return completion

    def _parameters(self, request: Request, with_schema: bool) -> dict[str, Any]:
        parameters: dict[str, Any] = {
            "model": self._model,
            "messages": [message.to_json() for message in request.messages],
            "temperature": request.temperature,
            "seed": request.seed + request.sample,
            self._limit_name: request.max_tokens,
        }
        if with_schema and request.schema is not None:
            schema = {"name": "reply", "schema": dict(request.schema), "strict": True}
            parameters["response_format"] = {"type": "json_schema", "json_schema": schema}
        cleaned: dict[str, Any] = well_formed_json(parameters)
        return cleaned

    def _reply(self, completion: ChatCompletion, latency_s: float) -> Reply:
        # The client checks no types: any member may be missing, null, or of another shape than the protocol's.
        if not hasattr(completion, "choices"):
            # An answer in HTML comes out of the client as a text, another JSON as what it is.
            raise ModelRefused(f"{self._where}: the answer is no chat completion: {str(completion)[:200]!r}")
        choices: object = completion.choices
        if not isinstance(choices, list) or not choices:
            # Some servers put a fault of one call here, under status 200.
            said = getattr(completion, "error", None) or "the answer has no choices"
            raise RequestRefused(f"{self._where}: {well_formed(str(said)[:200])}")
        message: Any = getattr(choices[0], "message", None)
        if not hasattr(message, "content"):
            raise RequestRefused(f"{self._where}: the answer has no message: {str(choices[0])[:200]!r}")
        text = _text_of(message.content)
        if text is None:
            raise RequestRefused(f"{self._where}: content is neither text nor parts: {str(message.content)[:200]!r}")
        reason = getattr(choices[0], "finish_reason", None)
        spent = completion.usage
        prompt, reply = (_count(getattr(spent, f"{side}_tokens", None)) for side in ("prompt", "completion"))
        return Reply(
            well_formed(text or _text_of(getattr(message, "refusal", None)) or ""),
            Usage(1, prompt, reply, latency_s),
            ReplyKind.CUT if reason == "length" else ReplyKind.ANSWER,
        )


def _kind_of(status: int) -> type[HoldtrueError]:
    """What a server means by an HTTP status that is no success."""
    if status in _TRIED_AGAIN or status >= 500:
        return ModelUnreachable
    return RequestRefused if status in _ONE_REQUEST else ModelRefused


def _hash(schema: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(schema, sort_keys=True).encode()).hexdigest()


def _text_of(content: object) -> str | None:
    """The text of a message's content: none, a text, or parts of which some are text. None for anything else."""
    if content is None or isinstance(content, str):
        return content or ""
    if not isinstance(content, list):
        return None
    texts = (part.get("text") for part in content if isinstance(part, dict) and part.get("type") == "text")
    return "".join(text for text in texts if isinstance(text, str))


def _count(tokens: object) -> int:
    """A token count; 0 where the server gives none."""
    if isinstance(tokens, int) or (isinstance(tokens, float) and math.isfinite(tokens)):
        return max(0, int(tokens))
    return 0
