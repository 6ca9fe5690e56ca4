"""A `Decision` says what may become of a call, what that rests on, and what would change it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cached_property
from itertools import islice
from typing import Any, Literal

from holdtrue.guard.json_values import json_text
from holdtrue.guard.result_forms import stop_mark
from holdtrue.guard.wording import LONGEST, MOST_ITEMS
from holdtrue.rules.paths import shortened, some_of

SCHEMA, UNKNOWN_TOOL, CONSENT, FAULT = "schema", "unknown-tool", "consent", "error"
UNFOUNDED, PENDING, UNHEARD, OVERRIDE = "unfounded", "pending", "unheard", "override"
UNDECLARED = "undeclared"
"""The ids of what no rule of a policy says: arguments do not fit the tool, the tool is not known, nobody said yes,
checking ended in an error of the program, an argument stands there that nobody agreed to and nothing shows, it is open
what calls did whose results have not come, a message could not be read, a person let a stopped call through, or an
argument stands there that the tool does not declare."""


Kind = Literal["allow", "block", "ask", "confirm"]
Status = Literal["holds", "broken", "undecided", "does not apply"]
Mode = Literal["enforce", "observe"]
STATUSES: tuple[Status, ...] = ("holds", "broken", "undecided", "does not apply")


@dataclass(frozen=True, slots=True)
class Origin:
    """An `Origin` says whose words a finding rests on.

    Attributes:
        source: Who said them: `nobody` of an argument that is in the call and that nobody agreed to.
        turn: The turn in which they were said, from 1; 0 where nobody did.
        quote: The words.
        argument: The argument of the call that they speak of, "" for an expression over several.
    """

    source: Literal["user", "assistant", "nobody"]
    turn: int
    quote: str
    argument: str = ""


@dataclass(frozen=True, slots=True)
class Fetch:
    """A call that would show what is missing."""

    tool: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Finding:
    """A `Finding` is what became of one rule.

    Attributes:
        why: The values that it rests on, in words, or the reason why it is undecided. Of a rule that is kept it is ""
            unless everything was to be explained.
        missing: The values that were not seen and would decide it, as paths.
        assumptions: What was taken to be so, and the finding rests on.
        by: `evaluation` of what is seen, or a `solver`'s proof for everything that may turn out; `limit` says that
            there was no time left to look at it.
        origin: Whose words it rests on; None for a rule of the policy.
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
    """An argument, by its path, that a mended call has another value for; values are JSON."""

    path: str
    before: Any
    after: Any


@dataclass(frozen=True, slots=True)
class Mend:
    """The nearest call that keeps every rule; `optimal` if no call with less change does, as far as was looked."""

    arguments: Mapping[str, Any]
    changes: tuple[Change, ...]
    optimal: bool


@dataclass(frozen=True, slots=True)
class Coverage:
    """`Coverage` is what a decision speaks of: the rules looked at, those undecided, and what was not read at all."""

    rules: int
    undecided: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Decision:
    """A `Decision` is what may become of a call.

    Attributes:
        kind: The strictest of what its rules demand.
        findings: One for each rule on the tool.
        fetch: Calls that would show what is missing; for an `ask`.
        questions: Questions to a person; for an `ask`.
        listing: What the user has to be told before a yes counts; for a `confirm`.
        proposal: The mended call, or the reason why there is none, for a `block`; see `mend` and `no_mend`.
        assumptions: All that was taken to be so.
        made_from: What tells all that the decision was made from; see `given`.
        id: Its name in its conversation; "" outside of one.
    """

    kind: Kind
    tool: str
    arguments: Any
    findings: tuple[Finding, ...]
    coverage: Coverage
    mode: Mode = "enforce"
    fetch: tuple[Fetch, ...] = ()
    questions: tuple[str, ...] = ()
    listing: tuple[str, ...] = ()
    proposal: Proposal = field(default_factory=lambda: Proposal())
    assumptions: tuple[str, ...] = ()
    made_from: Callable[[], dict[str, Any]] = field(default=dict, compare=False, repr=False)
    id: str = ""

    @property
    def mend(self) -> Mend | None:
        """Return the nearest call that keeps everything, which is looked for when it is asked for first."""
        return self.proposal.found if isinstance(self.proposal.found, Mend) else None

    @property
    def no_mend(self) -> str:
        """Return why no mended call is proposed, for a `block` without one."""
        return self.proposal.found if isinstance(self.proposal.found, str) else ""

    @property
    def given(self) -> dict[str, Any]:
        """Return all that it was made from, as JSON: it replays from this alone. A mend may rest on more."""
        return self.made_from()

    @property
    def rules(self) -> tuple[str, ...]:
        """Return the ids that the decision rests on: of what is broken, for `ask` of what is undecided."""
        return tuple(dict.fromkeys(own.rule for own in self.resting_on))

    @property
    def resting_on(self) -> tuple[Finding, ...]:
        """Return the findings that the decision rests on; see `rules`."""
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
        """Return the arguments that the decision rests on, where words about them are broken or in doubt."""
        named = (own.origin.argument for own in self.resting_on if own.origin is not None)
        return tuple(dict.fromkeys(name for name in named if name))

    @property
    def for_model(self) -> str:
        """Return what to tell the model: what became of its call, and what to change.

        Of a stopped call it begins with the mark by which `saw` knows these words again.
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
            return "\n".join(lines)
        if self.kind == "ask":
            lines = [f"{self.tool} was not called, because this is not decided yet:"]
            lines += [f"- {own}" for _, own in _told(own for own in self.findings if _is_open(own))]
            if self.fetch:
                calls = (_call(own.tool, own.arguments) for own in self.fetch)
                lines.append(f"Call first: {'; or '.join(calls)}.")
            return "\n".join([*lines, *(f"Ask: {own}" for own in self.questions)])
        return (
            f"{self.tool} was not called yet. Tell the user just these words, nothing before or behind them, and call "
            f"it again, unchanged, after a yes: {self.for_user}"
        )

    @property
    def why(self) -> str:
        """Return why each rule that it rests on is broken or undecided; what else it is where there is none."""
        rules = frozenset(self.rules)
        told = _told(own for own in self.findings if own.rule in rules)
        return " ".join(own for _, own in told) or self._in_words

    @property
    def for_user(self) -> str:
        """Return what to tell the user; "" where the call may be made."""
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
        """Return what to log: the call, every rule that does not hold, assumptions, and what was not read."""
        observed = " (observed only)" if self.mode == "observe" and self.kind != "allow" else ""
        told = _told(own for own in self.findings if own.status in ("broken", "undecided"))
        return "\n".join(
            (
                f"{self.kind}: {_call(self.tool, self.arguments)}{observed}",
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
        """Return whether the call must not be made now; observing stops nothing."""
        return self.mode != "observe" and self.kind != "allow"

    def to_json(self, *, mend: bool = True) -> dict[str, Any]:
        """Return the decision as JSON values, from which `Policy.replay` makes it again.

        Without `mend` no mended call is looked for, and none stands there.
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
            "listing": list(self.listing),
            "mend": None if self.mend is None else as_json(self.mend),
            "no_mend": self.no_mend,
            "assumptions": list(self.assumptions),
            "for_model": self.for_model,
            "for_user": self.for_user,
            "for_log": self.for_log,
            "given": self.given,
        }


class Proposal:
    """A `Proposal` is a mended call, or the reason why there is none; it is looked for when it is asked for first."""

    def __init__(self, look: Callable[[], Mend | str] = str) -> None:
        self._look = look

    @classmethod
    def of(cls, found: Mend | str) -> Proposal:
        """Return the proposal of a call, or of none for a reason."""
        return cls(lambda: found)

    @cached_property
    def found(self) -> Mend | str:
        """Return the mended call, or the reason; "" where nobody looked."""
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
    """Return the words of a tool's name, without what it is grouped by: `reserve`, `table` of `Shop.ReserveTable`."""
    return _CAMEL.sub(" ", name.rpartition(".")[2]).replace("_", " ").lower().split()


def _told(findings: Iterable[Finding]) -> Iterator[tuple[str, str]]:
    """Yield findings in words, each with the name of its rule; all that there was no time for are one sentence."""
    late = []
    for own in findings:
        if own.by == "limit":
            late.append(own.rule)
        else:
            yield f"{own.rule} is {own.status}", _sentence(own)
    if late:
        yield "not decided", f"The time limit ran out before these rules were decided: {some_of(late, MOST_ITEMS)}."


def _is_open(own: Finding) -> bool:
    return own.severity != "warn" and (own.status == "undecided" or (own.status == "broken" and own.severity == "ask"))


def _sentence(own: Finding) -> str:
    return f"{own.say} ({own.why})" if own.why else own.say


def _change(change: Change) -> str:
    return f"{change.path} {json_text(change.after, LONGEST)} instead of {json_text(change.before, LONGEST)}"


def _call(tool: str, arguments: Any) -> str:
    """Return a call on one line, with long arguments cut."""
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
    """Return a value of a dataclass as JSON values; a number that no float says exactly is a text there."""
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
