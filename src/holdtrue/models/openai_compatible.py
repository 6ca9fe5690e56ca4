"""A model behind any server that speaks the OpenAI chat-completions protocol."""

from __future__ import annotations

import logging
import os
import time
from typing import TYPE_CHECKING, Any

from holdtrue.errors import ModelRefused, ModelUnreachable
from holdtrue.models.chat import Reply, Request
from holdtrue.record import Usage

if TYPE_CHECKING:
    from openai.types.chat import ChatCompletion

_log = logging.getLogger(__name__)

# Bad request, unprocessable content: how servers turn down a parameter that they do not know.
_NOT_TAKEN = (400, 422)
# Timeout, conflict, rate limit: tried again by the client, as are all server errors.
_TRIED_AGAIN = (408, 409, 429)


class OpenAIModel:
    """The model `model` of a server.

    `base_url` and `api_key` default to the environment's `OPENAI_BASE_URL` and `OPENAI_API_KEY`, then to OpenAI
    itself; other servers may need no key. Rate limits, server errors and lost connections are tried again up to
    `retries` times, after waits that double from half a second to eight, with jitter, or as long as the server
    says (Retry-After). `timeout_s` bounds one try. A reply's latency includes the waits.

    A server that turns down JSON schemas is asked without them from then on, and a warning is logged once.
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
        self._takes_schemas = True
        self._limit_name = "max_tokens"

    @property
    def name(self) -> str:
        return f"openai/{self._model}"

    async def complete(self, request: Request) -> Reply:
        """The reply.

        Raises `ModelUnreachable` without a connection or after the last failed try, `ModelRefused` with the
        server's own words where it says no or does not speak the protocol.
        """
        from openai import APIConnectionError, APIError, APIStatusError

        start = time.perf_counter()
        try:
            completion = await self._ask(request, with_schema=self._takes_schemas and request.schema is not None)
        except APIConnectionError as error:
            reason = f" ({error.__cause__})" if error.__cause__ else ""
            raise ModelUnreachable(f"{self._where}: {error.message}{reason}") from error
        except APIStatusError as error:
            kind = ModelUnreachable if error.status_code in _TRIED_AGAIN or error.status_code >= 500 else ModelRefused
            raise kind(f"{self._where}: {error.message}") from error
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

    async def _ask(self, request: Request, *, with_schema: bool) -> ChatCompletion:
        """One call, made again without what the server does not take."""
        from openai import APIStatusError

        limit_name = self._limit_name
        try:
            completion: ChatCompletion = await self._client.chat.completions.create(
                **self._parameters(request, with_schema)
            )
            return completion
        except APIStatusError as error:
            if error.status_code not in _NOT_TAKEN:
                raise
            if limit_name == "max_tokens" and "max_completion_tokens" in error.message:
                self._limit_name = "max_completion_tokens"
                return await self._ask(request, with_schema=with_schema)
            if not with_schema:
                raise
            completion = await self._ask(request, with_schema=False)
            if self._takes_schemas:
                self._takes_schemas = False
                _log.warning("%s takes no JSON schema; replies are not bound by one: %s", self._where, error.message)
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
        return parameters

    def _reply(self, completion: ChatCompletion, latency_s: float) -> Reply:
        # A server that answers in HTML comes out of the client as a text, one with another JSON without choices.
        choices = getattr(completion, "choices", None)
        if not choices:
            raise ModelRefused(f"{self._where}: the answer is no chat completion: {str(completion)[:200]!r}")
        choice, spent = choices[0], completion.usage
        reason = choice.finish_reason
        return Reply(
            choice.message.content or choice.message.refusal or "",
            Usage(1, spent.prompt_tokens if spent else 0, spent.completion_tokens if spent else 0, latency_s),
            reason if reason in ("stop", "length") else "other",
        )
