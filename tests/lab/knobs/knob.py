"""What a test says of a setting: a simulated model shows that it moves a figure, or there is a reason why none does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any, get_args, get_type_hints

from holdtrue.models.sampling import Sampling
from holdtrue_lab.kit.registry import find_suite


@dataclass(frozen=True)
class Planted:
    """The difference that is expected of a figure, second value less first: it `rises`, or it falls.

    `size` is by how much, or None where that does not follow from the rates alone. With `of_rest` it is a share of
    what the first value leaves to 1, as of wrong answers that are mended at a rate. With `of_first` it is a share of
    what the first value gives, as of calls of which each round takes as many.
    """

    rises: bool
    size: float | None = None
    of_rest: bool = False
    of_first: bool = False

    def expected(self, first: float) -> float:
        """Return the difference to expect where the first value of the setting gives this figure."""
        return (self.size or 0.0) * (1 - first if self.of_rest else first if self.of_first else 1)

    def variance(self, first: float) -> float:
        """Return the variance of that difference, where each wrong answer is mended or not by one throw of the dice."""
        share = self.size or 0.0
        return (1 - first) * share * (1 - share) if self.of_rest else 0.0


MORE, LESS = Planted(True), Planted(False)
"""The figure rises, or falls, by a size that does not follow from the rates alone."""


def by(size: float) -> Planted:
    """The figure moves by just this."""
    return Planted(size > 0, size)


def multiplies(factor: int) -> Planted:
    """The figure of each problem is this many times as large with the second value."""
    return Planted(True, factor - 1, of_first=True)


def mends(share: float) -> Planted:
    """Of what was wrong with the first value, this share is right with the second."""
    return Planted(True, share, of_rest=True)


@dataclass(frozen=True, eq=False)
class Knob:
    """One setting, two values of it, and the figure that they move.

    Attributes:
        setting: The class that declares it, and its name there.
        first: A value of it.
        second: Another value; the difference is this one's figure less that of `first`.
        model: The simulated model.
        figure: Where the figure stands in a row of the report's JSON, parts apart with `/`.
        planted: The difference that is expected.
        method: Settings of the method that both have.
        settings: Settings of both runs.
        sampling: How both runs ask.
        source: Where the problems of both come from, as the suite's source says it.
        problems: How many problems are played.
        suite: The suite that is played.
        slow: It takes long.
    """

    setting: str
    first: Any
    second: Any
    model: str
    figure: str
    planted: Planted
    method: Mapping[str, Any] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    sampling: Mapping[str, Any] = field(default_factory=dict)
    source: Mapping[str, Any] = field(default_factory=dict)
    problems: int = 30
    suite: str = "drift"
    slow: bool = False

    def __str__(self) -> str:
        return f"{self.setting} {_word(self.first)} {_word(self.second)}"


def _word(value: Any) -> str:
    return "+".join(sorted(map(str, value))) if isinstance(value, frozenset) else str(value)


@dataclass(frozen=True)
class Still:
    """A setting that no simulated model shows to move a figure, and the `reason`, as the docs tell it."""

    setting: str
    reason: str


Entry = Knob | Still


def settings_of(suite: str) -> list[str]:
    """Return all that a plan of a suite can vary, by the classes that declare it: methods, runs, sources, sampling."""
    found = find_suite(suite)
    playing = found.kind.playing()
    method = type(next(iter(playing.presets.values())))
    return [*_fields(method), *_fields(playing.settings), *_fields(found.source), *_fields(Sampling)]


def _fields(declared: type[Any]) -> list[str]:
    """The fields of a dataclass, with those of dataclasses within it in their place."""
    hints = get_type_hints(declared)
    found: list[str] = []
    for each in fields(declared):
        inner = next((kind for kind in (hints[each.name], *get_args(hints[each.name])) if is_dataclass(kind)), None)
        found += _fields(inner) if isinstance(inner, type) else [f"{declared.__name__}.{each.name}"]
    return found


def place_of(setting: str, suite: str) -> tuple[str, tuple[str, ...]]:
    """Return the part of a plan that a setting stands in, and the names that lead to it there."""
    found = find_suite(suite)
    playing = found.kind.playing()
    parts: Sequence[tuple[str, type[Any]]] = (
        ("method", type(next(iter(playing.presets.values())))),
        ("settings", playing.settings),
        ("source", found.source),
        ("sampling", Sampling),
    )
    return next((part, path) for part, declared in parts for path in _paths(declared, setting))


def _paths(declared: type[Any], setting: str) -> list[tuple[str, ...]]:
    hints = get_type_hints(declared)
    found: list[tuple[str, ...]] = []
    for each in fields(declared):
        if f"{declared.__name__}.{each.name}" == setting:
            found.append((each.name,))
        inner = next((kind for kind in (hints[each.name], *get_args(hints[each.name])) if is_dataclass(kind)), None)
        if isinstance(inner, type):
            found += [(each.name, *path) for path in _paths(inner, setting)]
    return found


def laid_over(base: Mapping[str, Any], path: Sequence[str], value: Any) -> dict[str, Any]:
    """Return settings with one of them, which may stand within another, replaced."""
    head, *rest = path
    return {**base, head: laid_over(base.get(head, {}), rest, value) if rest else value}
