"""A local server that gives scripted answers in OpenAI's two protocols and in Anthropic's."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Raw:
    """A scripted answer in the protocol's own form: the messages of choices, or the items of an output."""

    parts: list[dict[str, Any]]


@dataclass(frozen=True)
class Told:
    """A scripted stream of events."""

    events: list[Any]


Calls = list[tuple[str, dict[str, Any]]]
Say = str | Calls | Raw | Told | dict[str, Any]
"""A scripted answer: a text, calls of tools with their arguments, raw parts, a stream, or a whole body."""


@dataclass
class Served:
    """The running server: its address, and the bodies of all requests so far."""

    url: str
    bodies: list[dict[str, Any]] = field(default_factory=list)


@contextmanager
def serving(answers: Sequence[Say]) -> Iterator[Served]:
    """Serve these answers on a free port of the loopback address."""
    left = list(answers)
    lock = threading.Lock()
    served = Served("")

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            with lock:
                served.bodies.append(body)
                number = len(served.bodies)
                said = left.pop(0)
            if isinstance(said, Told):
                lines = (f"event: {own['type']}\n" if "type" in own else "" for own in said.events)
                pairs = zip(lines, said.events, strict=True)
                data = "".join(f"{line}data: {json.dumps(own)}\n\n" for line, own in pairs).encode()
            else:
                makers: dict[str, Any] = {"completions": chat, "responses": response, "messages": message}
                make = makers[self.path.partition("?")[0].rpartition("/")[2]]
                made = said if isinstance(said, dict) else make(said, number)
                data = json.dumps(made).encode()
            self.send_response(200)
            kind = "text/event-stream" if isinstance(said, Told) else "application/json"
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    served.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    try:
        yield served
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def tool_call(name: str, arguments: Any, id: str | None = "call_1") -> dict[str, Any]:
    """Return a call as a part of a message. Arguments that are a text are sent unchanged."""
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return {"id": id, "type": "function", "function": {"name": name, "arguments": text}}


def chat(said: str | Calls | Raw, number: int) -> dict[str, Any]:
    if isinstance(said, Raw):
        own = [{"role": "assistant", "content": None, **part} for part in said.parts]
        choices = [{"index": at, "message": each, "finish_reason": "stop"} for at, each in enumerate(own)]
        return {**chat("", number), "choices": choices}
    message: dict[str, Any] = {"role": "assistant", "content": said if isinstance(said, str) else None}
    if not isinstance(said, str):
        message["tool_calls"] = [
            {
                "id": f"call_{number}_{place}",
                "type": "function",
                "function": {"name": name, "arguments": json.dumps(arguments)},
            }
            for place, (name, arguments) in enumerate(said)
        ]
    reason = "stop" if isinstance(said, str) else "tool_calls"
    return {
        "id": f"chat-{number}",
        "object": "chat.completion",
        "created": 1,
        "model": "scripted",
        "choices": [{"index": 0, "message": message, "finish_reason": reason}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
    }


def response(said: str | Calls | Raw, number: int) -> dict[str, Any]:
    output: list[dict[str, Any]]
    if isinstance(said, Raw):
        output = said.parts
    elif isinstance(said, str):
        content = [{"type": "output_text", "text": said, "annotations": []}]
        own = {"type": "message", "id": f"msg_{number}", "role": "assistant", "status": "completed", "content": content}
        output = [own]
    else:
        output = [
            {
                "type": "function_call",
                "id": f"fc_{number}_{place}",
                "call_id": f"call_{number}_{place}",
                "name": name,
                "arguments": json.dumps(arguments),
            }
            for place, (name, arguments) in enumerate(said)
        ]
    return {
        "id": f"resp_{number}",
        "object": "response",
        "created_at": 1,
        "model": "scripted",
        "status": "completed",
        "output": output,
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": {
            "input_tokens": 10,
            "output_tokens": 5,
            "total_tokens": 15,
            "input_tokens_details": {"cached_tokens": 1, "cache_write_tokens": 0},
            "output_tokens_details": {"reasoning_tokens": 2},
        },
    }


def message(said: str | Calls | Raw, number: int) -> dict[str, Any]:
    content: list[dict[str, Any]]
    if isinstance(said, Raw):
        content = said.parts
    elif isinstance(said, str):
        content = [{"type": "text", "text": said}]
    else:
        content = [
            {"type": "tool_use", "id": f"call_{number}_{place}", "name": name, "input": arguments}
            for place, (name, arguments) in enumerate(said)
        ]
    return {
        "id": f"msg_{number}",
        "type": "message",
        "role": "assistant",
        "model": "scripted",
        "content": content,
        "stop_reason": "end_turn" if isinstance(said, str) else "tool_use",
        "stop_sequence": None,
        "usage": {"input_tokens": 10, "output_tokens": 5, "cache_read_input_tokens": 1},
    }
