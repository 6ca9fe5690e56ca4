"""The results of measuring a run about claims."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from holdtrue.figures.statistics import Estimate, Rate
from holdtrue.figures.trend import Trend
from holdtrue.lab.kit.arm import Arm


@dataclass(frozen=True, slots=True)
class Implied:
    """An option that was proved: `found` in so many of the items with a score, and `right`, of those where it was."""

    found: Rate
    right: Rate


@dataclass(frozen=True, slots=True)
class Verdicts:
    """The claims of the answers that were delivered and verified; all rates are of all these claims.

    `verified`: the solver decided (entailed, contradictory or possible). `fresh`: no premise alone says the same.
    `unknown` and `inconsistent`: the solver was asked, and could not say, or the context cannot hold. `found` counts
    claims by verdict, the judges' verdicts among them.
    """

    claims: int
    verified: Rate
    entailed: Rate
    fresh: Rate
    unknown: Rate
    inconsistent: Rate
    found: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Routing:
    """Who decided on claims, of all claims (VERGE, table 12); `hybrid` are judges in place of a solver."""

    hard: Rate
    soft: Rate
    hybrid: Rate


@dataclass(frozen=True, slots=True)
class Funnel:
    """What became of claims that were for the solver (VERGE, table 11).

    `routed` is of all claims, and everything else of those that were routed to the solver: `hard` and `hybrid` of
    `Routing`. `readable`: at least one sample could be read; `agreed`: more than half of the samples say the same, and
    no other so large set does; `retold`: a formula was told in words again, and `aligned`: they said enough of the
    claim (without a value where no formula was retold at all); `accepted`: there is a formula, and `corrected`: it is
    one that replaced another, so that the samples need not have agreed.
    `verified`, `fallback` (to judges), `unknown` and `inconsistent` (the context cannot hold, and no formula is asked
    for) exclude each other, and are all of them.
    `refused` counts claims by the gate that they failed.
    """

    routed: Rate
    readable: Rate
    agreed: Rate
    retold: Rate
    aligned: Rate
    accepted: Rate
    corrected: Rate
    verified: Rate
    fallback: Rate
    unknown: Rate
    inconsistent: Rate
    refused: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Agreements:
    """Pairs of samples of one claim that say the same; each counts in the first that applies.

    All are of all pairs, those with a sample that could not be read among them.
    """

    same_tree: Rate
    equivalent: Rate
    aligned: Rate


@dataclass(frozen=True, slots=True)
class Contexts:
    """The premises of items. `inconsistent` is of the contexts of which that was found out, `unknown` counts others.

    `premises` are sentences of the context and of the user: `read` have a formula, `clean` also no alert, and
    `refined` were asked for again. Alerts are counted by kind: those of contexts with their premises, and of claims.
    """

    contexts: int
    inconsistent: Rate
    unknown: int
    premises: int
    read: Rate
    clean: Rate
    refined: Rate
    alerts: Mapping[str, int]
    claim_alerts: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Joint:
    """Whether the claims of an answer can hold together, over delivered answers.

    `decided` is of all that have claims, the next two are of the decided ones: `conflict`, and `disagrees`, a conflict
    though no claim is contradictory by itself. `artifact`: of those that disagree, the ones without a
    conflict once bridging axioms are left out; where that could not be found out, they do not count.
    """

    decided: Rate
    conflict: Rate
    disagrees: Rate
    artifact: Rate


@dataclass(frozen=True, slots=True)
class Spending:
    """Means over items. `generated` are tokens that the model wrote, `tokens` also those that it was given.

    `latency_s` is the calls' own time in seconds.
    """

    calls: Estimate
    generated: Estimate
    tokens: Estimate
    latency_s: Estimate


@dataclass(frozen=True, slots=True)
class Costs:
    """What items cost: `own` is what the method itself spent, `extraction` that part of it that formalized premises.

    `measuring` is what the method would not have spent. `purposes` is over all of these calls, by what they were for.
    `elapsed_s` is the time of whole turns in seconds, mean over items.
    """

    own: Spending
    extraction: Spending
    measuring: Spending
    purposes: Mapping[str, Spending]
    elapsed_s: Estimate


@dataclass(frozen=True, slots=True)
class Round:
    """One round, from 1, over all items with a score: what would be delivered if no more rounds were allowed.

    That is the accepted answer, or else the best so far; an item that stopped earlier keeps its own. `score` is the
    mean of those answers' scores, over items where it is known. `said` is the accuracy of the very answers of this
    round, over the items that played it: those that could not be ended before.
    """

    round: int
    accuracy: Rate
    score: Estimate
    said: Rate


@dataclass(frozen=True, slots=True)
class Convergence:
    """How answers change by round (VERGE, figure 3 and table 13); of items with a score.

    `accuracy`, `score` and `said` are the trends of these figures by round; that of `score` is empty where it is not
    known of the same items in each. `fell`: items that were right after the first round and are wrong after the last,
    and `rose` the opposite, both of all items. `played`: rounds, mean over items.
    """

    rounds: tuple[Round, ...]
    accuracy: Trend
    score: Trend
    said: Trend
    fell: Rate
    rose: Rate
    played: Estimate


@dataclass(frozen=True, slots=True)
class Reweighed:
    """What would have come of the recorded rounds if a supported claim were worth `weight` (VERGE, table 4).

    Only items count whose answers were verified, and whose gold is known. `accuracy` is of the answers that would have
    been delivered, `change` what it is more than at the method's own weight, and `moved` counts items that would
    deliver another attempt's answer. `accepted` and `score` (a mean) are of these answers too. `open` counts items that
    would have gone on where the record ends: the best recorded answer stands for what is not known. `exact`: there are
    none.
    """

    weight: float
    accuracy: Rate
    change: float | None
    moved: int
    accepted: Rate
    score: Estimate
    open: int
    exact: bool


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """One method, over one data set (`domain`; None: all of them).

    Only original items are counted, none that is a changed form of another. `problems` were begun, `finished` have an
    answer, `failed` ended in an error; everything else is over the finished ones, and intervals are drawn by item.
    `asks_model`: it is no control. `oracle`: it used formulas or names, and they were the suite's own.

    `accuracy` is over items with a score: an answer without an option is wrong. `coverage` are those with an option,
    and `precision` is over these alone; `refused` are those that the model or a filter declined. `verified` items had
    the claims of their answer verified; of these are `score` (mean) and `accepted`. `supported` is the option that the
    claims prove, `proved` the one that the context proves.
    `reweighed` is empty where the method does not choose by score.
    """

    arm: Arm
    asks_model: bool
    oracle: bool
    domain: str | None
    problems: int
    finished: int
    failed: int
    accuracy: Rate
    coverage: Rate
    precision: Rate
    refused: Rate
    verified: int
    score: Estimate
    accepted: Rate
    supported: Implied
    proved: Implied
    verdicts: Verdicts
    routing: Routing
    funnel: Funnel
    agreements: Agreements
    contexts: Contexts
    joint: Joint
    costs: Costs
    convergence: Convergence
    reweighed: tuple[Reweighed, ...]

    @property
    def title(self) -> str:
        """The method, with a mark where it was given more than the items' sentences."""
        if not self.oracle:
            return self.arm.method
        names_only = self.arm.extractor.startswith("gold_entities")
        return f"{self.arm.method} (oracle {'entities' if names_only else 'formulas'})"
