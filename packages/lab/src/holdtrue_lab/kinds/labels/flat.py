"""The Parquet rows of runs about labels, one row a query.

A case is held in memory until its last turn, because only then the final label of each query is known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from holdtrue.kinds.labels.record import label_outcome
from holdtrue.record import Usage
from holdtrue_lab.kinds.labels.entry import LabelEntry, first_labels
from holdtrue_lab.kit.flat import COSTS, NAMED, RETRY_COLUMNS, FlatRows, solver, spent


@dataclass(frozen=True, slots=True)
class _Query:
    """A query of a turn. `last` is the last turn of its case, and `place` its index in the turn."""

    folder: Path
    entry: LabelEntry
    last: LabelEntry
    id: str
    statement: str
    place: int
    first: str | None
    retractions: int
    own: Usage

    @property
    def gold(self) -> str | None:
        return None if self.entry.score is None else self.entry.score.gold.get(self.id)

    @property
    def final(self) -> str | None:
        return self.last.record.detail.labels.get(self.id)

    def is_gold(self, label: str | None) -> bool | None:
        return None if self.gold is None else label == self.gold

    def flag(self, name: str) -> bool | None:
        """Return this query's value in a field of the turn's score that has one value for each query."""
        flags: Sequence[bool | None] = () if self.entry.score is None else getattr(self.entry.score, name)
        return flags[self.place] if self.place < len(flags) else None


def _queries(folder: Path, case: Sequence[LabelEntry]) -> Iterator[_Query]:
    """Yield each query of a case. The turns must come in order."""
    retracted = [event.id for entry in case for event in entry.record.events if event.kind == "set_aside"]
    for entry in case:
        first, own = first_labels(entry.record), entry.record.usage
        for place, (id, statement) in enumerate(entry.record.detail.asked.items()):
            yield _Query(folder, entry, case[-1], id, statement, place, first.get(id), retracted.count(id), own)


def _cases(played: Iterable[tuple[Path, LabelEntry]]) -> Iterator[tuple[Path, list[LabelEntry]]]:
    """Yield the turns of each case under each method, once they are complete. Incomplete cases follow at the end of a
    run.
    """
    begun: dict[tuple[Path, str, str], list[LabelEntry]] = {}
    for folder, entry in played:
        if any(key[0] != folder for key in begun):
            yield from ((key[0], begun.pop(key)) for key in list(begun))
        key = (folder, entry.problem, entry.method)
        begun.setdefault(key, []).append(entry)
        if entry.turn == entry.turns:
            yield folder, begun.pop(key)
    yield from ((key[0], turns) for key, turns in begun.items())


QUERIES = FlatRows(
    LabelEntry,
    {
        **NAMED,
        "turns": (int, "entry.turns"),
        "model": (str, "entry.record.model"),
        "method": (str, "entry.method"),
        "asked": (str, "entry.record.variant"),  # one at a time, or as a bundle
        "formal": (str, "entry.record.reader"),  # the source of formulas: gold (an oracle, if they are used) or llm
        "finished": (bool, lambda query: query.last.turn == query.entry.turns),
        "turn": (int, "entry.turn"),
        "query": (str, "id"),
        "statement": (str, "statement"),
        "gold": (str, "gold"),
        "first": (str, "first"),  # the label before anything was checked
        "label": (str, lambda query: query.entry.record.detail.labels.get(query.id)),  # after its turn
        "final": (str, "final"),  # after the last turn
        "entailed": (str, lambda query: query.last.record.detail.entailed.get(query.id)),  # by the final beliefs
        "confidence": (float, lambda query: query.entry.record.final.confidence.get(query.id)),
        "correct": (bool, lambda query: query.is_gold(query.final)),
        "first_correct": (bool, lambda query: query.is_gold(query.first)),
        "outcome": (str, lambda query: label_outcome(query.entry.record.final.verdict)),  # of the turn's last attempt
        "clash": (bool, lambda query: query.flag("clash")),
        "prefix": (bool, lambda query: query.flag("prefix")),
        "retractions": (int, "retractions"),
        "attempts": (int, "entry.record.attempts"),  # of the turn, as are all costs
        **RETRY_COLUMNS,
        "queries": (int, lambda query: len(query.entry.record.detail.asked)),  # asked in the turn
        **spent("own", *COSTS),
        **solver("entry.record"),
        "set_consistent": (bool, "last.score.whole.consistent"),  # of the case
        "epistemic": (bool, "last.score.whole.epistemic"),
        "revision_cost": (int, "last.score.whole.revision_cost"),
    },
    _queries,
    _cases,
)
