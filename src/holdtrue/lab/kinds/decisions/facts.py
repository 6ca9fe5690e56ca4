"""The facts of each conversation that report rows need, so that a run's records are never all in memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from zlib import crc32

from holdtrue.lab.kinds.decisions.entry import DecisionEntry, DecisionKind, DecisionScore
from holdtrue.lab.kit.plays import Play, ProblemKey


@dataclass(frozen=True, slots=True)
class CallFacts:
    """One decision. `time_s` is the CPU time that it took, and `assumed` whether it takes something for granted.

    `decided` says whether every rule was decided, None for a control, which looks at none.
    """

    tool: str
    decision: DecisionKind
    score: DecisionScore | None
    rewarded: bool | None
    replayed: bool | None
    assumed: bool
    decided: bool | None
    by_solver: int
    time_s: float
    form: int | None = None
    is_of_dialogue: bool = False

    @property
    def blocked(self) -> bool:
        return self.decision is DecisionKind.BLOCK

    @property
    def waits(self) -> bool:
        """Return whether somebody is asked before the call goes through."""
        return self.decision in (DecisionKind.ASK, DecisionKind.CONFIRM)


@dataclass(frozen=True, slots=True)
class DecisionPlay(Play):
    """A conversation whose calls were decided on; `task` is that which it is a trial of."""

    task: str = ""


class Decisions:
    """One conversation under one arm, as far as its turns have been read, in any order."""

    def __init__(self, first: DecisionEntry) -> None:
        self.problem, self.domain, self._turns = first.problem, first.domain, first.turns
        self.task = str(first.record.detail.task)
        self._calls: dict[int, CallFacts] = {}
        self._said: dict[int, str] = {}

    def add(self, entry: DecisionEntry) -> Decisions:
        """Add one turn, and return the conversation itself."""
        record, check = entry.record, entry.score
        detail = record.detail
        reward = None if check is None else check.reward
        self._said[entry.turn] = f"{record.user_message}\0{detail.tool}\0{detail.arguments}"
        self._calls[entry.turn] = CallFacts(
            tool=detail.tool,
            decision=detail.decision,
            score=entry.against,
            rewarded=None if reward is None else reward >= 1,
            replayed=None if check is None else check.replayed,
            assumed=bool(detail.assumptions),
            decided=None if detail.record is None else not detail.undecided,
            by_solver=detail.by_solver,
            time_s=record.solver_s,
            form=detail.form,
            is_of_dialogue=bool(detail.call),
        )
        return self

    @property
    def finished(self) -> bool:
        return len(self._calls) == self._turns

    @property
    def calls(self) -> list[CallFacts]:
        """The decisions in their order, so that sums are always rounded alike."""
        return [call for _, call in sorted(self._calls.items())]

    @property
    def key(self) -> ProblemKey:
        said = "\0".join(text for _, text in sorted(self._said.items()))
        return self.problem, crc32(said.encode("utf-8", "surrogatepass"))

    def play(self) -> DecisionPlay:
        """Return the conversation as paired tests take it, with its decisions as turns."""
        scored = {turn: call.score for turn, call in self._calls.items() if call.score is not None}
        return DecisionPlay(
            domain=self.domain,
            turns=self._turns,
            right={turn: score.correct for turn, score in sorted(scored.items()) if score.correct is not None},
            figures={name: dict(sorted(values.items())) for name, values in _figures(scored).items()},
            task=self.task,
        )


def _figures(scored: Mapping[int, DecisionScore]) -> dict[str, dict[int, float]]:
    """Return by name the figures that two runs are compared on, beside accuracy, each by turn."""
    return {
        "caught": {turn: float(score.caught) for turn, score in scored.items() if score.standing == "broken"},
        "false_blocks": {turn: float(score.false_block) for turn, score in scored.items() if score.clean},
        "let_through": {turn: float(score.let_through) for turn, score in scored.items() if score.standing == "sound"},
        "asked": {turn: float(score.asked) for turn, score in scored.items() if score.standing == "undecided"},
    }
