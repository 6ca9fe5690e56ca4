"""A `Decision` says what may become of a call, what that rests on, and what would change it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cached_property
from typing import Any, Literal

from holdtrue.guard.wording import for_log, for_model, for_user, why

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
    """A call that would show what is missing: the arguments that are known, and the names of those that are not."""

    tool: str
    arguments: Mapping[str, Any]
    open: tuple[str, ...] = ()


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
        given: All that the decision was made from, as JSON: it replays from this alone.
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
    given: Mapping[str, Any] = field(default_factory=dict)
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
    def rules(self) -> tuple[str, ...]:
        """Return the ids that the decision rests on: of what is broken, for `ask` of what is undecided."""
        return tuple(dict.fromkeys(own.rule for own in self.resting_on))

    @property
    def resting_on(self) -> tuple[Finding, ...]:
        """Return the findings that the decision rests on; see `rules`."""
        if self.kind == "block":
            return tuple(own for own in self.findings if own.status == "broken" and own.severity == "block")
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
        """Return what to tell the model: what became of its call, and what to change."""
        return for_model(self)

    @property
    def why(self) -> str:
        """Return why each rule that it rests on is broken or undecided; what else it is where there is none."""
        return why(self)

    @property
    def for_user(self) -> str:
        """Return what to tell the user; "" where the call may be made."""
        return for_user(self)

    @property
    def for_log(self) -> str:
        """Return what to log: the call, every rule that does not hold, assumptions, and what was not read."""
        return for_log(self)

    @property
    def stops(self) -> bool:
        """Return whether the call must not be made now; observing stops nothing."""
        return self.mode != "observe" and self.kind != "allow"

    def to_json(self, *, mend: bool = True) -> dict[str, Any]:
        """Return the decision as JSON values, from which `Policy.replay` makes it again.

        Without `mend` no mended call is looked for, and none stands there.
        """
        if not mend:
            given = self.given.before if isinstance(self.given, Given) else self.given
            return replace(self, proposal=NO_PROPOSAL, given=given).to_json()
        self.proposal.found  # noqa: B018  before what it was made from is written down
        return {
            "kind": self.kind,
            "tool": self.tool,
            "arguments": self.arguments,
            "rules": list(self.rules),
            "mode": self.mode,
            "findings": [_plain(own) for own in self.findings],
            "coverage": _plain(self.coverage),
            "fetch": [_plain(own) for own in self.fetch],
            "questions": list(self.questions),
            "listing": list(self.listing),
            "mend": None if self.mend is None else _plain(self.mend),
            "no_mend": self.no_mend,
            "assumptions": list(self.assumptions),
            "for_model": self.for_model,
            "for_user": self.for_user,
            "for_log": self.for_log,
            "given": dict(self.given),
        }


class Proposal:
    """A `Proposal` is a mended call, or the reason why there is none; it is looked for when it is asked for first."""

    def __init__(self, look: Callable[[], Mend | str] = str) -> None:
        self._look = look

    @classmethod
    def none(cls, why: str) -> Proposal:
        """Return the proposal of no call, for a reason."""
        return cls(lambda: why)

    @cached_property
    def found(self) -> Mend | str:
        """Return the mended call, or the reason; "" where nobody looked."""
        return self._look()

    def made_from(self, given: Given) -> Proposal:
        """Return the same proposal; once it is looked for, `given` has what it rests on, too."""

        def look() -> Mend | str:
            with given.growing():
                return self.found

        return Proposal(look)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Proposal) and other.found == self.found

    def __hash__(self) -> int:
        return hash(type(self))

    def __repr__(self) -> str:
        return f"Proposal({self.__dict__.get('found', '...')!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _proposed, (self.found,)


NO_PROPOSAL = Proposal()


def _proposed(found: Mend | str) -> Proposal:
    return Proposal(lambda: found)


class Given(Mapping[str, Any]):
    """`Given` is what a decision was made from, as JSON values; it is written down when it is asked for first."""

    def __init__(self, make: Callable[[], dict[str, Any]]) -> None:
        self._make = make
        self._made: dict[str, Any] | None = None
        self._before: dict[str, Any] | None = None

    @property
    def before(self) -> Mapping[str, Any]:
        """Return what it was before a mend was looked for."""
        return self._values if self._before is None else self._before

    @contextmanager
    def growing(self) -> Iterator[None]:
        """Within this, more comes to what the decision was made from."""
        self._before = self._values
        try:
            yield
        finally:
            self._made = None

    @property
    def _values(self) -> dict[str, Any]:
        if self._made is None:
            self._made = self._make()
        return self._made

    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"Given({self._values!r})"


def _plain(value: Any) -> dict[str, Any]:
    return {name: _json(getattr(value, name)) for name in value.__dataclass_fields__}


def _json(value: Any) -> Any:
    """Return a value as JSON; a number that no float says exactly is a text there."""
    match value:
        case Decimal():
            return str(value)
        case list() | tuple():
            return [_json(own) for own in value]
        case Mapping():
            return {name: _json(own) for name, own in value.items()}
    return _plain(value) if hasattr(value, "__dataclass_fields__") else value
