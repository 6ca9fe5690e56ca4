"""Claims: verifying one against a context of 20 premises, and comparing two formulas, against a naive twin.

Contexts are of the size that suites have: facts and rules about five named things, with amounts among them or with
somebody's boss, which only the open world decides. All hold in a situation that is drawn first. The twin is the
published way: a fresh solver for each question, the claim and then its negation, or the two formulas apart.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from random import Random

from bench.solver.measure import Samples
from holdtrue.budget import Budget
from holdtrue.solving.result import Equivalent, Satisfiable, Unknown
from holdtrue_claims.claim_record import ClaimVerdict
from holdtrue_claims.fol.meaning import Stated, state
from holdtrue_claims.fol.notation import read_fol
from holdtrue_claims.fol.structure import Structure
from holdtrue_claims.fol.vocabulary import Entity, Function, Predicate, Vocabulary
from holdtrue_claims.kind.context import Context
from holdtrue_claims.kind.entailment import ClaimFinding, verify_claim
from holdtrue_claims.kind.equivalence import same_meaning
from holdtrue_claims.solving.sentence_engine import SentenceEngine

CLAIM_MS, EQUIVALENCE_MS = 20.0, 5.0
"""The limits, for medians."""
PREMISES, CLAIMS = 20, 8
PREDICATES = tuple(f"P{number}" for number in range(10))
NAMED = ("Ann", "Bob", "Cleo", "Dan", "Eve")
WORDS = Vocabulary(
    tuple(Entity(name, "guest") for name in NAMED),
    tuple(Predicate(name, ("guest",)) for name in PREDICATES),
    (
        Function("weight", ("guest",), result="kg"),
        Function("fee", ("guest",), result="EUR(2)"),
        Function("boss", ("guest",), result="guest"),
    ),
)
BUDGET = Budget(timeout_s=60.0)
Draw = Callable[[Random], str]


def said(text: str) -> Stated:
    sentence = read_fol(text).sentence
    if sentence is None:
        raise ValueError(text)
    return state(sentence, WORDS)


def draw_literal(rng: Random, thing: str) -> str:
    return f"{'not ' if rng.random() < 0.3 else ''}{rng.choice(PREDICATES)}({thing})"


def draw_fact(rng: Random) -> str:
    return draw_literal(rng, rng.choice(NAMED))


def draw_rule(rng: Random, written: Random | None = None) -> str:
    """A rule about all things, or now and then that there is one of some kind; `written` draws how it is written."""
    one, two, three = (draw_literal(rng, "x") for _ in range(3))
    kind = rng.random()
    turned = written is not None and written.random() < 0.5
    if kind < 0.4:
        body = f"not {one} or {two}" if turned else f"{one} -> {two}"
    elif kind < 0.7:
        body = f"(not {three}) -> (not {two} or not {one})" if turned else f"{one} and {two} -> {three}"
    elif kind < 0.9:
        body = f"not ({one} and not {two} and not {three})" if turned else f"{one} -> {two} or {three}"
    else:
        some = f"exists x in guest ({one} and {two})"
        return f"not (forall x in guest (not {one} or not {two}))" if turned else some
    return f"not (exists x in guest (not ({body})))" if turned else f"forall x in guest ({body})"


def draw_plain(rng: Random) -> str:
    return draw_fact(rng) if rng.random() < 0.5 else draw_rule(rng)


def draw_amounts(rng: Random) -> str:
    kind = rng.random()
    if kind < 0.3:
        return f"weight({rng.choice(NAMED)}) {rng.choice(('<', '<=', '>'))} {rng.randint(40, 90)} kg"
    if kind < 0.5:
        return f"forall x in guest (weight(x) > {rng.randint(40, 90)} kg -> {draw_literal(rng, 'x')})"
    if kind < 0.6:
        return f"forall x in guest ({draw_literal(rng, 'x')} -> fee(x) >= {rng.randint(1, 20)}.50 EUR)"
    return draw_plain(rng)


def draw_bosses(rng: Random) -> str:
    kind = rng.random()
    if kind < 0.2:
        return f"boss({rng.choice(NAMED)}) = {rng.choice(NAMED)}"
    if kind < 0.4:
        return f"forall x in guest ({draw_literal(rng, 'x')} -> {draw_literal(rng, 'boss(x)')})"
    if kind < 0.5:
        return f"forall x in guest (exists y in guest (boss(x) = y and {draw_literal(rng, 'y')}))"
    return draw_plain(rng)


def draw_premises(rng: Random, draw: Draw) -> dict[str, Stated]:
    """Premises that all hold in a situation that is drawn first."""
    things = {name: frozenset({"guest"}) for name in NAMED}
    facts: dict[tuple[str, tuple[str, ...]], int | str] = {}
    for name in NAMED:
        facts |= {(predicate, (name,)): int(rng.random() < 0.5) for predicate in PREDICATES}
        facts |= {("weight", (name,)): rng.randint(40, 90), ("fee", (name,)): rng.randint(1, 30)}
        facts["boss", (name,)] = rng.choice(NAMED)
    where = Structure(WORDS, things, facts)  # type: ignore[arg-type]
    found: dict[str, Stated] = {}
    while len(found) < PREMISES:
        premise = said(draw(rng))
        if where.truth(premise.sentence):
            found[f"p{len(found) + 1}"] = premise
    return found


def twin_verdict(premises: dict[str, Stated], claim: Stated) -> ClaimVerdict:
    """Two fresh solvers; it does not ask whether the premises can hold."""
    answers = [SentenceEngine(WORDS).decide({**premises, "c": each}, BUDGET) for each in (claim, ~claim)]
    if any(isinstance(answer, Unknown) for answer in answers):
        return ClaimVerdict.UNKNOWN
    holds, fails = (isinstance(answer, Satisfiable) for answer in answers)
    return ClaimVerdict.POSSIBLE if holds and fails else ClaimVerdict.ENTAILED if holds else ClaimVerdict.CONTRADICTORY


def measure_claims(rng: Random, contexts: int, what: str, draw: Draw) -> None:
    """One claim with its premises: in a context made for it, and in one that is kept."""
    fresh, kept, settled, twin = Samples(), Samples(), Samples(), Samples()
    unknown = 0
    verify_claim(Context({}, WORDS, BUDGET), said(draw(rng)))  # what is imported when it is needed first
    while len(fresh) < contexts:
        premises = draw_premises(rng, draw)
        claims = [said(draw(rng)) for _ in range(CLAIMS)]

        def first(premises: dict[str, Stated] = premises, claim: Stated = claims[0]) -> ClaimFinding:
            return verify_claim(Context(premises, WORDS, BUDGET), claim)

        fresh.time(first)
        context = Context(premises, WORDS, BUDGET)
        verify_claim(context, claims[0])
        for claim in claims:
            found = kept.time(lambda claim=claim, context=context: verify_claim(context, claim))  # type: ignore[misc]
            if found.verdict not in (ClaimVerdict.POSSIBLE, ClaimVerdict.UNKNOWN):
                settled.spent.append(kept.spent[-1])
            naive = twin.time(lambda claim=claim, premises=premises: twin_verdict(premises, claim))  # type: ignore[misc]
            open_ = {ClaimVerdict.UNKNOWN, ClaimVerdict.ASSUMED} & {naive, found.verdict}
            unknown += bool(open_)
            if naive is not found.verdict and not open_:
                raise ValueError(f"own {found.verdict}, twin {naive}: {claim}")
    verdict = "met" if kept.median_us < 1000 * CLAIM_MS else "missed"
    print(
        f"one claim against {PREMISES} premises, {what}: median {kept.median_us / 1000:.2f} ms, p99 "
        f"{kept.p99_us / 1000:.2f} (limit {CLAIM_MS:.0f} ms: {verdict}); twin {twin.median_us / 1000:.2f} ms, ratio "
        f"{twin.median_us / kept.median_us:.1f}"
    )
    print(
        f"  in a context made for it: median {fresh.median_us / 1000:.2f} ms; {len(settled)} of {len(kept)} claims are "
        f"settled: {settled.median_us / 1000:.2f} ms with their premises; {unknown} are not known"
    )


def twin_apart(one: Stated, other: Stated) -> bool:
    """Whether one can hold without the other, in a fresh solver for each of the two ways."""
    pairs = ((one, ~other), (~one, other))
    return any(isinstance(SentenceEngine(WORDS).decide({"a": a, "b": b}, BUDGET), Satisfiable) for a, b in pairs)


def measure_equivalence(rng: Random, pairs: int) -> None:
    """Rules written in two ways, every other pair with another rule in place of one."""
    own, twin = Samples(), Samples()
    same = 0
    for number in range(pairs):
        seed = rng.random()
        one = said(draw_rule(Random(seed)))
        other = said(draw_rule(Random(rng.random() if number % 2 else seed), rng))
        found = own.time(lambda one=one, other=other: same_meaning(one, other, WORDS))  # type: ignore[misc]
        apart = twin.time(lambda one=one, other=other: twin_apart(one, other))  # type: ignore[misc]
        if isinstance(found, Equivalent) is apart:
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
    for what, draw in (("plain", draw_plain), ("with amounts", draw_amounts), ("with bosses", draw_bosses)):
        measure_claims(Random(7), count, what, draw)
    measure_equivalence(Random(7), 10 * count)


if __name__ == "__main__":
    main()
