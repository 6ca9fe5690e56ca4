"""Audit logged turns: the verdict of `check` on each, by the constraints that the log has."""

from __future__ import annotations

from collections.abc import Mapping

from holdtrue.audit.checker import Checker
from holdtrue.audit.explain import Explain
from holdtrue.audit.raw_turn import RawTurn, conversation_in
from holdtrue.audit.verdict_table import FoundTurn, VerdictRows
from holdtrue.budget import Budget
from holdtrue.world.domain import Domain


class TurnAuditor:
    """A `TurnAuditor` checks turns, one a row, and keeps what it found out for those that follow."""

    folder = "verdicts"

    def __init__(
        self, domains: Mapping[str, Domain], default: Domain | None, *, explain: Explain, budget: Budget
    ) -> None:
        self._checker = Checker(domains, default, explain=explain, budget=budget)

    @property
    def quick(self) -> int:
        """Return how many turns were decided by what was known of others."""
        return self._checker.tally.quick

    def begin(self, source: str) -> VerdictRows:
        """Begin another part of a log."""
        self._checker.begin()
        return VerdictRows(source)

    def check(self, turn: RawTurn | None, line: bytes | None) -> list[FoundTurn]:
        """Return the verdict on a row's turn. Raises `RecordError` for a row that is none."""
        checked = self._checker.check_turn(turn, line)
        return [FoundTurn(turn.conversation if turn is not None else conversation_in(line), checked)]
