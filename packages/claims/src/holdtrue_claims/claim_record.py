"""The parts of a record that say what was found about the claims of an answer, as plain values.

Names of premises: `P1` a sentence of the context, `U2.1` the first thing that the user stated in turn 2, `T1.C3` the
third claim of the answer in turn 1, which was accepted. Claims of the answer at hand are `C1`, `C2`; bridging axioms
`B1`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class ClaimType(StrEnum):
    """A `ClaimType` is the kind of a claim (VERGE, table 6): the first three go to a solver, the others to judges."""

    MATHEMATICAL = "mathematical"
    LOGICAL = "logical"
    TEMPORAL = "temporal"
    PROBABILISTIC = "probabilistic"
    COMMONSENSE = "commonsense"
    VAGUE = "vague"


class Route(StrEnum):
    """A `Route` says who decides a claim: a solver, judges, or judges where a solver could not (VERGE, equation 4)."""

    HARD = "hard"
    SOFT = "soft"
    HYBRID = "hybrid"


class ClaimVerdict(StrEnum):
    """A `ClaimVerdict` is what a context proves about a claim.

    `ASSUMED`: it is entailed or contradictory, but only under assumptions that nobody stated. `UNPROVED`: the claim is
    for a solver, and no formula of it was sure enough to be tested. `UNKNOWN`: the budget ended before a proof was
    found.
    """

    ENTAILED = "entailed"
    CONTRADICTORY = "contradictory"
    POSSIBLE = "possible"
    ASSUMED = "assumed"
    UNPROVED = "unproved"
    UNKNOWN = "unknown"
    INCONSISTENT_CONTEXT = "inconsistent_context"


class SoftVerdict(StrEnum):
    """A `SoftVerdict` is what judges say about a claim."""

    SUPPORTED = "supported"
    PLAUSIBLE = "plausible"
    UNSUPPORTED = "unsupported"
    UNCERTAIN = "uncertain"


class JointVerdict(StrEnum):
    """A `JointVerdict` says whether claims can hold together, with the premises and the bridging axioms."""

    CONSISTENT = "consistent"
    CONFLICT = "conflict"
    UNKNOWN = "unknown"
    INCONSISTENT_CONTEXT = "inconsistent_context"


@dataclass(frozen=True, slots=True)
class AlertRecord:
    """Something that is wrong with a formalization: `kind` is one of `logic.fol.alert`, and `message` says it in words.

    `text` is what was read, and `position` the offset in it, from 0; None where it is about many texts.
    """

    kind: str
    message: str
    text: str = ""
    position: int | None = None


@dataclass(frozen=True, slots=True)
class PremiseRecord:
    """A sentence that claims are tested against: `text` says it, and `id` names it.

    `formula` is what it was read as, None where it could not be, and `alerts` tell what is wrong with that.
    `source`: `context`, `user`, `claim` (of an earlier answer) or `bridge` (proposed by a model, joint check only).
    `refined`: so many times its formula was asked for again, because the premises could not all hold. `confirmed`:
    people wrote the formula, or a verdict needed it and it was chosen among its near variants.
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
    """The premises of a conversation and the vocabulary that they are written in.

    `status` says of the `premises` that they are `consistent`, `inconsistent` or `unknown`; `conflict` names those that
    cannot all hold, none of which can be spared where `minimal`; `set_aside` those without which the others can.
    `things` maps names to sorts, `words` predicates and functions to what they mean, such as `Teaches(x, y)` to "x
    teaches y"; `closed` are the sorts of which all things are named; `alerts` tell what is wrong with these.
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
    """This record tells how a claim became a formula, or why it did not.

    `samples` are the formulas as the model wrote them, `readable` how many could be read without a fault.
    `same_tree`, `equivalent` and `aligned` are rates of all pairs of samples (each pair counts in the first that
    applies; None where there is no pair), `clique` the size of the largest set that agrees, and `agreed` says whether
    it is the only one and more than half. `retold` is what the formula says in words, `similarity` (0..1) how much of
    the claim that is. `corrected`: a stronger formula replaced the first one, and the solver proved that it entails
    it. `formula` is the accepted one; where it is None, `reason` tells why. `refused` names the gate that it failed:
    `unread`, `consensus`, `meaning`, `round_trip` or `choice`. `alerts` tell what is wrong with the samples. `saved`:
    so many more samples were planned, and not drawn because they could change nothing. `said` are the words that code
    says a formula in that had to be chosen among its near variants, `choices` counts the calls for that, and `instead`
    is what was chosen in its place, None for nothing that was shown.
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
    """The clauses of one claim, in words that code wrote: those that have to go (`drop`), and those that can stay.

    Of a contradictory claim the clauses to `keep` can hold with the premises; of one that is possible they follow.
    `minimum`: no fewer are enough. Else none of `drop` can be spared while the others stay, and fewer might be enough.
    """

    drop: tuple[str, ...]
    keep: tuple[str, ...]
    minimum: bool


@dataclass(frozen=True, slots=True)
class ClaimRecord:
    """One claim of an answer, with its verdict and what shows it: `text` says it, and `id` names it.

    `type` is a `ClaimType`. `route` says who decided on it (a `Route`), and `formalization` how it became a formula,
    None where nobody tried.

    `routed` says why the route was chosen: `type`, `rule: ...`, `setting`, `premise`, or what the solver could not
    do. `verdict` is a `ClaimVerdict` or a `SoftVerdict`. `premises` entail or contradict it, none can be spared where
    `minimal`; ids of earlier claims or of what the user said may be among them. `confidence` (0..1): the share of
    samples that agree, times the similarity of the round trip where that was asked for; or that of the judges.
    `votes` counts the judges' verdicts, and `judged` is what they say together where that is not the verdict.
    `restated`: a premise alone says the same. `holds` and `fails` are facts of two situations, one with the claim and
    one without it, of a claim that is possible (facts in which they differ). `reason` says why nothing could be
    decided, why the judges' word does not count, or which premises that could not be read may settle it. Of a claim
    that is `assumed`, `assumptions` say in sentences what nobody stated, and `assuming` is what the claim would be
    with them: `entailed` or `contradictory`. `clauses` tell which parts of a claim have to go, if it states several.
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
    """This record tells whether the claims that are not contradictory alone can hold together.

    `verdict` is a `JointVerdict`, `bridges` are the bridging axioms, and `reason` says why nothing could be decided.

    `conflict` names premises, bridging axioms and claims that clash, none of which can be spared where `minimal`;
    `set_aside` the least confident claims without which the others can hold; `smallest` as few claims as possible,
    where that was asked for and proved. `without_bridges` is the verdict that there would be without bridging axioms,
    where there are any.
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
    """This record is the result of checking an answer: its `claims` one by one, and all of them together (`joint`).

    `score` (0..1) is the `mean` of what their verdicts are worth, lowered where they differ, as `deviation` tells
    (`kinds.claims.acceptance`). Under `accept` `proved` claims that only judges decided are not part of it.

    `accepted`: the score reached the threshold, and all claims can hold together that are not contradictory; with
    `accept` `proved` every claim that is for a solver was also decided by it, and there is one. `change`
    names the claims to change so that nothing contradicts the premises and all can hold: those that are contradictory
    alone, and as few others as possible. `option` is the letter that the answer gives, `supported` the letter that
    its verified claims prove, `proved` the one that the context as it was formalized proves; None where it is none.
    `clipped`: the answer states more than was tested, and `untested` are its clauses that no claim says, and
    `idle` those that state nothing, as code and a model say. `saved`
    counts, by purpose, planned calls that were not made because no verdict could depend on them, and `not_asked` those
    that were not made because the answer could not be accepted whatever came of them. `unheard` maps the numbers, dates
    and names of the answer that were not told to the nearest that was told, empty where none is near.
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
