"""A `Policy` is what an operator demands of the calls and answers of an assistant, read and checked as a whole.

It is made by `policy_file.load_policy` or `policy_file.make_policy`; all expressions in it have types.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal

from holdtrue.budget import Budget
from holdtrue.guard.decision import STATUSES, Decision, Finding, Mode, Status
from holdtrue.guard.facts import Facts
from holdtrue.logic.value_sorts import Calendar
from holdtrue.rules.closure import Closure, compile_rule
from holdtrue.rules.symbolic import Compiled
from holdtrue.rules.syntax import NOWHERE, Place
from holdtrue.rules.tools import ToolSchema
from holdtrue.rules.typed import Junction, Node, Not
from holdtrue.rules.types import Field, ListOf, Record, Type

Severity = Literal["block", "ask", "warn"]
"""What a broken rule does: it blocks the call, asks a person first, or is only told."""
Unsaid = Literal["false", "unknown"]
"""What nobody was heard to say counts as not said, which is an assumption, or may have been said."""


@dataclass(frozen=True, eq=False)
class Tool:
    """A tool, or a structured answer, as the policy sees it.

    Attributes:
        arguments: The type of its arguments, refined by what the policy says of them.
        writes: Whether a call changes something: it is then decided on.
        consent: Whether the user has to say yes to just these arguments.
        change: The arguments that may be changed to mend a call, as paths; None for the usual ones.
        is_answer: Whether it is a structured answer and no tool.
    """

    schema: ToolSchema
    arguments: Record
    writes: bool
    consent: bool = False
    change: tuple[str, ...] | None = None
    is_answer: bool = False

    @property
    def name(self) -> str:
        return self.schema.name


@dataclass(frozen=True, eq=False)
class Source:
    """A tool whose result shows records: which of its parts are records (`each`), and by which keys they are found.

    `each` is None where the result is one record. Expressions are over `call`, `result` and `item`. `partial` results
    show some fields only. `fields` are expressions for fields that the result calls otherwise.
    """

    tool: str
    result: Type
    each: Node | None
    keys: tuple[Node, ...]
    fields: Mapping[str, Node]
    partial: bool


@dataclass(frozen=True, eq=False)
class FactKind:
    """A kind of records that tools show.

    `fresh_s` is how many seconds a record counts, None for ever. `keys` are names and types of what it is found by.
    """

    name: str
    keys: Mapping[str, Type]
    record: Record
    sources: tuple[Source, ...]
    fresh_s: Fraction | None = None


@dataclass(frozen=True, eq=False)
class Effect:
    """What a call does to a record, where its result does not show it: fields to set, and fields that are then unknown.

    `forget` is None where the whole record is unknown afterwards.
    """

    tool: str
    kind: str
    keys: tuple[Node, ...]
    sets: Mapping[str, Node]
    forget: tuple[str, ...] | None = ()
    when: Node | None = None


@dataclass(frozen=True, eq=False)
class RuleOnTool:
    """A rule in the types of one tool: where `when` holds, `hold` has to."""

    when: Node | None
    hold: Node

    @cached_property
    def when_closure(self) -> Closure | None:
        return None if self.when is None else compile_rule(self.when)

    @cached_property
    def hold_closure(self) -> Closure:
        return compile_rule(self.hold)

    @cached_property
    def compiled(self) -> Compiled:
        """Return the closures of its parts, as far as they were needed."""
        return {}

    @cached_property
    def whole(self) -> Node:
        """Return the condition that the rule is kept."""
        return self.hold if self.when is None else Junction(False, (Not(self.when), self.hold))


@dataclass(frozen=True, eq=False)
class Rule:
    """One rule: on which tools, its sentence, and its expression for each tool.

    An obligation is a rule on no tool: it has to hold at the end of a conversation, and stands under "".
    """

    id: str
    say: str
    severity: Severity
    tools: Mapping[str, RuleOnTool]
    when_text: str
    hold_text: str
    place: Place = NOWHERE
    needs: Literal["words", "facts"] | None = None
    """`words`: only words decide it, so that it says nothing where nobody listens. `facts`: it counts on what was seen
    alone, and is undecided before, also where it could be proved for all that may turn out."""

    @property
    def on(self) -> tuple[str, ...]:
        return tuple(self.tools)

    @cached_property
    def found(self) -> Mapping[Status, Finding]:
        """Return the findings on this rule of which nothing more is to be said."""
        return {own: Finding(self.id, own, self.severity, self.say) for own in STATUSES}


@dataclass(frozen=True, eq=False)
class Said:
    """Something that people may say and rules ask for.

    A `claim` is about the world, and no tool can show it: that it was said makes it no fact. `question` asks for it.
    """

    name: str
    type: Type
    claim: bool
    question: str


@dataclass(frozen=True, eq=False)
class NotSaid:
    """A rule of the operator that this policy does not check, with the reason: so that nobody takes it for checked."""

    id: str
    say: str
    reason: str


def done_type(tools: Mapping[str, Tool], moment: Calendar) -> Record:
    """Return the type of the root `done`: the calls of each tool that took effect."""
    found = {}
    for name, own in tools.items():
        fields = {**own.arguments.fields}
        fields.setdefault("at", Field(moment, required=False))
        found[name] = Field(ListOf(Record(fields, f"earlier {name}")))
    return Record(found, "done")


def said_type(said: Mapping[str, Said]) -> Record:
    """Return the type of the root `said`."""
    return Record({name: Field(own.type) for name, own in said.items()}, "said")


@dataclass(frozen=True, eq=False)
class Policy:
    """A policy; see the class's own parts.

    Attributes:
        digest: The hash of all that the policy says (SHA-256).
        moment: The type of `now` and of moments in it: local to a named place, or with a zone.
        now: The moment that the policy's text states, for tests and replays; a running app gives its own.
        errors: Results of tools that begin so are errors: the call had no effect.
        given: Tables, with their types.
    """

    name: str
    digest: str
    about: str
    moment: Calendar
    now: str | None
    tools: Mapping[str, Tool]
    facts: Mapping[str, FactKind]
    effects: tuple[Effect, ...]
    rules: tuple[Rule, ...]
    obligations: tuple[Rule, ...]
    said: Mapping[str, Said]
    not_checked: tuple[NotSaid, ...]
    given: Mapping[str, tuple[object, Type]]
    errors: tuple[str, ...]
    unknown_tools: Literal["ask", "block", "allow"]
    unsaid: Unsaid
    notes: tuple[str, ...] = ()

    def writes(self, tool: str) -> bool:
        """Return whether a call of a tool changes something; one that the policy does not name counts as if it did."""
        own = self.tools.get(tool)
        return True if own is None else own.writes

    @cached_property
    def rules_on(self) -> Mapping[str, tuple[Rule, ...]]:
        """Return the rules on each tool, in the order in which they are written."""
        return {name: tuple(rule for rule in self.rules if name in rule.tools) for name in self.tools}

    @cached_property
    def done_type(self) -> Record:
        """Return the type of the root `done`: the calls that took effect, by their tools."""
        return done_type(self.tools, self.moment)

    @cached_property
    def said_type(self) -> Record:
        """Return the type of the root `said`."""
        return said_type(self.said)

    def __hash__(self) -> int:
        return hash(self.digest)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Policy) and other.digest == self.digest

    # What a policy does

    def saw(self, facts: Facts, tool: str, arguments: Any, result: Any, *, at: str | None = None) -> Facts:
        """Return the facts after a call and its result, which took effect unless the result is an error."""
        from holdtrue.guard.results import saw

        return saw(self, facts, tool, arguments, result, at=at)

    def check(
        self,
        tool: str,
        arguments: Any,
        facts: Facts,
        *,
        now: str | None = None,
        said: Mapping[str, Any] | None = None,
        unsaid: Unsaid | None = None,
        consent: bool = False,
        listen: bool = True,
        mode: Mode = "enforce",
        budget: Budget | None = None,
        mend: bool = True,
        partial: bool = False,
        explain: bool = False,
    ) -> Decision:
        """Return the decision on a call, or on a structured answer, before it takes effect.

        Args:
            tool: The name of the tool, or of the answer's shape.
            arguments: JSON, as values or as its text; what is malformed is blocked.
            facts: What tools showed so far.
            now: The moment of the call (ISO 8601); the one that the policy states if none is given.
            said: What users were heard to say, by the names under `said`.
            unsaid: What is not in `said` counts as not said, an assumption that is named, or may have been said.
            consent: Whether the user said yes to just these arguments.
            listen: Whether anybody listens to words. If not, consent is not looked at, nor are rules that only words
                decide (`needs: words`), and the coverage names them.
            mode: `observe` decides and records the same, and stops nothing.
            budget: The time that proving may take, and again mending; 2 s if none is given.
            mend: Whether a blocked call is mended.
            partial: Whether arguments may still be filled in.
            explain: Whether rules that are kept have their reasons, too.

        Raises `InputError` where `now` or `said` is malformed.
        """
        from holdtrue.guard.checking import Listening
        from holdtrue.guard.deciding import LIMIT, check

        heard = Listening(said, self.unsaid if unsaid is None else unsaid, consent, listen)
        own = LIMIT if budget is None else budget
        return check(
            self,
            tool,
            arguments,
            facts,
            now=now,
            heard=heard,
            mode=mode,
            budget=own,
            mend=mend,
            partial=partial,
            explain=explain,
        )

    def replay(self, record: Mapping[str, Any]) -> Decision:
        """Return the decision that a record (`Decision.to_json`) was made of, from the record alone."""
        from holdtrue.guard.deciding import replay

        return replay(self, record)
