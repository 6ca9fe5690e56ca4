"""The operations of a conversation that are timed: what either side does, and what its verdict is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bench.solver.kept import BUDGET, Kept
from bench.solver.task import Disagreement, Said, Task, nothing
from bench.solver.twin import Twin
from bench.solver.workload import Step
from holdtrue.solving.explain.mss import greedy_mss
from holdtrue.solving.explain.mus import mus
from holdtrue.solving.explain.nearest_answer import nearest
from holdtrue.solving.explain.relaxation import minimum_mcs
from holdtrue.solving.result import Entailed, Independent, Mcs, MinimumMcs, Mus, Nearest, Refuted, Satisfiable, Unknown


def satisfiable(result: object, kept: Kept) -> bool:
    if isinstance(result, Unknown):
        raise Disagreement(f"no verdict: {result.reason}")
    return isinstance(result, Satisfiable)


def places(ids: Sequence[str], kept: Kept) -> tuple[int, ...]:
    """Ids as places in what was said, which is how the twin names constraints."""
    order = {id: place for place, id in enumerate(kept.soft)}
    return tuple(order[id] for id in ids)


def changed(result: object) -> int:
    """How many values a nearest answer changes, once that is proved to be the fewest."""
    if not isinstance(result, Nearest) or not result.optimal:
        raise Disagreement(f"no nearest answer: {result!r}")
    return len(result.changed)


def core(result: object, kept: Kept) -> tuple[int, ...]:
    if not isinstance(result, Mus):
        raise Disagreement(f"no MUS: {result!r}")
    return places(result.ids, kept)


def correction(result: object, kept: Kept) -> tuple[int, ...]:
    if not isinstance(result, Mcs):
        raise Disagreement(f"no MCS: {result!r}")
    return places(result.set_aside, kept)


def fewest(result: object, kept: Kept) -> int:
    if not isinstance(result, MinimumMcs):
        raise Disagreement(f"no minimum MCS: {result!r}")
    return len(result.set_aside)


def label(result: object) -> str:
    """What was found out about a query, in the twin's words."""
    match result:
        case Entailed():
            return "entailed"
        case Refuted():
            return "refuted"
        case Independent():
            return "independent"
    raise Disagreement(f"no verdict on the query: {result!r}")


def minimal(twin: Twin, said: Said, own: Any, answer: Any) -> bool:
    """Two MUSes may differ and both be right: the twin proves that the own one is minimal."""
    return twin.is_mus(said, own)


def turn(result: Any, kept: Kept) -> tuple[object, ...]:
    verdict, query, near = result
    return verdict.basis == "sat", kept.stated(verdict.violated), label(query), None if near is None else changed(near)


def naive_turn(twin: Twin, said: Said, step: Step) -> tuple[object, ...]:
    possible = twin.satisfiable(said)
    broken = twin.violated(said, step.stale)
    query = twin.classify(said, step.query)
    return possible, broken, query, twin.nearest(said, step.stale) if broken else None


def write_down(kept: Kept, step: Step) -> None:
    """The turn is in the ledger."""
    kept.enter(step.said)


def write_formulas(kept: Kept, step: Step) -> None:
    """The formulas are there, and the engine has seen none of them."""
    kept.note(step.said)


TASKS: tuple[Task, ...] = (
    Task(
        "sat",
        "ledger SAT per added turn",
        own=lambda kept, step: kept.add(step.said),
        read=satisfiable,
        twin=lambda twin, said, step: twin.satisfiable(said),
        before=nothing,
    ),
    Task(
        "first",
        "first question of a fresh conversation",
        own=lambda kept, step: Kept(kept.instance).add(step.said),
        read=satisfiable,
        twin=lambda twin, said, step: twin.satisfiable(said),
        before=nothing,
        first_turn=True,
    ),
    Task(
        "complete",
        "complete answer, with the violated set",
        own=lambda kept, step: kept.judge(step.stale),
        read=lambda result, kept: kept.stated(result.violated),
        twin=lambda twin, said, step: twin.violated(said, step.stale),
        before=write_down,
    ),
    Task(
        "partial",
        "partial answer",
        own=lambda kept, step: kept.extend(step.partial),
        read=satisfiable,
        twin=lambda twin, said, step: twin.satisfiable(said, step.partial),
    ),
    Task(
        "mus",
        "MUS",
        own=lambda kept, step: mus(kept.engine, kept.soft, BUDGET),
        read=core,
        twin=lambda twin, said, step: twin.mus(said),
        agree=minimal,
        each_turn=False,
        clashes=True,
    ),
    Task(
        "mus_refined",
        "MUS, the twin going on with z3's cores",
        own=lambda kept, step: mus(kept.engine, kept.soft, BUDGET),
        read=core,
        twin=lambda twin, said, step: twin.refined_mus(said),
        agree=minimal,
        each_turn=False,
        clashes=True,
    ),
    Task(
        "mus_first",
        "MUS, first encoding included",
        own=lambda kept, step: mus(kept.engine, kept.soft, BUDGET),
        read=core,
        before=write_formulas,
        agree=minimal,
        each_turn=False,
        clashes=True,
    ),
    Task(
        "mcs",
        "MCS",
        own=lambda kept, step: greedy_mss(kept.engine, kept.soft, BUDGET),
        read=correction,
        twin=lambda twin, said, step: twin.mcs(said),
        each_turn=False,
        clashes=True,
    ),
    Task(
        "minimum_mcs",
        "minimum MCS",
        own=lambda kept, step: minimum_mcs(kept.engine, kept.soft, BUDGET),
        read=fewest,
        twin=lambda twin, said, step: twin.minimum_mcs(said),
        each_turn=False,
        clashes=True,
    ),
    Task(
        "nearest",
        "nearest answer",
        own=lambda kept, step: nearest(kept.engine, kept.soft, step.stale, BUDGET),
        read=lambda result, kept: changed(result),
        twin=lambda twin, said, step: twin.nearest(said, step.stale),
        applies=lambda step: step.broken,
    ),
    Task(
        "classify",
        "classify a query",
        own=lambda kept, step: kept.classify(kept.soft, step.query),
        read=lambda result, kept: label(result),
        twin=lambda twin, said, step: twin.classify(said, step.query),
    ),
    Task(
        "turn",
        "whole turn",
        own=lambda kept, step: kept.turn(step),
        read=turn,
        twin=naive_turn,
        before=nothing,
    ),
    Task(
        "open",
        "opening a conversation",
        own=lambda kept, step: Kept(kept.instance),
        read=lambda result, kept: None,
        before=nothing,
        each_turn=False,
    ),
)
