"""A `Statement` is one policy of another language. The functions ask the schemas of tools about its fields."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from holdtrue.errors import InputError
from holdtrue.guard.imported.folded_conditions import TRUE
from holdtrue.guard.policy import Policy
from holdtrue.guard.policy_parts import CALL
from holdtrue.rules.checker import Scope, check
from holdtrue.rules.syntax import Expression, RuleError
from holdtrue.rules.typed_expressions import Node
from holdtrue.rules.types import MapOf, Nullable, Record, Type


class NotCarried(InputError):
    """A part of a policy that no rule can say.

    `line` is its line, or 0 for that of its policy. `known` is a condition of the same policy that a rule can say.
    """

    def __init__(self, reason: str, line: int = 0) -> None:
        super().__init__(reason)
        self.reason, self.line = reason, line
        self.known: Expression = TRUE


Part = Expression | NotCarried


@dataclass(frozen=True)
class Statement:
    """A `Statement` is a policy of another language, or one body of a rule. It applies if all its `parts` are true.

    Attributes:
        forbids: Whether it forbids calls, or else permits them.
        parts: The parts by tool. A tool that the policy is not about is absent.
        differs: The ways in which the rule decides otherwise than the language, as sentences.
    """

    id: str
    line: int
    forbids: bool
    say: str
    parts: Mapping[str, tuple[Part, ...]]
    differs: tuple[str, ...] = ()


def typed(policy: Policy, tool: str, expression: Expression) -> Node | None:
    """Return an expression over the call with its type, or None if it has none or reads facts."""
    try:
        return check(expression, Scope({CALL: policy.tools[tool].arguments, **policy.roots}))
    except RuleError:
        return None


def presence(policy: Policy, tool: str, of: Type | None, name: str) -> bool | None:
    """Return whether values of a type always (True) or never (False) have a field; None is for sometimes.

    Raises `NotCarried` where the schema of the tool does not say that.
    """
    if isinstance(of, Record) and name in of.fields:
        return True if of.fields[name].required else None
    is_open = isinstance(of, Nullable | MapOf) or (isinstance(of, Record) and bool(of.unread))
    if of is None or is_open or _allows_more(policy.tools[tool].schema.parameters):
        raise NotCarried(f"the schema of {tool} does not say whether there is {name}")
    return False


def _allows_more(schema: object) -> bool:
    """Return whether a schema allows fields that it does not name."""
    if isinstance(schema, Mapping):
        more = ("additionalProperties", "unevaluatedProperties", "patternProperties")
        return any(schema.get(own) not in (None, False) for own in more) or any(map(_allows_more, schema.values()))
    return isinstance(schema, list) and any(map(_allows_more, schema))


def carried(make: Callable[[], Expression]) -> Part:
    """Return the expression that a function makes, or the reason why no rule can say it."""
    try:
        return make()
    except NotCarried as fault:
        return fault
