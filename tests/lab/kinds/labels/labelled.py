"""Cases and records about queries for tests, made by hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from holdtrue.kinds.labels.case import Case, Premise, Query
from holdtrue.kinds.labels.record import LabelAttempt, LabelsDetail, LabelsRecord
from holdtrue.logic.formula import AllDifferent, Formula, Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.record import (
    AnswerStatus,
    CallRecord,
    EventRecord,
    Label,
    Satisfiability,
    TurnRecord,
    Usage,
    VerdictRecord,
)
from holdtrue_lab.kinds.labels.entry import LabelEntry, LabelScore, SetScore
from tests.solving.brute import possible

E, C, U = Label.ENTAILED.value, Label.CONTRADICTED.value, Label.UNKNOWN.value
Answers = Mapping[str, str]

SEATS = tuple(Variable(name, IntSort(1, 3)) for name in "abc")
A, B, D = SEATS

FINE = VerdictRecord(Satisfiability.SAT, AnswerStatus.RESPECTING)
BLANK = VerdictRecord(Satisfiability.SAT, AnswerStatus.UNPARSED)


def case(
    formulas: Sequence[Formula | None],
    premises: Sequence[Formula | None],
    *,
    variables: Sequence[Variable] = SEATS,
    laws: Sequence[Formula] = (),
    suite: str = "cross_query",
) -> Case:
    """Queries q0, q1, ... about these formulas, labelled by trying all assignments (UNKNOWN without a formula).

    A premise without a formula tells the setting.
    """
    theory = [*laws, *(premise for premise in premises if premise is not None)]
    queries = [
        Query(f"q{place}", f"statement {place}", Label(true_label(variables, theory, formula)), "kind", formula)
        for place, formula in enumerate(formulas)
    ]
    return Case(
        id="case",
        suite=suite,
        domain="relational",
        subdomain="linear",
        logic_type="csp",
        entities=("a", "b", "c"),
        variables=tuple(variables),
        laws=tuple(laws),
        premises=tuple(
            Premise(f"premise {place}", formula, setting=formula is None)
            for place, formula in enumerate(premises, start=1)
        ),
        queries=tuple(queries),
    )


def true_label(variables: Sequence[Variable], theory: Sequence[Formula], formula: Formula | None) -> str:
    if formula is None:
        return U
    holds, fails = possible(variables, (*theory, formula)), possible(variables, (*theory, ~formula))
    return U if holds and fails else E if holds else C


SEATED = case([A < B, A.eq(1), D.eq(1), B.eq(2), B.eq(3), A.eq(2)], [None, A < B, D.ne(1)], laws=[AllDifferent(SEATS)])
"""Three seats, a before b, c not in the first: the labels are E E C U U C, and b sits in seat 2 or 3."""


def record(
    asked: Iterable[str],
    labels: Answers,
    *attempts: Answers | None,
    turn: int = 1,
    kinds: Sequence[str] = (),
    events: Sequence[tuple[str, str, str]] = (),
    ledger: Sequence[str] = (),
    entailed: Answers | None = None,
    verdict: VerdictRecord = FINE,
    method: str = "direct",
    protocol: str = "bundle",
    extractor: str = "gold",
    usage: Usage | None = None,
    solver_calls: int = 0,
    solver_s: float = 0.0,
) -> LabelsRecord:
    """Return a turn that ends with these labels. Without `attempts`, one attempt gave the labels of its queries."""
    asked = tuple(asked)
    given = attempts or ({id: label for id, label in labels.items() if id in asked},)
    kinds = kinds or ("answer", *("repair" for _ in given[1:]))
    calls = () if usage is None else (CallRecord("key", "answer", usage),)
    return TurnRecord(
        turn=turn,
        user_message="premises and queries",
        method=method,
        model="sim/test",
        variant=protocol,
        reader=extractor,
        attempts=tuple(
            LabelAttempt(n, kind, "text", answer, verdict, calls if n == 1 else ())
            for n, (kind, answer) in enumerate(zip(kinds, given, strict=True), start=1)
        ),
        delivered="text",
        events=tuple(EventRecord(kind, id, turn, label, (id,)) for kind, id, label in events),
        holds=tuple(ledger),
        detail=LabelsDetail({id: f"statement {id}" for id in asked}, labels, {}, entailed or {}),
        solver_calls=solver_calls,
        solver_s=solver_s,
    )


def entry(
    problem: str,
    gold: Answers,
    labels: Answers,
    *attempts: Answers | None,
    whole: SetScore | None = None,
    prefix: Sequence[bool | None] = (),
    clash: Sequence[bool | None] = (),
    differ: bool | None = None,
    domain: str = "relational",
    suite: str = "cross_query",
    turn: int = 1,
    turns: int = 1,
    scored: bool = True,
    made: LabelsRecord | None = None,
    **more: object,
) -> LabelEntry:
    """Return a turn that asks the queries of `gold`."""
    made = made or record(gold, labels, *attempts, turn=turn, **more)  # type: ignore[arg-type]
    score = LabelScore(gold, tuple(prefix), tuple(clash), differ, whole) if scored else None
    return LabelEntry(suite, problem, domain, made.method, turn, turns, made, score)


def committed(of: Case, labels: Answers) -> dict[str, Formula]:
    """Return the formulas that labels commit to, by query id."""
    found = {}
    for query in of.queries:
        if query.formula is not None and labels.get(query.id) in (E, C):
            found[query.id] = query.formula if labels[query.id] == E else ~query.formula
    return found


def holds(of: Case, formulas: Iterable[Formula]) -> bool:
    """Whether they can hold with the case's premises, by trying all assignments."""
    return possible(of.variables, (*of.laws, *of.theory.values(), *formulas))


def naive_cost(of: Case, labels: Answers) -> int:
    """The fewest commitments to withdraw, by trying all subsets."""
    formulas = list(committed(of, labels).values())
    kept = next(
        size for size in range(len(formulas), -1, -1) if any(holds(of, some) for some in combinations(formulas, size))
    )
    return len(formulas) - kept
