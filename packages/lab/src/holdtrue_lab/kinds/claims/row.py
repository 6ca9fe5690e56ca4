"""The results of measuring a run about claims."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from holdtrue_claims.kind.settings import Accept
from holdtrue_lab.figures.significance import Trend
from holdtrue_lab.figures.statistics import Estimate, Rate
from holdtrue_lab.kit.arm import Arm


@dataclass(frozen=True, slots=True)
class Implied:
    """An option that was proved: the share of scored items in which one was `found`, and the share of these that is
    `right`.
    """

    found: Rate
    right: Rate


@dataclass(frozen=True, slots=True)
class Verdicts:
    """The claims of the answers that were delivered and verified; all rates are shares of these claims.

    Attributes:
        claims: The number of claims.
        verified: The solver proved it or its denial (entailed or contradictory).
        possible: The solver showed that it may be true and may be false.
        entailed: The claim is entailed.
        refuted: The claim is contradictory.
        unproved: The claim is for the solver, and no formula of it was sure enough.
        assumed: The solver decided, but only under assumptions that nobody stated.
        judged: Judges decided.
        fresh: No premise alone says the same.
        unknown: The solver was asked, and could not decide in time.
        inconsistent: The context is inconsistent, so that nothing can be proved.
        found: The number of claims by verdict, judges' verdicts too.
    """

    claims: int
    verified: Rate
    possible: Rate
    entailed: Rate
    refuted: Rate
    unproved: Rate
    assumed: Rate
    judged: Rate
    fresh: Rate
    unknown: Rate
    inconsistent: Rate
    found: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Routing:
    """The shares of claims that the solver decided (`hard`), that are for judges (`soft`), and that are for the solver
    but without a sure formula (`hybrid`), so that judges decide or they are unproved (VERGE, table 12).
    """

    hard: Rate
    soft: Rate
    hybrid: Rate


@dataclass(frozen=True, slots=True)
class Funnel:
    """A `Funnel` shows how claims that were routed to the solver fared (VERGE, table 11).

    All rates but `routed` are shares of the claims that were routed to the solver, which are `hard` and `hybrid` in
    `Routing`. Each of these claims is either `verified`, `possible`, `fallback`, `unproved`, `assumed`, `unknown` or
    `inconsistent`.

    Attributes:
        routed: The share of all claims that was routed to the solver.
        readable: At least one sample formula could be read.
        agreed: The largest set of equivalent samples is the only one of its size, and more than half of all.
        retold: A formula was translated back to words.
        aligned: These words brought enough of the claim back; without a value if no formula was translated.
        accepted: There is a formula in the end.
        corrected: This formula replaced another, so that the samples need not have agreed.
        verified: The solver proved the claim or its denial.
        possible: The solver showed that the claim may be true and may be false.
        fallback: Judges decided.
        unproved: There is no formula, and no judge's word counts.
        assumed: The solver decided, but only under assumptions that nobody stated.
        unknown: The solver could not decide in time.
        inconsistent: The context is inconsistent, and no formula was asked for.
        refused: The number of claims by the gate that they failed.
    """

    routed: Rate
    readable: Rate
    agreed: Rate
    retold: Rate
    aligned: Rate
    accepted: Rate
    corrected: Rate
    verified: Rate
    possible: Rate
    fallback: Rate
    unproved: Rate
    assumed: Rate
    unknown: Rate
    inconsistent: Rate
    refused: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Agreements:
    """The shares of pairs of samples for one claim that are the same tree, equivalent, or equivalent with aligned
    names.

    Each pair counts in the first that applies. Pairs with a sample that could not be read are in the total.
    """

    same_tree: Rate
    equivalent: Rate
    aligned: Rate


@dataclass(frozen=True, slots=True)
class Contexts:
    """The contexts of items, and their premises.

    `inconsistent` is a share of the contexts that were decided, and `unknown` counts the others. `premises` counts the
    sentences of contexts and of users; of these, `read` have a formula, `clean` also have no alert, and `refined` were
    asked for again. `alerts` counts the alerts about contexts and premises by kind, and `claim_alerts` those about
    claims.
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
class Programs:
    """A `Programs` shows what became of programs of logic that the model wrote as answers, and of their questions.

    `written` counts the programs; of these, `ran` could be run, and `proving` prove just one option. Of the questions
    for which a program was written, `executed` have an answer that a program proves, and `refined` one that only a
    later program proves, after an error was told. `fell_back` were answered without a program in the end, and `empty`
    have no answer.
    """

    written: int
    ran: Rate
    proving: Rate
    executed: Rate
    refined: Rate
    fell_back: Rate
    empty: Rate


@dataclass(frozen=True, slots=True)
class Joint:
    """These rates say how often the claims of a delivered answer can hold together.

    `decided` is the share of answers with claims for which this is known. Of the decided ones, `conflict` is the share
    with a conflict, and `disagrees` the share with a conflict although no claim is contradictory by itself. Of these
    last ones, `artifact` is the share without a conflict once bridging axioms are left out, as far as that is known.
    """

    decided: Rate
    conflict: Rate
    disagrees: Rate
    artifact: Rate


@dataclass(frozen=True, slots=True)
class Spending:
    """Means over items. `generated` counts the tokens that the model wrote, and `tokens` also those of prompts.

    `latency_s` is the calls' own time in seconds.
    """

    calls: Estimate
    generated: Estimate
    tokens: Estimate
    latency_s: Estimate


@dataclass(frozen=True, slots=True)
class Costs:
    """The cost of an item: `own` is what the method itself spent, and `extraction` the part of it for premises.

    `measuring` is what only measuring the method cost. `purposes` has the cost of all these calls by their purpose,
    and `seconds` the mean time of the method's own calls and of its solver. `saved` and `not_asked` count by purpose
    the calls that checks planned and did not make, over all items (`CheckRecord`).
    """

    own: Spending
    extraction: Spending
    measuring: Spending
    purposes: Mapping[str, Spending]
    seconds: Estimate
    saved: Mapping[str, int]
    not_asked: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Round:
    """The results if no more than this `round`, counted from 1, were allowed, over all items with a score.

    Then the accepted answer would be delivered, or else the best so far; an item that stopped earlier keeps its own.
    `accuracy` and `score` are means over these answers. `said` is the accuracy of this round's own answers, over the
    items that played it, which are the harder ones.
    """

    round: int
    accuracy: Rate
    score: Estimate
    said: Rate


@dataclass(frozen=True, slots=True)
class Convergence:
    """A `Convergence` shows how answers change by round (VERGE, figure 3 and table 13), over items with a score.

    `accuracy`, `score` and `said` are the trends of these figures over `rounds`; that of `score` is empty if it is not
    known of the same items in each round. `fell` is the share of items that were right after the first round and are
    wrong after the last, and `rose` the share of the opposite. `played` is the mean number of rounds.
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
    """The results of the recorded rounds if a supported claim had this `weight` (VERGE, table 4).

    Only items count whose answers were verified and whose gold is known. `accuracy`, `accepted` and `score` are about
    the answers that would have been delivered; `change` is the difference of accuracy from the method's own weight, and
    `moved` counts items that would deliver another answer. `open` counts items that would have gone on where the record
    ends, for which the best recorded answer stands; `exact` says that there are none.
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
    `asks_model`: it is no control. `oracle`: it used formulas or names, and they were the suite's own. `accept`:
    what an accepted answer may rest on.

    `accuracy` is over items with a score: an answer without an option is wrong. `coverage` are those with an option,
    and `precision` is over these alone; `refused` are those that the model or a filter declined. `verified` items had
    the claims of their answer verified; of these are `score` (mean) and `accepted`, which is `accepted_proved` where
    every claim follows, `accepted_possible` where one may also be false, and
    `accepted_judged` where one was only judged. `score_proved` is what the score is without claims that were only
    judged, over the answers that have others. `supported` is the option that the claims prove, `proved` the one that
    the context proves. `reweighed` is empty where the method does not choose by score.
    """

    arm: Arm
    asks_model: bool
    oracle: bool
    accept: Accept
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
    score_proved: Estimate
    accepted: Rate
    accepted_proved: Rate
    accepted_possible: Rate
    accepted_judged: Rate
    supported: Implied
    proved: Implied
    verdicts: Verdicts
    routing: Routing
    funnel: Funnel
    agreements: Agreements
    contexts: Contexts
    joint: Joint
    programs: Programs
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
