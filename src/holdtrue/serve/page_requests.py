"""Read the requests of the page, and write its answers as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from pydantic import BaseModel, ValidationError

from holdtrue.errors import RecordError
from holdtrue.guard.recorded_words import load_once
from holdtrue.serve.callers import Admission, BadRequest, check_json
from holdtrue.wire import first_fault

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

Shape = TypeVar("Shape", bound=BaseModel)


def check_own_page(request: Request) -> None:
    """Raise `BadRequest` for a request that no script of this page sends."""
    check_json(request.headers)
    origin = request.headers.get("origin")
    if origin is not None and urlsplit(origin).netloc.lower() != request.headers.get("host", "").lower():
        raise BadRequest(403, "this came from a page of another site")


async def read_body(request: Request, shape: type[Shape], admission: Admission) -> Shape:
    """Return the body of a request. Raises `BadRequest` for a body of another shape."""
    try:
        with admission.admitted() as body:
            return shape.model_validate(load_once(await body.read(request), "body"))
    except ValidationError as error:
        raise BadRequest(422, f"body.{first_fault(error)}") from error
    except (ValueError, RecursionError, RecordError) as error:
        raise BadRequest(400, f"body: no JSON: {error}") from error


def mounted_path(request: Request) -> str:
    """Return the path under which the page is mounted, to which its cookie belongs."""
    return f"{request.scope.get('root_path', '')}/"


def named_in(request: Request) -> tuple[str, str]:
    """Return the tenant and the conversation that a request names."""
    given = request.query_params
    return given.get("tenant", ""), given.get("conversation", "")


def number_in(name: str, text: str) -> int:
    """Return a number from a query. Raises `BadRequest` for another text."""
    if not text.isascii() or not text.isdigit() or len(text) > 12:
        raise BadRequest(422, f"{name}: a whole number is needed, not {text!r:.40}")
    return int(text)


def json_answer(content: Mapping[str, Any] | None, status: int = 200) -> Response:
    """Return an answer with JSON."""
    from starlette.responses import Response

    # Escapes keep halves of characters, which a message may quote.
    return Response(json.dumps(content), status, media_type="application/json")
