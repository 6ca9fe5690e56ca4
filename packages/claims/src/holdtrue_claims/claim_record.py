"""Plain values that record the check of an answer's claims.

Ids of premises: `P1` is a sentence of the context. `U2.1` is the first statement of the user in turn 2. `T1.C3` is the
third claim of the accepted answer in turn 1. Claims of the current answer are `C1`, `C2`. Bridging axioms are `B1`,
`B2`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class ClaimType(StrEnum):
    """A `ClaimType` is the kind of a claim (VERGE, table 6). A solver decides claims of the first three kinds, and
    judges decide the others.
    """

    MATHEMATICAL = "mathematical"
    LOGICAL = "logical"
    TEMPORAL = "temporal"
    PROBABILISTIC = "probabilistic"
    COMMONSENSE = "commonsense"
    VAGUE = "vague"


class Route(StrEnum):
    """A `Route` says who decides a claim: a solver, judges, or judges after the solver failed (VERGE, equation 4)."""

    HARD = "hard"
    SOFT = "soft"
    HYBRID = "hybrid"


class ClaimVerdict(StrEnum):
    """A `ClaimVerdict` says how a claim follows from its context.

    `ASSUMED`: the claim is entailed or contradictory only under assumptions that nobody stated. `UNPROVED`: the claim
    was meant for the solver, but no formula of it was certain enough to test. `UNKNOWN`: the budget ended before a
    proof.
    """

    ENTAILED = "entailed"
    CONTRADICTORY = "contradictory"
    POSSIBLE = "possible"
    ASSUMED = "assumed"
    UNPROVED = "unproved"
    UNKNOWN = "unknown"
    INCONSISTENT_CONTEXT = "inconsistent_context"


class SoftVerdict(StrEnum):
    """A `SoftVerdict` is the verdict of the judges on a claim."""

    SUPPORTED = "supported"
    PLAUSIBLE = "plausible"
    UNSUPPORTED = "unsupported"
    UNCERTAIN = "uncertain"


class JointVerdict(StrEnum):
    """A `JointVerdict` says whether all claims can hold together, with the premises and the bridging axioms."""

    CONSISTENT = "consistent"
    CONFLICT = "conflict"
    UNKNOWN = "unknown"
    INCONSISTENT_CONTEXT = "inconsistent_context"


@dataclass(frozen=True, slots=True)
class AlertRecord:
    """An `AlertRecord` describes a fault of a formalization. `kind` is an `AlertKind`, and `message` explains the
    fault.

    `text` is the faulty text. `position` is the offset of the fault in `text`, from 0, or None if the fault concerns
    several texts.
    """

    kind: str
    message: str
    text: str = ""
    position: int | None = None


@dataclass(frozen=True, slots=True)
class PremiseRecord:
    """A `PremiseRecord` is a sentence that claims are tested against, with its `id` and its `text`.

    `formula` is its formula, or None if no readable one exists; `alerts` describe faults of the formula. `source` is
    `context`, `user`, `claim` (of an earlier answer) or `bridge` (an axiom that a model proposed for the joint check).
    `refined` counts requests for another formula, made because the premises could not all hold. `confirmed` is true if
    a person wrote the formula, or if it was chosen among near variants because a verdict needed it.
    """

    id: str
    text: str
    formula: str | None
    source: str = "context"
    refined: int = 0
    alerts: tuple[AlertRecord, ...] = ()
    confirmed: bool = False


@dataclass(frozen=True, slots=True)
class ContextRecord:
    """A `ContextRecord` holds the premises of a conversation and their vocabulary.

    `status` of the `premises` is `consistent`, `inconsistent` or `unknown`. `conflict` names premises that cannot all
    hold, and `minimal` says that each of them is necessary for the conflict. Without the `set_aside` premises the
    others can hold. `things` maps each name to its sort. `words` maps each predicate or function to its meaning, such
    as `Teaches(x, y)` to "x teaches y". All things of a `closed` sort are named. `alerts` describe faults of these
    names.
    """

    things: Mapping[str, str]
    words: Mapping[str, str]
    premises: tuple[PremiseRecord, ...]
    status: str
    conflict: tuple[str, ...] = ()
    minimal: bool = True
    set_aside: tuple[str, ...] = ()
    alerts: tuple[AlertRecord, ...] = ()
    closed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FormalizationRecord:
    """A `FormalizationRecord` describes how a claim became a formula, or why it did not.

    `samples` are the formulas of the model, and `readable` counts those without a fault. `same_tree`, `equivalent` and
    `aligned` are shares of all pairs of samples (`kind.equivalence.Agreement`), or None if there is no pair. Each pair
    counts in the first that applies. `clique` is the size of the largest agreeing set. `agreed` is true if that set is
    the only one of its size and a majority. `retold` is the formula in words, and `similarity` (0..1) compares these
    words with the claim. `corrected`: a stronger formula replaced the first one, and the solver proved that it entails
    the first.

    `formula` is the accepted formula; without one, `reason` says why. `refused` names the failed gate: `unread`,
    `consensus`, `meaning`, `round_trip` or `choice`. `alerts` describe faults of the samples. `saved` counts planned
    samples that were not drawn because they could change nothing. If a model had to choose the formula among near
    variants, `said` is the wording of the formula by code. `choices` counts the calls for that choice. `instead` is the
    variant that was chosen in its place, or None.
    """

    samples: tuple[str, ...]
    readable: int
    same_tree: float | None = None
    equivalent: float | None = None
    aligned: float | None = None
    clique: int = 0
    agreed: bool = False
    retold: str | None = None
    similarity: float | None = None
    corrected: bool = False
    formula: str | None = None
    refused: str | None = None
    reason: str | None = None
    alerts: tuple[AlertRecord, ...] = ()
    saved: int = 0
    said: str | None = None
    choices: int = 0
    instead: str | None = None


@dataclass(frozen=True, slots=True)
class ClauseRecord:
    """A `ClauseRecord` divides the clauses of one claim, in words by code, into those to `drop` and those to `keep`.

    If the claim is contradictory, the clauses to `keep` can hold with the premises. If it is possible, they follow from
    the premises. `minimum`: no smaller set of clauses to drop suffices. Otherwise the set only has no superfluous
    member.
    """

    drop: tuple[str, ...]
    keep: tuple[str, ...]
    minimum: bool


@dataclass(frozen=True, slots=True)
class ClaimRecord:
    """A `ClaimRecord` is one claim of an answer, with its `id`, its `text`, its verdict and the evidence.

    `type` is a `ClaimType`, `route` a `Route`, and `verdict` a `ClaimVerdict` or a `SoftVerdict`. `routed` says why the
    route was chosen: `type`, `rule: ...`, `setting`, `premise`, or the failure of the solver. `formalization` is None
    if nobody tried to write a formula. `premises` are the ids of the premises, user statements and earlier claims that
    entail or contradict the claim. If `minimal`, all of them are necessary.

    `confidence` (0..1) of a formula is the share of agreeing samples, times `formalization.similarity` if that was
    measured. Without a formula it is the confidence of the judges. `votes` counts the judges' verdicts. `judged` is
    their joint verdict if it differs from `verdict`. `restated`: one premise alone states the claim. A possible claim
    holds in one situation and fails in another; `holds` and `fails` are the facts in which these differ.

    `reason` says why nothing was decided, why the judges' verdict does not count, or which unread premises may decide
    the claim. For an `assumed` claim, `assumptions` are the unstated assumptions as sentences. `assuming` is the
    verdict under them: `entailed` or `contradictory`. `clauses` say which parts of a compound claim have to go.
    """

    id: str
    text: str
    type: str
    route: str
    routed: str
    verdict: str
    confidence: float = 1.0
    premises: tuple[str, ...] = ()
    minimal: bool = True
    formalization: FormalizationRecord | None = None
    votes: Mapping[str, int] = field(default_factory=dict)
    restated: bool = False
    holds: Mapping[str, int | str] = field(default_factory=dict)
    fails: Mapping[str, int | str] = field(default_factory=dict)
    reason: str | None = None
    judged: str | None = None
    assumptions: tuple[str, ...] = ()
    assuming: str | None = None
    clauses: ClauseRecord | None = None


@dataclass(frozen=True, slots=True)
class JointRecord:
    """A `JointRecord` says whether the claims that are not contradictory by themselves can hold together.

    `verdict` is a `JointVerdict`, `bridges` are the bridging axioms, and `reason` says why nothing was decided.
    `conflict` names the clashing premises, bridging axioms and claims; if `minimal`, all of them are necessary. Without
    the `set_aside` claims, the least confident ones, the others can hold. `smallest` is a conflict with the fewest
    claims, if that was requested and proved. `without_bridges` is the verdict without the bridging axioms, or None if
    there are none.
    """

    verdict: str
    conflict: tuple[str, ...] = ()
    minimal: bool = True
    set_aside: tuple[str, ...] = ()
    smallest: tuple[str, ...] | None = None
    bridges: tuple[PremiseRecord, ...] = ()
    without_bridges: str | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class CheckRecord:
    """A `CheckRecord` is the result of checking an answer: its `claims` one by one, and all of them together (`joint`).

    `score` (0..1) is the `mean` value of the verdicts, lowered by their `deviation` (`kind.acceptance`). If `accept` is
    `proved`, claims that only judges decided do not count.

    `accepted`: the score reached the threshold, and all claims that are not contradictory can hold together. If
    `accept` is `proved`, the solver also decided every claim meant for it, and there is at least one such claim.
    `change` names the claims to change so that all can hold with the premises: each contradictory claim, and the fewest
    others.

    Three fields are letters of options, or None. `option` is the choice of the answer. `supported` is proved by the
    verified claims of the answer, and `proved` by the context. `clipped`: the answer states more than was tested.
    `untested` are clauses of the answer that no claim covers, and `idle` are clauses that state nothing. `saved`
    counts, by purpose, planned calls that were not made because they could change no verdict. `not_asked` counts calls
    that were omitted because the answer could not be accepted any more. `unheard` maps each number, date or name of the
    answer that nobody mentioned to the nearest mentioned one, or to "".
    """

    claims: tuple[ClaimRecord, ...]
    joint: JointRecord
    score: float
    mean: float
    deviation: float
    accepted: bool
    change: tuple[str, ...] = ()
    option: str | None = None
    supported: str | None = None
    proved: str | None = None
    clipped: bool = False
    untested: tuple[str, ...] = ()
    idle: tuple[str, ...] = ()
    accept: str = "judged"
    saved: Mapping[str, int] = field(default_factory=dict)
    not_asked: Mapping[str, int] = field(default_factory=dict)
    unheard: Mapping[str, str] = field(default_factory=dict)
