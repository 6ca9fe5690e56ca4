"""The parts that an audit of a shard has, whatever its rows hold: who checks them, and where what is found goes.

Beyond naming what is broken, it is a choice what an audit explains.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Coroutine, Mapping, Sequence
from typing import Any, Literal, Protocol

from holdtrue.errors import RecordError

Explain = Literal["none", "first", "all"]
"""Nothing, the first broken turn or stopped call of each conversation, or all of them."""


class Wanted:
    """Tells of what is broken in one conversation whether it is to be explained; `last` is what it told last.

    `left` says whether anything is still to be.
    """

    def __init__(self, explain: Explain) -> None:
        self.left = explain != "none"
        self.last = False
        self._only_first = explain == "first"

    def take(self, *, broken: bool) -> bool:
        """Return whether the next turn or call is to be explained."""
        self.last = self.left and broken
        if self.last and self._only_first:
            self.left = False
        return self.last


class Found(Protocol):
    """Something that was found in a row: a verdict, a decision.

    `codes` are what its outcome rests on, and `partly_read` says whether something was said that was not read, where
    somebody reads. `cells` are those of its own row in the table.
    """

    @property
    def outcome(self) -> str: ...

    @property
    def codes(self) -> Sequence[str]: ...

    @property
    def partly_read(self) -> bool: ...

    @property
    def cells(self) -> Mapping[str, Any]: ...


Coming = Coroutine[Any, Any, Sequence[Found]]
"""What is found in a row, once it is read."""


class Auditor(Protocol):
    """An `Auditor` checks rows, and keeps from one shard to the next what it found out.

    `schema` is that of its tables, `quick` counts what needed no solver, `seen` what rows held, by its name, and of
    rows that have to be waited for so many are read `at_once`.
    """

    schema: Any
    seen: Counter[str]

    @property
    def quick(self) -> int: ...

    @property
    def at_once(self) -> int: ...

    def begin(self) -> None:
        """Begin another part of a log."""
        ...

    async def aclose(self) -> None:
        """Release what is kept from shard to shard."""
        ...

    def check(self, line: bytes) -> Sequence[Found] | Coming:
        """Return what is found in a row. Raises `InputError` for one that is no such row."""
        ...


def object_in(line: bytes) -> Any:
    """Return what a row holds, as `check` reads it. Raises `RecordError` for what is no JSON."""
    try:
        return json.loads(line.decode("utf-8", "surrogateescape"))
    except (ValueError, RecursionError) as error:
        raise RecordError(f"no JSON object: {error}") from error


def check_conversation(row: Any) -> dict[str, Any]:
    """Return a row that is a whole conversation. Raises `RecordError` for any other."""
    if not isinstance(row, dict) or row.get("messages") is None:
        raise RecordError("messages: a conversation has a list of them")
    return row


def name_of(row: Mapping[str, Any]) -> str | None:
    """Return the name of a conversation: that of its own field, or its id."""
    named = row.get("conversation")
    own = row.get("id") if named is None else named
    return None if own is None or own == "" else str(own)
