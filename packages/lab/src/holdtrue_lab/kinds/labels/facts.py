"""The facts of each played case that report rows need, so that a run's texts are never all in memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from zlib import crc32

from holdtrue.kinds.labels.record import LabelOutcome, LabelsRecord, label_outcome
from holdtrue.record import DRAWN, Label
from holdtrue_lab.kinds.labels.entry import FormulaSource, LabelEntry, SetScore
from holdtrue_lab.kinds.labels.setup import is_dialogue
from holdtrue_lab.kit.plays import ProblemKey

RETRACTED, REINSTATED, REJECTED = "set_aside", "reinstated", "rejected"
SPENT = ("tokens", "calls", "latency_s", "seconds", "solver_calls")

Labels = Mapping[str, str]
LABELS = frozenset(Label)


def first_labels(record: LabelsRecord) -> dict[str, str]:
    """Return by query id the first label that each query of the turn was given; a query without any is left out.

    Samples and their vote count as one answer, which is the vote. If the first answer leaves a query out, its label
    comes from the next attempt that gives one.
    """
    drawn = 0
    for attempt in record.attempts:
        if attempt.kind not in DRAWN:
            break
        drawn += 1
    found: dict[str, str] = {}
    for attempt in record.attempts[max(0, drawn - 1) :]:
        for id, label in (attempt.answer or {}).items():
            if id in record.detail.asked and label in LABELS:
                found.setdefault(id, str(label))
    return found


class Bundle:
    """One case under one arm, as far as its turns have been read, in any order."""

    def __init__(self, first: LabelEntry) -> None:
        self.problem, self.domain, self.turns = first.problem, first.domain, first.turns
        self.played: dict[int, int] = {}  # a checksum of what was asked, by turn
        self.gold: dict[str, str] = {}
        self.first: dict[str, str] = {}
        self.labels: Labels = {}
        self.entailed: Labels = {}
        self.whole: SetScore | None = None
        self.outcomes: Counter[LabelOutcome] = Counter()
        self.events: Counter[str] = Counter()
        self.prefix: dict[tuple[int, int], bool | None] = {}  # by turn, and place in it
        self.clash: Counter[bool] = Counter()
        self.differ: Counter[bool] = Counter()
        self.asked_model = False
        self.formulas: set[FormulaSource] = set()
        self.proved: dict[str, str | None] = {}
        self._spent: dict[int, tuple[float, ...]] = {}

    def add(self, entry: LabelEntry) -> Bundle:
        """Add one turn, and return the bundle itself."""
        record, score = entry.record, entry.score
        latest = entry.turn >= max(self.played, default=0)
        asked = "\0".join(part for pair in record.detail.asked.items() for part in pair)
        self.played[entry.turn] = crc32(asked.encode("utf-8", "surrogatepass"))
        for id, label in first_labels(record).items():
            self.first[id] = label
        if latest:
            # A dialogue is judged by what is believed of each atom in the end, whichever answer said it last. What
            # was never answered has no label all the same.
            by_belief = record.detail.committed if is_dialogue(entry.suite) else {}
            self.labels = {id: by_belief.get(id, label) for id, label in record.detail.labels.items()}
            self.entailed = record.detail.entailed
        self.outcomes[label_outcome(record.final.verdict)] += 1
        self.events.update(event.kind for event in record.events)
        usage = record.usage
        self._spent[entry.turn] = (usage.tokens, usage.calls, usage.latency_s, record.time_s, record.solver_calls)
        self.asked_model = self.asked_model or any(attempt.calls for attempt in record.attempts)
        if score is None:
            return self
        self.gold.update(score.gold)
        self.formulas.add(score.formulas)
        self.proved.update(score.proved)
        self.prefix.update(((entry.turn, place), each) for place, each in enumerate(score.prefix))
        self.clash.update(each for each in score.clash if each is not None)
        if score.differ is not None:
            self.differ[score.differ] += 1
        if score.whole is not None:
            self.whole = score.whole
        return self

    @property
    def finished(self) -> bool:
        return len(self.played) == self.turns

    @property
    def key(self) -> ProblemKey:
        """The case as it was asked; this is known only after all turns."""
        said = 0
        for _, turn in sorted(self.played.items()):
            said = crc32(turn.to_bytes(4, "big"), said)
        return self.problem, said

    @property
    def prefix_share(self) -> float | None:
        """The share of prefixes that can hold, of those that were decided."""
        decided = [each for each in self.prefix.values() if each is not None]
        return sum(decided) / len(decided) if decided else None

    @property
    def settled(self) -> dict[str, str]:
        """Return the labels that formulas of a model prove, by query."""
        return {id: label for id, label in self.proved.items() if label is not None}

    def spent(self) -> Mapping[str, float]:
        """The sums of `SPENT` over the turns (in their order, so that they are always rounded alike)."""
        turns = (spent for _, spent in sorted(self._spent.items()))
        return dict(zip(SPENT, map(sum, zip(*turns, strict=True)), strict=True))

    def right(self, labels: Labels) -> int:
        """Return how many queries have the right label in `labels`."""
        return sum(labels.get(id) == gold for id, gold in self.gold.items())

    def answered(self) -> Iterator[tuple[str, str | None]]:
        """Yield for each query the gold label and its final label, or None if it has none."""
        for id, gold in self.gold.items():
            label = self.labels.get(id)
            yield gold, label if label in LABELS else None
