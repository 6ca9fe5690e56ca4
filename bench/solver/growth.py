"""One more turn in a long conversation: what it costs to add to 50, 500 and 5,000 constraints."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from bench.solver.kept import Kept
from bench.solver.measure import Samples
from bench.solver.schedules import Schedule, make_schedule
from bench.solver.task import Disagreement, Row
from bench.solver.tasks import naive_turn, satisfiable, turn
from bench.solver.twin import Twin
from bench.solver.workload import Step
from holdtrue.solving.result import Nearest

SIZES = (50, 500, 5000)
TURNS = 40
WARM_UP = 3
TWIN_CONSTRAINTS = 20_000
"""The twin answers until it has been given so many constraints in all, and once at least."""
LARGEST_TWIN_TURN = 50
"""The twin's nearest answer takes minutes beyond this size."""

Measure = Callable[[Schedule, int], Row]


def grow(measure: Measure, sizes: Sequence[int], turns: int) -> list[Row]:
    """A row for each size; all but the first say how many times the first one's median they take."""
    rows = [measure(make_schedule(size, turns + WARM_UP), size) for size in sizes]
    first = rows[0].own.median_us
    return [rows[0], *(replace(row, figures={"times the first": row.own.median_us / first}) for row in rows[1:])]


def added(schedule: Schedule, size: int) -> Row:
    """The ledger's verdict after one more turn."""
    row = Row(f"more_sat_{size}", f"SAT of one more turn, {size} constraints")
    kept, twin, said = Kept(schedule.make_instance()), Twin(schedule.make_instance()), list(schedule.agreed)
    kept.add(said)
    for number, new in enumerate(schedule.turns):
        counts = number >= WARM_UP
        own = row.own if counts else Samples()
        possible = satisfiable(own.time(partial(kept.add, new)), kept)
        said += new
        if counts and len(row.twin) * size < TWIN_CONSTRAINTS:
            answer = row.twin.time(partial(twin.satisfiable, said))
            if answer != possible:
                raise Disagreement(f"{row.key}: own {possible}, twin {answer} after {len(said)} constraints")
    return row


def whole(schedule: Schedule, size: int) -> Row:
    """A whole turn; the answer is the one that was delivered last, put right where it breaks something."""
    row = Row(f"more_turn_{size}", f"one more whole turn, {size} constraints")
    kept, twin, said = Kept(schedule.make_instance()), Twin(schedule.make_instance()), list(schedule.agreed)
    kept.enter(said)
    last = kept.first_answer()
    for number, (new, query) in enumerate(zip(schedule.turns, schedule.queries, strict=True)):
        counts = number >= WARM_UP
        own = row.own if counts else Samples()
        step = Step(new, last, True, {}, query)
        result = own.time(partial(kept.turn, step))
        said += new
        if counts and size <= LARGEST_TWIN_TURN:
            answer = row.twin.time(partial(naive_turn, twin, said, step))
            if turn(result, kept) != answer:
                raise Disagreement(f"{row.key}: own {turn(result, kept)}, twin {answer} at {len(said)} constraints")
        last = result[2].witness if isinstance(result[2], Nearest) else last
    if not twin.satisfiable(said, last):
        raise Disagreement(f"{row.key}: the twin refutes the last delivered answer")
    return row
