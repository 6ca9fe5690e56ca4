"""Measure a run about claims: turn the entries of its journal into rows. No model or solver is asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from holdtrue.kinds.claims.method import CLAIM_PRESETS, ClaimMethod
from holdtrue.lab.kinds.claims.counts import Pair
from holdtrue.lab.kinds.claims.entry import ClaimEntry
from holdtrue.lab.kinds.claims.facts import ItemFacts, facts_of
from holdtrue.lab.kinds.claims.figures import row_of
from holdtrue.lab.kinds.claims.row import ClaimRow
from holdtrue.lab.kinds.claims.settings import played_methods
from holdtrue.lab.kit.entry import Entry
from holdtrue.lab.kit.folder import Measured
from holdtrue.lab.kit.played import Part, PlayedArm, by_arm
from holdtrue.lab.kit.plays import ArmPlays, Play

# They never look at what is asked, or never ask a model for an answer: the level that others have to be above.
CONTROLS = frozenset({"restate_premises", "solver_only"})


@dataclass(frozen=True, slots=True)
class ClaimPlay(Play):
    """An item that was answered and has a score. `given` is the letter of its answer, None where it has none.

    `verified` counts the claims that the solver decided, and all claims. If claims were verified, the figure `score` is
    the score of the answer.
    """

    given: str | None = None
    verified: Pair = (0, 0)

    @property
    def score(self) -> float | None:
        return self.values("score").get(1)


def measure_run(entries: Iterable[Entry], settings: Mapping[str, Any]) -> Measured[ClaimRow]:
    """Measure a run with these settings."""
    return measure_claims(entries, played_methods(settings))


def measure_claims(entries: Iterable[Entry], methods: Mapping[str, ClaimMethod] = CLAIM_PRESETS) -> Measured[ClaimRow]:
    """Measure a run; the entries are read once, in any order, and their texts are not kept.

    `methods` are those of the run, by name, as they were played; any other is taken for one that answers once. The
    result's `rows` are one for each method, in order of first appearance, over all data sets and then for each.
    """
    arms = by_arm(entries, ClaimEntry, lambda before, entry: facts_of(entry))
    # An item that failed is known by what other methods made of it.
    changed = {item.problem for each in arms for item in each.facts if _is_changed(item)}
    plays = tuple(_plays(each, methods) for each in arms)
    return Measured(
        rows=tuple(row for each in arms for row in _rows(each, methods, changed)),
        plays=plays,
        controls=frozenset(name for name, method in methods.items() if method.answerer in CONTROLS),
        forms=1 + _forms(plays),
    )


def _rows(played: PlayedArm[ItemFacts], methods: Mapping[str, ClaimMethod], changed: set[str]) -> Iterator[ClaimRow]:
    """Yield an arm's rows, over all data sets and then for each; none if only changed items were begun."""
    originals = [item for item in played.facts if item.problem not in changed]
    failures = [domain for problem, domain in played.failed.items() if problem not in changed]
    domains = sorted({*(item.domain for item in originals), *failures})
    asks_model = any(item.asks_model for item in played.facts)
    method = methods.get(played.arm.method) or ClaimMethod(played.arm.method)
    for domain in (None, *domains) if domains else ():
        finished = [item for item in originals if domain in (None, item.domain)]
        failed = sum(domain in (None, its) for its in failures)
        part = Part(finished, len(finished) + failed, failed)
        yield row_of(played.arm, domain, part, method, asks_model=asks_model)


def _plays(played: PlayedArm[ItemFacts], methods: Mapping[str, ClaimMethod]) -> ArmPlays[ClaimPlay]:
    """Return the scored items, changed ones too. The arm is a baseline if verification changes no answer."""
    method = methods.get(played.arm.method)
    return ArmPlays(
        played.arm,
        baseline=method is None or (method.answerer not in CONTROLS and not method.verifies),
        plays={item.key: play for item in played.facts if (play := _play(item)) is not None},
        asks_model=any(item.asks_model for item in played.facts),
    )


def _is_changed(item: ItemFacts) -> bool:
    return item.score is not None and item.score.perturbs is not None


def _play(item: ItemFacts) -> ClaimPlay | None:
    score = item.score
    if score is None:
        return None
    return ClaimPlay(
        domain=item.domain,
        turns=1,
        right={1: score.correct},
        figures={} if item.checked is None else {"score": {1: item.checked.score}},
        variant=(score.perturbation or "changed") if score.perturbs is not None else "",
        base=score.perturbs or "",
        given=score.given,
        verified=item.rates.get("verdicts", {}).get("verified", (0, 0)),
    )


def _forms(arms: Iterable[ArmPlays[ClaimPlay]]) -> int:
    """Return how many forms each original has, itself among them, where all have equally many."""
    changed = {(play.base, item) for arm in arms for (item, _), play in arm.plays.items() if play.variant}
    return max(Counter(original for original, _ in changed).values(), default=0)
