"""Verify a turn from a log, which has constraints and an answer. A repeated constraint has several ids."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from holdtrue.budget import Budget
from holdtrue.errors import ConstraintError, DomainError, RecordError
from holdtrue.ledger.ledger import Ledger, Proposal
from holdtrue.record import AnswerStatus, Satisfiability, VerdictRecord
from holdtrue.solving.explain.nearest_answer import nearest
from holdtrue.solving.result import Id, Nearest
from holdtrue.solving.route import make_engine, reason_for
from holdtrue.verification.correctness import is_correct
from holdtrue.verification.coverage import Coverage
from holdtrue.verification.verifier import Verifier
from holdtrue.verification.words import describe
from holdtrue.world.answer import Answer, Assignment
from holdtrue.world.domain import Domain
from holdtrue.world.instance import Instance
from holdtrue.world.reader import read_assignment
from holdtrue.world.world import Constraint


@dataclass(frozen=True, slots=True)
class LoggedIds:
    """For each commitment, by its id in the ledger, its ids in the log, in the order of the log."""

    all: Mapping[Id, tuple[str, ...]]

    @property
    def names(self) -> dict[Id, str]:
        """Return the first id of each commitment in the log."""
        return {id: names[0] for id, names in self.all.items()}

    @property
    def full_names(self) -> dict[Id, str]:
        """Return each commitment's name in sentences: `c2 (also logged as c7)`."""
        return {id: _full_name(names) for id, names in self.all.items()}

    def also(self, ids: Iterable[Id]) -> dict[str, tuple[str, ...]]:
        """Return the further ids of these commitments, by their first id, if they have any."""
        return {self.all[id][0]: self.all[id][1:] for id in dict.fromkeys(ids) if len(self.all[id]) > 1}


def check_ids(field: str, constraints: Sequence[tuple[str, Constraint]]) -> None:
    """Raise `RecordError` with the places if an id belongs to two different constraints."""
    first: dict[str, tuple[int, Constraint]] = {}
    for position, (id, constraint) in enumerate(constraints, 1):
        earlier, said = first.setdefault(id, (position, constraint))
        if said != constraint:
            raise RecordError(
                f"{field}: number {earlier} and number {position} are both called {id!r:.40} and say different things; "
                "give each an id of its own (one without an id is called by its place: C001, C002, ...)"
            )


def _full_name(names: Sequence[str]) -> str:
    first, *others = names
    return f"{first} (also logged as {', '.join(others)})" if others else first


ANSWER_NEEDED = "answer: a text or an object is needed"


@dataclass(frozen=True, slots=True)
class LoggedTurn:
    """A turn of a log. `constraints` are tuples of id, constraint and turn. `answer` and `gold` may be None."""

    id: str
    instance: Instance
    constraints: tuple[tuple[str, Constraint, int], ...]
    answer: str | Mapping[str, Any] | None
    gold: tuple[Constraint, ...] | None

    def enter(self) -> tuple[Ledger, LoggedIds]:
        """Return the constraints as a ledger, and the log's ids of each commitment. Equal constraints are one."""
        ledger, ids = Ledger(self.instance), dict[str, tuple[str, ...]]()
        for name, constraint, number in self.constraints:
            entered = ledger.enter(ledger.draft(Proposal(constraint), number), number).entry.id
            if name not in ids.get(entered, ()):
                ids[entered] = (*ids.get(entered, ()), name)
        return ledger, LoggedIds(ids)

    def read_answer(self) -> Answer | None:
        """Return the logged answer, or None if there is none."""
        match self.answer:
            case None:
                return None
            case str():
                return self.instance.read_answer(self.answer)
        return read_assignment(self.instance, self.answer)


@dataclass(frozen=True, slots=True)
class CheckedTurn:
    """The verdict on a logged turn, with the ids of the log.

    `nearest` is a valid answer in the domain's shape. `nearest_proved` says whether it is proved that no answer changes
    fewer values. Both are None if the answer is right, or if no valid answer is known. `verdict.violated` has every
    logged id that is broken. `verdict.mus` and `verdict.blame` have one id for each commitment, and `also` has their
    other ids. `engine` says which solver was used, and why.
    """

    id: str
    verdict: VerdictRecord
    nearest: dict[str, Any] | None
    nearest_proved: bool | None
    correct: bool | None
    upstream_correct: bool | None
    sentences: tuple[str, ...]
    engine: str
    also: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        verdict = self.verdict
        return {
            "id": self.id,
            "ledger": verdict.basis.value,
            "answer": verdict.answer.value,
            "outcome": verdict.outcome.value,
            "triggers": [code.value for code in verdict.triggers],
            "violated": list(verdict.violated),
            "blame": list(verdict.blame),
            "background": list(verdict.background),
            "missing": list(verdict.missing),
            "mus": None if verdict.mus is None else list(verdict.mus),
            "mus_minimal": verdict.mus_minimal,
            "also": {id: list(others) for id, others in self.also.items()},
            "nearest": self.nearest,
            "nearest_proved": self.nearest_proved,
            "correct": self.correct,
            "upstream_correct": self.upstream_correct,
            "reason": verdict.reason,
        }


def read_logged_turn(value: object, find: Mapping[str, Domain], default: Domain | None) -> LoggedTurn:
    """Read one logged turn. `default` is the domain of turns that name none. Raises `RecordError` for a wrong field."""
    if not isinstance(value, dict):
        raise RecordError(f"a logged turn is a JSON object, not {type(value).__name__}")
    instance = read_setting(value, find, default)
    answer = value.get("answer")
    if not isinstance(answer, str | dict | None):
        raise RecordError(ANSWER_NEEDED)
    gold = value.get("gold")
    return LoggedTurn(
        id=str(value.get("id", "")),
        instance=instance,
        constraints=_constraints(instance, "constraints", value.get("constraints")),
        answer=answer,
        gold=None if gold is None else tuple(made for _, made, _ in _constraints(instance, "gold", gold)),
    )


def read_setting(value: Mapping[str, Any], find: Mapping[str, Domain], default: Domain | None) -> Instance:
    """Return the instance that a logged turn or conversation is about. Raises `RecordError` for a wrong field."""
    name = value.get("domain", default.name if default else None)
    domain = default if default is not None and name == default.name else find.get(str(name))
    if domain is None:
        raise RecordError(f"domain: {_unknown_domain(name, find, default)}")
    entities = value.get("entities")
    if not isinstance(entities, list) or not all(isinstance(entity, str) for entity in entities):
        raise RecordError("entities: a list of names is needed")
    context = value.get("context") or {}
    if not isinstance(context, dict):
        raise RecordError("context: an object is needed")
    try:
        return domain.instance(entities, context)
    except DomainError as error:
        raise RecordError(f"context: {error}") from error


def _unknown_domain(name: object, find: Mapping[str, Domain], default: Domain | None) -> str:
    """Return the message for a turn with an unknown domain."""
    known = ", ".join(find)
    if default is not None:
        return f"the turn is about {name!r:.60}, the domain that was given is {default.name!r}, and there are {known}"
    problem = "the turn names none" if name is None else f"{name!r:.60} is not known"
    return f"{problem}; give it with --domain, or use one of {known}"


def check_logged_turn(turn: LoggedTurn, budget: Budget) -> CheckedTurn:
    """Verify a logged turn against its ledger, and its gold if it has any. Raises `RecordError` without an answer."""
    instance, answer = turn.instance, turn.read_answer()
    if answer is None:
        raise RecordError(ANSWER_NEEDED)
    engine = make_engine(list(instance.variables.values()), instance.background)
    ledger, ids = turn.enter()
    verifier = Verifier(instance, engine, budget)
    verdict = verifier.verify(ledger, answer, nothing_read=not turn.constraints)
    correct, upstream = (None, None) if turn.gold is None else is_correct(instance, turn.gold, answer, engine, budget)
    return CheckedTurn(
        turn.id,
        _renamed(verdict, ids),
        *nearest_answer(verifier, ledger, answer, verdict),
        correct,
        upstream,
        tuple(describe(verdict, ledger.active, ids.full_names, Coverage(len(ledger.active)))),
        reason_for(engine),
        ids.also((*verdict.violated, *verdict.blame, *(verdict.mus or ()))),
    )


def nearest_answer(
    verifier: Verifier, ledger: Ledger, answer: Answer, verdict: VerdictRecord
) -> tuple[dict[str, Any] | None, bool | None]:
    """Return the valid answer that changes a wrong one least, and whether that is proved, or (None, None)."""
    wrong = verdict.answer in (AnswerStatus.VIOLATING, AnswerStatus.INCOMPLETE)
    if not isinstance(answer, Assignment) or not wrong or verdict.basis is not Satisfiability.SAT:
        return None, None
    found = nearest(verifier.engine, ledger.soft, answer.values, verifier.budget)
    if not isinstance(found, Nearest):
        return None, None
    return verifier.instance.render_answer(found.witness), found.optimal


def _constraints(instance: Instance, field: str, value: object) -> tuple[tuple[str, Constraint, int], ...]:
    if not isinstance(value, list):
        raise RecordError(f"{field}: a list is needed")
    read: list[tuple[str, Constraint, int]] = []
    for position, item in enumerate(value, 1):
        if (
            not isinstance(item, dict)
            or not isinstance(item.get("type"), str)
            or not isinstance(item.get("args"), list)
        ):
            raise RecordError(f'{field}: number {position} is no object with "type" and "args"')
        name, number = _id(field, position, item.get("id")), item.get("turn", 1)
        if isinstance(number, bool) or not isinstance(number, int):
            raise RecordError(f"{field}: the turn of {name} is no integer: {number!r:.40}")
        try:
            read.append((name, instance.constraint(item["type"], item["args"]), number))
        except ConstraintError as error:
            raise RecordError(f"{field}: {name}: {error} [{error.code}]") from error
    check_ids(field, [(name, instance.canonical(made)) for name, made, _ in read])
    return tuple(read)


def _id(field: str, position: int, given: object) -> str:
    """Return the log's id of a constraint, or one made from its place."""
    if given is None:
        return f"C{position:03d}"
    if isinstance(given, bool) or not isinstance(given, str | int) or given == "":
        raise RecordError(f"{field}: the id of number {position} is no name: {given!r:.40}")
    return str(given)


def _renamed(verdict: VerdictRecord, ids: LoggedIds) -> VerdictRecord:
    """Return the verdict with the log's ids."""
    names = ids.names
    return replace(
        verdict,
        violated=tuple(name for id in verdict.violated for name in ids.all[id]),
        blame=tuple(names[id] for id in verdict.blame),
        mus=None if verdict.mus is None else tuple(names[id] for id in verdict.mus),
    )
