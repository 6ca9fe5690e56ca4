"""Records of turns, as sessions return them and journals store them, and the vocabulary of their outcomes.

Records are plain values that survive conversion to JSON and back. Reading them needs no model and no solver.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, ClassVar, Generic, Literal, Protocol, TypeVar

__all__ = (
    "TurnRecord TurnDetail AttemptRecord VerdictRecord CallRecord ReadingRecord QuestionRecord EventRecord Usage total "
    "Satisfiability AnswerStatus TurnOutcome turn_outcome Channel channel Label ReplyKind Trigger SCHEMA_VERSION"
).split()

SCHEMA_VERSION = 7


SlotRelation = Literal["is", "not", "at_least", "at_most", "more_than", "less_than"]
"""The relation of a quoted value to a call's argument, such as equal, not equal or a bound on one side."""


ALL_REQUESTS = "*"
"""The request id of statements that apply to all requests, such as the user's name."""


class Satisfiability(StrEnum):
    """A `Satisfiability` says whether formulas can all be true together."""

    SAT = "sat"
    UNSAT = "unsat"
    UNKNOWN = "unknown"


class AnswerStatus(StrEnum):
    """An `AnswerStatus` is the verdict on an answer by the commitments or premises that it is checked against.

    `refused` means that the model or a filter declined to answer. Any other reply without an answer is `unparsed`: an
    unreadable or cut text, or a tool call.
    """

    UNPARSED = "unparsed"
    REFUSED = "refused"
    INCOMPLETE = "incomplete"
    VIOLATING = "violating"
    RESPECTING = "respecting"
    UNDECIDED = "undecided"


class TurnOutcome(StrEnum):
    """A `TurnOutcome` is the result of a turn: the first of these outcomes that applies, in this order."""

    CONTRADICTION = "contradiction"
    UNPARSED = "unparsed"
    REFUSED = "refused"
    INCOMPLETE = "incomplete"
    UNDECIDED = "undecided"
    DRIFT = "drift"
    CONSISTENT = "consistent"


def turn_outcome(basis: Satisfiability, answer: AnswerStatus) -> TurnOutcome:
    """Return the outcome that follows from the status of the basis and of the answer."""
    if basis is Satisfiability.UNSAT:
        return TurnOutcome.CONTRADICTION
    if answer is AnswerStatus.UNPARSED:
        return TurnOutcome.UNPARSED
    if answer is AnswerStatus.REFUSED:
        return TurnOutcome.REFUSED
    if answer is AnswerStatus.INCOMPLETE:
        return TurnOutcome.INCOMPLETE
    if answer is AnswerStatus.UNDECIDED or basis is Satisfiability.UNKNOWN:
        return TurnOutcome.UNDECIDED
    return TurnOutcome.DRIFT if answer is AnswerStatus.VIOLATING else TurnOutcome.CONSISTENT


class Channel(StrEnum):
    """A `Channel` is the cause of a wrong turn. Every wrong turn has exactly one."""

    CONTRADICTION = "contradiction"
    UNPARSED = "unparsed"
    REFUSED = "refused"
    INCOMPLETE = "incomplete"
    UNDECIDED = "undecided"
    DRIFT = "drift"
    LEDGER_GAP = "ledger_gap"


def channel(outcome: TurnOutcome) -> Channel:
    """Return the channel of a wrong turn: its outcome, or `ledger_gap` if the answer respects the ledger."""
    return Channel.LEDGER_GAP if outcome is TurnOutcome.CONSISTENT else Channel(outcome.value)


class Label(StrEnum):
    """A `Label` says whether a statement holds in all situations that the premises allow, in none, or in some."""

    ENTAILED = "ENTAILED"
    CONTRADICTED = "CONTRADICTED"
    UNKNOWN = "UNKNOWN"


class ReplyKind(StrEnum):
    """A `ReplyKind` classifies a model's reply by the fields of the protocol. Only an `answer` is read as one.

    `cut`: the token limit ended it. `refused`: the model declines in the protocol's field for that. `filtered`: a
    filter removed all or part of the text. `tool_call`: the model calls a tool instead of answering. A fault of the
    server is raised as an error.
    """

    ANSWER = "answer"
    CUT = "cut"
    REFUSED = "refused"
    FILTERED = "filtered"
    TOOL_CALL = "tool_call"


class Trigger(StrEnum):
    """A `Trigger` is a deterministic code for a fault of a turn. Triggers are reported in this order."""

    CONSTRAINT_EXTRACTION_FAILED = "constraint_extraction_failed"
    UNSAT_LEDGER = "unsat_ledger"
    ANSWER_PARSE_FAILED = "answer_parse_failed"
    ANSWER_REFUSED = "answer_refused"
    INCOMPLETE_ASSIGNMENT = "incomplete_assignment"
    ANSWER_LEDGER_CONFLICT = "answer_ledger_conflict"


@dataclass(frozen=True, slots=True)
class Usage:
    """The cost of `calls` to a model. `prompt_tokens` and `completion_tokens` are counted by the model.

    `thinking_tokens` are those of the completion tokens that a model spent on thinking, as far as its server says so.
    `latency_s` is the sum of the calls' durations (seconds). `LEFT_OUT` has the fields that a journal leaves out if
    they have these values.
    """

    LEFT_OUT: ClassVar[Mapping[str, Any]] = {"thinking_tokens": 0}

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    latency_s: float = 0.0
    thinking_tokens: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.calls + other.calls,
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            self.latency_s + other.latency_s,
            self.thinking_tokens + other.thinking_tokens,
        )

    @property
    def tokens(self) -> int:
        return self.prompt_tokens + self.completion_tokens


def total(usages: Iterable[Usage]) -> Usage:
    """Return the sum of usages."""
    return sum(usages, Usage())


@dataclass(frozen=True, slots=True)
class CallRecord:
    """One call to a model. `key` names its request in the run's call log, and `purpose` says why it was made.

    `usage` is its cost, and `kind` the kind of its reply. `note` explains anything unusual about the call, such as a
    raised limit or an unsupported parameter. `annotations` hold the deliberate choices of a simulated model. `model`
    names the model that was asked, which may differ from the answering model.
    """

    key: str
    purpose: str
    usage: Usage
    kind: ReplyKind = ReplyKind.ANSWER
    note: str | None = None
    annotations: Mapping[str, str] = field(default_factory=dict)
    model: str = ""


@dataclass(frozen=True, slots=True)
class ReadingRecord:
    """One reading of a message: a constraint with its confidence, or a rejected sentence with the reason.

    `sentence` is the text that was read, and `type` and `args` give its constraint. A rejected reading may have none.
    `status` is `accepted`, `doubtful` (read without confidence) or `rejected`. `confidence` is in 0..1. `reason`
    explains a doubtful or rejected reading. `code` is `ConstraintError.code` if the problem cannot have the stated
    constraint. `act` says whether the sentence `states` the constraint, `withdraws` it, or `amends` an earlier
    constraint with it.
    """

    sentence: str
    status: str
    type: str | None = None
    args: tuple[str | int, ...] = ()
    confidence: float = 1.0
    reason: str | None = None
    code: str | None = None
    act: str = "states"


@dataclass(frozen=True, slots=True)
class QuestionRecord:
    """An open question to the user: does an earlier `sentence` mean the constraint of `type` and `args`?

    `id` names it, `turn` is the turn that asked it, and `text` is its wording. With `joins`, it asks whether an unknown
    person of this name, who occurs in `sentence`, shall join. `type` is then None. Without `type` and `joins`, it asks
    the user to rephrase the sentence.
    """

    id: str
    turn: int
    text: str
    sentence: str
    type: str | None = None
    args: tuple[str | int, ...] = ()
    joins: str | None = None


@dataclass(frozen=True, slots=True)
class EventRecord:
    """An event of a `turn` that concerns an entry of the ledger. `kind` is an `EventKind` of `holdtrue.ledger`.

    `id` names the entry, and `sentence` is its text. `type` and `args` are its constraint, or its label and the query
    that it answers. They are None and () if the entry is only a sentence. `source` says who stated it, and `confidence`
    is in 0..1. `reason` says why the event happened, and `because` names the entries that caused it.
    """

    kind: str
    id: str
    turn: int
    type: str | None = None
    args: tuple[str | int, ...] = ()
    sentence: str = ""
    source: str = "user"
    confidence: float = 1.0
    reason: str | None = None
    because: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class VerdictRecord:
    """The verdict on one answer. It depends on a basis, which differs between kinds of answers.

    The basis of an assignment is the ledger's commitments. The basis of labels is the premises of the case and the
    commitments of earlier labels. The basis of a candidate is the problem's constraints, and that of claims is the
    premises of the context. All names are ids, except that `background` has the broken laws in words.

    `basis` says whether the whole basis can be true (for labels: its premises). `answer` is the status of the answer.
    `triggers` are codes of its faults. `missing` names the variables without a value, or the queries without a label.

    `violated` names the parts of the basis that the answer breaks, each by itself. `refuted` names the parts of the
    answer (queries or claims) that the premises refute by themselves. An answer may break no single part and still be
    impossible. Then `blame` names commitments, or queries with their labels, that cannot all hold with it. `mus` is a
    conflict, or None. If `mus_minimal` is false, it is only a core, because the budget ended first. `reason` says why
    something is undecided.
    """

    basis: Satisfiability
    answer: AnswerStatus
    triggers: tuple[Trigger, ...] = ()
    violated: tuple[str, ...] = ()
    refuted: tuple[str, ...] = ()
    blame: tuple[str, ...] = ()
    background: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    mus: tuple[str, ...] | None = None
    mus_minimal: bool = True
    reason: str | None = None

    @property
    def outcome(self) -> TurnOutcome:
        """Return the outcome of a turn with this answer, if its basis is commitments or a context (`turn_outcome`).

        Labels and candidates have other outcomes. `TurnRecord.outcome` is right for every kind.
        """
        return turn_outcome(self.basis, self.answer)


@dataclass(frozen=True, slots=True)
class AttemptRecord:
    """One attempt at an answer. Each kind of answer extends it.

    `attempt` counts from 1. `text` is the model's reply, `verdict` its verdict, and `calls` are its calls.

    `kind` is one of `answer`, `format`, `truncation`, `repair`, `sample`, `vote`, `refine`, `fallback`, `candidate`,
    `best` and `question`. A `vote` is the most frequent sample. A `best` attempt is an earlier one that is delivered
    after all. A `question` asks the user before an answer is given.

    `answer` maps variables (`entity.attribute`) to shown values, queries to labels, or `option` to the chosen letter.
    It is None if nothing could be read. A candidate without values is a claim that there is no solution. `readings` are
    the readings of this attempt, if each attempt reads the message anew (protocol `upstream`).
    """

    attempt: int
    kind: str
    text: str
    answer: Mapping[str, str | int] | None
    verdict: VerdictRecord
    calls: tuple[CallRecord, ...] = ()
    readings: tuple[ReadingRecord, ...] = ()


DRAWN = frozenset({"sample", "vote"})
"""The kinds of attempts that are made even if the one before was good."""
RETRIED = frozenset({"repair", "refine", "format", "truncation"})
"""The kinds of attempts that ask the model again because the one before was not good."""


class TurnDetail(Protocol):
    """The part of a turn's record that depends on the kind of answer."""

    def outcome_of(self, record: TurnRecord[Any, Any]) -> StrEnum:
        """Return the outcome of the turn in the terms of its kind."""
        ...


Detail = TypeVar("Detail", bound=TurnDetail)
Attempt = TypeVar("Attempt", bound=AttemptRecord)


@dataclass(frozen=True, slots=True)
class TurnRecord(Generic[Detail, Attempt]):
    """The record of one turn. `detail` has the fields that only its kind of answer has.

    `turn` counts from 1. `method` names the procedure that answered `user_message`, and `model` the model that was
    asked. `variant` is one word for the form of the question, such as `stated`, `upstream`, or the numbers of
    candidates and rounds. Reports group rows by it. `reader` names the reader of messages and sentences.

    `attempts` has every attempt. The last one was delivered, unless `delivered` is None; then `withheld` says why.
    `readings` were read in the message. `unread_before` counts the unread sentences of earlier messages, which no
    verdict of this turn covers. `questions` are open after the turn. `events` are the changes of commitments or beliefs
    in this turn, and `holds` names those that are active after it. `extraction` has the calls that read messages for
    the method, and `measuring` the calls that only measure it. `solver_calls` counts the method's questions to a
    solver, and `solver_s` is their CPU time (seconds). `elapsed_s` is the wall-clock time of the turn. Calls answered
    from the log add almost nothing to it, so methods are compared by `time_s` instead.
    """

    turn: int
    user_message: str
    method: str
    model: str
    variant: str
    reader: str
    attempts: tuple[Attempt, ...]
    delivered: str | None
    readings: tuple[ReadingRecord, ...] = ()
    unread_before: int = 0
    questions: tuple[QuestionRecord, ...] = ()
    events: tuple[EventRecord, ...] = ()
    holds: tuple[str, ...] = ()
    extraction: tuple[CallRecord, ...] = ()
    measuring: tuple[CallRecord, ...] = ()
    withheld: str | None = None
    elapsed_s: float = 0.0
    solver_calls: int = 0
    solver_s: float = 0.0
    detail: Detail = field(kw_only=True)

    @property
    def final(self) -> Attempt:
        return self.attempts[-1]

    @property
    def outcome(self) -> StrEnum:
        """Return the outcome of the turn in the terms of its kind."""
        return self.detail.outcome_of(self)

    @property
    def usage(self) -> Usage:
        """Return the cost of the calls that the method made."""
        answers = (call.usage for attempt in self.attempts for call in attempt.calls)
        return total(answers) + total(call.usage for call in self.extraction)

    @property
    def time_s(self) -> float:
        """Return the seconds that the method needs: the latency of its calls, even if cached, and its solver time."""
        return self.usage.latency_s + self.solver_s
