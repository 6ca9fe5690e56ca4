"""A real web server on this machine, for the length of a `with`."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass(frozen=True, slots=True)
class Asked:
    """One request that came in; header names in lower case."""

    path: str
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to send. `cut`: close the connection after so many bytes of the body."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    cut: int | None = None


@dataclass(slots=True)
class Web:
    """The running server: its address, and all that it was asked."""

    url: str
    asked: list[Asked]


@contextmanager
def serve(answer: Callable[[Asked], Answer]) -> Iterator[Web]:
    """Serve on a free port; `answer` is called for every request."""
    seen: list[Asked] = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _answer(self) -> None:
            length = int(self.headers.get("Content-Length", 0))
            asked = Asked(self.path, {k.lower(): v for k, v in self.headers.items()}, self.rfile.read(length))
            seen.append(asked)
            made = answer(asked)
            self.send_response(made.status)
            for name, value in made.headers.items():
                self.send_header(name, value)
            if "Content-Length" not in made.headers:
                self.send_header("Content-Length", str(len(made.body)))
            self.end_headers()
            self.wfile.write(made.body[: made.cut])
            if made.cut is not None:
                self.close_connection = True

        do_GET = do_POST = _answer

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield Web(f"http://127.0.0.1:{server.server_port}", seen)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def refused_address() -> str:
    """An address at which nobody listens."""
    with serve(lambda asked: Answer()) as web:
        return web.url
