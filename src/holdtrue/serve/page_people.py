"""The people who may use the page: their keys and rights, how they sign in, and their sessions."""

from __future__ import annotations

import re
import secrets
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, cast

from holdtrue.serve.api_keys import HASH, place_of, read_hashes
from holdtrue.serve.callers import BadRequest

Role = Literal["viewer", "operator"]
EVERY_TENANT = "*"
SESSION_S = 8 * 3600
MOST_SESSIONS = 1_000
_NO_TENANT = "-"
"""The sign for conversations without a tenant in a file of people."""
_LINE = re.compile(HASH + r"(\S+)[ \t]+(viewer|operator)[ \t]+(\S.*)")
_FORM = "sha256:HASH TENANT ROLE NAME, where ROLE is viewer or operator"
_FAILURES_S, _MOST_FAILURES, _MOST_OF_ALL = 60.0, 5, 100
"""Within this time one address may fail to sign in so often, and all addresses together so often."""
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]"})


@dataclass(frozen=True, slots=True)
class Person:
    """A `Person` may see the conversations of a tenant, or of each one (`*`). An `operator` may also change them."""

    name: str
    role: Role
    tenant: str

    def sees(self, tenant: str) -> bool:
        """Return whether the person may see the conversations of a tenant."""
        return self.tenant in (EVERY_TENANT, tenant)


@dataclass(frozen=True, slots=True)
class Session:
    """A `Session` is a person who has signed in. Each change sends its `token`, which no other site can read."""

    person: Person
    token: str
    ends: float


class People:
    """`People` may use the page. They sign in with a key, or one person uses the page `alone` on this machine.

    Args:
        known: Pairs of the SHA-256 hash of a key and its person.
        alone: The person who needs no key. Then the page answers only requests to a name of loopback.
        clock: A function that returns seconds.
    """

    def __init__(
        self,
        known: Sequence[tuple[str, Person]] = (),
        *,
        alone: Person | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._hashes = [hash for hash, _ in known]
        self._people = [person for _, person in known]
        self._clock = clock
        self._alone = None if alone is None else Session(alone, secrets.token_urlsafe(32), float("inf"))
        self._sessions: OrderedDict[str, Session] = OrderedDict()
        self._failures: deque[tuple[float, str]] = deque(maxlen=_MOST_OF_ALL)

    def check_host(self, host: str) -> None:
        """Raise `BadRequest` if a page of another name was bound to this machine (DNS rebinding)."""
        name = re.sub(r":\d+$", "", host).lower()
        if self._alone is not None and name not in _LOOPBACK:
            raise BadRequest(403, f"this page answers only on loopback, and not as {name!r:.60}")

    def session(self, cookie: str) -> Session | None:
        """Return the session of a cookie, or that of the person who is alone, or None."""
        found = self._alone or self._sessions.get(cookie)
        if found is not None and found.ends <= self._clock():
            del self._sessions[cookie]
            return None
        return found

    def sign_in(self, key: str, address: str) -> tuple[str, Session]:
        """Return a new session and its cookie. Raises `BadRequest` for a weak or unknown key, or after many such."""
        now = self._clock()
        recent = [own for at, own in self._failures if at > now - _FAILURES_S]
        if recent.count(address) >= _MOST_FAILURES or len(recent) >= _MOST_OF_ALL:
            raise BadRequest(429, "too many keys were wrong; wait a minute, and try again")
        place = place_of(self._hashes, key)
        if place is None:
            self._failures.append((now, address))
            raise BadRequest(401, "this key is unknown or weak")
        cookie = secrets.token_urlsafe(32)
        self._sessions[cookie] = found = Session(self._people[place], secrets.token_urlsafe(32), now + SESSION_S)
        while len(self._sessions) > MOST_SESSIONS:
            self._sessions.popitem(last=False)
        return cookie, found

    def sign_out(self, cookie: str) -> None:
        """End the session of a cookie."""
        self._sessions.pop(cookie, None)


def read_people(path: Path) -> People:
    """Return the people in a file, one in each line. Raises `SettingsError` for a line of another form."""
    found = []
    for own in read_hashes(path, _LINE, _FORM):
        tenant = "" if own[2] == _NO_TENANT else own[2]
        found.append((own[1], Person(own[4], cast("Role", own[3]), tenant)))
    return People(found)
