"""The metrics of items: answers, verdicts on claims, formalization, rounds, and costs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb

from holdtrue.record import AnswerStatus, Usage, total
from holdtrue_claims.claim_record import (
    CheckRecord,
    ClaimRecord,
    ClaimVerdict,
    FormalizationRecord,
    JointRecord,
    JointVerdict,
    PremiseRecord,
    Route,
    SoftVerdict,
)
from holdtrue_claims.kind.acceptance import claim_score, judged_claims
from holdtrue_claims.kind.record import ClaimAttempt
from holdtrue_lab.figures.statistics import Rate, clustered
from holdtrue_lab.kinds.claims.baselines import FALLBACK
from holdtrue_lab.kinds.claims.entry import ClaimEntry, ClaimScore
from holdtrue_lab.kinds.claims.method import BaselineMethod
from holdtrue_lab.kinds.claims.recount import Convergence, Reweighed, convergence_of, reweigh, rounds_of, verdicts_of
from holdtrue_lab.kit.metrics import Metric, Metrics, Part, Units

Hits = bool | tuple[int, int] | None
Holds = Callable[[ClaimRecord], bool]


@dataclass(frozen=True)
class PlayedItem:
    """An item that one method played. All figures about claims are those of the delivered answer."""

    entry: ClaimEntry
    method: BaselineMethod

    @cached_property
    def check(self) -> CheckRecord | None:
        record = self.entry.record
        return record.final.check if record.attempts and record.delivered is not None else None

    @cached_property
    def claims(self) -> Sequence[ClaimRecord]:
        return () if self.check is None else self.check.claims

    @cached_property
    def tried(self) -> Sequence[ClaimRecord]:
        """Return the claims that were routed to the solver."""
        return [claim for claim in self.claims if claim.route != Route.SOFT]

    @cached_property
    def formal(self) -> Sequence[FormalizationRecord]:
        return [claim.formalization for claim in self.claims if claim.formalization is not None]

    @cached_property
    def stated(self) -> Sequence[PremiseRecord]:
        """Return the sentences of the context and of the user, as premises."""
        context = self.entry.record.detail.context
        return () if context is None else [each for each in context.premises if each.source in ("context", "user")]

    @cached_property
    def programs(self) -> Sequence[ClaimAttempt]:
        return [attempt for attempt in self.entry.record.attempts if attempt.program is not None]


ITEMS = Metrics[PlayedItem]()


def _scored(of: Callable[[ClaimScore], Hits]) -> Callable[[PlayedItem], Hits]:
    return lambda item: None if item.entry.score is None else of(item.entry.score)


def _checked(of: Callable[[CheckRecord], Hits]) -> Callable[[PlayedItem], Hits]:
    return lambda item: None if item.check is None else of(item.check)


def _was_refused(item: PlayedItem) -> bool | None:
    record = item.entry.record
    if item.entry.score is None:
        return None
    return bool(record.attempts) and record.final.verdict.answer is AnswerStatus.REFUSED


ACCURACY = ITEMS.share("accuracy", _scored(lambda score: score.correct), "accu\u00adracy")
COVERAGE = ITEMS.share("coverage", _scored(lambda score: score.given is not None), "an\u00adswered")
PRECISION = ITEMS.share(
    "precision", _scored(lambda score: score.correct if score.given is not None else None), "right of an\u00adswered"
)
REFUSED = ITEMS.share("refused", _was_refused)
"""Shares of items with a score: right answers, answers with an option, right ones among those with an option, and
refusals. An answer without an option is wrong. A refusal comes from the model or from a filter.
"""


def _score(item: PlayedItem) -> tuple[float, int]:
    return (0.0, 0) if item.check is None else (item.check.score, 1)


def _score_proved(item: PlayedItem) -> tuple[float, int]:
    """Return the score over the claims that were not left to judges."""
    own = [] if item.check is None else [each for each in verdicts_of(item.check) if isinstance(each, ClaimVerdict)]
    return (claim_score(own, item.method.check.weights).score, 1) if own else (0.0, 0)


def _all_entailed(check: CheckRecord) -> bool:
    return all(claim.verdict == ClaimVerdict.ENTAILED for claim in check.claims)


VERIFIED_ITEMS = ITEMS.total("verified", lambda item: item.check is not None, "an\u00adswers")
SCORE = ITEMS.mean("score", _score)
SCORE_PROVED = ITEMS.mean("score_proved", _score_proved, "score of proof")
ACCEPTED = ITEMS.share("accepted", _checked(lambda check: check.accepted))
ACCEPTED_PROVED = ITEMS.share(
    "accepted_proved", _checked(lambda check: check.accepted and _all_entailed(check)), "ac\u00adcepted by proof"
)
ACCEPTED_POSSIBLE = ITEMS.share(
    "accepted_possible",
    _checked(lambda check: check.accepted and not _all_entailed(check) and not judged_claims(check)),
    "possible",
)
ACCEPTED_JUDGED = ITEMS.share(
    "accepted_judged", _checked(lambda check: check.accepted and bool(judged_claims(check))), "with judges"
)
"""Figures of items with a verified answer. One mean score includes all claims, and another only those that judges did
not decide.

The first share is that of all accepted answers. Three further shares are of accepted answers in which every claim
follows, a claim may be false, or judges decided a claim.
"""


SUPPORTED_FOUND = ITEMS.share("supported.found", _scored(lambda score: score.supported is not None), "claims prove")
SUPPORTED_RIGHT = ITEMS.share(
    "supported.right",
    _scored(lambda score: None if score.supported is None else score.supported == score.gold),
    "right by claims",
)
"""The share of scored items whose verified claims prove an option, and among these, the share in which that option is
right.
"""


def _add(counts: Iterable[Mapping[str, int]]) -> Counter[str]:
    return sum(map(Counter, counts), Counter[str]())


def _tally(
    name: str, of: Callable[[PlayedItem], Iterable[str] | Mapping[str, int]]
) -> Metric[PlayedItem, Mapping[str, int]]:
    """Declare a metric that counts how often each name occurs."""
    return ITEMS.worked_out(
        name,
        lambda item: Counter(of(item)),
        lambda units: dict(sorted(_add(each for unit in units for each in unit).items())),
    )


def _of_claims(name: str, holds: Holds, title: str | None = None) -> Metric[PlayedItem, Rate]:
    return ITEMS.share(name, lambda item: (sum(map(holds, item.claims)), len(item.claims)), title)


def _is(*verdicts: str) -> Holds:
    return lambda claim: claim.verdict in verdicts


PROVING = (ClaimVerdict.ENTAILED, ClaimVerdict.CONTRADICTORY)
"""The verdicts by which the solver proved a claim or its denial, without any assumption."""

CLAIMS = ITEMS.total("verdicts.claims", lambda item: len(item.claims))
VERIFIED = _of_claims("verdicts.verified", _is(*PROVING), "veri\u00adfied")
POSSIBLE = _of_claims("verdicts.possible", _is(ClaimVerdict.POSSIBLE), "pos\u00adsible")
ENTAILED = _of_claims("verdicts.entailed", _is(ClaimVerdict.ENTAILED), "en\u00adtailed")
REFUTED = _of_claims("verdicts.refuted", _is(ClaimVerdict.CONTRADICTORY))
UNPROVED = _of_claims("verdicts.unproved", _is(ClaimVerdict.UNPROVED), "un\u00adproved")
ASSUMED = _of_claims("verdicts.assumed", _is(ClaimVerdict.ASSUMED), "as\u00adsumed")
JUDGED = _of_claims("verdicts.judged", _is(*SoftVerdict))
FRESH = _of_claims("verdicts.fresh", lambda claim: not claim.restated, "new")
UNKNOWN = _of_claims("verdicts.unknown", _is(ClaimVerdict.UNKNOWN))
INCONSISTENT = _of_claims("verdicts.inconsistent", _is(ClaimVerdict.INCONSISTENT_CONTEXT))
FOUND = _tally("verdicts.found", lambda item: (claim.verdict for claim in item.claims))
"""Shares of the claims of delivered and verified answers.

Verified: the solver proved the claim or its denial. Possible: the claim can be true and can be false. Unproved: no
formula of the claim was sure enough for the solver. Assumed: the solver decided under assumptions that nobody stated.
Judged: judges decided. Fresh: no premise alone states the claim. Unknown: the solver ran out of time. Inconsistent: the
context is inconsistent, so nothing can be proved. `FOUND` counts claims by verdict, also by those of judges.
"""

HARD = _of_claims("routing.hard", lambda claim: claim.route == Route.HARD)
SOFT = _of_claims("routing.soft", lambda claim: claim.route == Route.SOFT)
HYBRID = _of_claims("routing.hybrid", lambda claim: claim.route == Route.HYBRID)
"""Shares of claims by route (VERGE, table 12): hard, soft and hybrid.

The solver decides hard claims, and judges decide soft ones. Hybrid claims are for the solver but have no sure formula,
so judges decide them or they stay unproved.
"""


def _of_tried(name: str, holds: Holds, title: str | None = None) -> Metric[PlayedItem, Rate]:
    return ITEMS.share(name, lambda item: (sum(map(holds, item.tried)), len(item.tried)), title)


def _formal(holds: Callable[[FormalizationRecord], bool]) -> Holds:
    return lambda claim: claim.formalization is not None and holds(claim.formalization)


def _solved(*verdicts: str) -> Holds:
    return lambda claim: claim.route == Route.HARD and claim.verdict in verdicts


def _unsure(*, proved: bool) -> Holds:
    return lambda claim: claim.route == Route.HYBRID and (claim.verdict != ClaimVerdict.UNPROVED) is proved


def _came_through(item: PlayedItem) -> tuple[int, int, int]:
    told = [each for each in map(lambda claim: claim.formalization, item.tried) if each and each.retold is not None]
    return sum(each.refused != "round_trip" for each in told), len(item.tried), len(told)


def _aligned(units: Units) -> Rate:
    """Return the rate, or an empty one if no formula was translated back, as in a method without a round trip."""
    if not any(told for unit in units for _, _, told in unit):
        return Rate(0, 0)
    pairs = [[sum(column) for column in zip(*unit, strict=True)] for unit in units]
    [rate] = clustered([([through for through, _, _ in pairs], [tried for _, tried, _ in pairs])])
    return rate


ROUTED = ITEMS.share("funnel.routed", lambda item: (len(item.tried), len(item.claims)), "for the solver")
READABLE = _of_tried("funnel.readable", _formal(lambda made: made.readable > 0), "read\u00adable")
AGREED = _of_tried("funnel.agreed", _formal(lambda made: made.agreed))
RETOLD = _of_tried("funnel.retold", _formal(lambda made: made.retold is not None))
ALIGNED = ITEMS.worked_out("funnel.aligned", _came_through, _aligned)
FORMALIZED = _of_tried("funnel.accepted", _formal(lambda made: made.formula is not None), "ac\u00adcepted")
CORRECTED = _of_tried("funnel.corrected", _formal(lambda made: made.corrected), "cor\u00adrected")
TRIED_VERIFIED = _of_tried("funnel.verified", _solved(*PROVING), "veri\u00adfied")
TRIED_POSSIBLE = _of_tried("funnel.possible", _solved(ClaimVerdict.POSSIBLE), "pos\u00adsible")
FALLBACKS = _of_tried("funnel.fallback", _unsure(proved=True), "to judges")
TRIED_UNPROVED = _of_tried("funnel.unproved", _unsure(proved=False), "un\u00adproved")
TRIED_ASSUMED = _of_tried("funnel.assumed", _solved(ClaimVerdict.ASSUMED), "as\u00adsumed")
TRIED_UNKNOWN = _of_tried("funnel.unknown", _solved(ClaimVerdict.UNKNOWN))
TRIED_INCONSISTENT = _of_tried("funnel.inconsistent", _solved(ClaimVerdict.INCONSISTENT_CONTEXT))
"""The claims that were routed to the solver (VERGE, table 11). All figures but the first are shares of these claims.

Each claim is either verified, possible, left to judges, unproved, assumed, unknown, or of an inconsistent context.
Readable: at least one sample could be read. Agreed: the largest set of equivalent samples has no rival and is more than
half of all. Retold: a formula was translated back to words. Aligned: these words match the claim well enough. Accepted:
a formula passed all gates. Corrected: it replaced another formula, so the samples need not have agreed.
"""


def _agreement(field: str) -> Callable[[PlayedItem], tuple[int, int]]:
    """Return a function that counts the pairs of samples of one claim that agree in this way, out of all pairs."""

    def of(item: PlayedItem) -> tuple[int, int]:
        sampled = [(each, comb(len(each.samples), 2)) for each in item.formal if each.same_tree is not None]
        return sum(round((getattr(each, field) or 0.0) * pairs) for each, pairs in sampled), sum(n for _, n in sampled)

    return of


SAME_TREE = ITEMS.share("agreements.same_tree", _agreement("same_tree"))
EQUIVALENT = ITEMS.share("agreements.equivalent", _agreement("equivalent"), "equi\u00advalent")
SAMPLES_ALIGNED = ITEMS.share("agreements.aligned", _agreement("aligned"))
"""Shares of pairs of samples of one claim: the same tree, equivalent, and equivalent after aligning names.

Each pair counts in the first that applies. Pairs with an unreadable sample are in the total.
"""


def _status(item: PlayedItem) -> str | None:
    context = item.entry.record.detail.context
    return None if context is None else context.status


def _is_inconsistent(item: PlayedItem) -> bool | None:
    status = _status(item)
    return status == "inconsistent" if status in ("consistent", "inconsistent") else None


def _of_stated(name: str, holds: Callable[[PremiseRecord], bool], title: str | None = None) -> Metric[PlayedItem, Rate]:
    return ITEMS.share(name, lambda item: (sum(map(holds, item.stated)), len(item.stated)), title)


CONTEXTS = ITEMS.total("contexts.contexts", lambda item: _status(item) is not None, "con\u00adtexts")
CONTEXTS_INCONSISTENT = ITEMS.share("contexts.inconsistent", _is_inconsistent, "incon\u00adsistent")
CONTEXTS_UNKNOWN = ITEMS.total(
    "contexts.unknown", lambda item: _status(item) not in (None, "consistent", "inconsistent"), "unde\u00adcided"
)
PREMISES = ITEMS.total("contexts.premises", lambda item: len(item.stated), "prem\u00adises")
READ = _of_stated("contexts.read", lambda premise: premise.formula is not None)
CLEAN = _of_stated("contexts.clean", lambda premise: premise.formula is not None and not premise.alerts)
REFINED = _of_stated("contexts.refined", lambda premise: premise.refined > 0, "asked again")
"""The number of contexts, the share of inconsistent ones, and the number of undecided ones. Then the number of
sentences of contexts and users. Three shares of these sentences follow: with a formula, with a formula and no alert,
and formalized again.
"""


def _conflict(item: PlayedItem, joint: JointRecord) -> bool | None:
    decided = joint.verdict in (JointVerdict.CONSISTENT, JointVerdict.CONFLICT)
    return joint.verdict == JointVerdict.CONFLICT if decided else None


def _disagrees(item: PlayedItem, joint: JointRecord) -> bool | None:
    conflict = _conflict(item, joint)
    return conflict and not any(claim.verdict == ClaimVerdict.CONTRADICTORY for claim in item.claims)


def _vanishes(item: PlayedItem, joint: JointRecord) -> bool | None:
    """Return whether the conflict disappears without bridging axioms, or None if that is not known."""
    if not _disagrees(item, joint):
        return None
    if all(bridge.formula is None for bridge in joint.bridges):
        return False
    known = joint.without_bridges in (JointVerdict.CONSISTENT, JointVerdict.CONFLICT)
    return joint.without_bridges == JointVerdict.CONSISTENT if known else None


def _joint(
    name: str, title: str | None, of: Callable[[PlayedItem, JointRecord], bool | None]
) -> Metric[PlayedItem, Rate]:
    """Declare a share of answers with claims. An answer without claims has nothing that could conflict."""
    return ITEMS.share(
        f"joint.{name}", lambda item: of(item, item.check.joint) if item.check and item.claims else None, title
    )


JOINT_DECIDED = _joint("decided", "de\u00adcided", lambda item, joint: _conflict(item, joint) is not None)
CONFLICT = _joint("conflict", None, _conflict)
DISAGREES = _joint("disagrees", "unseen", _disagrees)
ARTIFACT = _joint("artifact", "by bridges", _vanishes)
"""The claims of a delivered answer, taken together.

`JOINT_DECIDED` is the share of answers with claims for which it is known whether the claims can hold together.
`CONFLICT` is the share of these whose claims cannot. In `DISAGREES`, moreover, no claim is contradictory by itself.
`ARTIFACT` is the share of the latter whose claims can hold together without bridging axioms, as far as that is known.
"""


def _final(of: Callable[[PlayedItem], bool]) -> Callable[[PlayedItem], bool | None]:
    """Return the function `of`, changed to ignore questions for which no program was written."""
    return lambda item: of(item) if item.programs else None


def _programs(item: PlayedItem, *statuses: str) -> int:
    return sum(each.program is not None and each.program.status in statuses for each in item.programs)


def _fell_back(item: PlayedItem) -> bool:
    return item.entry.record.final.kind == FALLBACK


def _executed(item: PlayedItem) -> bool:
    return bool(_programs(item, "executed")) and not _fell_back(item)


def _refined(item: PlayedItem) -> bool:
    return _executed(item) and item.entry.record.final.program is not None and len(item.programs) > 1


WRITTEN = ITEMS.total("programs.written", lambda item: len(item.programs), "pro\u00adgrams")
RAN = ITEMS.share("programs.ran", lambda item: (_programs(item, "executed", "undecided"), len(item.programs)))
PROGRAMS_PROVING = ITEMS.share("programs.proving", lambda item: (_programs(item, "executed"), len(item.programs)))
EXECUTED = ITEMS.share("programs.executed", _final(_executed), "exe\u00adcuted")
PROGRAMS_REFINED = ITEMS.share("programs.refined", _final(_refined), "re\u00adfined")
FELL_BACK = ITEMS.share("programs.fell_back", _final(_fell_back))
EMPTY = ITEMS.share("programs.empty", _final(lambda item: item.entry.record.final.answer is None), "no answer")
"""The programs of logic that the model wrote, with the shares that ran and that prove exactly one option.

The other figures are shares of the questions with a program. `EXECUTED`: a program proves the answer.
`PROGRAMS_REFINED`: a later program proves it, after an error. `FELL_BACK`: the answer came without a program. `EMPTY`:
there is no answer.
"""

SPENT = Metrics[Usage]()
CALLS = SPENT.mean("calls", lambda usage: usage.calls)
GENERATED = SPENT.mean("generated", lambda usage: usage.completion_tokens, "gener\u00adated", ".0f")
TOKENS = SPENT.mean("tokens", lambda usage: usage.tokens, form=".0f")
LATENCY = SPENT.mean("latency_s", lambda usage: usage.latency_s, "seconds")
"""Means over items. Generated tokens are those that the model wrote; tokens also include those of prompts. Seconds are
the latency of calls.
"""


def _spending(name: str, of: Callable[[PlayedItem], Usage]) -> Metric[PlayedItem, Part]:
    def means(units: Units) -> Part:
        return Part({}, SPENT.combine([[SPENT.added(usage) for usage in unit] for unit in units]))

    return ITEMS.worked_out(f"costs.{name}", of, means)


def _spared(name: str) -> Metric[PlayedItem, Mapping[str, int]]:
    """Declare a metric that counts, by purpose, the planned calls that checks did not make, for the reason `name`."""

    def of(item: PlayedItem) -> Mapping[str, int]:
        # The attempt that delivers the best round again repeats the check of that round.
        checks = (each.check for each in item.entry.record.attempts if each.kind != "best")
        return _add(getattr(check, name) for check in checks if check is not None)

    return _tally(f"costs.{name}", of)


OWN = _spending("own", lambda item: item.entry.record.usage)
EXTRACTION = _spending("extraction", lambda item: total(call.usage for call in item.entry.record.extraction))
MEASURING = _spending("measuring", lambda item: total(call.usage for call in item.entry.record.measuring))
SECONDS = ITEMS.mean("costs.seconds", lambda item: item.entry.record.time_s, "with solver")
SAVED = _spared("saved")
NOT_ASKED = _spared("not_asked")
"""The cost of an item: the method's own spending, the part of it for premises, and the spending only to measure.

`SECONDS` is the latency of the method's calls plus its solver's time. `SAVED` and `NOT_ASKED` count the calls that
checks planned and did not make, over all items (`CheckRecord`).
"""

CONVERGENCE: Metric[PlayedItem, Convergence] = ITEMS.worked_out(
    "convergence",
    lambda item: rounds_of(item.entry),
    lambda units: convergence_of([rounds for unit in units for rounds in unit]),
)
REWEIGHED: Metric[PlayedItem, tuple[Reweighed, ...]] = ITEMS.worked_out(
    "reweighed",
    lambda item: (rounds_of(item.entry), item.method),
    lambda units: reweigh([rounds for unit in units for rounds, _ in unit], next((m for [(_, m)] in units), None)),
)
