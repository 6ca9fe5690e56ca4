"""Audit logged turns: the verdict of `check` on each, by the constraints that the log has, or that are read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from holdtrue.audit.auditor import Coming, Explain
from holdtrue.audit.chat_reader import ChatReader
from holdtrue.audit.checker import Checker
from holdtrue.audit.raw_turn import NOTHING, RawTurn, field_in
from holdtrue.audit.verdict_table import FoundTurn, VerdictRows
from holdtrue.budget import Budget
from holdtrue.world.domain import Domain


class TurnAuditor:
    """A `TurnAuditor` checks turns, one a row, and keeps what it found out for those that follow.

    A row that has `messages` and no constraints is a whole conversation, and `chats` reads it.
    """

    folder = "verdicts"

    def __init__(
        self,
        domains: Mapping[str, Domain],
        default: Domain | None,
        *,
        explain: Explain,
        budget: Budget,
        chats: ChatReader,
    ) -> None:
        self._chats = chats
        self.seen: Counter[str] = Counter()
        self._checker = Checker(domains, default, explain=explain, budget=budget)

    @property
    def quick(self) -> int:
        """Return how many turns were decided by what was known of others."""
        return self._checker.tally.quick

    def begin(self, source: str) -> VerdictRows:
        """Begin another part of a log."""
        self._checker.begin()
        return VerdictRows(source)

    @property
    def at_once(self) -> int:
        """Return how many conversations are read at a time."""
        return self._chats.at_once

    async def aclose(self) -> None:
        """Release the model that reads, if there is one."""
        await self._chats.aclose()

    def check(self, turn: RawTurn | None, line: bytes | None) -> Sequence[FoundTurn] | Coming:
        """Return the verdict on a row's turn, or those on a conversation once it is read.

        Raises `RecordError` for a row that is neither.
        """
        if _has(turn, line, "messages") and not _has(turn, line, "constraints"):
            return self._chats.check(turn, line)
        checked = self._checker.check_turn(turn, line)
        return [FoundTurn(turn.conversation if turn is not None else field_in(line, "conversation"), checked)]


def _has(turn: RawTurn | None, line: bytes | None, name: str) -> bool:
    """Return whether a row has a field that is not null."""
    if turn is None:
        return field_in(line, name) is not None
    own = getattr(turn, name)
    return own is not NOTHING and bytes(own) != bytes(NOTHING)
