"""The classes in this module are the parts of a policy: tools, kinds of facts, effects, rules and statements."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from holdtrue.guard.decision import STATUSES, Finding, Origin, Status
from holdtrue.logic.value_sorts import Calendar
from holdtrue.rules.compilation import Closure, compile_rule
from holdtrue.rules.schema_validation import SchemaValidator
from holdtrue.rules.syntax import NOWHERE, Expression, Place
from holdtrue.rules.tools import ToolSchema
from holdtrue.rules.translation import Compiled
from holdtrue.rules.typed_expressions import Junction, Node, Not
from holdtrue.rules.types import TEXT, Field, ListOf, Record, Type, has_names_of

if TYPE_CHECKING:
    from holdtrue.guard.prose import Prose

Severity = Literal["block", "ask", "warn"]
"""The consequence of a broken rule: it blocks the call, asks a person first, or only adds a warning."""
ConsentWay = Literal["words", "listing", "answer"]
"""How the guard knows of a user's yes to a call, the surest way last.

`words`: a model reads the yes. `listing`: a plain yes follows the guard's own listing of the call. `answer`: the app
says that the user answered its question."""
Unsaid = Literal["false", "unknown"]
"""Whether a statement that nobody heard counts as not made, which is an assumption, or may have been made."""


CALL, ANSWER, NOW, SAID, DONE, WRITTEN = "call", "answer", "now", "said", "done", "written"
"""The names by which rules read the call or the answer, the moment, and the state of the conversation."""


@dataclass(frozen=True, eq=False)
class Tool:
    """A `Tool` is a tool, or a structured answer, of a policy.

    Attributes:
        arguments: The type of its arguments, refined by the policy.
        writes: Whether a call changes something, so that the guard decides on it.
        change: The paths of the arguments that a mend may change; None for the usual ones.
        is_answer: Whether it is a structured answer.
        validator: A validator for arguments by the schema that the app wrote, or None.
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
        """Return the name by which rules read a call of this tool."""
        return ANSWER if self.is_answer else CALL

    @cached_property
    def declares_all_read(self) -> bool:
        """Return whether the schema declares every name in the type of the arguments, for all values."""
        own = self.validator
        return own is None or (not own.has_choice and has_names_of(self.schema.arguments, self.arguments))


@dataclass(frozen=True, eq=False)
class Source:
    """A `Source` is a tool whose result shows records of one kind. Its expressions read `call`, `result`, `item` and,
    for a map, `name`.

    Attributes:
        each: The list or map of records in the result; None if the result is one record.
        keys: The expressions for the keys of a record.
        fields: The expressions for fields that the result names differently.
        partial: Whether the result shows only some fields.
        named: The fields that are taken by their names.
        absent: Results, or beginnings of texts, that report a missing record.
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
        """Return whether a result can show a field. A full record shows every field, even by its absence."""
        return not self.partial or name in self.named or name in self.fields


@dataclass(frozen=True, eq=False)
class FactKind:
    """A `FactKind` is a kind of records that tools show.

    `keys` are the names and types of its keys. `fresh_s` is the number of seconds for which a record counts; None is
    for ever.
    """

    name: str
    keys: Mapping[str, Type]
    record: Record
    sources: tuple[Source, ...]
    fresh_s: Fraction | None = None


@dataclass(frozen=True, eq=False)
class Part:
    """A `Part` is a place in a field that an effect sets, such as `stock[call.item].free`, as names and expressions."""

    text: str
    field: str
    steps: tuple[str | Node, ...]
    value: Node


@dataclass(frozen=True, eq=False)
class Effect:
    """An `Effect` is a change of a record that a call makes and its result does not show.

    `sets` and `parts` are fields and places in fields that get a value. `forget` are fields that become unknown; None
    means the whole record.
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
        """Return the fields that it sets, partly or wholly."""
        return frozenset((*self.sets, *(own.field for own in self.parts)))

    @property
    def nodes(self) -> Iterator[Node]:
        yield from (*self.keys, *self.sets.values(), *([] if self.when is None else [self.when]))
        for part in self.parts:
            yield from (part.value, *(own for own in part.steps if not isinstance(own, str)))


@dataclass(frozen=True, eq=False)
class RuleOnTool:
    """A `RuleOnTool` is a rule in the types of one tool. If `when` is true, `hold` has to be true."""

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
        """Return a cache for the closures of its parts."""
        return {}

    @cached_property
    def whole(self) -> Node:
        """Return the condition that the rule is kept."""
        return self.hold if self.when is None else Junction(False, (Not(self.when), self.hold))


@dataclass(frozen=True, eq=False)
class Rule:
    """A `Rule` has a sentence, and expressions for each of its tools. An obligation is a rule on the tool ""."""

    id: str
    say: str
    severity: Severity
    tools: Mapping[str, RuleOnTool]
    when_text: str
    hold_text: str
    place: Place = NOWHERE
    needs: Literal["words", "facts"] | None = None
    """`words`: only words decide the rule, so it is skipped if the app does not listen. `facts`: only seen values
    decide it, so that a proof over unseen values does not count."""
    origin: Origin | None = None
    """The speaker and words behind it. It is None for a rule of the policy."""
    assumptions: tuple[str, ...] = ()
    """The assumptions on which it counts as kept."""

    @property
    def on(self) -> tuple[str, ...]:
        return tuple(self.tools)

    @cached_property
    def found(self) -> Mapping[Status, Finding]:
        """Return a finding of each status without further details."""
        found = {own: Finding(self.id, own, self.severity, self.say, origin=self.origin) for own in STATUSES}
        if self.assumptions:
            found["holds"] = replace(found["holds"], assumptions=self.assumptions)
        return found


@dataclass(frozen=True, eq=False)
class Consent:
    """A `Consent` names calls that need a yes: those to which its rule applies. `how` is the accepted evidence."""

    rule: Rule
    how: ConsentWay


@dataclass(frozen=True, eq=False)
class Said:
    """A `Said` is a statement that users may make and rules read.

    A `claim` is a statement about the world that no tool can confirm, so it never becomes a fact. `question` asks the
    user for it.
    """

    name: str
    type: Type
    claim: bool
    question: str


@dataclass(frozen=True, eq=False)
class NotSaid:
    """A `NotSaid` is an operator's rule that the policy does not check, with the reason."""

    id: str
    say: str
    reason: str


@dataclass(frozen=True, slots=True)
class Citing:
    """A `Citing` names a part of a policy with the sentences of the prose that it stands for.

    Attributes:
        section: The key that the part stands under, such as `rules`, `facts` or `tools.consent`.
        name: Its id or key. An effect and a consent have the names of their tools.
        sentences: The numbers of the sentences, from 1.
        is_open: Whether it is an entry of `not_checked` that leaves its sentences open.
    """

    section: str
    name: str
    sentences: tuple[int, ...]
    is_open: bool = False
    place: Place = NOWHERE


def shared_roots(tools: Mapping[str, Tool], said: Mapping[str, Said], moment: Calendar) -> dict[str, Type]:
    """Return the types of the names that every rule of a policy may use."""
    done: dict[str, Field] = {}
    for name, own in tools.items():
        fields = {**own.arguments.fields}
        fields.setdefault("at", Field(moment, required=False))
        done[name] = Field(ListOf(Record(fields, f"earlier {name}")))
    words = {name: Field(own.type) for name, own in said.items()}
    return {NOW: moment, SAID: Record(words, "said"), DONE: Record(done, "done"), WRITTEN: ListOf(TEXT)}


@dataclass(frozen=True, eq=False)
class PolicyParts:
    """`PolicyParts` are all parts of a policy together. `Policy` explains the attributes."""

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
    named: Mapping[str, Expression] = field(default_factory=dict)
    prose: Prose | None = None
    citing: tuple[Citing, ...] = ()

    def writes(self, tool: str) -> bool:
        """Return whether a call of a tool changes something. An unknown tool counts as writing."""
        own = self.tools.get(tool)
        return True if own is None else own.writes

    def decides_on(self, tool: str) -> bool:
        """Return whether calls of a tool are decided on, because it writes or rules apply to it."""
        return self.writes(tool) or bool(self.rules_on.get(tool))

    @cached_property
    def rules_on(self) -> Mapping[str, tuple[Rule, ...]]:
        """Return the rules on each tool, in the order of the policy."""
        return {name: tuple(rule for rule in self.rules if name in rule.tools) for name in self.tools}

    @cached_property
    def consents_on(self) -> Mapping[str, tuple[Consent, ...]]:
        return {name: tuple(own for own in self.consents if name in own.rule.tools) for name in self.tools}

    @cached_property
    def roots(self) -> Mapping[str, Type]:
        """Return the types of the names that every rule may use."""
        return shared_roots(self.tools, self.said, self.moment)

    @property
    def said_type(self) -> Record:
        """Return the type of the root `said`."""
        found = self.roots[SAID]
        assert isinstance(found, Record)
        return found

    def call_type(self, tool: str) -> Record:
        """Return the type of an earlier call of a tool, as `done` lists it."""
        calls: Any = self.roots[DONE]
        found: Record = calls.fields[tool].type.item
        return found

    def __hash__(self) -> int:
        return hash(self.digest)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PolicyParts) and other.digest == self.digest
