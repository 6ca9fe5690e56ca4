"""The parts that an audit of a shard has, whatever its rows hold: who checks them, and where what is found goes.

Beyond naming what is broken, it is a choice what an audit explains.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Coroutine, Sequence
from typing import Any, Literal, Protocol

from holdtrue.audit.log_row import LogRow

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
    """Something that was found in a row: a verdict, a decision."""

    @property
    def outcome(self) -> str: ...

    @property
    def codes(self) -> Sequence[str]:
        """Return what the outcome rests on: codes of what is wrong, or rules."""
        ...

    @property
    def partly_read(self) -> bool:
        """Return whether something was said that was not read, where somebody reads."""
        ...


Coming = Coroutine[Any, Any, Sequence[Found]]
"""What is found in a row, once it is read."""


class Rows(Protocol):
    """`Rows` are what was found in one shard, which becomes a table."""

    def add(self, row: int, found: Any) -> None:
        """Add what was found in a row, counted from 1."""
        ...

    def table(self) -> Any:
        """Return all of it as a table of Arrow, in the order of the rows."""
        ...


class Auditor(Protocol):
    """An `Auditor` checks rows, and keeps from one shard to the next what it found out.

    `folder` is where its tables go, `quick` counts what needed no solver, `seen` what rows held, by its name, and of
    rows that have to be waited for so many are read `at_once`.
    """

    @property
    def folder(self) -> str: ...

    @property
    def quick(self) -> int: ...

    @property
    def seen(self) -> Counter[str]: ...

    @property
    def at_once(self) -> int: ...

    def begin(self, source: str) -> Rows:
        """Begin another part of a log, and return what its rows are added to."""
        ...

    async def aclose(self) -> None:
        """Release what is kept from shard to shard."""
        ...

    def check(self, turn: LogRow | None, line: bytes | None) -> Sequence[Found] | Coming:
        """Return what is found in a row: its fields, or the line that has none to see. Raises `InputError`."""
        ...
