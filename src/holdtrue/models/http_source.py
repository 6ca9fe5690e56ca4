"""A model file from a web address, continued where an earlier try ended."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdtrue.models.partial_file import PartialFile, SourceFailed

if TYPE_CHECKING:
    from httpx2 import Response

_CONNECT_S = 5.0
_READ_S = 30.0


def fetch_http(url: str, partial: PartialFile) -> None:
    """Fetch what is missing, again and again as long as each try brings something.

    Raises `SourceFailed` where the server cannot be reached, says no, or has another file.
    """
    import httpx2

    timeout = httpx2.Timeout(_READ_S, connect=_CONNECT_S)
    with httpx2.Client(timeout=timeout, follow_redirects=True) as client:
        while partial.have < partial.size:
            before = partial.have
            failure: httpx2.HTTPError | None = None
            # Compression would make the ranges those of other bytes.
            headers = {"Accept-Encoding": "identity", "Range": f"bytes={before}-"}
            try:
                with client.stream("GET", url, headers=headers) as response:
                    _check(response, partial)
                    for block in response.iter_raw():
                        partial.append(block)
            except httpx2.HTTPError as error:
                failure = error
            if partial.have <= before:
                raise SourceFailed(str(failure or "sends nothing") or type(failure).__name__) from failure


def _check(response: Response, partial: PartialFile) -> None:
    """Make sure, before a byte is kept, that the answer is this file, or continues it."""
    if response.status_code == 206:
        span, _, total = response.headers.get("Content-Range", "").partition("/")
        fits = span.startswith(f"bytes {partial.have}-")
    elif response.status_code == 200:
        total, fits = response.headers.get("Content-Length", ""), True
    else:
        raise SourceFailed(f"answers {response.status_code} {response.reason_phrase}")
    if total != str(partial.size) or not fits:
        raise SourceFailed(f"has another file, of {total or 'unknown'} bytes where {partial.size} are expected")
    if response.status_code == 200:
        partial.restart()
