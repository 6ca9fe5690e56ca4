"""This module defines how a kind of answer is played: its settings, methods, order of problems, and player.

`Playing` holds the behaviour that most kinds share; each kind has a subclass.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, is_dataclass
from typing import Any, ClassVar, Generic, TypeVar

from holdtrue.errors import SettingsError
from holdtrue.models.chat import ChatModel
from holdtrue.models.sampling import Sampling
from holdtrue.options import NoOptions, one_of
from holdtrue.record import TurnRecord
from holdtrue.wire import first_fault
from holdtrue_lab.kit.plan import AnyMethod, AnyProblem, Order, Plan, Prepared, deal

P = TypeVar("P", bound=AnyProblem)
M = TypeVar("M", bound=AnyMethod)


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """A `PlayedTurn` is a turn with its score.

    `engine` describes the solver that decided the turn. `problem_lines` has the same meaning as in `PlayedEntry`.
    """

    record: TurnRecord[Any, Any]
    score: Any
    engine: str
    problem_lines: tuple[str, ...] = ()


class Player(Generic[P, M]):
    """A `Player` plays the conversations of one run. `others` are the plan's models besides the one that answers."""

    def __init__(self, plan: Plan, others: Sequence[ChatModel] = ()) -> None:
        self.plan = plan
        self.others = tuple(others)

    def play(self, problem: P, method: M, model: ChatModel) -> AsyncIterator[PlayedTurn]:
        """Play one conversation, and yield its turns from the first to the last."""
        raise NotImplementedError


class Playing(Generic[P, M]):
    """A `Playing` defines how problems of one kind are played.

    `problem` is the word for a problem, and `left_out` the reason why `prepare` leaves out some problems. `settings` is
    a frozen dataclass of the run's options; every field has an `Option` and a default. `presets` maps names to methods.
    `plainest` names the preset that a user's method changes by default. `samples_help` is the help of `--samples`.
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
        """Return the preset with this name; raises `SettingsError`, which lists the known ones."""
        return self.presets[one_of("method", name, tuple(self.presets))]

    def declare_method(self, table: object) -> M:
        """Return the method that a table of a plan file declares; raises `SettingsError`."""
        return declare_method(table, self.find_method, self.plainest)

    def choose_methods(self, methods: Sequence[M], settings: Any) -> Sequence[M]:
        """Return the methods to play. The settings may add or replace methods; raises `SettingsError`."""
        return methods

    def draws_samples(self, method: M) -> bool:
        """Return whether the method draws several answers and delivers the most frequent one."""
        return getattr(method, "samples", 1) > 1

    def other_models(self, settings: Any, methods: Sequence[M] = ()) -> Sequence[str]:
        """Return the names of the models that settings and methods call, besides the one that answers."""
        return ()

    def prepare(self, order: Order[P, M]) -> Prepared:
        """Choose the problems that can be played, their order and their numbers of turns.

        Raises `SettingsError` if nothing can be played, or a setting does not fit.
        """
        return Prepared([(problem,) for problem in deal(order.problems)], order.methods, asdict(order.settings))

    def notes(self, problems: Sequence[P], settings: Any) -> Sequence[str]:
        """Return sentences that the user should read before these problems are played with these settings."""
        return ()

    def describe_problem(self, problem: P) -> object:
        """Return, as plain JSON values, everything in a problem that can change a result or its score."""
        return asdict(problem)  # type: ignore[call-overload]

    def simulated(self, name: str, problems: Sequence[P]) -> ChatModel | None:
        """Return the simulated model with this name, which knows these problems; None if there is no such model."""
        return None


def declare_method(table: object, find: Callable[[str], M], base: str) -> M:
    """Return the method that a table declares; raises `SettingsError`, which names the setting that does not fit.

    A table is a preset with some changed settings, here in TOML:

        name = "two_tries"
        base = "drift_repair"
        repairs = 2
        feedback = { violated = true }  # the rest of the base's feedback stays

    `find` returns a preset by its name. `base` names the preset to change if the table names none.
    """
    from pydantic import TypeAdapter, ValidationError

    if not isinstance(table, Mapping):
        raise SettingsError(f"a method is a table of settings, got {table!r:.60}")
    given: dict[str, Any] = dict(table)
    name = given.get("name")
    if not isinstance(name, str) or not name.isidentifier():
        raise SettingsError(f"a method needs a name of letters, digits and underscores, got {name!r}")
    if _is_name(name, find):
        raise SettingsError(f"method {name!r}: that is a preset's name; give the method one of its own")
    preset = find(str(given.pop("base", base)))
    settings = _changed(name, preset, given)
    try:
        return TypeAdapter(type(preset)).validate_python(settings)
    except ValidationError as error:
        got = error.errors(include_url=False, include_context=False)[0]["input"]
        raise SettingsError(f"method {name!r}: {first_fault(error)}, got {got!r:.60}") from None


def describe_method(method: Any) -> dict[str, Any]:
    """Return all settings of a method as plain JSON values. Two methods are equal exactly if these are."""
    return {name: sorted(value) if isinstance(value, frozenset) else value for name, value in asdict(method).items()}


def is_preset(method: Any, presets: Iterable[Any]) -> bool:
    """Return whether the method is one of the presets.

    If a method only has the name of a preset, raises `SettingsError`, because reports would confuse the two.
    """
    named = [preset for preset in presets if preset.name == method.name]
    if named and method not in named:
        raise SettingsError(f"method {method.name!r} is not the preset of that name; give it one of its own")
    return bool(named)


def _is_name(name: str, find: Callable[[str], object]) -> bool:
    try:
        find(name)
    except SettingsError:
        return False
    return True


def _changed(name: str, base: Any, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of the base, changed by `options`. A nested table changes only the settings that it names."""
    known = [field.name for field in fields(base)]
    unknown = [key for key in options if key not in known]
    if unknown:
        raise SettingsError(f"method {name!r}: there is no setting {unknown[0]!r}, only {', '.join(known)}")
    settings: dict[str, Any] = {}
    for key in known:
        value = getattr(base, key)
        if key in options and is_dataclass(value) and isinstance(options[key], Mapping):
            settings[key] = _changed(f"{name}.{key}", value, options[key])
        else:
            settings[key] = options.get(key, value)
    return settings
