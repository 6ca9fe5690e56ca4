"""The base of every report: several runs of one suite side by side, whatever their kind of answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, is_dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Generic

from holdtrue.lab.kit.arm import Arm
from holdtrue.lab.kit.costs import Gain, RightCost, gains, models_asked, right_costs
from holdtrue.lab.kit.folder import Measure, Run, read_run
from holdtrue.lab.kit.groups import Group, Names, Row, group
from holdtrue.lab.kit.plays import ArmPlays, ProblemKey
from holdtrue.lab.kit.prices import NO_PRICES, Prices
from holdtrue.lab.kit.variants import tell_apart


@dataclass(frozen=True, kw_only=True)
class Runs(Generic[Row]):
    """`Runs` are what every report has; a kind of answers adds properties that compare the runs with each other.

    `JSON_PROPERTIES` names the properties of the kind that `to_json` writes. `prices` are those of the models, and
    `chosen` are the problems that a page shows in full; without any it shows those on which methods differ most.
    """

    JSON_PROPERTIES: ClassVar[tuple[str, ...]] = ()

    suite: str
    runs: tuple[Run[Row], ...]
    prices: Prices = NO_PRICES
    chosen: tuple[ProblemKey, ...] = ()

    @property
    def caution(self) -> str:
        """A warning to whoever reads the figures, such as how controls score; '' if there is nothing to warn of."""
        return ""

    @property
    def unit(self) -> str:
        """The word for what intervals are over, in the plural."""
        return "problems"

    @property
    def remarks(self) -> tuple[str, ...]:
        """The sentences that are printed wherever figures of this report are shown."""
        return (self.caution,) if self.caution else ()

    @cached_property
    def names(self) -> Names:
        """The names by which the report calls arms (a model with a method)."""
        titles = {row.arm: row.title for run in self.runs for row in run.rows if row.domain is None}
        return Names(((run.folder, [row.arm for row in run.rows]) for run in self.runs), titles)

    @cached_property
    def groups(self) -> tuple[Group[Row], ...]:
        """The rows, grouped by model."""
        return group([(run.folder, run.rows) for run in self.runs], self.names)

    @property
    def rows(self) -> list[Row]:
        """The rows over all domains: one for each method of each model."""
        return [row for each in self.groups for row in each.whole]

    @property
    def plays(self) -> list[tuple[ArmPlays[Any], ...]]:
        """The finished problems of each arm, run by run."""
        return [run.plays for run in self.runs]

    @cached_property
    def controls(self) -> frozenset[str]:
        """The methods that never ask the model."""
        return frozenset().union(*(run.measured.controls for run in self.runs))

    @cached_property
    def baselines(self) -> frozenset[Arm]:
        """The arms that ask the model and whose answers no check changes."""
        return frozenset(arm.arm for plays in self.plays for arm in plays if arm.baseline)

    @cached_property
    def right_costs(self) -> tuple[RightCost, ...]:
        """Return for each method what a right answer costs."""
        return right_costs(self.plays, self.prices)

    @cached_property
    def gains(self) -> tuple[Gain, ...]:
        """Return for each method that checks what it gains over the plainest one, and what that costs."""
        return gains(self.plays, self.prices, self.controls)

    @cached_property
    def unpriced(self) -> tuple[str, ...]:
        """Return the models without a price, if there are prices: dollars of methods that asked these are not known."""
        return tuple(self.prices.missing(models_asked(self.plays))) if self.prices.source else ()

    @property
    def priced(self) -> str:
        """Say where dollars come from, as the end of a sentence; '' without prices."""
        if not self.prices.source:
            return ""
        lacking = f", which has no price of {', '.join(self.unpriced)}" if self.unpriced else ""
        return f"; dollars are by {self.prices.source}{lacking}"

    def to_json(self) -> dict[str, Any]:
        """Return the whole report as plain JSON values."""
        return {
            "schema": 1,
            "suite": self.suite,
            **({"remarks": list(self.remarks)} if self.remarks else {}),
            "runs": [run.to_json() for run in self.runs],
            "prices": self.prices.source or None,
            "unpriced": list(self.unpriced),
            "right_costs": _plain(self.right_costs),
            "gains": _plain(self.gains),
            **{name: _plain(getattr(self, name)) for name in self.JSON_PROPERTIES},
        }


def read_runs(folders: Sequence[Path], measure: Measure[Row], *, across_methods: bool = False) -> tuple[Run[Row], ...]:
    """Read and measure the runs in these folders; a folder that is named twice is read once.

    Where runs played the same problems with other sampling or limits, these become part of their models' names, so that
    the runs are not pooled (`tell_apart`). Raises `RecordError` where a folder holds no run, or none with a finished
    turn, and where two runs mean different methods by one name.
    """
    runs = [read_run(folder, measure) for folder in dict.fromkeys(folders)]
    return tell_apart(runs, across_methods=across_methods)


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(each) for each in value]
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else value
