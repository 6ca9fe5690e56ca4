"""The settings of a run about claims: how claims are checked, and which settings of every method the run replaces."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Annotated, Any, Literal, TypeVar, get_args

from holdtrue.budget import Budget
from holdtrue.errors import SettingsError
from holdtrue.kinds.claims.method import ClaimMethod
from holdtrue.kinds.claims.settings import CheckSettings, FormalSettings, Notation, Routing
from holdtrue.lab.kit.options import Option
from holdtrue.lab.kit.settings import one_of

Formal = Literal["llm", "gold_entities", "gold"]
FORMAL: tuple[Formal, ...] = get_args(Formal)
NOTATIONS: tuple[Notation, ...] = get_args(Notation)
ROUTINGS: tuple[Routing, ...] = get_args(Routing)
TIMEOUT_S = 5.0

Changed = TypeVar("Changed", FormalSettings, CheckSettings, ClaimMethod)


@dataclass(frozen=True, slots=True)
class ClaimSettings:
    """How a run checks claims. Raises `SettingsError` for what does not fit.

    `formal` says who formalizes the context: the model (`llm`), the model with the gold entities (`gold_entities`), or
    gold alone (`gold`); the last two are oracles. With `measure`, the last answers of methods that check nothing are
    checked too. `formalizers` are models that write formulas of claims beside the one that answers. `timeout_s` limits
    each question to a solver.

    All other settings replace those of every method, by their names in `FormalSettings` and `CheckSettings`; `rounds`
    does so only for the pipeline, since baselines have another limit. With None, a method keeps its setting; it also
    does if it differs from the published one, because that is what the method is for. A `round_trip` of 0 leaves the
    round trip out, and `draw_temperature` is the temperature at which several samples are drawn.
    """

    formal: Annotated[
        Formal, Option("The context as formulas: llm; or gold_entities, gold (people's own: oracles).")
    ] = "llm"
    measure: Annotated[
        bool, Option("Check also the answers of methods that do not verify.", flag="--measure/--no-measure")
    ] = True
    formalizers: Annotated[
        tuple[str, ...],
        Option("Another model that draws formulas, in turn with the first; repeatable.", flag="--formalizer"),
    ] = ()
    timeout_s: Annotated[float, Option("Seconds of each question to the solver.")] = TIMEOUT_S
    notation: Annotated[Notation | None, Option("Formulas as fol or smtlib.", default="fol")] = None
    samples: Annotated[
        int | None, Option("Formulas drawn for each claim; more than half must agree.", least=1, default="3")
    ] = None
    draw_temperature: Annotated[
        float | None, Option("At which formulas are drawn, if several are.", least=0, default="1.0")
    ] = None
    round_trip: Annotated[
        float | None,
        Option("Least share of a claim in its formula's words; 0: not asked for.", least=0, most=1, default="0.7"),
    ] = None
    routing: Annotated[
        Routing | None,
        Option(
            "Who decides: by types, by rules first, hard (all to the solver), or soft (all to judges).", default="types"
        ),
    ] = None
    judges: Annotated[int | None, Option("Judges of each claim that no solver can decide.", least=1, default="5")] = (
        None
    )
    accept: Annotated[
        float | None, Option("Least score of an answer that is accepted.", least=0, most=1, default="0.75")
    ] = None
    rounds: Annotated[int | None, Option("Answers that the pipeline asks for, at most.", least=1, default="3")] = None

    def __post_init__(self) -> None:
        one_of("kind of formulas", self.formal, FORMAL)
        if self.notation is not None:
            one_of("notation", self.notation, NOTATIONS)
        if self.routing is not None:
            one_of("routing", self.routing, ROUTINGS)
        if not (self.timeout_s > 0 and math.isfinite(self.timeout_s)):
            raise SettingsError(f"timeout_s must be more than 0, got {self.timeout_s}")
        self.over(ClaimMethod("any", "verge"))  # which looks at all the others

    def over(self, method: ClaimMethod) -> ClaimMethod:
        """Return the method with the settings of this run, under its own name."""
        formal = _changed(
            method.check.formal,
            notation=self.notation,
            samples=self.samples,
            temperature=self.draw_temperature,
            round_trip=self.round_trip,
        )
        if formal.round_trip == 0:
            formal = replace(formal, round_trip=None)
        check = _changed(
            replace(method.check, formal=formal), routing=self.routing, judges=self.judges, accept=self.accept
        )
        rounds = self.rounds if method.strategy == "verge" else None
        return _changed(replace(method, check=check), rounds=rounds)

    @property
    def protocol(self) -> str:
        """The notation and all settings that replace those of methods, in words; reports tell runs apart by it."""
        given = {
            name: getattr(self, name)
            for name in ("samples", "draw_temperature", "round_trip", "routing", "judges", "accept", "rounds")
        }
        told = [f"{name}={value}" for name, value in given.items() if value is not None]
        return " ".join([self.notation or FormalSettings().notation, *told])

    @property
    def extractor(self) -> str:
        """Who formalizes, in words: `formal`, and the `formalizers`."""
        return "+".join([self.formal, *self.formalizers])

    @property
    def budget(self) -> Budget:
        return Budget(timeout_s=self.timeout_s)

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "formalizers": list(self.formalizers)}


def read_claims(claims: Mapping[str, Any] | None) -> ClaimSettings:
    """What `RunSettings.claims` says; the digest of answers there is none of it."""
    names = {field.name for field in fields(ClaimSettings)}
    given = {name: value for name, value in (claims or {}).items() if name in names}
    return ClaimSettings(**{**given, "formalizers": tuple(given.get("formalizers", ()))})


def _changed(settings: Changed, **given: object) -> Changed:
    """With what is given in the place of what is as published."""
    standard = {field.name: field.default for field in fields(settings)}
    new = {
        name: value for name, value in given.items() if value is not None and getattr(settings, name) == standard[name]
    }
    return replace(settings, **new)  # type: ignore[arg-type]
