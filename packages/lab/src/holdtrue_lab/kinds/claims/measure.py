"""Measure a run about claims: turn the entries of its journal into rows. No model or solver is asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from holdtrue.record import Usage
from holdtrue_lab.figures.statistics import Column, Rate, clustered, means
from holdtrue_lab.kinds.claims import row as rows
from holdtrue_lab.kinds.claims.counts import Pair
from holdtrue_lab.kinds.claims.entry import ClaimEntry
from holdtrue_lab.kinds.claims.facts import EXTRACTION, MEASURING, OWN, ItemFacts, facts_of
from holdtrue_lab.kinds.claims.method import METHODS, BaselineMethod
from holdtrue_lab.kinds.claims.recount import convergence_of, reweigh
from holdtrue_lab.kinds.claims.settings import played_methods
from holdtrue_lab.kit.arm import Arm
from holdtrue_lab.kit.entry import Entry
from holdtrue_lab.kit.folder import Measured
from holdtrue_lab.kit.played import Part, PlayedArm, by_arm
from holdtrue_lab.kit.plays import ArmPlays, Play

# They never look at what is asked, or never ask a model for an answer: the level that others have to be above.
CONTROLS = frozenset({"restate_premises", "solver_only"})


@dataclass(frozen=True, slots=True)
class ClaimPlay(Play):
    """An item that was answered and has a score. `given` is the letter of its answer, None where it has none.

    `verified` counts the claims that the solver proved or refuted, and all claims. If claims were verified, the
    figure `score` is the score of the answer.
    """

    given: str | None = None
    verified: Pair = (0, 0)

    @property
    def score(self) -> float | None:
        return self.values("score").get(1)


def measure_run(entries: Iterable[Entry], settings: Mapping[str, Any]) -> Measured[rows.ClaimRow]:
    """Measure a run with these settings."""
    return measure_claims(entries, played_methods(settings))


def measure_claims(
    entries: Iterable[Entry], methods: Mapping[str, BaselineMethod] = METHODS
) -> Measured[rows.ClaimRow]:
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


def _rows(
    played: PlayedArm[ItemFacts], methods: Mapping[str, BaselineMethod], changed: set[str]
) -> Iterator[rows.ClaimRow]:
    """Yield an arm's rows, over all data sets and then for each; none if only changed items were begun."""
    originals = [item for item in played.facts if item.problem not in changed]
    failures = [domain for problem, domain in played.failed.items() if problem not in changed]
    domains = sorted({*(item.domain for item in originals), *failures})
    asks_model = any(item.asks_model for item in played.facts)
    method = methods.get(played.arm.method) or BaselineMethod(played.arm.method)
    for domain in (None, *domains) if domains else ():
        finished = [item for item in originals if domain in (None, item.domain)]
        failed = sum(domain in (None, its) for its in failures)
        part = Part(finished, len(finished) + failed, failed)
        yield row_of(played.arm, domain, part, method, asks_model=asks_model)


def _plays(played: PlayedArm[ItemFacts], methods: Mapping[str, BaselineMethod]) -> ArmPlays[ClaimPlay]:
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


SPENT = {"calls": "calls", "generated": "completion_tokens", "tokens": "tokens", "latency_s": "latency_s"}
"""The fields of `Spending`, and what each is called where usage is counted."""


def row_of(
    arm: Arm, domain: str | None, played: Part[ItemFacts], method: BaselineMethod, *, asks_model: bool
) -> rows.ClaimRow:
    """Return the row of these items; `asks_model` and `method` are those of the arm."""
    items = played.finished
    rates = _Rates(items)
    score, score_proved = means(
        [
            [None if item.checked is None else item.checked.score for item in items],
            [None if item.checked is None else item.checked.score_proved(method.check.weights) for item in items],
        ]
    )
    return rows.ClaimRow(
        arm=arm,
        asks_model=asks_model,
        oracle=method.verifies and arm.extractor.startswith("gold"),
        accept=method.check.accept,
        domain=domain,
        problems=played.problems,
        finished=len(items),
        failed=played.failed,
        accuracy=rates.named("answers", "accuracy"),
        coverage=rates.named("answers", "coverage"),
        precision=rates.named("answers", "precision"),
        refused=rates.named("answers", "refused"),
        verified=sum(item.checked is not None for item in items),
        score=score,
        score_proved=score_proved,
        accepted=rates.named("checks", "accepted"),
        accepted_proved=rates.named("checks", "accepted_proved"),
        accepted_possible=rates.named("checks", "accepted_possible"),
        accepted_judged=rates.named("checks", "accepted_judged"),
        supported=rows.Implied(**rates.of("supported", rows.Implied)),
        proved=rows.Implied(**rates.of("proved", rows.Implied)),
        verdicts=_verdicts(items, rates),
        routing=rows.Routing(**rates.of("routing", rows.Routing)),
        funnel=_funnel(items, rates),
        agreements=rows.Agreements(**rates.of("agreements", rows.Agreements)),
        contexts=_contexts(items, rates),
        joint=rows.Joint(**rates.of("joint", rows.Joint)),
        programs=rows.Programs(written=rates.named("programs", "ran").of, **rates.of("programs", rows.Programs)),
        costs=_costs(items),
        convergence=convergence_of(items),
        reweighed=reweigh(items, method),
    )


class _Rates:
    """All rates that any of the items adds to, by part of the row and name, from the same resamples."""

    def __init__(self, items: Sequence[ItemFacts]) -> None:
        names = sorted({(part, name) for item in items for part, pairs in item.rates.items() for name in pairs})
        rates = clustered([_column(items, part, name) for part, name in names])
        self._rates = dict(zip(names, rates, strict=True))

    def named(self, part: str, name: str) -> Rate:
        return self._rates.get((part, name), Rate(0, 0))

    def of(self, part: str, made: type[Any]) -> dict[str, Rate]:
        """The rates among the fields of a part of the row."""
        # Annotations are text in this project's modules.
        return {field.name: self.named(part, field.name) for field in fields(made) if field.type == Rate.__name__}


def _column(items: Sequence[ItemFacts], part: str, name: str) -> Column:
    pairs = [item.rates.get(part, {}).get(name, (0, 0)) for item in items]
    return [hits for hits, _ in pairs], [of for _, of in pairs]


def _verdicts(items: Sequence[ItemFacts], rates: _Rates) -> rows.Verdicts:
    found = _counted(items, "verdicts")
    return rows.Verdicts(claims=sum(found.values()), found=found, **rates.of("verdicts", rows.Verdicts))


def _funnel(items: Sequence[ItemFacts], rates: _Rates) -> rows.Funnel:
    passed = rates.of("funnel", rows.Funnel)
    if not passed["retold"].hits:
        # Perhaps the method asks for no round trip: then it is not that no claim came through.
        passed["aligned"] = Rate(0, 0)
    return rows.Funnel(refused=_counted(items, "refused"), **passed)


def _contexts(items: Sequence[ItemFacts], rates: _Rates) -> rows.Contexts:
    found = rates.of("contexts", rows.Contexts)
    contexts = sum(item.context is not None for item in items)
    return rows.Contexts(
        contexts=contexts,
        unknown=contexts - found["inconsistent"].of,
        premises=found["read"].of,
        alerts=_counted(items, "alerts"),
        claim_alerts=_counted(items, "claim_alerts"),
        **found,
    )


def _costs(items: Sequence[ItemFacts]) -> rows.Costs:
    """All means over items, from the same resamples."""
    purposes = sorted({purpose for item in items for purpose in item.purposes})
    spent = [[item.spent[part] for item in items] for part in (OWN, EXTRACTION, MEASURING)]
    spent += [[item.purposes.get(purpose, Usage()) for item in items] for purpose in purposes]
    columns = [[float(getattr(usage, name)) for usage in by_item] for by_item in spent for name in SPENT.values()]
    *estimates, seconds = means([*columns, [item.seconds for item in items]])
    found = iter(estimates)
    own, extraction, measuring, *by_purpose = (rows.Spending(**{name: next(found) for name in SPENT}) for _ in spent)
    return rows.Costs(
        own,
        extraction,
        measuring,
        dict(zip(purposes, by_purpose, strict=True)),
        seconds,
        saved=_counted(items, "saved"),
        not_asked=_counted(items, "not_asked"),
    )


def _counted(items: Iterable[ItemFacts], name: str) -> dict[str, int]:
    """Sums of counts of this name, in the order of what is counted."""
    found = sum((Counter(item.counts.get(name, {})) for item in items), Counter[str]())
    return dict(sorted(found.items()))
