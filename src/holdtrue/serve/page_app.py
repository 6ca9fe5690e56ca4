"""Serve a page for people who answer for an assistant: conversations, decisions, what holds, and changes by hand.

Each answer has headers that let the page load only its own files. A change needs a session, its token in a header, and
JSON, which pages of other sites cannot send.
"""

from __future__ import annotations

import hmac
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import asdict
from functools import partial
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from holdtrue.errors import HoldtrueError, InfrastructureError
from holdtrue.guard.guard import Guard
from holdtrue.guard.store.event import Store
from holdtrue.serve.callers import Admission, BadRequest, CallerSettings
from holdtrue.serve.page_conversations import (
    GuardNow,
    Override,
    PageConversations,
    PassedAnswer,
    Withdrawal,
    list_view,
)
from holdtrue.serve.page_people import SESSION_S, People, Session
from holdtrue.serve.page_requests import (
    Shape,
    check_own_page,
    json_answer,
    mounted_path,
    named_in,
    number_in,
    read_body,
)
from holdtrue.serve.page_stream import PageStreams

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import BaseRoute

    Handler = Callable[[Request], Awaitable[Response]]
    SessionHandler = Callable[[Request, Session], Awaitable[Response]]

_ASSETS = {
    "page.css": "text/css",
    "icon.svg": "image/svg+xml",
    **dict.fromkeys(("page.js", "elements.js", "server.js", "timeline.js", "holding.js"), "text/javascript"),
}
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; script-src 'self'; style-src 'self'; frame-ancestors 'none'; base-uri 'none'; "
        "form-action 'self'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}
COOKIE, TOKEN = "holdtrue-page", "Holdtrue-Token"
_log = logging.getLogger(__name__)


def page_routes(guard: GuardNow, store: Store, people: People) -> list[BaseRoute]:
    """Return the routes of the page, to be mounted under any path that ends with a slash.

    `guard` returns the guard for the next request. Without one, the page shows events only. `store` is its store.
    """
    from starlette.routing import Route

    own = Page(guard, store, people)
    shown: dict[str, SessionHandler] = {
        "/api/conversations": own.listed,
        "/api/timeline": own.timeline,
        "/api/holding": own.holding,
        "/api/mend": own.mend,
        "/api/stream": own.stream,
    }
    changes: dict[str, SessionHandler] = {
        "/api/override": partial(own.change, Override, own.conversations.override),
        "/api/withdraw": partial(own.change, Withdrawal, own.conversations.withdraw),
        "/api/answer": partial(own.change, PassedAnswer, own.conversations.answer),
        "/api/sign-out": own.sign_out,
    }
    return [
        Route("/", own.answered(own.file)),
        Route("/assets/{name}", own.answered(own.file)),
        Route("/api/me", own.answered(own.me)),
        Route("/api/sign-in", own.answered(own.sign_in), methods=["POST"]),
        *(Route(path, own.answered(partial(own.signed_in, work))) for path, work in shown.items()),
        *(Route(path, own.answered(partial(own.signed_in, work)), methods=["POST"]) for path, work in changes.items()),
    ]


def page_app(guard: Guard | None, store: Store, people: People) -> Starlette:
    """Return an ASGI app with the page alone. It closes the guard and the store when it ends."""
    from starlette.applications import Starlette

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield
        await (store if guard is None else guard).aclose()

    return Starlette(routes=page_routes(lambda: guard, store, people), lifespan=lifespan)


class SignIn(BaseModel):
    """The body of a sign-in."""

    key: str


class Page:
    """A `Page` answers the requests of browsers."""

    def __init__(self, guard: GuardNow, store: Store, people: People) -> None:
        self.guard, self.people = guard, people
        self.conversations = PageConversations(guard, store)
        self.streams = PageStreams(self.conversations)
        self._admission = Admission(CallerSettings(most_bytes=64 * 1024, most_memory=2**20))

    def answered(self, work: Handler) -> Handler:
        """Return a handler that adds the headers to each answer, and answers each error in words."""

        async def answer(request: Request) -> Response:
            try:
                self.people.check_host(request.headers.get("host", ""))
                if request.method == "POST":
                    check_own_page(request)
                found = await work(request)
            except BadRequest as error:
                found = json_answer({"error": str(error)}, error.status)
                if error.status == 429:
                    found.headers["Retry-After"] = "60"
            except HoldtrueError as error:
                found = json_answer({"error": str(error)}, 500 if isinstance(error, InfrastructureError) else 409)
            except Exception:  # noqa: BLE001  whatever fails, the browser gets an answer with its headers
                _log.exception("a request of the page failed")
                found = json_answer({"error": "the page failed, and the log of the server says why"}, 500)
            for name, value in HEADERS.items():
                found.headers.setdefault(name, value)
            return found

        return answer

    async def signed_in(self, work: SessionHandler, request: Request) -> Response:
        """Do work for a person who has signed in. A change needs the token of the session."""
        session = self._session(request)
        if session is None:
            raise BadRequest(401, "sign in first")
        if request.method == "POST" and not hmac.compare_digest(
            request.headers.get(TOKEN, "").encode(), session.token.encode()
        ):
            raise BadRequest(403, "the token of this page is missing or old; load the page again")
        return await work(request, session)

    def _session(self, request: Request) -> Session | None:
        return self.people.session(request.cookies.get(COOKIE, ""))

    async def file(self, request: Request) -> Response:
        """Answer with a file of the page."""
        from starlette.responses import Response

        name = request.path_params.get("name", "page.html")
        if name != "page.html" and name not in _ASSETS:
            raise BadRequest(404, "there is no such file")
        text = (files("holdtrue.serve") / "assets" / name).read_bytes()
        return Response(text, media_type=f"{_ASSETS.get(name, 'text/html')}")

    async def sign_in(self, request: Request) -> Response:
        """Begin a session for the person with a key."""
        own = await read_body(request, SignIn, self._admission)
        address = "" if request.client is None else request.client.host
        cookie, session = self.people.sign_in(own.key, address)
        found = json_answer(self._rights(session))
        found.set_cookie(
            COOKIE,
            cookie,
            max_age=SESSION_S,
            path=mounted_path(request),
            secure=request.url.scheme == "https",
            httponly=True,
            samesite="strict",
        )
        return found

    async def sign_out(self, request: Request, session: Session) -> Response:
        """End the session."""
        self.people.sign_out(request.cookies.get(COOKIE, ""))
        found = json_answer({})
        found.delete_cookie(COOKIE, path=mounted_path(request))
        return found

    async def me(self, request: Request) -> Response:
        """Answer with the person who has signed in, the rights, and the token for changes, or with null."""
        session = self._session(request)
        return json_answer(None if session is None else self._rights(session))

    def _rights(self, session: Session) -> dict[str, Any]:
        return {
            **asdict(session.person),
            "token": session.token,
            "is_alone": session.ends == float("inf"),
            "policy": None if (guard := self.guard()) is None else guard.policy.name,
        }

    async def listed(self, request: Request, session: Session) -> Response:
        """Answer with a page of the list of conversations."""
        given = request.query_params
        before = tuple(given.get(f"before_{name}", "") for name in ("at", "tenant", "id"))
        found = await self.conversations.recent(
            session.person,
            given.get("of"),
            given.get("containing", ""),
            (before[0], before[1], before[2]) if before[2] else None,
        )
        return json_answer(list_view(found))

    async def timeline(self, request: Request, session: Session) -> Response:
        """Answer with the last events of a conversation, or with those before a number."""
        before = request.query_params.get("before")
        number = None if before is None else number_in("before", before)
        return json_answer(await self.conversations.timeline(session.person, *named_in(request), number))

    async def holding(self, request: Request, session: Session) -> Response:
        """Answer with the requests, promises and obligations of a conversation, or null without a policy."""
        return json_answer(await self.conversations.holds(session.person, *named_in(request)))

    async def mend(self, request: Request, session: Session) -> Response:
        """Answer with the nearest call that would keep every rule."""
        decision = request.query_params.get("decision", "")
        return json_answer(await self.conversations.mend(session.person, *named_in(request), decision))

    async def stream(self, request: Request, session: Session) -> Response:
        """Answer with a stream of new events and of changes of the list."""
        from starlette.responses import StreamingResponse

        given = request.query_params
        shown = named_in(request) if "conversation" in given else None
        if shown is not None:
            await self.conversations.events(session.person, *shown)
        after = number_in("after", request.headers.get("last-event-id") or given.get("after", "0"))
        self.streams.check_room()
        listed = given.get("of"), given.get("containing", "")
        follow = self.streams.follow(
            session.person, shown, after, listed, is_valid=lambda: self._session(request) is session
        )
        return StreamingResponse(follow, media_type="text/event-stream")

    async def change(
        self, shape: type[Shape], work: Callable[..., Awaitable[None]], request: Request, session: Session
    ) -> Response:
        """Make a change in the name of the person."""
        await work(session.person, await read_body(request, shape, self._admission))
        return json_answer({})
