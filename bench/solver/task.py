"""One operation, timed on both sides over whole conversations, and the verdicts held against each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from bench.solver.kept import Kept
from bench.solver.measure import Samples
from bench.solver.twin import Twin
from bench.solver.workload import Conversation, Step, spread
from holdtrue.world.instance import Constraint

Said = Sequence[Constraint]

WARM_UP = 3
"""Conversations that are played before anything counts, from all domains."""


class Disagreement(RuntimeError):
    """Own engine and twin do not say the same: no figure counts before that is mended."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table. `figures` are what was measured beside the times, by name."""

    key: str
    title: str
    own: Samples = field(default_factory=Samples)
    twin: Samples = field(default_factory=Samples)
    figures: Mapping[str, float] = field(default_factory=dict)

    @property
    def ratio(self) -> float | None:
        """How many times as long the twin takes, by medians; None where it was not asked."""
        return self.twin.median_us / self.own.median_us if self.twin.spent else None


def nothing(kept: Kept, step: Step) -> None:
    """Nothing is done before: the operation itself takes in what is said."""


def hear(kept: Kept, step: Step) -> None:
    """The turn is taken in and the ledger decided, as it happens in a conversation before anybody asks more."""
    kept.add(step.said)


def same(twin: Twin, said: Said, own: Any, answer: Any) -> bool:
    """Both say the same; `answer` is None where the twin was not asked."""
    return answer is None or bool(own == answer)


@dataclass(frozen=True, slots=True)
class Task:
    """One operation on one kind of conversation.

    `before` is what has happened on the own side when the operation begins. `own` and `twin` are timed. `read` makes
    the own result comparable with the twin's, and `agree` judges it, for every conversation. `each_turn`: after
    every turn, else after the last one only, or the first one (`first_turn`). `clashes`: on the unsatisfiable ledgers.
    """

    key: str
    title: str
    own: Callable[[Kept, Step], Any]
    read: Callable[[Any, Kept], Any]
    twin: Callable[[Twin, Said, Step], Any] | None = None
    before: Callable[[Kept, Step], None] = hear
    agree: Callable[[Twin, Said, Any, Any], bool] = same
    applies: Callable[[Step], bool] = lambda step: True
    each_turn: bool = True
    first_turn: bool = False
    clashes: bool = False

    def asked(self, conversation: Conversation, step: Step) -> bool:
        """Whether the operation is done at this step."""
        if self.first_turn:
            return step is conversation.steps[0]
        return self.applies(step) and (self.each_turn or step is conversation.steps[-1])


def run(task: Task, conversations: Sequence[Conversation], twin_share: float) -> Row:
    """Time the task on every conversation, and the twin on that share of them, at even distances."""
    row = Row(task.key, task.title)
    for conversation in spread(conversations, WARM_UP):
        follow(task, conversation, Samples(), Samples())
    for number, conversation in enumerate(conversations):
        # The share's running total passes a whole number just as often as the share says.
        with_twin = int((number + 1) * twin_share) > int(number * twin_share)
        follow(task, conversation, row.own, row.twin if with_twin else None)
    return row


def follow(task: Task, conversation: Conversation, own: Samples, twin: Samples | None) -> None:
    """One conversation on the own side; then the twin answers the same questions. Raises `Disagreement`."""
    kept, results = Kept(conversation.make_instance()), []
    for step in conversation.steps:
        task.before(kept, step)
        if task.asked(conversation, step):
            results.append(task.read(own.time(partial(task.own, kept, step)), kept))
    naive, said = Twin(conversation.make_instance()), list[Constraint]()
    following = iter(results)
    for step in conversation.steps:
        said += step.said
        if task.asked(conversation, step):
            answer = None if twin is None or task.twin is None else twin.time(partial(task.twin, naive, said, step))
            result = next(following)
            if not task.agree(naive, said, result, answer):
                raise Disagreement(f"{task.key}, {conversation.id}: own {result}, twin {answer}")
