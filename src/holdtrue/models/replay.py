"""A model that answers only from a log of paid calls. It repeats runs without cost and without a network."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from itertools import takewhile
from pathlib import Path
from typing import BinaryIO

from holdtrue.errors import ModelRefused, RecordError
from holdtrue.models.call_lines import LoggedCall, Place, read_call, scan, settings_of
from holdtrue.models.chat import SOME_TAKE, Reply, Request

_SHOWN = 60
_LIKELIHOOD = b'"likelihood":true'  # a setting of a logged call; inside a text, its quotation marks would be escaped


class ReplayModel:
    """A model that answers the logged requests. For others, it raises `ModelRefused` with the difference to the
    nearest.

    Its `name` is the logged model's, so that a replayed run reads like the original.
    """

    takes = SOME_TAKE

    def __init__(self, name: str, path: Path, file: BinaryIO, places: Iterable[Place]) -> None:
        self.name = name
        self._path = path
        self._file = file
        self._places = {place.key: (place.start, place.length) for place in places}
        # A model without likelihoods was never asked for them, so the log shows this ability.
        file.seek(0)
        self.gives_likelihoods = any(_LIKELIHOOD in line for line in file)

    async def complete(self, request: Request) -> Reply:
        place = self._places.get(request.key(self.name))
        if place is None:
            raise ModelRefused(f"{self._path} has no reply of {self.name} to this request: {self._why(request)}")
        return read_call(self._file, *place, self._path).reply

    async def aclose(self) -> None:
        self._file.close()

    def _why(self, request: Request) -> str:
        """Describe how the request differs from the logged call that shares most of its first messages."""
        best, nearest = -1, None
        for place in self._places.values():
            call = read_call(self._file, *place, self._path)
            shared = _shared(call.messages, request.messages)
            if shared > best:
                best, nearest = shared, call
        return "the log is empty" if nearest is None else _difference(nearest, request, best)


def open_replay(path: Path) -> ReplayModel:
    """Open the log of one model's calls for replay. Raises `RecordError` if it has none, or calls of several models."""
    try:
        file = path.open("rb")
        try:
            places = list(scan(file, path))
            names = sorted({_model_name(model, path) for model in {place.model for place in places}})
            if len(names) != 1:
                given = ", ".join(names) or "no model"
                raise RecordError(f"{path} has calls of {given}: one model is needed for a replay")
        except BaseException:
            file.close()  # no caller has the file yet
            raise
    except OSError as error:
        raise RecordError(f"{path}: the call log cannot be read: {error.strerror}") from error
    return ReplayModel(names[0], path, file, places)


def _model_name(written: bytes, path: Path) -> str:
    try:
        name = json.loads(written)
    except ValueError as error:
        raise RecordError(f"{path}: {written!r:.60} is no name of a model: {error}") from error
    return str(name)


def _shared(one: Sequence[object], other: Sequence[object]) -> int:
    """Return how many messages, or characters, are equal from the beginning on."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _difference(call: LoggedCall, request: Request, shared: int) -> str:
    logged, asked = call.messages[shared:], request.messages[shared:]
    if logged and asked:
        return f"message {shared + 1} differs: {_first_difference(logged[0].content, asked[0].content)}"
    if logged or asked:
        return f"the nearest call has {len(call.messages)} messages, this one {len(request.messages)}"
    settings = settings_of(request)
    changed = (name for name in settings if call.settings.get(name) != settings[name])
    return "; ".join(f"{name} was {call.settings.get(name)!r} and is {settings[name]!r}" for name in changed)


def _first_difference(logged: str, asked: str) -> str:
    if logged == asked:
        return "its role"
    start = max(0, _shared(logged, asked) - _SHOWN // 2)
    return f"logged {logged[start : start + _SHOWN]!r}, asked {asked[start : start + _SHOWN]!r}"
