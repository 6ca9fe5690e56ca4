"""Work out what a report says of messages that are items by themselves, over all of them and by what they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from holdtrue.figures.statistics import Rate, clustered
from holdtrue.lab.kinds.readings.entry import ItemScore, ReadingScore
from holdtrue.lab.kinds.readings.facts import Readings
from holdtrue.lab.kinds.readings.row import ItemFigures, ItemPart

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
