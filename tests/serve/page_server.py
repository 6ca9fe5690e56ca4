"""A server of the page on loopback for tests, with people of each kind, and a client for each of them."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from httpx2 import Client, Response

from holdtrue.guard.guard import Guard
from holdtrue.serve.page_app import page_app
from holdtrue.serve.page_people import People, Person, read_people
from tests.serve.page_store import fill, open_desk
from tests.serve.servers import served

Found = TypeVar("Found")
KEYS = {
    "Ada Viewer": ("acme viewer", "view-acme-3f9a8c1b7e52"),
    "Omar Operator": ("acme operator", "work-acme-90ab71cd5e34"),
    "Rosa Root": ("* operator", "work-all-77c1e0f2ab98d"),
    "Nils None": ("- viewer", "view-none-5d3c2b1a0f9e8"),
    "Weak Wilma": ("* operator", "aaaaaaaaaaaaaaaaaaaaaaaa"),
}


def write_people(path: Path) -> Path:
    rows = [f"sha256:{hashlib.sha256(key.encode()).hexdigest()} {own} {name}" for name, (own, key) in KEYS.items()]
    path.write_text("# people of the desk\n\n" + "\n".join(rows), encoding="utf-8")
    return path


@dataclass
class Served:
    """A served page: its address, its guard and its folder."""

    address: str
    guard: Guard
    folder: Path

    def client(self, name: str = "", **headers: str) -> PageClient:
        """Return a client, which has signed in if there is a name."""
        own = PageClient(base_url=self.address, headers=headers, timeout=30)
        if name:
            found = own.post("/api/sign-in", json={"key": KEYS[name][1]})
            assert found.status_code == 200, found.text
            own.headers["Holdtrue-Token"] = found.json()["token"]
        return own


class PageClient(Client):
    """A client of the page. `close_all` closes all that were opened."""

    opened: ClassVar[list[PageClient]] = []

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.opened.append(self)

    @classmethod
    def close_all(cls) -> None:
        while cls.opened:
            cls.opened.pop().close()

    def change(self, path: str, conversation: str, tenant: str = "acme", **more: Any) -> Response:
        return self.post(f"/api/{path}", json={"tenant": tenant, "conversation": conversation, **more})

    def timeline(self, conversation: str, tenant: str = "acme", **more: Any) -> dict[str, Any]:
        found = self.get("/api/timeline", params={"tenant": tenant, "conversation": conversation, **more})
        assert found.status_code == 200, found.text
        content: dict[str, Any] = found.json()
        return content


def apart(work: Coroutine[Any, Any, Found]) -> Found:
    """Return the result of a coroutine that runs in a thread, since Playwright has a running loop in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()


@contextmanager
def serving(folder: Path, people: People | None = None) -> Iterator[Served]:
    """Serve the page over the example store in a folder."""
    guard = open_desk(folder)
    apart(fill(guard))
    with served(page_app(guard, guard.store, people or read_people(write_people(folder / "people")))) as address:
        yield Served(address, guard, folder)


def alone(name: str = "Rosa Lindt") -> People:
    return People(alone=Person(name, "operator", "*"))
