"""Work out one row of a report from the items that were answered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import fields
from typing import Any

from holdtrue.figures.statistics import Column, Rate, clustered, means
from holdtrue.kinds.claims.method import ClaimMethod
from holdtrue.lab.kinds.claims.facts import EXTRACTION, MEASURING, OWN, ItemFacts
from holdtrue.lab.kinds.claims.rounds import convergence_of
from holdtrue.lab.kinds.claims.row import (
    Agreements,
    ClaimRow,
    Contexts,
    Costs,
    Funnel,
    Implied,
    Joint,
    Programs,
    Routing,
    Spending,
    Verdicts,
)
from holdtrue.lab.kinds.claims.weights import reweigh
from holdtrue.lab.kit.arm import Arm
from holdtrue.lab.kit.played import Part
from holdtrue.record import Usage

SPENT = {"calls": "calls", "generated": "completion_tokens", "tokens": "tokens", "latency_s": "latency_s"}
"""The fields of `Spending`, and what each is called where usage is counted."""


def row_of(arm: Arm, domain: str | None, played: Part[ItemFacts], method: ClaimMethod, *, asks_model: bool) -> ClaimRow:
    """Return the row of these items; `asks_model` and `method` are those of the arm."""
    items = played.finished
    rates = _Rates(items)
    score, score_proved = means(
        [
            [None if item.checked is None else item.checked.score for item in items],
            [None if item.checked is None else item.checked.score_proved(method.check.weights) for item in items],
        ]
    )
    return ClaimRow(
        arm=arm,
        asks_model=asks_model,
        oracle=method.verifies and arm.extractor.startswith("gold"),
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
        accepted_judged=rates.named("checks", "accepted_judged"),
        supported=Implied(**rates.of("supported", Implied)),
        proved=Implied(**rates.of("proved", Implied)),
        verdicts=_verdicts(items, rates),
        routing=Routing(**rates.of("routing", Routing)),
        funnel=_funnel(items, rates),
        agreements=Agreements(**rates.of("agreements", Agreements)),
        contexts=_contexts(items, rates),
        joint=Joint(**rates.of("joint", Joint)),
        programs=Programs(written=rates.named("programs", "ran").of, **rates.of("programs", Programs)),
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


def _verdicts(items: Sequence[ItemFacts], rates: _Rates) -> Verdicts:
    found = _counted(items, "verdicts")
    return Verdicts(claims=sum(found.values()), found=found, **rates.of("verdicts", Verdicts))


def _funnel(items: Sequence[ItemFacts], rates: _Rates) -> Funnel:
    passed = rates.of("funnel", Funnel)
    if not passed["retold"].hits:
        # Perhaps the method asks for no round trip: then it is not that no claim came through.
        passed["aligned"] = Rate(0, 0)
    return Funnel(refused=_counted(items, "refused"), **passed)


def _contexts(items: Sequence[ItemFacts], rates: _Rates) -> Contexts:
    found = rates.of("contexts", Contexts)
    contexts = sum(item.context is not None for item in items)
    return Contexts(
        contexts=contexts,
        unknown=contexts - found["inconsistent"].of,
        premises=found["read"].of,
        alerts=_counted(items, "alerts"),
        claim_alerts=_counted(items, "claim_alerts"),
        **found,
    )


def _costs(items: Sequence[ItemFacts]) -> Costs:
    """All means over items, from the same resamples."""
    purposes = sorted({purpose for item in items for purpose in item.purposes})
    spent = [[item.spent[part] for item in items] for part in (OWN, EXTRACTION, MEASURING)]
    spent += [[item.purposes.get(purpose, Usage()) for item in items] for purpose in purposes]
    columns = [[float(getattr(usage, name)) for usage in by_item] for by_item in spent for name in SPENT.values()]
    *estimates, seconds = means([*columns, [item.seconds for item in items]])
    found = iter(estimates)
    own, extraction, measuring, *by_purpose = (Spending(**{name: next(found) for name in SPENT}) for _ in spent)
    return Costs(
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
