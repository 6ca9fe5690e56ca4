"""A model behind any server that speaks the OpenAI chat-completions protocol."""

from __future__ import annotations

import logging
import os
import time
from typing import TYPE_CHECKING, Any, Literal

from holdtrue.errors import ModelRefused, ModelUnreachable
from holdtrue.models.chat import Reply, Request
from holdtrue.record import Usage

if TYPE_CHECKING:
    from openai import APIStatusError
    from openai.types.chat import ChatCompletion

_log = logging.getLogger(__name__)

# The answers of servers that do not take a parameter: bad request, unprocessable content.
_BAD_REQUEST = (400, 422)


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
        timeout_s: float = 300.0,
    ) -> None:
        base_url = base_url or os.environ.get("OPENAI_BASE_URL") or None
        api_key = api_key or os.environ.get("OPENAI_API_KEY") or None
        if api_key is None and base_url is None:
            raise ModelRefused(f"openai/{model} needs a key: set OPENAI_API_KEY, or give the base URL of a server")
        from openai import AsyncOpenAI

        self._model = model
        self._client = AsyncOpenAI(
            base_url=base_url, api_key=api_key or "none", max_retries=retries, timeout=timeout_s
        )
        self._takes_schemas = True
        self._limit_name = "max_tokens"

    @property
    def name(self) -> str:
        return f"openai/{self._model}"

    async def complete(self, request: Request) -> Reply:
        start = time.perf_counter()
        completion = await self._ask(request)
        return _reply(self.name, completion, time.perf_counter() - start)

    async def aclose(self) -> None:
        await self._client.close()

    async def _ask(self, request: Request) -> ChatCompletion:
        """One call, again without what the server does not take; raises our own errors."""
        from openai import APIConnectionError, APIError, APIStatusError

        with_schema = request.schema is not None and self._takes_schemas
        limit_name = self._limit_name
        try:
            completion = await self._send(request, with_schema, limit_name)
        except APIConnectionError as error:
            raise ModelUnreachable(f"{self.name}: {_reason(error)}") from error
        except APIStatusError as error:
            if error.status_code in _BAD_REQUEST:
                if limit_name == "max_tokens" and "max_completion_tokens" in error.message:
                    self._limit_name = "max_completion_tokens"
                    return await self._ask(request)
                if with_schema:
                    return await self._ask_freely(request, error)
            raise self._error(error) from error
        except APIError as error:
            raise ModelRefused(f"{self.name}: {error.message}") from error
        return completion
