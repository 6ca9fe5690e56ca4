"""Work out one row of a report from the dialogues, or messages, that were finished."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from holdtrue.figures.quotients import quotients
from holdtrue.figures.statistics import clustered
from holdtrue.lab.kinds.readings.calibration import calibration_of
from holdtrue.lab.kinds.readings.entry import ReadingScore
from holdtrue.lab.kinds.readings.facts import MessageFacts, Readings
from holdtrue.lab.kinds.readings.message_figures import item_figures, item_parts
from holdtrue.lab.kinds.readings.problem import KINDS
from holdtrue.lab.kinds.readings.row import EventFigures, KindRow, ReadingRow
from holdtrue.lab.kit.arm import Arm
from holdtrue.lab.kit.played import Part

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
