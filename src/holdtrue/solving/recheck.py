"""Check the result of one engine by asking another engine."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from holdtrue.budget import Budget
from holdtrue.logic.formula import Formula, Variable
from holdtrue.solving.encoding import NotEncodable
from holdtrue.solving.engine import Engine, EngineFault, Soft, fixed_id
from holdtrue.solving.result import (
    BackgroundConflict,
    Core,
    Id,
    Mcs,
    Mus,
    Satisfiable,
    Unknown,
    Unsatisfiable,
    Witness,
)
from holdtrue.solving.route import Preference, make_engine

Found = Satisfiable | Unsatisfiable | Mus | Mcs | BackgroundConflict


@dataclass(frozen=True, slots=True)
class Confirmed:
    """The engine named `by` came to the same result."""

    by: str


def recheck(
    result: Found,
    variables: Sequence[Variable],
    background: Iterable[Formula],
    soft: Soft,
    budget: Budget,
    *,
    by: Preference = "z3",
    fixed: Mapping[str, int] | None = None,
    engine: Engine | None = None,
) -> Confirmed | Unknown:
    """Ask a second engine to confirm `result`: minimal sets must be minimal there, and witnesses must satisfy
    everything.

    `soft` and `fixed` are those of the first question. The second engine is `engine` if given, else a new one of the
    kind `by`. `budget.timeout_s` limits all questions together. Returns `Unknown` if the second engine has no answer.
    Raises `EngineFault` if the two engines disagree.
    """
    deadline, fixed = budget.start(), dict(fixed or {})
    try:
        # An engine without variables has no values to fix. Evaluation has confirmed its witness already.
        bare = engine is not None and not engine.variables
        engine = engine or make_engine(variables, background, prefer=by)
        for kept, values, expected in _claims(result, soft, fixed):
            found = engine.decide({id: soft[id] for id in kept}, budget.until(deadline), fixed=None if bare else values)
            if isinstance(found, Unknown):
                return found
            if isinstance(found, Satisfiable) is not expected:
                raise _disagree(engine, kept, expected)
    except NotEncodable as error:
        return Unknown(str(error))
    return Confirmed(engine.name)


def _claims(
    result: Found, soft: Soft, fixed: Mapping[str, int]
) -> Iterable[tuple[Iterable[Id], Mapping[str, int], bool]]:
    """Yield the questions that confirm `result`: ids, fixed values, and whether these can hold together."""
    match result:
        case Satisfiable(witness):
            yield soft, _with(witness, fixed), True
        case Core(ids):
            values = {name: value for name, value in fixed.items() if fixed_id(name) in ids}
            yield [id for id in ids if id in soft], values, False
        case Mus(ids):
            yield ids, fixed, False
            for left_out in ids:
                yield [id for id in ids if id != left_out], fixed, True
        case Mcs(kept, set_aside, witness):
            yield kept, _with(witness, fixed), True
            for one in set_aside:
                yield (*kept, one), fixed, False
        case BackgroundConflict():
            yield (), fixed, False
        case _:
            yield soft, fixed, False


def _with(witness: Witness, fixed: Mapping[str, int]) -> Witness:
    if not fixed.items() <= witness.items():
        raise EngineFault(f"a witness does not have the values that were fixed: {dict(witness)!r}")
    return witness


def _disagree(engine: Engine, ids: Iterable[Id], expected: bool) -> EngineFault:
    named = ", ".join(ids) or "the background"
    first, second = ("can hold", "cannot") if expected else ("cannot hold", "can")
    return EngineFault(f"one engine says that {named} {first}, {engine.name} that it {second}")
