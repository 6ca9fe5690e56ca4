"""Records of turns, in the form that sessions return and journals keep, and the vocabulary of their outcomes.

Records are plain values that survive a trip through JSON unchanged; nothing in them needs a model or a
solver to be read again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Generic, Literal, Protocol, TypeVar

__all__ = (
    "TurnRecord TurnDetail AttemptRecord VerdictRecord CallRecord ReadingRecord QuestionRecord EventRecord Usage total "
    "Satisfiability AnswerStatus TurnOutcome turn_outcome Channel channel Label ReplyKind Trigger SCHEMA_VERSION"
).split()

SCHEMA_VERSION = 7


SlotRelation = Literal["is", "not", "at_least", "at_most", "more_than", "less_than"]
"""What is said of an argument: that it is a value, is not one, or is on one side of it."""


ALL_REQUESTS = "*"
"""The request of what is said for all of them, such as the name of the user."""


class Satisfiability(StrEnum):
    """A `Satisfiability` says whether formulas can all be true together."""

    SAT = "sat"
    UNSAT = "unsat"
    UNKNOWN = "unknown"


class AnswerStatus(StrEnum):
    """An `AnswerStatus` says how an answer stands to what it is judged by.

    `refused`: there is none, because the model or a filter declined. Anything else that is no answer (a text that
    cannot be read, one that was cut, a call of a tool) is `unparsed`.
    """

    UNPARSED = "unparsed"
    REFUSED = "refused"
    INCOMPLETE = "incomplete"
    VIOLATING = "violating"
    RESPECTING = "respecting"
    UNDECIDED = "undecided"


class TurnOutcome(StrEnum):
    """A `TurnOutcome` is the result of a turn: the first of these that applies, in this order."""

    CONTRADICTION = "contradiction"
    UNPARSED = "unparsed"
    REFUSED = "refused"
    INCOMPLETE = "incomplete"
    UNDECIDED = "undecided"
    DRIFT = "drift"
    CONSISTENT = "consistent"


def turn_outcome(basis: Satisfiability, answer: AnswerStatus) -> TurnOutcome:
    """The outcome that follows from the two axes."""
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
    """A `Channel` says why a turn is wrong: every wrong turn has exactly one."""

    CONTRADICTION = "contradiction"
    UNPARSED = "unparsed"
    REFUSED = "refused"
    INCOMPLETE = "incomplete"
    UNDECIDED = "undecided"
    DRIFT = "drift"
    LEDGER_GAP = "ledger_gap"


def channel(outcome: TurnOutcome) -> Channel:
    """The channel of a wrong turn: its outcome, or `ledger_gap` where the answer respects the ledger."""
    return Channel.LEDGER_GAP if outcome is TurnOutcome.CONSISTENT else Channel(outcome.value)


class Label(StrEnum):
    """A `Label` says of a statement that it is true in all situations that premises allow, in none, or only in some."""

    ENTAILED = "ENTAILED"
    CONTRADICTED = "CONTRADICTED"
    UNKNOWN = "UNKNOWN"


class ReplyKind(StrEnum):
    """A `ReplyKind` says what a model's reply is, by all that the protocol tells; only an `answer` is read as one.

    `cut`: the token limit ended it. `refused`: the model declines in the protocol's own field for that. `filtered`: a
    filter held back the text or a part of it. `tool_call`: it calls a tool in place of answering. A fault of the server
    is none of these: it is raised.
    """

    ANSWER = "answer"
    CUT = "cut"
    REFUSED = "refused"
    FILTERED = "filtered"
    TOOL_CALL = "tool_call"


class Trigger(StrEnum):
    """Deterministic codes of what is wrong, in the order in which they are reported."""

    CONSTRAINT_EXTRACTION_FAILED = "constraint_extraction_failed"
    UNSAT_LEDGER = "unsat_ledger"
    ANSWER_PARSE_FAILED = "answer_parse_failed"
    ANSWER_REFUSED = "answer_refused"
    INCOMPLETE_ASSIGNMENT = "incomplete_assignment"
    ANSWER_LEDGER_CONFLICT = "answer_ledger_conflict"


@dataclass(frozen=True, slots=True)
class Usage:
    """The cost of a number of `calls` to a model: `prompt_tokens` and `completion_tokens`, as the model counts them.

    `latency_s` is the sum of the calls' own durations (seconds).
    """

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    latency_s: float = 0.0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.calls + other.calls,
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            self.latency_s + other.latency_s,
        )

    @property
    def tokens(self) -> int:
        return self.prompt_tokens + self.completion_tokens


def total(usages: Iterable[Usage]) -> Usage:
    """The sum of usages."""
    return sum(usages, Usage())


@dataclass(frozen=True, slots=True)
class CallRecord:
    """One call to a model. `key` names its request in the run's call log; `purpose` says what it was for.

    `usage` is what it cost, and `kind` what kind of reply it brought. `note` says what a reader of the record should
    know of the call itself: a limit that was raised, a parameter that the model does not take. `annotations` carry what
    a simulated model did on purpose. `model` names who was asked, which need not be the model that answers.
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
    """One thing that was read in a message: a constraint with its confidence, or what was rejected and why.

    `sentence` is what was read, and `type` and `args` are the constraint that it was read as. `status`: `accepted`,
    `doubtful` (read, but not with confidence) or `rejected`; a rejected reading may have no constraint. `confidence` is
    in 0..1. `reason` says why it is doubtful or rejected, and `code` is `ConstraintError.code` where a constraint was
    stated that this problem cannot have. `act`: whether the sentence `states` the constraint, `withdraws` it, or
    `amends` what was agreed by it.
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
    """A question that is open: whether `sentence`, said before it, means the constraint of `type` and `args`.

    `id` names it, `turn` is the one that asked it, and `text` is how it is asked. With `joins` it asks whether somebody
    of this name, whom `sentence` names and nobody knows yet, shall join; `type` is then None. Without either it asks to
    say in other words what was not understood.
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
    """Something that happened to an entry of the ledger in a `turn`; `kind` is an `EventKind` of `holdtrue.ledger`.

    `id` names the entry and `sentence` says it. `type` and `args` are what it says as a constraint, or its label and
    the query that it answers; None and () where the sentence is all. `source` is who said it, and `confidence` (0..1)
    how surely. `reason` says why it happened, and `because` names the entries that forced it.
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
    """This record holds what verification found about one answer; each kind of answer has its own basis.

    The basis of an assignment is the ledger's commitments, that of labels the premises of the case and what earlier
    labels commit to, that of a candidate the constraints of the problem, and that of claims the premises of the
    context. All names are ids, but for `background`, which has the broken laws in words.

    `basis` says whether the whole basis can be true (for labels: its premises), and `answer` how the answer stands to
    it. `triggers` are codes of what is wrong. `missing` names the variables without a value, or the queries without a
    label.

    `violated` names the parts of the basis that the answer breaks, each taken by itself, and `refuted` the parts of the
    answer (queries or claims) that the premises refute by themselves. If nothing is broken by itself, and the answer is
    impossible all the same, `blame` names commitments, or queries with their labels, that cannot all hold with it.
    `mus` is a conflict, or None if there is none; it is a core if `mus_minimal` is False, because the budget ended
    before minimality was proved. `reason` says why something is undecided.
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
        """Return the outcome of a turn with this answer, where commitments or a context are its basis (`turn_outcome`).

        Labels and candidates have outcomes of their own: `record.outcome` is right for every kind.
        """
        return turn_outcome(self.basis, self.answer)


@dataclass(frozen=True, slots=True)
class AttemptRecord:
    """One attempt at an answer; each kind of answer adds what it has of its own.

    `attempt` counts from 1. `text` is what the model said, `verdict` what was found about it, and `calls` are those
    that it took.

    `kind`: `answer`, `format`, `truncation`, `repair`, `sample`, `vote` (the sample given most often), `refine`,
    `fallback`, `candidate`, `best` (an earlier attempt that is given after all), or `question` (the user is asked
    before any answer is given).

    `answer` maps variables (`entity.attribute`) to shown values, queries to labels, or `option` to the letter that a
    question's answer gives; None where nothing could be read. A candidate without values is a claim that there is no
    solution. `readings` are this attempt's own, where each attempt reads the message anew (protocol `upstream`).
    """

    attempt: int
    kind: str
    text: str
    answer: Mapping[str, str | int] | None
    verdict: VerdictRecord
    calls: tuple[CallRecord, ...] = ()
    readings: tuple[ReadingRecord, ...] = ()


DRAWN = frozenset({"sample", "vote"})
"""Kinds of attempts that are made whether or not the one before was good."""
RETRIED = frozenset({"repair", "refine", "format", "truncation"})
"""Kinds of attempts that ask the model again because the one before was not good."""


class TurnDetail(Protocol):
    """The part of a turn's record that depends on the kind of answer."""

    def outcome_of(self, record: TurnRecord[Any, Any]) -> StrEnum:
        """Return the outcome of the turn, in the words of its kind."""
        ...


Detail = TypeVar("Detail", bound=TurnDetail)
Attempt = TypeVar("Attempt", bound=AttemptRecord)


@dataclass(frozen=True, slots=True)
class TurnRecord(Generic[Detail, Attempt]):
    """All that happened in one turn, by whichever door it came; `detail` has what only its kind of answer has.

    `turn` counts from 1. `user_message` is what was said, `method` names what the turn did with it, and `model` who was
    asked.

    `variant` says how a turn of its kind was asked for, in one word that reports tell rows apart by: stated or
    upstream, one or bundle, candidates times rounds, a notation. `reader` names who read messages and sentences.

    `attempts` holds every attempt, the last one delivered, unless `delivered` is None (abstained), and `withheld` says
    why. `readings` is what was read in the message, and `unread_before` counts sentences of earlier messages that were
    not read: no verdict of this turn speaks of them. `questions` are open after the turn. `events` are what became of
    commitments or beliefs in this turn, and `holds` names those that stand after it. `extraction` are the calls that
    read for the method, `measuring` those that the method itself would not have made. `solver_calls` counts the
    questions that the method put to a solver, and `solver_s` is the CPU time that these took (seconds). `elapsed_s` is
    what the turn took by the clock: a call that was answered from the log took none of it, so methods are never
    compared by it, but by `time_s`.
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
        """Return the outcome of the turn, in the words of its kind."""
        return self.detail.outcome_of(self)

    @property
    def usage(self) -> Usage:
        """The cost of the calls that the method itself made."""
        answers = (call.usage for attempt in self.attempts for call in attempt.calls)
        return total(answers) + total(call.usage for call in self.extraction)

    @property
    def time_s(self) -> float:
        """The time that the method needs (seconds): that of its calls, whoever paid for them, and its solver's."""
        return self.usage.latency_s + self.solver_s
