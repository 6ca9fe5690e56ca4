"""This module says how to play a kind of answer: settings of a run, methods, order of problems, and player.

`Playing` has what most kinds do alike; a kind has a subclass with what it does otherwise.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Generic, TypeVar

from holdtrue.models.chat import ChatModel
from holdtrue.models.sampling import Sampling
from holdtrue.options import NoOptions, one_of
from holdtrue.record import TurnRecord
from holdtrue_lab.kit.declared import declare_method
from holdtrue_lab.kit.plan import AnyMethod, AnyProblem, Order, Plan, Prepared, deal

P = TypeVar("P", bound=AnyProblem)
M = TypeVar("M", bound=AnyMethod)


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """A turn with its score; `engine` says in words which solver decided, and `problem_lines` tell the problem."""

    record: TurnRecord[Any, Any]
    score: Any
    engine: str
    problem_lines: tuple[str, ...] = ()


class Player(Generic[P, M]):
    """Plays the conversations of one run; `others` are the models that its plan names beside the one that answers."""

    def __init__(self, plan: Plan, others: Sequence[ChatModel] = ()) -> None:
        self.plan = plan
        self.others = tuple(others)

    def play(self, problem: P, method: M, model: ChatModel) -> AsyncIterator[PlayedTurn]:
        """Play one conversation, and yield its turns from the first on."""
        raise NotImplementedError


class Playing(Generic[P, M]):
    """A `Playing` says how problems of one kind are played.

    `problem` is the word for one problem. `presets` are the methods by name, and `plainest` is the one that a user's
    own method changes if it names no other. `samples_help` is the help of `--samples`. `settings` is a frozen dataclass
    with what a run can set: every field has an `Option` and a default. `player` is the class that plays the problems.
    `left_out` says why `prepare` leaves problems out.
    """

    problem: ClassVar[str] = "problem"
    left_out: ClassVar[str] = "they had no answer before, or no gold"
    settings: ClassVar[type[Any]] = NoOptions
    sampling: ClassVar[Sampling] = Sampling()
    plainest: ClassVar[str] = "direct"
    samples_help: ClassVar[str] = "Answers that self_consistency draws, then named by it, as self_consistency_20."
    presets: Mapping[str, M]
    player: type[Player[P, M]]

    def find_method(self, name: str) -> M:
        """Return the preset of that name; raises `SettingsError`, which lists the known ones."""
        return self.presets[one_of("method", name, tuple(self.presets))]

    def declare_method(self, table: object) -> M:
        """Return the method that a table of a plan file declares; raises `SettingsError`."""
        return declare_method(table, self.find_method, self.plainest)

    def choose_methods(self, methods: Sequence[M], settings: Any) -> Sequence[M]:
        """Return the methods to play, which the settings may add to or replace; raises `SettingsError`."""
        return methods

    def draws_samples(self, method: M) -> bool:
        """Return whether the method draws several answers, of which the one that is given most often stands."""
        return getattr(method, "samples", 1) > 1

    def other_models(self, settings: Any, methods: Sequence[M] = ()) -> Sequence[str]:
        """Return the names of the models that settings and methods ask beside the one that answers."""
        return ()

    def prepare(self, order: Order[P, M]) -> Prepared:
        """Choose the problems that can be played, and say in which order and with how many turns.

        Raises `SettingsError` if nothing can be played, or something does not fit.
        """
        return Prepared([(problem,) for problem in deal(order.problems)], order.methods, asdict(order.settings))

    def notes(self, problems: Sequence[P], settings: Any) -> Sequence[str]:
        """Return in sentences what a user should know before these problems are played with these settings."""
        return ()

    def describe_problem(self, problem: P) -> object:
        """Return, as plain JSON values, everything in a problem that can change a result or its score."""
        return asdict(problem)  # type: ignore[call-overload]

    def simulated(self, name: str, problems: Sequence[P]) -> ChatModel | None:
        """Return the simulated model of that name, which knows these problems; None if the name is of no such model."""
        return None
