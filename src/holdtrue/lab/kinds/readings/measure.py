"""Measure a run of readings: turn the entries of its journal into rows. No reader or model is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from zlib import crc32

from holdtrue.figures.statistics import clustered, means
from holdtrue.lab.kinds.readings.calibration import calibration_of
from holdtrue.lab.kinds.readings.entry import ReadingEntry, ReadingScore
from holdtrue.lab.kinds.readings.method import READING_PRESETS
from holdtrue.lab.kinds.readings.row import MessageFigures, Part, ReadingRow
from holdtrue.lab.kit.entry import Entry
from holdtrue.lab.kit.folder import Measured
from holdtrue.lab.kit.played import PlayedArm, by_arm
from holdtrue.lab.kit.plays import ArmPlays, Play, ProblemKey
from holdtrue.record import Usage, total


@dataclass(frozen=True, slots=True)
class Message:
    """One message that was read under one arm: its score, and what reading it cost."""

    key: ProblemKey
    domain: str
    score: ReadingScore
    usage: Usage

    def play(self) -> Play:
        """Return the message as paired tests take it: it is right if it is read exactly."""
        with_doubtful = {1: float(self.score.with_doubtful)}
        return Play(self.domain, 1, right={1: self.score.correct}, figures={"with_doubtful": with_doubtful})


def _message(entry: ReadingEntry) -> Message:
    record = entry.record
    key = (entry.problem, crc32(record.user_message.encode("utf-8", "surrogatepass")))
    return Message(key, entry.domain, entry.score, total(call.usage for call in record.extraction))


def measure_readings(entries: Iterable[Entry], settings: Mapping[str, Any] | None = None) -> Measured[ReadingRow]:
    """Measure a run with these settings; the entries are read once, in any order, and their records are not kept.

    The result's `rows` are one for each method, in order of first appearance.
    """
    arms = by_arm(entries, ReadingEntry, lambda found, entry: _message(entry))
    own = (settings or {}).get("own_methods", {})
    readers = {name: method.reader for name, method in READING_PRESETS.items()}
    readers |= {name: table.get("reader") for name, table in own.items()}
    controls = frozenset(each.arm.method for each in arms if readers.get(each.arm.method) in ("nothing", "gold"))
    return Measured(
        rows=tuple(map(_row, arms)),
        plays=tuple(_plays(each, readers.get(each.arm.method) == "model") for each in arms),
        controls=controls,
    )


def _plays(played: PlayedArm[Message], asks_model: bool) -> ArmPlays[Play]:
    """Return the messages. No arm is a baseline: none of them gives an answer that a check could mend."""
    plays = {each.key: each.play() for each in played.facts}
    return ArmPlays(played.arm, baseline=False, plays=plays, asks_model=asks_model)


def _row(played: PlayedArm[Message]) -> ReadingRow:
    messages = played.facts
    calls, prompt_tokens, completion_tokens, seconds = means(
        [
            [own.usage.calls for own in messages],
            [own.usage.prompt_tokens for own in messages],
            [own.usage.completion_tokens for own in messages],
            [own.usage.latency_s for own in messages],
        ]
    )
    return ReadingRow(
        arm=played.arm,
        domain=None,
        problems=len({own.key[0] for own in messages} | played.failed.keys()),
        finished=len(messages),
        failed=len(played.failed),
        figures=_figures(messages),
        parts=tuple(_parts(messages)),
        calibration=calibration_of([own.score.judged for own in messages]),
        calls=calls,
        prompt_tokens=prompt_tokens,
        completion_tokens=completion_tokens,
        seconds=seconds,
    )


_BY: Mapping[str, Callable[[Message], str]] = {
    "kind": lambda own: own.score.kind,
    "domain": lambda own: own.domain,
    "style": lambda own: own.score.style,
}


def _parts(messages: Sequence[Message]) -> Iterator[Part]:
    """Yield the figures by kind, by domain and by style, where the messages say these."""
    for by, find in _BY.items():
        for name in sorted({find(own) for own in messages} - {""}):
            yield Part(by, name, _figures([own for own in messages if find(own) == name]))


_SHARES: Mapping[str, Callable[[ReadingScore], tuple[int, int]]] = {
    "exact": lambda own: (own.correct, 1),
    "with_doubtful": lambda own: (own.with_doubtful, 1),
    "wrong": lambda own: (own.wrong, own.right + own.wrong),
    "in_doubt": lambda own: (own.doubtful > 0, 1),
    "doubtful": lambda own: (own.doubtful, own.right + own.wrong + own.doubtful),
    "doubtful_right": lambda own: (own.doubtful_right, own.doubtful),
    "missed": lambda own: (len(own.missed), own.gold),
}
"""Counts, in a message, how many of how many."""


def _figures(messages: Sequence[Message]) -> MessageFigures:
    scores = [own.score for own in messages]
    counted = [[count(own) for own in scores] for count in _SHARES.values()]
    rates = clustered([([hits for hits, _ in each], [of for _, of in each]) for each in counted])
    return MessageFigures(
        **dict(zip(_SHARES, rates, strict=True)),
        messages=len(scores),
        rejected=sum(own.rejected for own in scores),
        taken_back=sum(own.taken_back for own in scores),
    )
