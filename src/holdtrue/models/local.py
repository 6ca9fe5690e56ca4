"""A GGUF file as a chat model, run in this process by llama.cpp (through `xllamacpp`)."""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

from holdtrue.budget import cores
from holdtrue.errors import HoldtrueError, ModelError, ModelRefused, RequestRefused
from holdtrue.extras import need
from holdtrue.models.chat import Reply, Request, user, well_formed_json
from holdtrue.models.frames import Frames
from holdtrue.record import ReplyKind, Usage

# Seeds are below this number, by which llama.cpp would draw a random seed.
_SEEDS = 2**32 - 1
_BAD_REQUEST = 400
# The number of prompt tokens between two checks whether the call was cancelled.
_BATCH = 256
# If the slot holds at least this share of a prompt, the prompt continues from there. Otherwise the slot is put aside,
# and the best match is loaded from memory. With llama.cpp's default of 0.1, conversations that share a frame would
# overwrite each other's histories.
_NEXT_OF_KIN = 0.95


class LocalModel:
    """A model file on this machine.

    A prefix that a prompt shares with an earlier one is not computed again. Earlier prompts stay in memory up to
    `cache_mib` (for a 1.5B model: 28 kB a token). So put the shared parts of prompts first.

    Calls wait for each other. On a few cores, parallel calls (`slots` above 1) save less than a tenth of the time.
    Computing them together also changes the last bits of sums. For the same reason temperature 0 is repeatable only if
    the same calls come in the same order. Use a call log for repeatable runs. `context` is the number of tokens of
    prompt and reply together, per slot. `threads` is the number of cores by default. `frames` is a folder for cached
    frames (see `Frames`), which needs one slot.

    Raises `ModelError` if there is no such file, and `ModelRefused` if it cannot be loaded.
    """

    gives_likelihoods = True
    takes = ("top_p",)

    def __init__(
        self,
        path: Path | str,
        *,
        name: str | None = None,
        context: int = 8192,
        slots: int = 1,
        threads: int | None = None,
        cache_mib: int = 1024,
        frames: Path | None = None,
    ) -> None:
        path = Path(path)
        if not path.is_file():
            raise ModelError(f"there is no model file {path}")
        self.name = name or f"local/{path.name}"
        api_key = secrets.token_hex(32)
        folder = _usable_folder(frames) if slots == 1 else None
        self._server = _open_server(path, context, slots, threads or cores(), cache_mib, api_key, folder)
        self._frames = None
        if folder is not None:
            self._frames = Frames(folder, _computed_by(path), self._server.listening_address, api_key)
        self._closing = threading.Event()
        self._executor = ThreadPoolExecutor(slots, thread_name_prefix="holdtrue-local")

    async def complete(self, request: Request) -> Reply:
        """Return the reply. Raises `RequestRefused` if the prompt does not fit or the schema cannot be enforced."""
        if self._closing.is_set():
            raise ModelError(f"{self.name} is closed")
        unwanted = threading.Event()
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._executor, self._complete, request, unwanted)
        except asyncio.CancelledError:
            unwanted.set()
            raise

    async def aclose(self) -> None:
        """Stop the running calls, and free the memory of the model."""
        self._closing.set()
        await asyncio.to_thread(self._release)

    def _release(self) -> None:
        self._executor.shutdown()
        self._server = None

    def _complete(self, request: Request, unwanted: threading.Event) -> Reply:
        stream = _Stream()

        def receive(chunk: Mapping[str, Any]) -> bool:
            stream.add(chunk)
            return unwanted.is_set() or self._closing.is_set()

        start = time.perf_counter()
        if self._frames is not None and request.frame:
            self._prepare(self._frames, request, receive)
        # The callback of a streamed call can stop it early by returning True.
        self._server.handle_chat_completions(_payload(request), receive)
        latency_s = time.perf_counter() - start
        if stream.error is not None:
            raise stream.refusal(self.name)
        if stream.usage is None:
            raise ModelError(f"{self.name}: the call was stopped before its end")
        text = "".join(stream.parts)
        if request.schema is not None and stream.kind is ReplyKind.ANSWER and not _is_json(text):
            # llama.cpp silently ignores a grammar that it cannot compile.
            raise RequestRefused(f"{self.name}: the schema for {request.purpose!r} cannot be enforced as a grammar")
        usage = Usage(1, stream.usage["prompt_tokens"], stream.usage["completion_tokens"], latency_s)
        logprob = stream.logprob if request.likelihood and stream.logprobs else None
        return Reply(text, usage, stream.kind, logprob=logprob)

    def _prepare(self, frames: Frames, request: Request, unwanted: Callable[[Mapping[str, Any]], bool]) -> None:
        """Compute or load the frame of a request before the request itself."""
        frame = request.messages[: request.frame]

        def stopped(chunk: Mapping[str, Any]) -> bool:
            return unwanted({})

        def make_room() -> None:
            # Only a new prompt moves the slot's state into memory. Otherwise the file would overwrite that state.
            self._server.handle_completions({"prompt": ".", "n_predict": 1, "stream": True}, stopped)

        def compute() -> None:
            alone = Request((*frame, user("")), request.purpose, max_tokens=1)
            self._server.handle_chat_completions(_payload(alone), stopped)

        frames.prepare(frame, make_room, compute)


@dataclass(slots=True)
class _Stream:
    """The parts of a streamed reply so far."""

    parts: list[str] = field(default_factory=list)
    kind: ReplyKind = ReplyKind.ANSWER
    usage: Mapping[str, int] | None = None
    logprob: float = 0.0
    logprobs: int = 0
    error: str | None = None
    error_code: int | None = None

    def add(self, chunk: Mapping[str, Any]) -> None:
        if "error" in chunk:
            self.error = str(chunk["error"].get("message", chunk["error"]))
            self.error_code = chunk["error"].get("code")
        for choice in chunk.get("choices", ()):
            content = choice["delta"].get("content")
            if content:
                self.parts.append(content)
            for token in (choice.get("logprobs") or {}).get("content") or ():
                self.logprob += token["logprob"]
                self.logprobs += 1
            if choice["finish_reason"] == "length":
                self.kind = ReplyKind.CUT
        if chunk.get("usage"):
            self.usage = chunk["usage"]

    def refusal(self, name: str) -> HoldtrueError:
        """Return the error of `name`. llama.cpp uses code 400 only for a request that it cannot answer."""
        kind = RequestRefused if self.error_code == _BAD_REQUEST else ModelRefused
        return kind(f"{name}: {self.error}")


def _usable_folder(folder: Path | None) -> Path | None:
    """Return the folder, created if it was missing, or None if it is not writable."""
    if folder is None:
        return None
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK) else None


def _computed_by(path: Path) -> str:
    """Return a text that identifies the model's file and the release of llama.cpp."""
    file = path.stat()
    return f"{path.resolve()} {file.st_size} {file.st_mtime_ns} {version('xllamacpp')}"


def _open_server(
    path: Path, context: int, slots: int, threads: int, cache_mib: int, api_key: str, frames: Path | None
) -> Any:
    """Return llama.cpp's server on `path`. It always listens on HTTP too, so that access is protected by a key."""
    # OpenMP threads that spin long at barriers become very slow if another process uses the CPU. Threads that sleep at
    # once lose a third of the speed on an idle machine. A short spin avoids both.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    os.environ.setdefault("GOMP_SPINCOUNT", "1000")
    need("a model on this machine", "xllamacpp")
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(path)
    params.n_ctx = context * slots
    params.n_parallel = slots
    params.n_batch = _BATCH
    params.slot_prompt_similarity = _NEXT_OF_KIN
    params.cache_ram_mib = cache_mib
    params.warmup = False
    params.verbosity = -1
    params.cpuparams.n_threads = threads
    params.cpuparams_batch.n_threads = threads
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.api_keys = [api_key]
    params.cors_origins = ""
    params.ui = False
    params.endpoint_slots = False
    if frames is not None:
        params.slot_save_path = f"{frames}{os.sep}"
    try:
        return xllamacpp.Server(params)
    except RuntimeError as error:
        raise ModelRefused(f"{path} cannot be loaded as a GGUF model: {error}") from error


def _payload(request: Request) -> dict[str, Any]:
    payload: dict[str, Any] = {
        "messages": well_formed_json([message.to_json() for message in request.messages]),
        "temperature": request.temperature,
        "seed": (request.seed + request.sample) % _SEEDS,
        "max_tokens": request.max_tokens,
        "stream": True,
        "stream_options": {"include_usage": True},
        "return_progress": True,
    }
    if request.top_p is not None:
        payload["top_p"] = request.top_p
    if request.likelihood:
        # Without `top_logprobs`, llama.cpp gives no log probabilities at all.
        payload |= {"logprobs": True, "top_logprobs": 1}
    if request.schema is not None:
        payload["grammar"] = grammar(request.schema)
    return payload


def grammar(schema: Mapping[str, Any]) -> str:
    """Return the grammar that admits exactly the JSON of `schema`, without optional spaces.

    With `response_format`, the model could pretty-print, which costs up to 70% more tokens.
    """
    compact = {**schema, "x-guidance": {"whitespace_flexible": False}}
    return f"%llguidance {{}}\nstart: %json {json.dumps(well_formed_json(compact))}"


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True
