"""Serve the refund desk behind the proxy, with an upstream that answers everything, until standard input ends."""

from __future__ import annotations

import sys
from typing import Any

from tests.adapters.desk import desk
from tests.serve.servers import proxy_app, served
from tests.serve.upstream import Fake, Reply


class Endless(list[Any]):
    """Replies without end: by turns a text, an allowed call and one of an unknown tool."""

    def pop(self, place: Any = -1) -> Reply:
        self.append(None)
        kinds = (("text", "Yes."), ("call", ("get_booking", {"booking": "HN4T8R"})), ("call", ("drop", {"x": 1})))
        return Reply([kinds[len(self) % 3]])


if __name__ == "__main__":
    with served(Fake(Endless()).app()) as upstream, served(proxy_app(desk(), upstream)) as url:
        print(url, flush=True)
        sys.stdin.read()
