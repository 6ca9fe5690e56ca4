"""A model behind any server that speaks the OpenAI chat-completions protocol."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from holdtrue.errors import HoldtrueError, ModelError, ModelRefused, ModelUnreachable, RequestRefused, SettingsError
from holdtrue.models.chat import SOME_TAKE, Reply, Request
from holdtrue.models.exchange import MOST_BYTES, Address, Call, NoConnection, exchange, open_client, read_address
from holdtrue.models.parameters import Parameters, change_for, notes_on
from holdtrue.models.redaction import redact
from holdtrue.models.reply_kinds import ServerReply
from holdtrue.models.retry_policy import Fault, FaultKind, Patience, backoff_s
from holdtrue.models.server_answer import read_answer
from holdtrue.record import Usage

_log = logging.getLogger(__name__)

_OPENAI = "https://api.openai.com/v1"
_PATH = "/chat/completions"
# The most times that a request is sent again without a rejected parameter.
_MOST_CHANGES = 6
# Placeholders for the key of a server that needs none. They are no secrets.
_NO_KEYS = ("none", "EMPTY")


class OpenAIModel:
    """The model `model` of a server.

    `base_url` and `api_key` default to the environment's `OPENAI_BASE_URL` and `OPENAI_API_KEY`, then to OpenAI. Other
    servers may need no key. A user and password in the URL are sent as Basic authorization instead of a key. No error,
    warning or note shows any of them.

    `timeout_s` limits the wall-clock time of one try, from the connection to the last byte of the answer. A server that
    takes longer is not asked again, because it would need as long once more. Rate limits, server errors, lost
    connections and empty replies are tried again up to `retries` times. The waits double from half
    a second to eight, with jitter, unless the server gives a time (Retry-After). If that is above `longest_wait_s`, the
    call ends at once. `total_s` limits the whole call with all tries and waits, by default three times `timeout_s` plus
    half a minute. A server that has never answered is tried for five seconds. A reply's latency excludes waits, and
    includes earlier tries only if they cost tokens. Reading stops at an answer above `most_bytes`.

    A budget for thinking is sent as `thinking: {type: enabled, budget_tokens: N}`, and the token limit is raised by as
    much. If the server rejects a parameter, it is left out from then on. This holds for temperature, `top_p`, seed,
    schema, thinking, and the older name of the token limit. Each is logged as a warning once, and the reply's note says
    so. `extra_body` is that of requests that have none (`Request.extra_body`). Lone surrogates, which UTF-8 cannot
    encode, become U+FFFD in both directions.

    Raises `ModelRefused` if OpenAI's server is used without a key, and `SettingsError` if the URL or the key cannot be
    used.
    """

    takes = SOME_TAKE

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        retries: int = 5,
        timeout_s: float = 600.0,
        total_s: float | None = None,
        longest_wait_s: float = 60.0,
        most_bytes: int = MOST_BYTES,
        extra_body: Mapping[str, Any] | None = None,
    ) -> None:
        base_url = base_url or os.environ.get("OPENAI_BASE_URL") or None
        api_key = (api_key or os.environ.get("OPENAI_API_KEY") or "").strip()
        if not api_key and base_url is None:
            raise ModelRefused(f"openai/{model} needs a key: set OPENAI_API_KEY, or give the base URL of a server")
        if not (api_key.isascii() and all(" " < character <= "~" for character in api_key)):
            raise SettingsError("the API key holds a space or a character that no key has; look for a stray line break")
        self.name = f"openai/{model}"
        self._address = read_address(base_url or _OPENAI)
        self._headers = _headers(self._address, api_key)
        self._secrets = (*self._address.secrets, *((api_key,) if api_key and api_key not in _NO_KEYS else ()))
        total_s = 3 * timeout_s + 30 if total_s is None else total_s
        self._patience = Patience(retries, timeout_s, total_s, longest_wait_s)
        self._most_bytes, self._extra_body = most_bytes, extra_body
        self._client = open_client()
        self._parameters = Parameters(model)
        self._is_there = False
        self._has_replied = False

    async def complete(self, request: Request) -> Reply:
        """Return the reply. `reply_kinds` documents its kind and text.

        Raises `ModelUnreachable` without a connection or after the last failed try. Raises `RequestRefused`, with the
        server's words, if it rejects this request or never gives a reply. Raises `ModelRefused` if it rejects all
        requests (key, rights, unknown model) or does not speak the protocol.
        """
        if self._client.is_closed:
            raise ModelError(f"{self.name} is closed")
        if request.extra_body is None and self._extra_body:
            request = replace(request, extra_body=self._extra_body)
        course = _Course(time.perf_counter())
        while True:
            try:
                return self._reply(await self._try(request, course), course)
            except Fault as raised:
                fault = raised
            # Outside of the `except` block, so that no raised error has the unredacted fault as its context.
            course.add(fault)
            wait_s = self._wait_after(fault, course)
            _log.warning("%s: %s; trying again in %.1f s", self._where, self._shown(fault.words), wait_s)
            await asyncio.sleep(wait_s)

    async def aclose(self) -> None:
        await self._client.aclose()

    @property
    def _where(self) -> str:
        return f"{self.name} at {self._address.public_url}"

    def _shown(self, said: str) -> str:
        return redact(said, self._secrets)

    async def _try(self, request: Request, course: _Course) -> ServerReply:
        """Make one try, and repeat it at once without parameters that the server rejects."""
        changes = tried = self._parameters.changes(request)
        earlier: tuple[frozenset[str], str] | None = None
        while True:
            try:
                answer = await self._ask(request, changes, course)
            except Fault as fault:
                if fault.kind is not FaultKind.REQUEST or len(tried) > _MOST_CHANGES:
                    raise
                if earlier is not None and fault.words == earlier[1]:
                    changes = earlier[0]  # the same complaint, so the last change did not help
                more = change_for(request, tried, fault)
                if not more:
                    raise
                earlier, changes, tried = (changes, fault.words), changes | more, tried | more
            else:
                self._learn(changes, earlier[1] if earlier else "")
                course.changes = changes
                return answer

    async def _ask(self, request: Request, changes: frozenset[str], course: _Course) -> ServerReply:
        """Send the request once, and read the answer."""
        url, query = self._address.endpoint(_PATH)
        body = json.dumps(self._parameters.body(request, changes), ensure_ascii=False, separators=(",", ":")).encode()
        timeout_s = max(0.0, min(self._patience.timeout_s, self._patience.total_s - course.elapsed_s))
        # Connecting gets less time than the whole, so that an error can name the late part. A server that never
        # answered is given up soon, but a known one may be busy.
        connect_s = 0.9 * timeout_s
        if not self._is_there:
            connect_s = min(connect_s, max(0.01, self._patience.contact_s - course.elapsed_s))
        call = Call(url, query, self._headers, body)
        course.asked = time.perf_counter()
        try:
            answered = await exchange(
                self._client, call, timeout_s=timeout_s, connect_s=connect_s, most_bytes=self._most_bytes
            )
        except Fault as fault:
            self._is_there = self._is_there or not isinstance(fault, NoConnection)
            raise
        self._is_there = True
        answer = read_answer(answered)
        self._has_replied = True
        return answer

    def _learn(self, changes: frozenset[str], said: str) -> None:
        for name in self._parameters.learn(changes):
            words = "a JSON schema" if name == "schema" else name
            _log.warning("%s turns %s down; it is left out from now on: %s", self._where, words, self._shown(said))

    def _wait_after(self, fault: Fault, course: _Course) -> float:
        """Return the seconds to wait before the next try. Raises the call's error if there is no next try."""
        patience = self._patience
        again = fault.kind.again and (fault.kind is not FaultKind.GARBLED or self._has_replied)
        most = min(patience.retries, patience.empty_again) if fault.kind is FaultKind.CALL else patience.retries
        wait_s = backoff_s(course.tries) if fault.retry_after_s is None else fault.retry_after_s
        if again and fault.retry_after_s is not None and wait_s > patience.longest_wait_s:
            asked = f"the server asks to wait {wait_s:.0f} s; the limit is {patience.longest_wait_s:.0f} s"
            raise self._error(fault, course, asked)
        if not again or course.tries > most:
            raise self._error(fault, course)
        if isinstance(fault, NoConnection) and not self._is_there and course.elapsed_s + wait_s > patience.contact_s:
            raise self._error(fault, course)
        if course.elapsed_s + wait_s >= patience.total_s:
            raise self._error(fault, course, f"no time is left: the limit for a whole call is {patience.total_s:.3g} s")
        return wait_s

    def _error(self, fault: Fault, course: _Course, more: str = "") -> HoldtrueError:
        words = [self._shown(fault.words), more]
        if isinstance(fault, NoConnection) and not self._is_there:
            words.append("check that the server runs, and the address, its port, and the network")
        if sum(course.spent):
            words.append(f"{sum(course.spent)} tokens were spent on it")
        if fault.kind is FaultKind.LATE:
            words.append("timeout_s sets a longer limit, on the command line --timeout-s")
        kind = ModelUnreachable if more else fault.kind.error
        error = kind(f"{self._where}: {'; '.join(filter(None, words))}")
        if isinstance(error, RequestRefused | ModelError):
            error.spent = course.spent
        return error

    def _reply(self, answer: ServerReply, course: _Course) -> Reply:
        prompt, completion = (one + other for one, other in zip(answer.tokens, course.spent, strict=True))
        notes = [*notes_on(course.changes), answer.note or ""]
        if course.tries and sum(course.spent):
            notes.append(f"tokens of {course.tries} tries without a reply are counted")
        note = "; ".join(filter(None, notes))
        usage = Usage(1, prompt, completion, course.latency_s, answer.thinking)
        return Reply(answer.text, usage, answer.kind, self._shown(note) or None, thoughts=answer.thoughts)


@dataclass(slots=True)
class _Course:
    """The course of a call: its start, the failed tries, the tokens that they cost, and the changes of the request.

    `asked` is the time of the latest try. `worked_s` is the duration of earlier tries that cost tokens (seconds).
    """

    start: float
    asked: float = 0.0
    worked_s: float = 0.0
    tries: int = 0
    spent: tuple[int, int] = (0, 0)
    changes: frozenset[str] = frozenset()

    @property
    def elapsed_s(self) -> float:
        return time.perf_counter() - self.start

    @property
    def latency_s(self) -> float:
        """Return the time that the model worked, without waits for a busy or absent server."""
        return self.worked_s + time.perf_counter() - self.asked

    def add(self, fault: Fault) -> None:
        if sum(fault.spent):
            self.worked_s = self.latency_s
        self.tries += 1
        self.spent = (self.spent[0] + fault.spent[0], self.spent[1] + fault.spent[1])


def _headers(address: Address, api_key: str) -> dict[str, str]:
    headers = {"Content-Type": "application/json", "Accept": "application/json", "Accept-Encoding": "identity"}
    if address.basic is not None:
        headers["Authorization"] = f"Basic {address.basic}"
    elif api_key:
        headers["Authorization"] = f"Bearer {api_key}"
    return headers
