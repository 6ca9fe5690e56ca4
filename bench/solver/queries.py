"""Twenty thousand queries in one session: does it grow, does it slow down?"""

from __future__ import annotations

import gc
import multiprocessing
import resource
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random

from bench.solver.kept import Classified, Kept
from bench.solver.measure import Samples
from bench.solver.schedules import draw_each_once, make_schedule
from bench.solver.task import Disagreement, Row
from bench.solver.tasks import label
from bench.solver.twin import Twin
from holdtrue.world.instance import Constraint

QUERIES = 20_000
AGREED = 500
"""Constraints in the ledger: with fewer entities there are not enough different queries."""
PARTS = 20
"""The session is looked at so many times; the first part is held against the last."""
TWIN_QUERIES = 20
WARM_UP = 20
MEGABYTE = 1_000_000


def row(count: int, agreed: int) -> Row:
    """The row, measured in a new process: memory that something else has freed would hide growth."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        return pool.submit(ask, count, agreed).result()


def ask(count: int, agreed: int) -> Row:
    """`count` queries, every other one new, the others asked before."""
    schedule = make_schedule(agreed, 0)
    kept = Kept(schedule.make_instance())
    rng = Random(f"queries/{count}")
    # All queries are there before memory is looked at; their formulas are not. What is measured takes 0.7 MB itself.
    drawn = draw_each_once(rng, schedule.make_instance())
    warm_up, new = list(islice(drawn, WARM_UP)), list(islice(drawn, count // 2))
    kept.add(schedule.agreed)
    for query in warm_up:
        kept.classify(kept.soft, query)
    part, parts, growth, some = Samples(), list[Samples](), list[float](), list[tuple[Constraint, Classified]]()
    before, objects = memory_mb(), count_objects()
    for number in range(count):
        query = new[number // 2] if number % 2 == 0 else new[rng.randrange(number // 2 + 1)]
        answer = part.time(partial(kept.classify, kept.soft, query))
        if number % (count // TWIN_QUERIES + 1) == 0:
            some.append((query, answer))
        if len(part) == count // PARTS:
            parts.append(part)
            growth.append(memory_mb() - before)
            part = Samples()
    after = count_objects()
    # The twin comes last, because what it needs of memory is not to be counted.
    twin = Twin(schedule.make_instance())
    for query, answer in some:
        expected = twin.classify(schedule.agreed, query)
        if label(answer) != expected:
            raise Disagreement(f"{query}: own {answer}, twin {expected}")
    return Row(
        "queries",
        f"{count} queries in one session",
        Samples([spent for part in parts for spent in part.spent]),
        figures={
            "MB more": max(growth),
            "thousand objects more": (after - objects) / 1000,
            "last part to first": sum(parts[-1].spent) / sum(parts[0].spent),
        },
    )


def count_objects() -> int:
    """Containers that Python keeps; what a solver keeps is seen in memory only."""
    gc.collect()
    return len(gc.get_objects())


def memory_mb() -> float:
    """Resident memory now, where the system tells it; else the most so far."""
    gc.collect()
    statm = Path("/proc/self/statm")
    if statm.exists():
        return int(statm.read_text().split()[1]) * resource.getpagesize() / MEGABYTE
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / MEGABYTE
