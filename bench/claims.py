"""Claims: verifying one against a context of 20 premises, and comparing two formulas, against a naive twin.

Contexts are of the size that suites have: facts and rules about seven things, two of which have no name. The twin is
the published way: a fresh z3 solver for each question, the claim and then its negation, or the two formulas apart.
"""

from __future__ import annotations

import argparse
from random import Random

from bench.solver.measure import Samples
from holdtrue.budget import Budget
from holdtrue.claim_record import ClaimVerdict
from holdtrue.kinds.claims.context import Context
from holdtrue.kinds.claims.entailment import ClaimFinding, verify_claim
from holdtrue.kinds.claims.equivalence import same_meaning
from holdtrue.logic.formula import Formula, Variable, exists, for_all
from holdtrue.logic.sorts import IntSort
from holdtrue.solving.result import Equivalent, Satisfiable
from holdtrue.solving.z3_engine import Z3Engine

CLAIM_MS, EQUIVALENCE_MS = 20.0, 5.0
"""The limits, for medians."""
PREMISES, CLAIMS = 20, 8
PREDICATES = tuple(f"P{number}" for number in range(10))
THINGS = ("ann", "bob", "cleo", "dan", "eve", "*1", "*2")
NAMED = THINGS[:5]
VARIABLES = tuple(Variable(f"{predicate}({thing})", IntSort(0, 1)) for predicate in PREDICATES for thing in THINGS)
ATOMS = {variable.name: variable.eq(1) for variable in VARIABLES}
BUDGET = Budget(timeout_s=60.0)


def draw_literal(rng: Random, thing: str, predicate: str) -> Formula:
    atom = ATOMS[f"{predicate}({thing})"]
    return ~atom if rng.random() < 0.3 else atom


def draw_fact(rng: Random) -> Formula:
    return draw_literal(rng, rng.choice(NAMED), rng.choice(PREDICATES))


def draw_rule(rng: Random, written: Random | None = None) -> Formula:
    """A rule about all things, or now and then that there is one of some kind; `written` draws how it is written."""
    first, second, third = rng.sample(PREDICATES, 3)
    kind, seed = rng.random(), rng.random()
    turned = written is not None and written.random() < 0.5

    def body(thing: str) -> Formula:
        signs = Random(seed)
        one, two, three = (draw_literal(signs, thing, predicate) for predicate in (first, second, third))
        if kind < 0.4:
            return ~one | two if turned else one.implies(two)
        if kind < 0.7:
            return (~three).implies(~two | ~one) if turned else (one & two).implies(three)
        if kind < 0.9:
            return ~(one & ~two & ~three) if turned else one.implies(two | three)
        return one & two

    if kind < 0.9:
        return ~exists(THINGS, lambda thing: ~body(thing)) if turned else for_all(THINGS, body)
    return ~for_all(THINGS, lambda thing: ~body(thing)) if turned else exists(THINGS, body)


def draw_claim(rng: Random) -> Formula:
    return draw_fact(rng) if rng.random() < 0.7 else draw_rule(rng)


def draw_premises(rng: Random) -> dict[str, Formula]:
    """Half facts, half rules."""
    drawn = [draw_fact(rng) if number % 2 else draw_rule(rng) for number in range(PREMISES)]
    return {f"p{number}": formula for number, formula in enumerate(drawn, 1)}


def twin_verdict(premises: dict[str, Formula], claim: Formula) -> ClaimVerdict:
    """Two fresh solvers; it does not ask whether the premises can hold."""
    if not isinstance(Z3Engine(VARIABLES, premises.values()).decide({"claim": claim}, BUDGET), Satisfiable):
        return ClaimVerdict.CONTRADICTORY
    negated = Z3Engine(VARIABLES, premises.values()).decide({"claim": ~claim}, BUDGET)
    return ClaimVerdict.POSSIBLE if isinstance(negated, Satisfiable) else ClaimVerdict.ENTAILED


def measure_claims(rng: Random, contexts: int) -> None:
    """One claim with its premises: in a context made for it, and in one that is kept."""
    fresh, clashing, kept, settled, twin = Samples(), Samples(), Samples(), Samples(), Samples()
    verify_claim(Context({}, VARIABLES, BUDGET), draw_claim(rng))  # what is imported when it is needed first
    while len(fresh) < contexts:
        premises = draw_premises(rng)
        claims = [draw_claim(rng) for _ in range(CLAIMS)]
        timed = Samples()

        def first(premises: dict[str, Formula] = premises, claim: Formula = claims[0]) -> ClaimFinding:
            return verify_claim(Context(premises, VARIABLES, BUDGET), claim)

        if timed.time(first).verdict is ClaimVerdict.INCONSISTENT_CONTEXT:
            clashing.spent.extend(timed.spent)
            continue
        fresh.spent.extend(timed.spent)
        context = Context(premises, VARIABLES, BUDGET)
        verify_claim(context, claims[0])
        for claim in claims:
            found = kept.time(lambda claim=claim, context=context: verify_claim(context, claim))  # type: ignore[misc]
            if found.verdict is not ClaimVerdict.POSSIBLE:
                settled.spent.append(kept.spent[-1])
            naive = twin.time(lambda claim=claim, premises=premises: twin_verdict(premises, claim))  # type: ignore[misc]
            if naive is not found.verdict:
                raise ValueError(f"own {found.verdict}, twin {naive}: {claim}")
    verdict = "met" if fresh.median_us < 1000 * CLAIM_MS else "missed"
    print(
        f"one claim against {PREMISES} premises: median {fresh.median_us / 1000:.2f} ms, p99 {fresh.p99_us / 1000:.2f} "
        f"(limit {CLAIM_MS:.0f} ms: {verdict}); twin {twin.median_us / 1000:.2f} ms"
    )
    print(
        f"  in a kept context: median {kept.median_us / 1000:.2f} ms, p99 {kept.p99_us / 1000:.2f}; {len(settled)} of "
        f"{len(kept)} claims are settled: {settled.median_us / 1000:.2f} ms with their premises; ratio "
        f"{twin.median_us / kept.median_us:.0f}"
    )
    print(f"  {len(clashing)} contexts clash: {clashing.median_us / 1000:.2f} ms to know it, and a smallest conflict")


def measure_equivalence(rng: Random, pairs: int) -> None:
    """Rules written in two ways, every other pair with another rule in place of one."""
    own, twin = Samples(), Samples()
    same = 0
    for number in range(pairs):
        seed = rng.random()
        one = draw_rule(Random(seed))
        other = draw_rule(Random(rng.random() if number % 2 else seed), rng)
        found = own.time(lambda one=one, other=other: same_meaning(one, other))  # type: ignore[misc]
        apart = twin.time(lambda one=one, other=other: Z3Engine(VARIABLES).decide({"apart": one.xor(other)}, BUDGET))  # type: ignore[misc]
        if isinstance(found, Equivalent) is isinstance(apart, Satisfiable):
            raise ValueError(f"own {found}, twin {apart}: {one}, {other}")
        same += isinstance(found, Equivalent)
    verdict = "met" if own.median_us < 1000 * EQUIVALENCE_MS else "missed"
    print(
        f"equivalence of two formulas: median {own.median_us / 1000:.2f} ms, p99 {own.p99_us / 1000:.2f} (limit "
        f"{EQUIVALENCE_MS:.0f} ms: {verdict}); twin {twin.median_us / 1000:.2f} ms, ratio "
        f"{twin.median_us / own.median_us:.0f}; {same} of {pairs} are equivalent"
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.claims")
    parser.add_argument(
        "--contexts", type=int, default=60, help="contexts to verify claims in; ten times as many pairs are compared"
    )
    count = parser.parse_args().contexts
    measure_claims(Random(7), count)
    measure_equivalence(Random(7), 10 * count)


if __name__ == "__main__":
    main()
