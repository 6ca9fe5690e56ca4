"""How a kind of answer is played: what a run can set, its methods, its problems in order, and who plays them.

What most kinds do alike is done here; a kind says in a class of its own where it differs.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Generic, TypeVar

from holdtrue.lab.kit.declared import declare_method
from holdtrue.lab.kit.plan import AnyMethod, Order, Plan, Posed, Prepared, deal
from holdtrue.models.chat import ChatModel
from holdtrue.models.sampling import Sampling
from holdtrue.options import NoOptions, one_of
from holdtrue.record import TurnRecord

P = TypeVar("P", bound=Posed)
M = TypeVar("M", bound=AnyMethod)


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """A turn with its score, and which solver decided there, in words; `told` are lines for a reader of the journal."""

    record: TurnRecord[Any, Any]
    score: Any
    engine: str
    told: tuple[str, ...] = ()


class Player(Generic[P, M]):
    """Plays the conversations of one run; `others` are the models that its plan names beside the one that answers."""

    def __init__(self, plan: Plan, others: Sequence[ChatModel] = ()) -> None:
        self.plan = plan
        self.others = tuple(others)

    def play(self, problem: P, method: M, model: ChatModel) -> AsyncIterator[PlayedTurn]:
        """The conversation's turns, from the first."""
        raise NotImplementedError


class Playing(Generic[P, M]):
    """How problems of one kind are played.

    `problem` is what one is called, and `presets` are the methods by their names, of which `plainest` is changed where
    a method of one's own names no other. `settings` is what a run can set: a frozen dataclass whose fields have an
    `Option`, and defaults.
    """

    problem: ClassVar[str] = "problem"
    settings: ClassVar[type[Any]] = NoOptions
    sampling: ClassVar[Sampling] = Sampling()
    plainest: ClassVar[str] = "direct"
    presets: Mapping[str, M]
    player: type[Player[P, M]]

    def find_method(self, name: str) -> M:
        """The preset of that name; raises `SettingsError` listing what there is."""
        return self.presets[one_of("method", name, tuple(self.presets))]

    def declare_method(self, table: object) -> M:
        """The method of one's own that a table declares; raises `SettingsError`."""
        return declare_method(table, self.find_method, self.plainest)

    def choose_methods(self, methods: Sequence[M], settings: Any) -> Sequence[M]:
        """The methods that are played in the place of these, as the settings say; raises `SettingsError`."""
        return methods

    def other_models(self, settings: Any) -> Sequence[str]:
        """The names of models that are asked beside the one that answers."""
        return ()

    def prepare(self, order: Order[P, M]) -> Prepared:
        """What of the problems can be played, in which order, and with how many turns; raises `SettingsError`."""
        return Prepared([(problem,) for problem in deal(order.problems)], order.methods, asdict(order.settings))

    def describe_problem(self, problem: P) -> object:
        """All in a problem that can change a result or its score, as plain JSON values."""
        return asdict(problem)  # type: ignore[call-overload]

    def simulated(self, name: str, problems: Sequence[P]) -> ChatModel | None:
        """The simulated model of that name, which knows these problems; None where it is opened like any other."""
        return None

    def tally(self, score: Any, record: Any) -> tuple[int, int]:
        """How many answers of a turn with a score are right, out of how many."""
        return int(score.correct), 1
