"""How limits are kept where nothing can be decided: 12 pigeons in 11 holes, as bare disequalities.

Every engine gets every limit; each must end as unknown within 1.2 times the limit and 50 ms. Beside it what the same
costs as one all-different, which is counted. CP-SAT, where it is installed, is the engine for what the others leave
open: it must prove in a 1.5th of the limit what its twins SAT and z3 do not. Exits with 1 where a limit is overrun, a
verdict is false, or CP-SAT is no quicker than that.

    python bench/limits.py [--limits 0.2 1 5]
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable, Sequence
from itertools import combinations

from holdtrue.budget import Budget
from holdtrue.logic.formula import AllDifferent, Formula, Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.solving.result import Core, Satisfiable, Unknown
from holdtrue.solving.route import Preference, has_cpsat, make_engine

PIGEONS, HOLES = 12, 11
SHARE, SLACK_S = 1.2, 0.05
COUNTED_S = 0.01
QUICKER = 1.5
ENGINES: dict[str, Preference | None] = {"sat": "sat", "z3": "z3", "routed": None}

BIRDS = [Variable(f"p{number}", IntSort(1, HOLES)) for number in range(PIGEONS)]
BARE: dict[str, Formula] = {f"{x}-{y}": x.ne(y) for x, y in combinations(BIRDS, 2)}


def measure(name: str, soft: dict[str, Formula], limit_s: float) -> tuple[Satisfiable | Core | Unknown, float, float]:
    """What a fresh engine finds, and the wall and CPU seconds that it takes; loading the library is not counted."""
    engine = make_engine(BIRDS, prefer="cp-sat" if name == "cp-sat" else ENGINES[name])
    engine.check({}, Budget())
    wall, cpu = time.perf_counter(), time.process_time()
    found = engine.check(soft, Budget(limit_s))
    return found, time.perf_counter() - wall, time.process_time() - cpu


def rows(limits: Sequence[float]) -> Iterable[tuple[bool, str]]:
    """Whether each measurement is as it must be, and the line that tells of it."""
    for name in ENGINES:
        counted = [measure(name, {"all": AllDifferent(tuple(BIRDS))}, 1.0) for _ in range(5)]
        wall, cpu = min(row[1] for row in counted), min(row[2] for row in counted)
        yield cpu < COUNTED_S, f"{name:8} all-different   {wall * 1000:8.2f} ms  {cpu * 1000:8.2f} ms CPU"
        for limit_s in limits:
            found, wall, cpu = measure(name, BARE, limit_s)
            # CP-SAT, asked second, can see through the disequalities: that verdict is proved, and true.
            verdict = "unknown" if isinstance(found, Unknown) else "impossible (cp-sat)"
            kept = wall <= SHARE * limit_s + SLACK_S
            right = isinstance(found, Unknown) or (name == "routed" and has_cpsat() and isinstance(found, Core))
            yield kept and right, f"{name:8} limit {limit_s:4.1f} s {wall:8.3f} s  {cpu:8.3f} s CPU  {verdict}"
    if has_cpsat():
        limit_s = max(limits)
        found, wall, cpu = measure("cp-sat", BARE, limit_s)
        ratio = limit_s / wall
        line = f"cp-sat   proves it in {wall:.3f} s  {cpu:8.3f} s CPU, at least {ratio:.1f} times as quick as its twins"
        yield isinstance(found, Core) and ratio >= QUICKER, line


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--limits", type=float, nargs="+", default=[0.2, 1.0, 5.0])
    wrong = 0
    for as_it_must, line in rows(parser.parse_args().limits):
        wrong += not as_it_must
        print(line if as_it_must else f"{line}  <- not within the limit")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
