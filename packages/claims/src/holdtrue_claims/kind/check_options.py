"""Command line options for checking claims, shared by the commands of claims and the runs of the laboratory."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Annotated, TypeVar

from holdtrue.budget import Budget
from holdtrue.errors import SettingsError
from holdtrue.options import Option, one_of
from holdtrue_claims.fol.conventions import CONVENTIONS
from holdtrue_claims.kind.calibration import Calibrations, packaged_calibrations, read_calibrations
from holdtrue_claims.kind.method import ClaimMethod
from holdtrue_claims.kind.settings import PUBLISHED, Accept, CheckSettings, FormalSettings, Routing, at_least

Changed = TypeVar("Changed", bound=FormalSettings | CheckSettings | ClaimMethod)


@dataclass(frozen=True, slots=True)
class ReadingOptions:
    """`ReadingOptions` say how sentences are formalized: the time limit of the solver, and conventions that count as
    stated.

    Raises `SettingsError` for values that do not fit.
    """

    timeout_s: Annotated[float, Option("Seconds of each question to the solver.")] = 5.0
    assume: Annotated[
        tuple[str, ...],
        Option(f"A convention that counts as stated: {', '.join(CONVENTIONS)}; repeatable.", flag="--assume"),
    ] = ()

    def __post_init__(self) -> None:
        for convention in self.assume:
            one_of("convention", convention, CONVENTIONS)
        if not (self.timeout_s > 0 and math.isfinite(self.timeout_s)):
            raise SettingsError(f"timeout_s must be more than 0, got {self.timeout_s}")

    @property
    def budget(self) -> Budget:
        return Budget(timeout_s=self.timeout_s)

    def formal_settings(self, settings: FormalSettings) -> FormalSettings:
        """Return the settings of a method, with the given conventions."""
        return changed(settings, assume=self.assume or None)


@dataclass(frozen=True, slots=True)
class CheckOptions(ReadingOptions):
    """`CheckOptions` say how claims are checked. `formalizers` are models that write formulas in addition to the
    answering model.

    Every other option replaces the setting of the same name in `FormalSettings` or `CheckSettings`. None keeps the
    setting of the method. A method that differs from the published settings in that field keeps its value, because the
    difference is its purpose. `formulas` is the number of samples for each claim, the setting `samples`, and
    `draw_temperature` is their temperature. A `round_trip` of 0 turns the round trip off. `calibration` is a file with
    calibrations of judges; None selects those that come with holdtrue. Raises `SettingsError` for values that do not
    fit.
    """

    formalizers: Annotated[
        tuple[str, ...],
        Option("Another model that draws formulas, in turn with the first; repeatable.", flag="--formalizer"),
    ] = ()
    formulas: Annotated[
        int | None, Option("Formulas drawn for each claim; more than half must agree.", least=1, default="3")
    ] = None
    draw_temperature: Annotated[
        float | None, Option("At which formulas are drawn, if several are.", least=0, default="1.0")
    ] = None
    round_trip: Annotated[
        float | None,
        Option("Least share of a claim in its formula's words; 0: not asked for.", least=0, most=1, default="0"),
    ] = None
    choice_rounds: Annotated[
        int | None,
        Option("Rounds in which a formula is chosen among near variants; 0: not asked for.", least=0, default="3"),
    ] = None
    routing: Annotated[
        Routing | None,
        Option("Who decides: by types, hard (all to the solver), or soft (all to judges).", default="types"),
    ] = None
    judges: Annotated[int | None, Option("Judges of each claim that no solver can decide.", least=1, default="5")] = (
        None
    )
    judge: Annotated[
        str | None, Option("The model that judges claims, where judges do.", default="the model of the answer")
    ] = None
    accept: Annotated[
        Accept | None,
        Option("What an answer may rest on: proved, or also judged by calibrated judges.", default="proved"),
    ] = None
    ask_judges: Annotated[
        bool, Option("Ask judges also where their word changes nothing.", flag="--ask-judges/--no-ask-judges")
    ] = False
    calibration: Annotated[
        Path | None, Option("How often judges are right: a file of `study judges`.", default="measured ones")
    ] = None
    least_score: Annotated[
        float | None, Option("Least score of an answer that is accepted.", least=0, most=1, default="0.75")
    ] = None

    def __post_init__(self) -> None:
        ReadingOptions.__post_init__(self)
        if self.formulas is not None:
            at_least(self, formulas=1)  # The setting has the name `samples`.
        self.over(ClaimMethod("any", "verge", check=PUBLISHED))  # checks all other values

    @property
    def calibrations(self) -> Calibrations:
        """Return the calibrations of judges, read anew. Raises `RecordError`."""
        return packaged_calibrations() if self.calibration is None else read_calibrations(self.calibration)

    def over(self, method: ClaimMethod, standard: CheckSettings = PUBLISHED) -> ClaimMethod:
        """Return a method with these options. Only settings that equal those of `standard` are replaced."""
        own = {name: getattr(self, name) for name in ("round_trip", "choice_rounds")}
        own |= {"samples": self.formulas, "temperature": self.draw_temperature}
        formal = changed(self.formal_settings(method.check.formal), standard.formal, **own)
        if formal.round_trip == 0:
            formal = replace(formal, round_trip=None)
        own = {name: getattr(self, name) for name in ("routing", "judges", "judge", "accept", "least_score")}
        check = changed(replace(method.check, formal=formal), standard, ask_judges=self.ask_judges or None, **own)
        return replace(method, check=check)


def changed(settings: Changed, standard: Changed | None = None, **given: object) -> Changed:
    """Return `settings` with the values of `given` that are not None, in fields that still have the value of
    `standard`.

    Without `standard`, a field must still have its default.
    """
    defaults = {
        field.name: field.default if standard is None else getattr(standard, field.name) for field in fields(settings)
    }
    new = {
        name: value for name, value in given.items() if value is not None and getattr(settings, name) == defaults[name]
    }
    return replace(settings, **new)  # type: ignore[arg-type]
