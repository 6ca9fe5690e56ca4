"""A simulated model behind a real HTTP server on this machine, which counts requests."""

from __future__ import annotations

import asyncio
import hashlib
import json
import socket
import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from holdtrue.models.call_lines import settings_of
from holdtrue.models.chat import ChatModel, Message, Request
from tests.patience import HANG_S

Content = str
"""The content of a request as one text; requests that differ only in their sample numbers are equal."""


def content(messages: Iterable[dict[str, str]], seed: int, rest: dict[str, Any]) -> Content:
    return json.dumps([list(messages), seed, rest], sort_keys=True)


def logged(calls: Path) -> Counter[Content]:
    """Return the contents of the complete lines of a call log."""
    found: Counter[Content] = Counter()
    for line in calls.read_bytes().splitlines(keepends=True) if calls.exists() else ():
        if line.endswith(b"\n"):
            call = json.loads(line)
            rest = dict(call["settings"])
            found[content(call["messages"], rest.pop("seed") + rest.pop("sample"), rest)] += 1
    return found


class Served:
    """A model behind a server. Reply and delay follow from the request alone.

    The delay is at most `delay_s`, or exactly that if it is `steady`. `asked` and `answered` count, by content,
    complete requests and the replies that were handed to the system.
    """

    def __init__(self, model: ChatModel, delay_s: float, *, steady: bool = False) -> None:
        self.asked: Counter[Content] = Counter()
        self.answered: Counter[Content] = Counter()
        self._model = model
        self._delay_s = delay_s
        self._steady = steady
        self._changed = threading.Condition()
        self._connections = 0
        self._thinking = threading.Lock()
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.server.daemon_threads = True

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_port}/v1"

    def start_anew(self) -> None:
        """Reset the counts."""
        with self._changed:
            self.asked, self.answered = Counter(), Counter()

    def wait_for(self, requests: int, ended: threading.Event) -> None:
        """Return when so many requests have come in, or `ended` is set."""
        with self._changed:
            while self.asked.total() < requests and not ended.is_set():
                self._changed.wait(0.02)

    def settle(self) -> None:
        """Return when the requests of all closed clients are finished, so that counts no longer change."""
        # Connections are accepted in the order in which they came: those of the dead come before this one.
        with socket.create_connection(("127.0.0.1", self.server.server_port)) as mine:
            mine.sendall(b"GET / HTTP/1.0\r\n\r\n")
            while mine.recv(1 << 16):
                pass
        with self._changed:
            assert self._changed.wait_for(lambda: self._connections == 0, HANG_S)

    def _answer(self, body: bytes) -> bytes:
        sent = json.loads(body)
        schema = sent.get("response_format", {}).get("json_schema", {}).get("schema")
        messages = tuple(Message(each["role"], each["content"]) for each in sent["messages"])
        request = Request(messages, "", schema, sent["temperature"], sent["seed"], 0, sent["max_tokens"])
        rest = settings_of(request)
        what = content(sent["messages"], rest.pop("seed") + rest.pop("sample"), rest)
        with self._changed:
            self.asked[what] += 1
            self._changed.notify_all()
        with self._thinking:
            reply = asyncio.run(self._model.complete(request))
        share = 1.0 if self._steady else int.from_bytes(hashlib.sha256(what.encode()).digest()[:2], "big") / 0xFFFF
        time.sleep(share * self._delay_s)
        with self._changed:
            self.answered[what] += 1
        usage = {"prompt_tokens": reply.usage.prompt_tokens, "completion_tokens": reply.usage.completion_tokens}
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": reply.text}}
        made = {"id": "x", "object": "chat.completion", "created": 0, "model": "fake", "choices": [choice]}
        return json.dumps({**made, "usage": {**usage, "total_tokens": sum(usage.values())}}).encode()

    def _connected(self, more: int) -> None:
        with self._changed:
            self._connections += more
            self._changed.notify_all()

    def _handler(served) -> type[BaseHTTPRequestHandler]:
        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True  # or the end of a reply waits 40 ms for the system

            def setup(self) -> None:
                served._connected(1)
                super().setup()

            def finish(self) -> None:
                try:
                    super().finish()
                finally:
                    served._connected(-1)

            def handle(self) -> None:
                with suppress(ConnectionError):  # the client was killed
                    super().handle()

            def do_POST(self) -> None:
                length = int(self.headers["Content-Length"])
                body = self.rfile.read(length)
                if len(body) < length:
                    self.close_connection = True
                    return
                reply = served._answer(body)
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(reply)))
                self.end_headers()
                self.wfile.write(reply)

            def do_GET(self) -> None:
                self.send_error(404)

            def log_message(self, format: str, *args: object) -> None:
                pass

        return Handler


@contextmanager
def serve(model: ChatModel, delay_s: float = 0.0, *, steady: bool = False) -> Iterator[Served]:
    """Serve the model inside of a `with` block."""
    served = Served(model, delay_s, steady=steady)
    thread = threading.Thread(target=served.server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield served
    finally:
        served.server.shutdown()
        thread.join()
        served.server.server_close()
