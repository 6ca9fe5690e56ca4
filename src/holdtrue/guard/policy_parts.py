"""The parts of a policy: tools, kinds of facts, effects, rules, and what people may say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Literal

from holdtrue.guard.decision import STATUSES, Finding, Origin, Status
from holdtrue.logic.value_sorts import Calendar
from holdtrue.rules.compilation import Closure, compile_rule
from holdtrue.rules.schema_validation import SchemaValidator
from holdtrue.rules.syntax import NOWHERE, Place
from holdtrue.rules.tools import ToolSchema
from holdtrue.rules.translation import Compiled
from holdtrue.rules.typed_expressions import Junction, Node, Not
from holdtrue.rules.types import Field, ListOf, Record, Type, has_names_of

Severity = Literal["block", "ask", "warn"]
"""What a broken rule does: it blocks the call, asks a person first, or is only told."""
ConsentWay = Literal["words", "listing", "answer"]
"""How a yes to a call is known, the surest last.

A model reads the words; or they are a plain yes to the listing that the guard wrote; or the app says that they answer
its decision."""
Unsaid = Literal["false", "unknown"]
"""What nobody was heard to say counts as not said, which is an assumption, or may have been said."""


CALL, ANSWER, NOW, SAID, DONE, WRITTEN = "call", "answer", "now", "said", "done", "written"
"""The names by which rules ask for the call or the answer, the moment, and what is known of the conversation."""


@dataclass(frozen=True, eq=False)
class Tool:
    """A tool, or a structured answer, as the policy sees it.

    Attributes:
        arguments: The type of its arguments, refined by what the policy says of them.
        writes: Whether a call changes something: it is then decided on.
        change: The arguments that may be changed to mend a call, as paths; None for the usual ones.
        is_answer: Whether it is a structured answer and no tool.
        validator: What says whether the arguments of a call fit the schema as the app wrote it, if there is one.
    """

    schema: ToolSchema
    arguments: Record
    writes: bool
    change: tuple[str, ...] | None = None
    is_answer: bool = False
    validator: SchemaValidator | None = None

    @property
    def name(self) -> str:
        return self.schema.name

    @property
    def root(self) -> str:
        """Return the name that rules have for a call of it."""
        return ANSWER if self.is_answer else CALL

    @cached_property
    def declares_all_read(self) -> bool:
        """Return whether the schema declares each name that the type of the arguments has, whatever the values are."""
        own = self.validator
        return own is None or (not own.has_choice and has_names_of(self.schema.arguments, self.arguments))


@dataclass(frozen=True, eq=False)
class Source:
    """A tool whose result shows records: which of its parts are records (`each`), and by which keys they are found.

    `each` is None where the result is one record. Expressions are over `call`, `result`, `item` and, in a map, `name`.
    `partial` results show some fields only. `fields` are expressions for fields that the result calls otherwise, and
    `named` the fields that are taken by their names. `absent` are results, and beginnings of texts, that say that there
    is no such record.
    """

    tool: str
    result: Type
    each: Node | None
    keys: tuple[Node, ...]
    fields: Mapping[str, Node]
    partial: bool
    named: frozenset[str] = frozenset()
    absent: tuple[str | None, ...] = ()

    def shows(self, name: str) -> bool:
        """Return whether a result can show a field of a record; a whole one that has no such field says so."""
        return not self.partial or name in self.named or name in self.fields


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
class Part:
    """A place in a field that an effect sets: `stock[call.item].free`, as `text`; steps are names or expressions."""

    text: str
    field: str
    steps: tuple[str | Node, ...]
    value: Node


@dataclass(frozen=True, eq=False)
class Effect:
    """An `Effect` is what a call does to a record and its result does not show: fields to set, and fields then unknown.

    `forget` is None where the whole record is unknown afterwards. `parts` are places in fields that are set.
    """

    tool: str
    kind: str
    keys: tuple[Node, ...]
    sets: Mapping[str, Node]
    forget: tuple[str, ...] | None = ()
    when: Node | None = None
    parts: tuple[Part, ...] = ()

    @property
    def changes(self) -> frozenset[str]:
        """Return the fields that it sets, in part or as a whole."""
        return frozenset((*self.sets, *(own.field for own in self.parts)))

    @property
    def nodes(self) -> Iterator[Node]:
        """Return its expressions."""
        yield from (*self.keys, *self.sets.values(), *([] if self.when is None else [self.when]))
        for part in self.parts:
            yield from (part.value, *(own for own in part.steps if not isinstance(own, str)))


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
    origin: Origin | None = None
    """Whose words it is, where it is no rule of the policy."""
    assumptions: tuple[str, ...] = ()
    """What is taken to be so where it is kept."""

    @property
    def on(self) -> tuple[str, ...]:
        return tuple(self.tools)

    @cached_property
    def found(self) -> Mapping[Status, Finding]:
        """Return the findings on this rule of which nothing more is to be said."""
        found = {own: Finding(self.id, own, self.severity, self.say, origin=self.origin) for own in STATUSES}
        if self.assumptions:
            found["holds"] = replace(found["holds"], assumptions=self.assumptions)
        return found


@dataclass(frozen=True, eq=False)
class Consent:
    """A `Consent` says which calls need a yes of the user: those to which its rule applies, and how a yes is known."""

    rule: Rule
    how: ConsentWay


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
class PolicyParts:
    """The `PolicyParts` are all parts of a policy together; `Policy` says what its attributes mean."""

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
    unfounded: Literal["tell", "unasked", "ask"] = "unasked"
    groups: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    undeclared: Literal["block", "tell"] = "block"
    consents: tuple[Consent, ...] = ()

    def writes(self, tool: str) -> bool:
        """Return whether a call of a tool changes something; one that the policy does not name counts as if it did."""
        own = self.tools.get(tool)
        return True if own is None else own.writes

    def decides_on(self, tool: str) -> bool:
        """Return whether calls of a tool are decided on: it writes, or rules speak of it although it only reads."""
        return self.writes(tool) or bool(self.rules_on.get(tool))

    @cached_property
    def rules_on(self) -> Mapping[str, tuple[Rule, ...]]:
        """Return the rules on each tool, in the order in which they are written."""
        return {name: tuple(rule for rule in self.rules if name in rule.tools) for name in self.tools}

    @cached_property
    def consents_on(self) -> Mapping[str, tuple[Consent, ...]]:
        """Return what needs a yes of the user, by the tools of which calls may."""
        return {name: tuple(own for own in self.consents if name in own.rule.tools) for name in self.tools}

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
        return isinstance(other, PolicyParts) and other.digest == self.digest
