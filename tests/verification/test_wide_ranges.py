"""Limits bind whatever the ranges: no call takes much longer or more memory than its budget says; answers are legal.

`python -m tests.verification.test_wide_ranges FIRST LAST` does the same for many more cases, and tells what it found.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain, product
from typing import Any

import pytest

from holdtrue.budget import Budget
from holdtrue.kinds.assignment.controls import random_legal
from holdtrue.kinds.assignment.method import Distance
from holdtrue.kinds.assignment.projection import NoProjection, Projection, project
from holdtrue.kinds.assignment.turn import Turn
from holdtrue.language.readers import TemplateExtractor
from holdtrue.models.sampling import Sampling
from holdtrue.models.scripted import ScriptModel
from holdtrue.solving.explain.closest_answer import distance
from holdtrue.solving.explain.first_witness import first_witness
from holdtrue.solving.explain.mus import all_mus, smallest_mus
from holdtrue.solving.explain.nearest_answer import nearest
from holdtrue.solving.explain.possible_values import count_witnesses, possible_values
from holdtrue.solving.explain.relaxation import minimum_mcs
from holdtrue.solving.result import Satisfiable, Unsatisfiable
from holdtrue.solving.route import make_engine
from holdtrue.verification.explanation import explain_ledger
from holdtrue.verification.verifier import Verifier
from holdtrue.world.answer import Assignment
from tests.slow import first_of
from tests.solving.wide import Cost, WideCase, draw_case, measure

BUDGET = Budget(timeout_s=1.0)
MOST_CPU_S = 1.3
MOST_MIB = 150.0
REFERENCE = Budget(timeout_s=60.0)
NARROW = 29
DISTANCES: tuple[Distance, ...] = ("changes", "difference")


class Doors:
    """One case with the calls that users reach, each with a limit."""

    def __init__(self, case: WideCase) -> None:
        self.case = case
        self.engine = make_engine(list(case.instance.variables.values()), case.instance.background)
        self.verifier = Verifier(case.instance, self.engine, BUDGET)

    def project(self, distance: Distance) -> Projection | NoProjection:
        case = self.case
        turn = Turn(
            instance=case.instance,
            model=ScriptModel([]),
            extractor=TemplateExtractor(),
            verifier=self.verifier,
            protocol="stated",
            number=1,
            message="",
            history=(),
            before=case.ledger,
            ledger=case.ledger,
            nothing_read=False,
            last=None,
            sampling=Sampling(),
            budget=BUDGET,
        )
        return project(turn, case.ledger, case.answer, distance)

    def counts(self) -> Iterator[tuple[str, Callable[[], Any]]]:
        """The calls that count answers: where ranges are wide they always use up their time."""
        case, answer = self.case, Assignment(self.case.answer)
        yield "explain", lambda: explain_ledger(self.verifier, case.ledger, answer, every_conflict=True)
        yield "count", lambda: count_witnesses(self.engine, case.ledger.soft, BUDGET)

    def others(self) -> Iterator[tuple[str, Callable[[], Any]]]:
        case, engine, soft = self.case, self.engine, self.case.ledger.soft
        yield "verify", lambda: self.verifier.verify(case.ledger, Assignment(case.answer))
        yield "first", lambda: first_witness(engine, soft, BUDGET)
        yield "values", lambda: possible_values(engine, soft, BUDGET)
        yield "all_mus", lambda: all_mus(engine, soft, BUDGET)
        yield "smallest_mus", lambda: smallest_mus(engine, soft, BUDGET)
        yield "minimum_mcs", lambda: minimum_mcs(engine, soft, BUDGET)
        yield (
            "nearest, weighted",
            lambda: nearest(
                engine, soft, case.answer, BUDGET, weights={name: 1 + len(name) % 3 for name in case.answer}
            ),
        )
        yield "random_legal", lambda: self.random_legal()

    def random_legal(self) -> object:
        try:
            return random_legal(self.case.instance, self.engine, BUDGET, random.Random(0))
        except Exception as error:  # noqa: BLE001  laws that are impossible have no legal answer
            return error


def play(
    case: WideCase, *, count: bool = True, others: bool = True
) -> tuple[dict[Distance, Projection | NoProjection], dict[str, Cost]]:
    """What mending delivers by each distance, and what every call cost."""
    doors = Doors(case)
    mended: dict[Distance, Projection | NoProjection] = {}
    costs: dict[str, Cost] = {}
    for by in DISTANCES:
        mended[by], costs[f"project by {by}"] = measure(partial(doors.project, by))
    for name, call in chain(doors.others() if others else (), doors.counts() if count else ()):
        _, costs[name] = measure(call)
    return mended, costs


def check_legal(case: WideCase, made: Projection) -> None:
    """A delivered answer keeps the laws, the ranges, and all commitments that it does not say it sets aside."""
    instance = case.instance
    assert made.values.keys() == instance.variables.keys()
    for name, variable in instance.variables.items():
        assert made.values[name] in variable.sort
    assert all(law.holds(made.values) for law in instance.background)
    assert all(one.holds(made.values) for id, one in case.ledger.soft.items() if id not in made.set_aside)


def check_nearest(case: WideCase, made: Projection, by: Distance) -> None:
    """Brute force finds nothing nearer that keeps the same."""
    variables, answer = case.instance.variables, case.answer
    kept = [one for id, one in case.ledger.soft.items() if id not in made.set_aside]

    def far(values: Any) -> int:
        if by == "changes":
            return sum(values[name] != value for name, value in answer.items())
        return sum(distance(variables[name], value, values[name]) for name, value in answer.items())

    rows = product(*(one.sort.values for one in variables.values()))
    every = (dict(zip(variables, row, strict=True)) for row in rows)
    legal = (row for row in every if all(one.holds(row) for one in (*case.instance.background, *kept)))
    assert made.optimal
    assert far(made.values) == min(map(far, legal))


@pytest.fixture(scope="module", autouse=True)
def warm() -> None:
    """Load the solvers: that is done once in a process, and is no part of a call."""
    play(draw_case(0))


@pytest.mark.parametrize("seed", first_of(range(100), 5))
def test_every_call_keeps_its_limits_and_what_is_delivered_is_legal(seed: int) -> None:
    case = draw_case(seed)
    mended, costs = play(case, count=seed % 20 == 0)  # a second or two for each that counts
    # Without limits some calls take minutes: ten times of one is only for a busy machine.
    assert not [name for name, it in costs.items() if it.cpu_s > 10 * MOST_CPU_S or it.mib > MOST_MIB]
    for made in mended.values():
        if isinstance(made, Projection):
            check_legal(case, made)


@pytest.mark.parametrize("seed", range(1000, 1040))
def test_where_ranges_are_narrow_the_nearest_is_that_of_brute_force(seed: int) -> None:
    case = draw_case(seed, widest=NARROW, most_variables=3)
    for by, made in play(case, count=False, others=False)[0].items():
        if isinstance(made, Projection):
            check_legal(case, made)
            check_nearest(case, made, by)


def reference(case: WideCase) -> bool | None:
    """Whether anything legal exists that keeps the whole ledger, within a long limit."""
    engine = make_engine(list(case.instance.variables.values()), case.instance.background, prefer="z3")
    found = engine.decide(case.ledger.soft, REFERENCE)
    return True if isinstance(found, Satisfiable) else False if isinstance(found, Unsatisfiable) else None


def main(first: int, last: int) -> None:
    """Play the cases, and tell what was found."""
    counts: Counter[str] = Counter()
    worst: dict[str, Cost] = {}
    play(draw_case(0))
    for seed in range(first, last):
        narrow = seed % 4 == 0
        case = draw_case(seed, widest=NARROW, most_variables=3) if narrow else draw_case(seed)
        mended, costs = play(case)
        possible = reference(case)
        counts[f"reference: {possible}"] += 1
        for by, made in mended.items():
            if isinstance(made, Projection):
                check_legal(case, made)
                counts[f"{by}: {'proved' if made.optimal else 'not proved'}, possible {possible}"] += 1
                if narrow:
                    check_nearest(case, made, by)
                    counts[f"{by}: equals brute force"] += 1
            else:
                counts[f"{by}: none ({made.reason}), possible {possible}"] += 1
        for name, cost in costs.items():
            counts["calls"] += 1
            counts["over the limit"] += cost.cpu_s > MOST_CPU_S or cost.mib > MOST_MIB
            known = worst.get(name, Cost(0, 0))
            worst[name] = Cost(max(known.cpu_s, cost.cpu_s), max(known.mib, cost.mib))
    for text, count in sorted(counts.items()):
        print(f"{count:7,}  {text}")
    for name, cost in sorted(worst.items()):
        print(f"at worst {cost.cpu_s:.2f} s, {cost.mib:.0f} MiB  {name}")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
