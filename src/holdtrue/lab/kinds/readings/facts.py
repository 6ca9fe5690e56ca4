"""The facts of each dialogue or message that report rows need, so that a run's records are never all in memory."""

from __future__ import annotations

from dataclasses import dataclass
from zlib import crc32

from holdtrue.lab.kinds.readings.entry import ReadingEntry, ReadingScore
from holdtrue.lab.kit.plays import Play, ProblemKey
from holdtrue.record import total


@dataclass(frozen=True, slots=True)
class MessageFacts:
    """One message that was read: its score, what was not read of it, and what reading it cost."""

    score: ReadingScore | None
    unread: int
    calls: int
    prompt_tokens: int
    completion_tokens: int
    seconds: float


class Readings:
    """One dialogue, or one message, under one arm, as far as its turns have been read, in any order."""

    def __init__(self, first: ReadingEntry) -> None:
        self.problem, self.domain, self._turns = first.problem, first.domain, first.turns
        self._messages: dict[int, MessageFacts] = {}
        self._said: dict[int, str] = {}

    def add(self, entry: ReadingEntry) -> Readings:
        """Add one turn, and return the dialogue itself."""
        record = entry.record
        usage = total(call.usage for call in record.extraction)
        self._said[entry.turn] = f"{record.detail.assistant}\0{record.user_message}"
        self._messages[entry.turn] = MessageFacts(
            score=entry.score,
            unread=len(record.detail.unread),
            calls=usage.calls,
            prompt_tokens=usage.prompt_tokens,
            completion_tokens=usage.completion_tokens,
            seconds=usage.latency_s,
        )
        return self

    @property
    def finished(self) -> bool:
        return len(self._messages) == self._turns

    @property
    def messages(self) -> list[MessageFacts]:
        """The messages in their order, so that sums are always rounded alike."""
        return [own for _, own in sorted(self._messages.items())]

    @property
    def key(self) -> ProblemKey:
        said = "\0".join(text for _, text in sorted(self._said.items()))
        return self.problem, crc32(said.encode("utf-8", "surrogatepass"))

    def play(self) -> Play:
        """Return the dialogue as paired tests take it: a message is right if the ledger after it is."""
        scored = {turn: own.score for turn, own in sorted(self._messages.items()) if own.score is not None}
        return Play(
            domain=self.domain,
            turns=self._turns,
            right={turn: score.correct for turn, score in scored.items()},
            figures={"sound": {turn: float(score.sound) for turn, score in scored.items()}},
        )
