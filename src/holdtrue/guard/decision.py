"""A `Decision` says whether a call may be made, with its reasons and a way to change the outcome."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cached_property
from itertools import islice
from typing import Any, Literal

from holdtrue.guard.json_values import json_text
from holdtrue.guard.outcome import Outcome, outcome_of
from holdtrue.guard.result_forms import stop_mark
from holdtrue.guard.wording import LONGEST, MOST_ITEMS
from holdtrue.rules.paths import shortened, some_of

SCHEMA, UNKNOWN_TOOL, CONSENT, FAULT = "schema", "unknown-tool", "consent", "error"
UNFOUNDED, PENDING, UNHEARD, OVERRIDE = "unfounded", "pending", "unheard", "override"
UNDECLARED, SAID_WITH_YES = "undeclared", "said"
"""The ids of findings that stem from no rule of a policy.

`SCHEMA`: the arguments do not fit the tool. `UNKNOWN_TOOL`: the policy does not name the tool. `CONSENT`: a yes of the
user is missing. `FAULT`: the check ended in a program error. `UNFOUNDED`: nobody agreed to an argument and no result
shows it. `PENDING`: earlier calls have no result yet, so their effects are open. `UNHEARD`: a message could not be
read. `OVERRIDE`: a person let a stopped call through. `UNDECLARED`: the tool does not declare an argument.
`SAID_WITH_YES`: the user's yes to the call also makes statements that rules need."""


Kind = Literal["allow", "block", "ask", "confirm"]
Status = Literal["holds", "broken", "undecided", "does not apply"]
Mode = Literal["enforce", "observe"]
STATUSES: tuple[Status, ...] = ("holds", "broken", "undecided", "does not apply")


@dataclass(frozen=True, slots=True)
class Origin:
    """An `Origin` names the speaker and the words that a finding rests on.

    Attributes:
        source: The speaker. It is `nobody` for an argument of the call that nobody agreed to.
        turn: The turn of the words, from 1. It is 0 if nobody said them.
        quote: The words.
        argument: The argument of the call that the words are about. It is "" for an expression over several arguments.
    """

    source: Literal["user", "assistant", "nobody"]
    turn: int
    quote: str
    argument: str = ""


@dataclass(frozen=True, slots=True)
class Fetch:
    """A `Fetch` is a call that would show a missing fact."""

    tool: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Fetched:
    """A `Fetched` is a call that the guard made for a decision. `error` says why it has no result, or is ""."""

    tool: str
    arguments: Mapping[str, Any]
    error: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """A `Finding` is the result of checking one rule.

    Attributes:
        why: The values that it rests on, in words, or the reason why it is undecided. For a kept rule it is "" unless
            reasons were requested.
        missing: The paths of the unseen values that would decide the rule, or the severity of a broken rule.
        assumptions: The assumptions that the finding rests on.
        by: `evaluation` of seen values, a `solver`'s proof over all unseen values, or `limit` if the time ran out
            first.
        origin: The speaker and words that it rests on. It is None for a rule of the policy.
    """

    rule: str
    status: Status
    severity: Literal["block", "ask", "warn"]
    say: str
    why: str = ""
    missing: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()
    by: Literal["evaluation", "solver", "limit"] = "evaluation"
    origin: Origin | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """A `Change` is one argument of a mended call, by its path, with the JSON values before and after."""

    path: str
    before: Any
    after: Any


@dataclass(frozen=True, slots=True)
class Mend:
    """A `Mend` is the nearest call that keeps every rule.

    It is `optimal` if no smaller change is enough, among all changes that the search considers.
    """

    arguments: Mapping[str, Any]
    changes: tuple[Change, ...]
    optimal: bool


@dataclass(frozen=True, slots=True)
class Coverage:
    """A `Coverage` says how far a decision reaches: the number of rules checked, undecided rules, and unread parts."""

    rules: int
    undecided: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Decision:
    """A `Decision` says whether a call may be made, with all its reasons.

    Attributes:
        kind: The strictest outcome that any rule demands.
        findings: One finding for each rule on the tool.
        fetch: The calls that would show missing facts, for an `ask`, or for a `block` that they may make milder.
        questions: The questions to a person, for an `ask`.
        waits: The reading calls that are under way and would show missing facts, for an `ask`.
        listing: The arguments that the user must be shown before a yes counts, for a `confirm`.
        proposal: The mended call for a `block`, or the reason why there is none; see `mend` and `no_mend`.
        assumptions: All assumptions of its findings.
        made_from: A function that returns all inputs of the decision; see `given`.
        id: The name of the decision in its conversation, or "" outside of one.
        fetched: The calls that the guard made for the decision, in order.
    """

    kind: Kind
    tool: str
    arguments: Any
    findings: tuple[Finding, ...]
    coverage: Coverage
    mode: Mode = "enforce"
    fetch: tuple[Fetch, ...] = ()
    questions: tuple[str, ...] = ()
    waits: tuple[str, ...] = ()
    listing: tuple[str, ...] = ()
    proposal: Proposal = field(default_factory=lambda: Proposal())
    assumptions: tuple[str, ...] = ()
    made_from: Callable[[], dict[str, Any]] = field(default=dict, compare=False, repr=False)
    id: str = ""
    fetched: tuple[Fetched, ...] = ()

    @property
    def mend(self) -> Mend | None:
        """Return the nearest call that keeps every rule. It is searched on the first access."""
        return self.proposal.found if isinstance(self.proposal.found, Mend) else None

    @property
    def no_mend(self) -> str:
        """Return the reason why a `block` proposes no mended call."""
        return self.proposal.found if isinstance(self.proposal.found, str) else ""

    @property
    def given(self) -> dict[str, Any]:
        """Return all inputs of the decision as JSON.

        The decision replays from them alone; a mend may depend on more.
        """
        return self.made_from()

    @property
    def rules(self) -> tuple[str, ...]:
        """Return the ids of the rules that stopped the call: broken ones for a `block`, undecided ones for an `ask`."""
        return tuple(dict.fromkeys(own.rule for own in self.resting_on))

    @property
    def resting_on(self) -> tuple[Finding, ...]:
        """Return the findings that stopped the call; see `rules`."""
        if self.kind == "block":
            return tuple(self._broken)
        if self.kind not in ("ask", "confirm"):
            return ()
        found = [own for own in self.findings if own.status == "undecided" and own.severity != "warn"]
        if self.kind == "ask":
            found += [own for own in self.findings if own.status == "broken" and own.severity == "ask"]
        return tuple(found)

    @property
    def disputed(self) -> tuple[str, ...]:
        """Return the arguments on which broken or doubtful words of the user stopped the call."""
        named = (own.origin.argument for own in self.resting_on if own.origin is not None)
        return tuple(dict.fromkeys(name for name in named if name))

    @property
    def for_model(self) -> str:
        """Return a message to the model: the outcome of its call, and the necessary changes.

        For a stopped call it begins with a mark by which `Policy.saw` recognizes the message later.
        """
        return f"{stop_mark(self.kind)} {self._in_words}" if self.stops else self._in_words

    @property
    def _in_words(self) -> str:
        if self.kind == "allow" or self.mode == "observe":
            return f"{self.tool} may be called."
        if self.kind == "block":
            broken = [_sentence(own) for own in self._broken]
            lines = [f"{self.tool} was not called, because it breaks the policy:", *(f"- {own}" for own in broken)]
            if self.mend is not None:
                changes = ", ".join(map(_change, self.mend.changes))
                lines.append(f"This would keep every rule, if the user agrees: {changes}.")
            return "\n".join([*lines, *self._calls_first])
        if self.kind == "ask":
            lines = [f"{self.tool} was not called, because this is not decided yet:"]
            lines += [f"- {own}" for _, own in _told(own for own in self.findings if own in self.resting_on)]
            return "\n".join([*lines, *self._calls_first, *(f"Ask: {own}" for own in self.questions)])
        return (
            f"{self.tool} was not called yet, because the user has to say yes first. Tell the user just the last line, "
            "nothing before or behind it, and call it again, unchanged, after a yes. A yes to other words does not "
            f"count. Do not ask again after a no.\n{self.for_user}"
        )

    @property
    def _calls_first(self) -> list[str]:
        calls = [_call(own.tool, own.arguments) for own in self.fetch]
        waits = [f"The result of {own} has to come first. Call this again after it." for own in self.waits]
        return [*([f"Call first: {'; or '.join(calls)}."] if calls else []), *waits]

    @property
    def why(self) -> str:
        """Return why each rule that stopped the call is broken or undecided, or else the message to the model."""
        rules = frozenset(self.rules)
        told = _told(own for own in self.findings if own.rule in rules)
        return " ".join(own for _, own in told) or self._in_words

    @property
    def for_user(self) -> str:
        """Return a message to the user, or "" if the call may be made."""
        match self.kind:
            case "allow":
                return ""
            case "block":
                return "This cannot be done: " + " ".join(own.say for own in self._broken)
            case "ask":
                reasons = {own.rule for own in self.findings if own.status == "undecided"}
                found = (text for rule, text in _FOR_USER.items() if rule in reasons)
                looked_up = "Something has to be looked up before this can be done."
                return " ".join(self.questions) or next(found, looked_up)
        what = " ".join(words_of_tool(self.tool))
        return f"Please say yes to this before it is done: {what} ({'; '.join(self.listing)})."

    @property
    def for_log(self) -> str:
        """Return a log text: the call, every rule that does not hold, the assumptions, and the unread parts."""
        observed = " (observed only)" if self.mode == "observe" and self.kind != "allow" else ""
        told = _told(own for own in self.findings if own.status in ("broken", "undecided"))
        return "\n".join(
            (
                f"{self.kind}: {_call(self.tool, self.arguments)}{observed}",
                *(f"  called: {_call(own.tool, own.arguments)} {own.error}".rstrip() for own in self.fetched),
                *(f"  {name}: {own}" for name, own in told),
                *(f"  assumed: {own}" for own in self.assumptions),
                *(f"  not read: {own}" for own in self.coverage.unread),
            )
        )

    @property
    def _broken(self) -> list[Finding]:
        return [own for own in self.findings if own.status == "broken" and own.severity == "block"]

    @property
    def stops(self) -> bool:
        """Return whether the call must not be made now. In `observe` mode nothing is stopped."""
        return self.mode != "observe" and self.kind != "allow"

    @property
    def outcome(self) -> Outcome:
        """Return how an app or a framework goes on with the call."""
        return outcome_of(self)

    def to_json(self, *, mend: bool = True) -> dict[str, Any]:
        """Return the decision as JSON values for `Policy.replay`.

        If `mend` is false, no mended call is searched or written.
        """
        if not mend:
            return replace(self, proposal=NO_PROPOSAL).to_json()
        return {
            "kind": self.kind,
            "tool": self.tool,
            "arguments": self.arguments,
            "rules": list(self.rules),
            "mode": self.mode,
            "findings": [as_json(own) for own in self.findings],
            "coverage": as_json(self.coverage),
            "fetch": [as_json(own) for own in self.fetch],
            "questions": list(self.questions),
            "waits": list(self.waits),
            "listing": list(self.listing),
            "mend": None if self.mend is None else as_json(self.mend),
            "no_mend": self.no_mend,
            "assumptions": list(self.assumptions),
            "for_model": self.for_model,
            "for_user": self.for_user,
            "for_log": self.for_log,
            "given": self.given,
            **({"fetched": [as_json(own) for own in self.fetched]} if self.fetched else {}),
        }


class Proposal:
    """A `Proposal` is a mended call, or the reason why there is none. The search runs on the first access."""

    def __init__(self, look: Callable[[], Mend | str] = str) -> None:
        self._look = look

    @classmethod
    def of(cls, found: Mend | str) -> Proposal:
        """Return a proposal with this mended call, or with this reason why there is none."""
        return cls(lambda: found)

    @cached_property
    def found(self) -> Mend | str:
        """Return the mended call or the reason. The reason is "" if no search was requested."""
        return self._look()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Proposal) and other.found == self.found

    def __hash__(self) -> int:
        return hash(type(self))

    def __repr__(self) -> str:
        return f"Proposal({self.__dict__.get('found', '...')!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Proposal.of, (self.found,)


NO_PROPOSAL = Proposal()
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_MOST_ARGUMENTS = 40


_FOR_USER = {
    UNHEARD: "I could not take in all that you said. Please say again what you want.",
    FAULT: "Something went wrong on our side, so that this cannot be done now. Please try again later.",
    PENDING: "Please wait: something that was begun before this has not ended yet.",
}


def words_of_tool(name: str) -> list[str]:
    """Return the words of a tool's name without its namespace: `reserve` and `table` for `Shop.ReserveTable`."""
    return _CAMEL.sub(" ", name.rpartition(".")[2]).replace("_", " ").lower().split()


def _told(findings: Iterable[Finding]) -> Iterator[tuple[str, str]]:
    """Yield each finding in words with the name of its rule. One sentence covers all rules that ran out of time."""
    late = []
    for own in findings:
        if own.by == "limit":
            late.append(own.rule)
        else:
            yield f"{own.rule} is {own.status}", _sentence(own)
    if late:
        yield "not decided", f"The time limit ran out before these rules were decided: {some_of(late, MOST_ITEMS)}."


def _sentence(own: Finding) -> str:
    return f"{own.say} ({own.why})" if own.why else own.say


def _change(change: Change) -> str:
    return f"{change.path} {json_text(change.after, LONGEST)} instead of {json_text(change.before, LONGEST)}"


def _call(tool: str, arguments: Any) -> str:
    name = tool if tool.isprintable() and len(tool) <= LONGEST else shortened(tool)
    if not isinstance(arguments, Mapping):
        return f"{name}({json_text(arguments, LONGEST)})"
    listed = [
        f"{key if key.isidentifier() and len(key) <= LONGEST else shortened(key)}={json_text(own, LONGEST)}"
        for key, own in islice(arguments.items(), _MOST_ARGUMENTS)
    ]
    rest = ["..."] if len(arguments) > _MOST_ARGUMENTS else []
    return f"{name}({', '.join((*listed, *rest))})"


def as_json(value: Any) -> dict[str, Any]:
    """Return a dataclass value as JSON values. A decimal becomes a text, so that it stays exact."""
    return {name: _json(getattr(value, name)) for name in value.__dataclass_fields__}


def _json(value: Any) -> Any:
    match value:
        case Decimal():
            return str(value)
        case list() | tuple():
            return [_json(own) for own in value]
        case Mapping():
            return {name: _json(own) for name, own in value.items()}
    return as_json(value) if hasattr(value, "__dataclass_fields__") else value
