"""This module is the base of every report on several runs of one suite; it tells their models apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any, ClassVar, Generic

from holdtrue.errors import RecordError
from holdtrue_lab.kit.arm import Arm
from holdtrue_lab.kit.costs import Gain, RightCost, gains, models_asked, right_costs
from holdtrue_lab.kit.folder import Measure, Run, name_settings, read_run
from holdtrue_lab.kit.groups import Group, Names, Row, group
from holdtrue_lab.kit.metrics import plain
from holdtrue_lab.kit.pairs import settings_of
from holdtrue_lab.kit.plays import ArmPlays, ProblemKey
from holdtrue_lab.kit.prices import NO_PRICES, Prices

# Settings that change the model's answers, and that no record has.
SAMPLING = ("seed", "temperature", "max_tokens", "structured", "top_p", "thinking_tokens", "extra_body", "base_url")
# The limits of a search that no record has, with their names in reports.
LIMITS: Mapping[str, str] = {"tokens": "tokens a trial", "seconds": "seconds a trial", "timeout_s": "solver timeout"}
# The setting with the hash of a file of answers, if a run checks the claims of such a file.
ANSWERS = "answers_sha256"
_DIGEST = 8  # the digits of this hash in names


def tell_apart(runs: Sequence[Run[Row]], *, across_methods: bool = False) -> tuple[Run[Row], ...]:
    """Return the runs. If two differ only in how they called their model, add these settings to the models' names.

    Otherwise a report would pool runs with different seeds. If `across_methods` is true, this also holds for runs of
    different methods, whose budgets may differ. Runs of one model with other problems are named by their source, so
    that no figure pools schedules, splits or sources. Raises `RecordError` if two runs use one name for different
    methods.
    """
    for one, other in combinations(runs, 2):
        _refuse_namesakes(one, other)
    clash = _same_but_for_methods if across_methods else _same
    differing = [pair for pair in combinations(runs, 2) if clash(*pair)]
    keys = [
        key for key in (*SAMPLING, *LIMITS, ANSWERS) if any(_setting(a, key) != _setting(b, key) for a, b in differing)
    ]
    apart = [pair for pair in combinations(runs, 2) if _same_but_for_methods(*pair) and _have_other_problems(*pair)]
    sources = _source_names(runs) if apart else {}
    words = [", ".join(filter(None, (sources.get(run.folder), _in_words(run, keys)))) for run in runs]
    return tuple(name_settings(run, own) if own else run for run, own in zip(runs, words, strict=True))


def _have_other_problems(one: Run[Any], other: Run[Any]) -> bool:
    known = [run.settings.get("problems_sha256") for run in (one, other)]
    return None not in known and known[0] != known[1]


def _source_names(runs: Sequence[Run[Any]]) -> dict[Path, str]:
    """Return the source of each run: the end of its path, all of it, or a hash if paths are equal."""
    hashes = {run.folder: str(run.settings.get("problems_sha256", ""))[:_DIGEST] for run in runs}
    whole = {run.folder: str(run.settings.get("source") or hashes[run.folder]) for run in runs}
    short = {folder: own.rstrip("/").rpartition("/")[2] for folder, own in whole.items()}
    for names in (short, whole):
        if (
            len({(names[folder], own) for folder, own in hashes.items()})
            == len({*names.values()})
            == len({*hashes.values()})
        ):
            return names
    return {folder: f"problems {own}" for folder, own in hashes.items()}


def _setting(run: Run[Any], key: str) -> object:
    if key not in (*LIMITS, ANSWERS):
        return run.settings.get(key)
    return (run.settings.get("play") or {}).get(key)


def _same(one: Run[Any], other: Run[Any]) -> bool:
    played = {arm.arm: arm.originals.keys() for arm in one.plays}
    return any(not played[arm.arm].isdisjoint(arm.originals.keys()) for arm in other.plays if arm.arm in played)


def _same_but_for_methods(one: Run[Any], other: Run[Any]) -> bool:
    """Return whether the two runs share the model and settings of some arm (a method with a model)."""
    ours, theirs = ({settings_of(arm.arm) for arm in run.plays} for run in (one, other))
    return not ours.isdisjoint(theirs)


def _refuse_namesakes(one: Run[Any], other: Run[Any]) -> None:
    ours, theirs = one.settings.get("own_methods", {}), other.settings.get("own_methods", {})
    for name in ours.keys() & theirs.keys():
        if ours[name] != theirs[name]:
            raise RecordError(
                f"{one.folder} and {other.folder} mean different methods by {name!r}: report them one by one"
            )


def _in_words(run: Run[Any], keys: Sequence[str]) -> str:
    return ", ".join(f"{_called(key)} {_value(run, key)}" for key in keys)


def _called(key: str) -> str:
    return "answers" if key == ANSWERS else LIMITS.get(key, key).replace("_", " ")


def _value(run: Run[Any], key: str) -> object:
    value = _setting(run, key)
    if key == ANSWERS:
        return "none" if value is None else str(value)[:_DIGEST]
    return "unlimited" if value is None and key in LIMITS else value


@dataclass(frozen=True, kw_only=True)
class Runs(Generic[Row]):
    """A `Runs` is the base of all reports; a kind of answer adds properties that compare the runs.

    `JSON_PROPERTIES` names the kind's properties that `to_json` writes. `ACROSS_METHODS` is the option of `tell_apart`.
    `prices` are those of the models. `chosen` are the problems that a page shows in full, by default those on which
    methods differ most.
    """

    JSON_PROPERTIES: ClassVar[tuple[str, ...]] = ()
    ACROSS_METHODS: ClassVar[bool] = False

    suite: str
    runs: tuple[Run[Row], ...]
    prices: Prices = NO_PRICES
    chosen: tuple[ProblemKey, ...] = ()

    @property
    def caution(self) -> str:
        """A warning to readers of the figures, such as the score of controls; '' if there is none."""
        return ""

    @property
    def unit(self) -> str:
        """The plural word for the units that the bootstrap resamples, such as problems."""
        return "problems"

    @property
    def remarks(self) -> tuple[str, ...]:
        """The sentences that are printed with every figure of this report."""
        return (self.caution,) if self.caution else ()

    @cached_property
    def names(self) -> Names:
        """The names of arms (a model with a method) in the report."""
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
        """The methods that never call the model."""
        return frozenset().union(*(run.measured.controls for run in self.runs))

    @cached_property
    def baselines(self) -> frozenset[Arm]:
        """The arms that call the model and whose answers no check changes."""
        return frozenset(arm.arm for plays in self.plays for arm in plays if arm.baseline)

    @cached_property
    def right_costs(self) -> tuple[RightCost, ...]:
        """The cost of a right answer, for each arm."""
        return right_costs(self.plays, self.prices)

    @cached_property
    def gains(self) -> tuple[Gain, ...]:
        """The gain of each method that checks answers over the plainest method, and the cost of this gain."""
        return gains(self.plays, self.prices, self.controls)

    @cached_property
    def unpriced(self) -> tuple[str, ...]:
        """The called models without a price; empty if there are no prices at all."""
        return tuple(self.prices.missing(models_asked(self.plays))) if self.prices.source else ()

    @property
    def priced(self) -> str:
        """The name of the price file as the end of a sentence; '' without prices."""
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
            "right_costs": plain(self.right_costs),
            "gains": plain(self.gains),
            **{name: plain(getattr(self, name)) for name in self.JSON_PROPERTIES},
        }


def read_runs(folders: Sequence[Path], measure: Measure[Row], *, across_methods: bool = False) -> tuple[Run[Row], ...]:
    """Read and measure the runs in these folders; a folder that is named twice is read once.

    If runs played the same problems with other sampling or limits, `tell_apart` names them differently. Raises
    `RecordError` for a folder without a run or finished turn, and for one name of two different methods.
    """
    runs = [read_run(folder, measure) for folder in dict.fromkeys(folders)]
    return tell_apart(runs, across_methods=across_methods)
