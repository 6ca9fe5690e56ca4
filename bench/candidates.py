"""Candidate-first search: making and proving all problems, and evaluating candidates against a naive twin.

The twin is what the original does with every candidate: a fresh z3 solver, the constraints, and the values.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping, Sequence
from random import Random

from bench.solver.measure import Samples
from holdtrue.budget import Budget
from holdtrue.kinds.search.certifier import Certifier
from holdtrue.kinds.search.problem import SearchProblem
from holdtrue.solving.result import Satisfiable
from holdtrue.solving.z3_engine import Z3Engine
from holdtrue.world.answer import Assignment
from holdtrue_lab.suites.cegvr.generate import generate_linear

SECONDS, RATE = 60.0, 20_000
"""The limits: processor seconds for all problems, and candidates evaluated a second."""
CANDIDATES = 100
CHANGED = 0.3
"""The share of planted values that a candidate has changed; where nothing was planted all values are drawn."""
BUDGET = Budget(timeout_s=60.0)


def make(seed: int, count: int) -> list[SearchProblem]:
    """Problems, each proved twice."""
    started = time.process_time()
    problems = generate_linear(seed, count)
    spent = time.process_time() - started
    verdict = "met" if spent < SECONDS else "missed"
    print(f"{count} problems: {spent:.1f} s CPU made and proved (limit {SECONDS:.0f} for 500: {verdict})")
    return problems


def draw_candidates(problem: SearchProblem, rng: Random) -> list[dict[str, int]]:
    """Near misses, which break a few constraints."""
    planted: Mapping[str, int] = problem.metadata.get("planted", {})
    return [
        {
            one.name: planted[one.name]
            if one.name in planted and rng.random() >= CHANGED
            else rng.choice(one.sort.values)
            for one in problem.variables
        }
        for _ in range(CANDIDATES)
    ]


def evaluate(certifier: Certifier, candidates: Sequence[Mapping[str, int]]) -> int:
    """How many of the candidates are solutions, by direct evaluation."""
    return sum(not certifier.outside(values) and not certifier.evaluate(values) for values in candidates)


def certify(certifier: Certifier, candidates: Sequence[Mapping[str, int]]) -> None:
    """The whole verdict of each candidate, as a search records it."""
    for values in candidates:
        certifier.certify(Assignment(values))


def twin(problem: SearchProblem, values: Mapping[str, int]) -> bool:
    """Whether the values are a solution, by a solver made for the purpose."""
    found = Z3Engine(problem.variables).decide(problem.formulas, BUDGET, fixed=values)
    return isinstance(found, Satisfiable)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.candidates")
    parser.add_argument("--count", type=int, default=500, help="how many problems")
    problems = make(7, parser.parse_args().count)
    rng, own, whole, naive = Random(7), Samples(), Samples(), Samples()
    for problem in problems:
        certifier = Certifier(problem.variables, problem.formulas, BUDGET)
        candidates = draw_candidates(problem, rng)
        evaluate(certifier, candidates[:1])  # closures are compiled once for each problem
        own.time(lambda made=certifier, drawn=candidates: evaluate(made, drawn))  # type: ignore[misc]
        whole.time(lambda made=certifier, drawn=candidates: certify(made, drawn))  # type: ignore[misc]
        one = candidates[0]
        if naive.time(lambda asked=problem, values=one: twin(asked, values)) is not bool(evaluate(certifier, [one])):  # type: ignore[misc]
            raise ValueError(f"{problem.id}: z3 and direct evaluation disagree about {one}")
    rate, full = (1e9 * CANDIDATES * len(problems) / sum(samples.spent) for samples in (own, whole))
    slow = 1e9 * len(problems) / sum(naive.spent)
    verdict = "met" if rate > RATE else "missed"
    print(f"candidates evaluated: {rate:,.0f} a second (limit {RATE:,}: {verdict}); with their verdicts {full:,.0f}")
    print(f"  a fresh z3 solver for each: {slow:,.0f} a second, ratio {rate / slow:,.0f}")


if __name__ == "__main__":
    main()
