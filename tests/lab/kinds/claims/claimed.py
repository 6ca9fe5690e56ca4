"""Entries about claims for tests, made by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from types import SimpleNamespace
from typing import Any

from holdtrue.record import AnswerStatus, CallRecord, Satisfiability, TurnRecord, Usage, VerdictRecord
from holdtrue_claims.claim_record import (
    AlertRecord,
    CheckRecord,
    ClaimRecord,
    ClaimVerdict,
    ContextRecord,
    FormalizationRecord,
    JointRecord,
    PremiseRecord,
    Route,
    SoftVerdict,
)
from holdtrue_claims.kind.acceptance import claim_score
from holdtrue_claims.kind.record import ClaimAttempt, ClaimsDetail, ClaimsRecord
from holdtrue_claims.kind.settings import Weights
from holdtrue_lab.figures.statistics import Rate
from holdtrue_lab.kinds.claims.entry import ClaimEntry, ClaimScore
from holdtrue_lab.kinds.claims.measure import measure_claims
from holdtrue_lab.kit.entry import Entry, FailureEntry
from holdtrue_lab.kit.groups import FigureRow
from holdtrue_lab.kit.metrics import Part

OPTIONS = {"A": "True", "B": "False", "C": "Uncertain"}
ENTAILED, POSSIBLE, WRONG = ClaimVerdict.ENTAILED, ClaimVerdict.POSSIBLE, ClaimVerdict.CONTRADICTORY
UNKNOWN, CLASH = ClaimVerdict.UNKNOWN, ClaimVerdict.INCONSISTENT_CONTEXT
SUPPORTED, UNSUPPORTED = SoftVerdict.SUPPORTED, SoftVerdict.UNSUPPORTED
RULING = VerdictRecord(Satisfiability.SAT, AnswerStatus.RESPECTING)
CALL = Usage(1, 100, 10, 0.5)

FORMAL = FormalizationRecord(
    ("A(x)", "A(x)", "A(x)"), 3, 1.0, 0.0, 0.0, clique=3, agreed=True, retold="a", similarity=1.0, formula="A(x)"
)
UNREAD = FormalizationRecord(
    ("?", "?", "?"), 0, 0.0, 0.0, 0.0, refused="unread", reason="no", alerts=(AlertRecord("unparsed", "no"),) * 2
)
SPLIT = FormalizationRecord(("A(x)", "B(x)", "A(x)"), 2, 0.0, 1 / 3, 0.0, clique=2, refused="consensus", reason="no")
DISTANT = replace(FORMAL, retold="b", similarity=0.1, formula=None, refused="round_trip", reason="no")


def claim(
    verdict: ClaimVerdict | SoftVerdict,
    route: Route | None = None,
    formalization: FormalizationRecord | None = None,
    restated: bool = False,
) -> ClaimRecord:
    """A claim; the solver's verdicts are of hard ones, unless said otherwise."""
    its = route or (Route.HARD if isinstance(verdict, ClaimVerdict) else Route.SOFT)
    return ClaimRecord("C1", "text", "logical", its, "type", verdict, formalization=formalization, restated=restated)


def joint(verdict: str = "consistent", *, bridged: bool = False, without: str | None = None) -> JointRecord:
    """`bridged`: a bridging axiom takes part."""
    bridges = (PremiseRecord("B1", "if so", "A(x)", "bridge"),) if bridged else ()
    return JointRecord(verdict, bridges=bridges, without_bridges=without)


def check(
    *claims: ClaimRecord | ClaimVerdict | SoftVerdict,
    together: JointRecord | None = None,
    supported: str | None = None,
    proved: str | None = None,
    least_score: float = 0.75,
    weights: Weights | None = None,
) -> CheckRecord:
    """Return the check of these claims, with its score and whether the answer is accepted."""
    records = tuple(each if isinstance(each, ClaimRecord) else claim(each) for each in claims)
    verdicts = [_verdict(each.verdict) for each in records]
    found, together = claim_score(verdicts, weights or Weights()), together or joint()
    accepted = bool(records) and found.score >= least_score and together.verdict == "consistent"
    return CheckRecord(
        records, together, found.score, found.mean, found.deviation, accepted, supported=supported, proved=proved
    )


def _verdict(name: str) -> ClaimVerdict | SoftVerdict:
    return ClaimVerdict(name) if name in set(ClaimVerdict) else SoftVerdict(name)


def call(purpose: str = "answer", usage: Usage = CALL) -> CallRecord:
    return CallRecord("key", purpose, usage)


def answer(
    option: str | None = "A",
    checked: CheckRecord | None = None,
    kind: str = "",
    calls: Sequence[CallRecord] = (call(),),
) -> ClaimAttempt:
    """Return an attempt. `entry` gives it its number and, by its place, a kind if it has none."""
    given = None if option is None else {"option": option}
    return ClaimAttempt(0, kind, "text", given, RULING, tuple(calls), check=checked)


def context(*premises: PremiseRecord, status: str = "consistent", alerts: Sequence[AlertRecord] = ()) -> ContextRecord:
    return ContextRecord({}, {}, premises, status, alerts=tuple(alerts))


def entry(
    problem: str,
    *attempts: ClaimAttempt,
    gold: str | None = "A",
    method: str = "verge",
    model: str = "sim/test",
    protocol: str = "fol",
    extractor: str = "llm",
    domain: str = "folio",
    problem_lines: Sequence[str] = ("All are.", "Is it?"),
    perturbs: str | None = None,
    perturbation: str | None = None,
    premises: ContextRecord | None = None,
    extraction: Sequence[CallRecord] = (),
    measuring: Sequence[CallRecord] = (),
    solver_s: float = 0.0,
    delivered: str | None = "text",
) -> ClaimEntry:
    """An item with these attempts; the last one is delivered."""
    numbered = tuple(
        replace(each, attempt=n, kind=each.kind or ("answer" if n == 1 else "repair"))
        for n, each in enumerate(attempts, start=1)
    )
    record = TurnRecord(
        turn=1,
        user_message="Is it?",
        method=method,
        model=model,
        variant=protocol,
        reader=extractor,
        attempts=numbered,
        delivered=delivered,
        extraction=tuple(extraction),
        measuring=tuple(measuring),
        solver_s=solver_s,
        detail=ClaimsDetail(premises),
    )
    return ClaimEntry(
        "verge",
        problem,
        domain,
        method,
        1,
        1,
        record,
        _score(record, gold, perturbs, perturbation),
        tuple(problem_lines),
    )


def _score(record: ClaimsRecord, gold: str | None, perturbs: str | None, perturbation: str | None) -> ClaimScore | None:
    if gold is None:
        return None
    final = record.final
    given = (final.answer or {}).get("option") if record.delivered is not None else None
    return ClaimScore(
        gold=gold,
        given=None if given is None else str(given),
        options=OPTIONS,
        supported=None if final.check is None else final.check.supported,
        proved=None if final.check is None else final.check.proved,
        perturbs=perturbs,
        perturbation=perturbation,
    )


def failure(problem: str, *, method: str = "verge", domain: str = "folio", suite: str = "verge") -> FailureEntry:
    return FailureEntry(suite, problem, domain, method, 1, "ModelError", "gone")


def only(*entries: Entry, domain: str | None = None) -> Any:
    """The one row over this data set, with its figures as attributes."""
    [row] = [row for row in measure_claims(entries).rows if row.domain == domain]
    return figured(row)


def figured(row: FigureRow) -> Any:
    """A row's fields and figures as attributes, such as `verdicts.verified` and `costs.own.calls`."""
    return _attributes({**{each.name: getattr(row, each.name) for each in fields(row)}, **row.figures})


def _attributes(figures: Mapping[str, Any]) -> Any:
    found = SimpleNamespace()
    for name, value in figures.items():
        place, _, last = name.rpartition(".")
        if place and not hasattr(found, place):
            setattr(found, place, SimpleNamespace())
        setattr(getattr(found, place) if place else found, last, _read(value))
    return found


def _read(value: Any) -> Any:
    if isinstance(value, Part):
        return _attributes(value.figures)
    if isinstance(value, Mapping):
        return {key: _read(each) for key, each in value.items()}
    return value


def counted(rate: Rate) -> tuple[int, int]:
    """Hits out of how many."""
    return rate.hits, rate.of
