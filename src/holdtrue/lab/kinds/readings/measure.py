"""Measure a run of readings: turn the entries of its journal into rows. No reader or model is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from zlib import crc32

from holdtrue.figures.quotients import quotients
from holdtrue.figures.statistics import Rate, clustered
from holdtrue.lab.kinds.readings.calibration import calibration_of
from holdtrue.lab.kinds.readings.entry import ItemScore, ReadingEntry, ReadingScore
from holdtrue.lab.kinds.readings.method import READING_PRESETS
from holdtrue.lab.kinds.readings.problem import KINDS
from holdtrue.lab.kinds.readings.row import EventFigures, ItemFigures, ItemPart, KindRow, ReadingRow
from holdtrue.lab.kit.arm import Arm
from holdtrue.lab.kit.entry import Entry
from holdtrue.lab.kit.folder import Measured
from holdtrue.lab.kit.played import Part, PlayedArm, by_arm
from holdtrue.lab.kit.plays import ArmPlays, Play, ProblemKey
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


def measure_readings(entries: Iterable[Entry], settings: Mapping[str, Any] | None = None) -> Measured[ReadingRow]:
    """Measure a run with these settings; the entries are read once, in any order, and their records are not kept.

    The result's `rows` are one for each method, in order of first appearance.
    """
    arms = by_arm(entries, ReadingEntry, lambda found, entry: (found or Readings(entry)).add(entry))
    own = (settings or {}).get("own_methods", {})
    readers = {name: method.reader for name, method in READING_PRESETS.items()}
    readers |= {name: table.get("reader") for name, table in own.items()}
    controls = frozenset(each.arm.method for each in arms if readers.get(each.arm.method) in ("nothing", "gold"))
    return Measured(
        rows=tuple(_row(each) for each in arms),
        plays=tuple(_plays(each, readers.get(each.arm.method) == "model") for each in arms),
        controls=controls,
    )


def _row(played: PlayedArm[Readings]) -> ReadingRow:
    begun = {each.problem for each in played.facts} | played.failed.keys()
    return row_of(played.arm, Part([each for each in played.facts if each.finished], len(begun), len(played.failed)))


def _plays(played: PlayedArm[Readings], asks_model: bool) -> ArmPlays[Play]:
    """Return the finished dialogues. No arm is a baseline: none of them gives an answer that a check could mend."""
    plays = {each.key: each.play() for each in played.facts if each.finished}
    return ArmPlays(played.arm, baseline=False, plays=plays, asks_model=asks_model)


Shares = Callable[["_Counted"], tuple[int, int]]
"""Counts, in a message, how many of how many."""


@dataclass(frozen=True, slots=True)
class _Counted:
    """One message with its score."""

    domain: str
    score: ReadingScore
    item: ItemScore

    @property
    def right(self) -> int:
        return sum(self.score.right.values())

    @property
    def wrong(self) -> int:
        return sum(self.score.wrong.values())

    @property
    def gold(self) -> int:
        return sum(self.score.gold.values())

    @property
    def read(self) -> int:
        return self.right + self.wrong + self.item.doubtful


_SHARES: Mapping[str, Shares] = {
    "exact": lambda own: (own.score.correct, 1),
    "with_doubtful": lambda own: (own.item.with_doubtful, 1),
    "wrong": lambda own: (own.wrong, own.right + own.wrong),
    "in_doubt": lambda own: (own.item.doubtful > 0, 1),
    "doubtful": lambda own: (own.item.doubtful, own.read),
    "doubtful_right": lambda own: (own.item.doubtful_right, own.item.doubtful),
    "missed": lambda own: (len(own.item.missed), own.gold),
}


def item_figures(finished: Sequence[Readings]) -> ItemFigures | None:
    """Return the figures of all messages that are items; None if there are none, as in dialogues."""
    counted = _counted(finished)
    return _figures(counted) if counted else None


def item_parts(finished: Sequence[Readings]) -> Iterator[ItemPart]:
    """Yield the figures by kind, by domain and by style, where the messages say these."""
    counted = _counted(finished)
    by: Mapping[str, Callable[[_Counted], str]] = {
        "kind": lambda own: own.item.kind,
        "domain": lambda own: own.domain,
        "style": lambda own: own.item.style,
    }
    for name, find in by.items():
        for value in sorted({find(own) for own in counted} - {""}):
            yield ItemPart(name, value, _figures([own for own in counted if find(own) == value]))


def _counted(finished: Sequence[Readings]) -> list[_Counted]:
    scores = [(each.domain, own.score) for each in finished for own in each.messages]
    return [
        _Counted(domain, score, score.item) for domain, score in scores if score is not None and score.item is not None
    ]


def _figures(counted: Sequence[_Counted]) -> ItemFigures:
    shares = {name: [count(own) for own in counted] for name, count in _SHARES.items()}
    columns = [([hits for hits, _ in found], [of for _, of in found]) for found in shares.values()]
    rates: dict[str, Rate] = dict(zip(shares, clustered(columns), strict=True))
    return ItemFigures(
        **rates,
        messages=len(counted),
        rejected=sum(own.item.rejected for own in counted),
        taken_back=sum(own.item.taken_back for own in counted),
    )


Scores = Sequence[Sequence[ReadingScore]]
"""The scores of all messages, by dialogue."""
Counts = Callable[[ReadingScore], tuple[int, int, int]]
"""Counts, in a message, the right events, the wrong ones, and those in gold."""
_COSTS: Sequence[Callable[[MessageFacts], float]] = (
    lambda own: own.calls,
    lambda own: own.prompt_tokens,
    lambda own: own.completion_tokens,
    lambda own: own.seconds,
)


def row_of(arm: Arm, played: Part[Readings]) -> ReadingRow:
    """Return the row of these dialogues."""
    dialogues = sorted(played.finished, key=lambda each: each.key)
    items = item_figures(dialogues)
    messages = [each.messages for each in dialogues]
    scores = [[own.score for own in each if own.score is not None] for each in messages]
    everything = [own for each in messages for own in each]
    correct, sound = clustered(
        [_shares(scores, lambda score: score.correct), _shares(scores, lambda score: score.sound)]
    )
    calls, prompt_tokens, completion_tokens, seconds = quotients(
        [([sum(measure(own) for own in each) for each in messages], list(map(len, messages))) for measure in _COSTS]
    )
    kinds = () if items is not None else KINDS
    return ReadingRow(
        arm=arm,
        domain=None,
        problems=played.problems,
        finished=len(dialogues),
        failed=played.failed,
        messages=len(everything),
        events=_events(scores, _of_all),
        amend=_events(scores, _of_kinds(("amend",))),
        accuracy=correct,
        sound=sound,
        kinds=tuple(KindRow(kind, _events(scores, _of_kinds((kind,)))) for kind in kinds),
        sources=tuple(KindRow(source, _events(scores, _of_source(source))) for source in _sources(scores)),
        services=tuple(_services(scores)),
        calibration=calibration_of([[event for own in each for event in own.judged] for each in scores]),
        unread=sum(own.unread for own in everything),
        calls=calls,
        prompt_tokens=prompt_tokens,
        completion_tokens=completion_tokens,
        seconds=seconds,
        items=items,
        item_parts=tuple(item_parts(dialogues)),
    )


def _shares(scores: Scores, hit: Callable[[ReadingScore], bool]) -> tuple[list[int], list[int]]:
    return [sum(map(hit, each)) for each in scores], [len(each) for each in scores]


def _of_all(score: ReadingScore) -> tuple[int, int, int]:
    right, wrong, gold = (sum(counts.values()) for counts in (score.right, score.wrong, score.gold))
    return right, wrong, gold


def _of_kinds(kinds: Sequence[str]) -> Counts:
    def count(counts: Mapping[str, int]) -> int:
        return sum(counts.get(kind, 0) for kind in kinds)

    return lambda score: (count(score.right), count(score.wrong), count(score.gold))


def _of_source(source: str) -> Counts:
    """Count by the source of gold; of what was read wrongly nobody knows which source it was meant to have."""
    return lambda score: (score.found.get(source, 0), 0, score.sources.get(source, 0))


def _sources(scores: Scores) -> list[str]:
    return sorted({source for each in scores for score in each for source in score.sources})


def _services(scores: Scores) -> list[KindRow]:
    """Return the events of dialogues with seen, and with unseen services, where that is known."""
    found = []
    for seen, name in ((True, "seen"), (False, "unseen")):
        own = [[score for score in each if score.seen is seen] for each in scores]
        if any(own):
            found.append(KindRow(name, _events(own, _of_all)))
    return found


def _events(scores: Scores, counts: Counts) -> EventFigures:
    by_dialogue = [[counts(score) for score in each] for each in scores]
    right, wrong, gold = ([sum(each[place] for each in dialogue) for dialogue in by_dialogue] for place in range(3))
    read = [one + other for one, other in zip(right, wrong, strict=True)]
    precision, recall = clustered([(right, read), (right, gold)])
    [f1] = quotients([([2.0 * own for own in right], [one + other for one, other in zip(read, gold, strict=True)])])
    return EventFigures(precision, recall, f1)
