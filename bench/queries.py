"""Query suites: making and labelling the whole benchmark, and checking one more answer against a naive twin.

The twin asserts the premises, the answers so far and the new one in a fresh `z3.Solver` every time.
"""

from __future__ import annotations

import argparse
import time
from random import Random

from bench.solver.measure import Samples
from holdtrue.budget import Budget
from holdtrue.kinds.labels.case import Case
from holdtrue.kinds.labels.verdict import verify_labels
from holdtrue.ledger.belief_revision import revise
from holdtrue.ledger.beliefs import BeliefBase, Rules, commit
from holdtrue.record import AnswerStatus, Label
from holdtrue.solving.result import Satisfiable
from holdtrue.solving.z3_engine import Z3Engine
from holdtrue_lab.suites.cross_query.generate import COUNTS, generate

SECONDS, MILLISECONDS = 60.0, 1.0
"""The limits: processor seconds for all cases, and the median for one more answer."""
WRONG = 0.2
BUDGET = Budget(timeout_s=60.0)


def make(seed: int, share: int) -> list[Case]:
    """The benchmark, or one case in `share`."""
    started = time.process_time()
    cases = generate(seed, {domain: max(1, count // share) for domain, count in COUNTS.items()})
    spent, queries = time.process_time() - started, sum(len(case.queries) for case in cases)
    verdict = "met" if spent < SECONDS else "missed"
    print(
        f"{len(cases)} cases, {queries} queries: {spent:.1f} s CPU made and labelled (limit {SECONDS:.0f}: {verdict})"
    )
    return cases


def answer(case: Case, rng: Random, own: Samples, clashes: Samples, twin: Samples) -> None:
    """Labels one by one, some of them wrong; where one clashes, the belief base revises as it does in a session."""
    base = BeliefBase(Rules(case.variables, case.laws, case.theory))
    for number, query in enumerate(case.queries, start=1):
        label = rng.choice(list(Label)) if rng.random() < WRONG else query.label
        if query.formula is None:
            raise ValueError(f"{case.id}: {query.id} has no formula")
        belief = commit(query.id, label, query.formula, query.text, number)
        new = {} if belief is None else {belief.id: belief.formula}
        soft = base.soft
        timed = Samples()
        verdict = timed.time(lambda soft=soft, new=new: verify_labels(base.rules, soft, new, BUDGET))  # type: ignore[misc]
        fits = verdict.answer is AnswerStatus.RESPECTING
        (own if fits else clashes).spent.extend(timed.spent)
        theory = {**case.theory, **soft, **new}
        naive = twin.time(lambda theory=theory: Z3Engine(case.variables, case.laws).decide(theory, BUDGET))  # type: ignore[misc]
        if isinstance(naive, Satisfiable) is not fits:
            raise ValueError(f"{case.id}, {query.id}: own {verdict.answer}, twin {naive}")
        if belief is not None:
            revise(base, [belief], "min_change", BUDGET)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.queries")
    parser.add_argument("--share", type=int, default=1, help="one case in so many only")
    cases = make(7, parser.parse_args().share)
    rng, own, clashes, twin = Random(7), Samples(), Samples(), Samples()
    for case in cases:
        answer(case, rng, own, clashes, twin)
    together = Samples([*own.spent, *clashes.spent])
    verdict = "met" if together.median_us < 1000 * MILLISECONDS else "missed"
    print(
        f"one more answer: median {together.median_us / 1000:.3f} ms, p99 {together.p99_us / 1000:.2f} "
        f"(limit {MILLISECONDS:.0f} ms: {verdict}); twin {twin.median_us / 1000:.2f} ms, "
        f"ratio {twin.median_us / together.median_us:.0f}"
    )
    print(f"  {len(clashes)} of {len(together)} answers clash: with their conflict {clashes.median_us / 1000:.2f} ms")


if __name__ == "__main__":
    main()
