"""The settings of a run about claims: how claims are checked, and which settings of methods the run replaces."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, get_args

from holdtrue.errors import InputError
from holdtrue.fields import naming
from holdtrue.options import Option, one_of
from holdtrue_claims.fol.conventions import CONVENTIONS
from holdtrue_claims.kind.check_options import CheckOptions, changed
from holdtrue_claims.kind.method import ClaimMethod
from holdtrue_claims.kind.settings import PUBLISHED, Accept, CheckSettings, FormalSettings, at_least
from holdtrue_lab.kinds.claims.method import METHODS, BaselineMethod
from holdtrue_lab.kit.json_file import read_as, written_as

Formal = Literal["llm", "gold_entities", "gold"]


@dataclass(frozen=True, slots=True)
class ClaimSettings(CheckOptions):
    """The settings by which a run checks claims.

    `formal` says who formalizes the context: the model (`llm`), the model with the entities that people named
    (`gold_entities`), or people alone (`gold`). The last two are oracles. With `measure`, the last answers of methods
    that do not verify are checked as well. `rounds` replaces only the `rounds` of the pipeline's methods. `calls` gives
    the presets among the baselines as many calls as the pipeline takes (`BaselineMethod.with_calls`).
    """

    formal: Annotated[
        Formal, Option("The context as formulas: llm; or gold_entities, gold (people's own: oracles).")
    ] = "llm"
    measure: Annotated[
        bool, Option("Check also the answers of methods that do not verify.", flag="--measure/--no-measure")
    ] = True

    round_trip: Annotated[
        float | None,
        Option("Least share of a claim in its formula's words; 0: none.", least=0, most=1, default="the method's"),
    ] = None
    choice_rounds: Annotated[
        int | None,
        Option("Rounds in which a formula is chosen among near variants; 0: none.", least=0, default="the method's"),
    ] = None
    accept: Annotated[
        Accept | None,
        Option("What an answer may rest on: proved, or also judged, as published.", default="the method's"),
    ] = None
    rounds: Annotated[int | None, Option("Answers that the pipeline asks for, at most.", least=1, default="3")] = None

    calls: Annotated[
        int | None,
        Option("Calls of a baseline for each question, at most: as many as the pipeline takes.", least=1),
    ] = None

    def __post_init__(self) -> None:
        one_of("kind of formulas", self.formal, get_args(Formal))
        if self.calls is not None:
            at_least(self, calls=1)
        CheckOptions.__post_init__(self)

    def formal_settings(self, settings: FormalSettings) -> FormalSettings:
        """Return the settings with all conventions assumed, unless the method or the run names the assumed ones."""
        return changed(CheckOptions.formal_settings(self, settings), assume=CONVENTIONS)

    def over(self, method: ClaimMethod, standard: CheckSettings = PUBLISHED) -> BaselineMethod:
        laid = BaselineMethod.of(CheckOptions.over(self, method, standard))
        if method.strategy == "verge":
            return changed(laid, rounds=self.rounds)
        return laid if self.calls is None or method.name not in METHODS else laid.with_calls(self.calls)

    @property
    def protocol(self) -> str:
        """Return in words the notation and all settings that replace those of methods, by which reports tell runs
        apart.
        """
        given = {
            name: getattr(self, name)
            for name in (
                *("formulas", "draw_temperature", "round_trip", "choice_rounds", "routing"),
                *("judges", "judge", "least_score", "rounds", "accept", "calibration", "calls"),
            )
        }
        values = [f"{name}={value}" for name, value in given.items() if value is not None]
        values += ["ask_judges"] if self.ask_judges else []
        return " ".join(["fol", *values])

    @property
    def extractor(self) -> str:
        """Return the formalizers in words: `formal`, and the names in `formalizers`."""
        return "+".join([self.formal, *self.formalizers])

    def to_json(self) -> dict[str, Any]:
        # The settings in folders of older runs have no judge, but a notation; new runs must still fit into such
        # folders.
        given = {**written_as(self), "notation": None}
        return {name: value for name, value in given.items() if (name, value) != ("judge", None)}


def read_claims(claims: Mapping[str, Any] | None) -> ClaimSettings:
    """Return the settings that `RunSettings.play` has, and ignore its other keys. Raises `RecordError`."""
    return read_as(ClaimSettings, claims or {}, "play")


def played_methods(settings: Mapping[str, Any]) -> dict[str, BaselineMethod]:
    """Return the presets and the run's own methods, by name, as the run played them.

    `settings` are those in the folder of a run. Raises `RecordError` if no run could have written these settings.
    """
    saved = settings.get("own_methods") or {}
    with naming("the run's settings do not fit", InputError):
        own = {name: read_as(BaselineMethod, each, f"own_methods.{name}") for name, each in saved.items()}
        claims = read_claims(settings.get("play"))
        return {name: claims.over(method) for name, method in {**METHODS, **own}.items()}
