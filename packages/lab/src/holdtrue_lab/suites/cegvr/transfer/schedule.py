"""Small schedules: jobs in an order, with shared machines and a deadline that is kept, or just out of reach."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random

from holdtrue.kinds.search.problem import Difficulty, Gold, Requirement, SearchProblem
from holdtrue.logic.formula import Formula, Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.solving.engine import EngineFault
from holdtrue.solving.result import Witness
from holdtrue.solving.route import make_engine
from holdtrue_lab.suites.cegvr import NAME
from holdtrue_lab.suites.cegvr.notation import notation
from holdtrue_lab.suites.cegvr.prove import decided

_JOBS: dict[Difficulty, int] = {"easy": 4, "medium": 5, "hard": 6}
_SLACK: dict[Difficulty, tuple[int, int]] = {"easy": (3, 4), "medium": (1, 2), "hard": (0, 0)}
"""Hours between the earliest possible end and the deadline, where it can be kept."""
_SHORTAGE: dict[Difficulty, tuple[int, int]] = {"easy": (3, 4), "medium": (2, 2), "hard": (1, 1)}
"""Hours that the deadline comes too early, where it cannot."""


@dataclass(frozen=True, slots=True)
class Shop:
    """Jobs by their number from 0: how long they take, which comes before which, and which share a machine."""

    durations: tuple[int, ...]
    before: tuple[tuple[int, int], ...]
    machines: tuple[tuple[int, ...], ...]

    @property
    def starts(self) -> tuple[Variable, ...]:
        """Return when each job begins, `s1`, `s2`, ..., in hours from 0; all of them fit in one after the other."""
        sort = IntSort(0, sum(self.durations))
        return tuple(Variable(f"s{number}", sort) for number in range(1, len(self.durations) + 1))

    def order(self) -> Iterator[Formula]:
        """Yield the formulas of what comes before what, and that no machine does two jobs at a time."""
        starts = self.starts
        for first, then in self.before:
            yield starts[then] - starts[first] >= self.durations[first]
        ordered = {frozenset(pair) for pair in self.before}
        for machine in self.machines:
            for one, other in combinations(machine, 2):
                if {one, other} in ordered:
                    continue
                one_first = starts[other] - starts[one] >= self.durations[one]
                yield one_first | (starts[one] - starts[other] >= self.durations[other])

    def ends(self, deadline: int) -> Iterator[Formula]:
        """Yield the formulas of every job being done by the deadline."""
        for start, duration in zip(self.starts, self.durations, strict=True):
            yield start <= deadline - duration


def draw_schedule(id: str, rng: Random, gold: Gold, difficulty: Difficulty) -> SearchProblem:
    """A schedule; it is harder the more jobs there are, and the closer the deadline is to the earliest possible end."""
    low, high = (_SLACK if gold == "sat" else _SHORTAGE)[difficulty]
    while True:
        shop = _draw_shop(rng, _JOBS[difficulty])
        earliest, witness = earliest_end(shop)
        margin = rng.randint(low, high)
        deadline = earliest + margin if gold == "sat" else earliest - margin
        # A deadline that one job by itself cannot keep would be a matter of bounds, and one that all jobs always keep
        # would tell the label: only what is satisfiable could have it.
        if not max(shop.durations) <= deadline <= sum(shop.durations):
            continue
        formulas = [*shop.order(), *shop.ends(deadline)]
        rng.shuffle(formulas)
        known = {"planted": dict(witness)} if gold == "sat" else {}
        return SearchProblem(
            id=id,
            suite=NAME,
            domain="schedule",
            variables=shop.starts,
            constraints=tuple(
                Requirement(f"c{number}", notation(formula), formula) for number, formula in enumerate(formulas, 1)
            ),
            gold=gold,
            difficulty=difficulty,
            setting=("The variables are the hours at which jobs begin.",),
            metadata={"jobs": len(shop.durations), "deadline": deadline, "earliest_end": earliest, **known},
        )


def earliest_end(shop: Shop) -> tuple[int, Witness]:
    """The hour by which all jobs can be done, proved to be the first one, and how."""
    engine = make_engine(shop.starts, shop.order())
    deadline, witness = sum(shop.durations), None
    while True:
        found = decided(engine, {f"end{job}": formula for job, formula in enumerate(shop.ends(deadline))})
        if found is None and witness is not None:
            return deadline + 1, witness
        if found is None:
            raise EngineFault(f"{engine.name} finds no schedule, where doing one job after the other is one")
        witness = found
        deadline = _end(shop.durations, [found[start.name] for start in shop.starts]) - 1


def _end(durations: Sequence[int], starts: Sequence[int]) -> int:
    return max(start + duration for start, duration in zip(starts, durations, strict=True))


def _draw_shop(rng: Random, jobs: int) -> Shop:
    """Jobs of 1 to 4 hours on two machines, one precedence fewer than jobs, none of them in a circle."""
    numbers = range(jobs)
    pairs = list(combinations(rng.sample(numbers, jobs), 2))
    before = rng.sample(pairs, jobs - 1)
    machine = [rng.randrange(2) for _ in numbers]
    return Shop(
        durations=tuple(rng.randint(1, 4) for _ in numbers),
        before=tuple(sorted(before)),
        machines=tuple(tuple(job for job in numbers if machine[job] == which) for which in range(2)),
    )
