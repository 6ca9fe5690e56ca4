"""The pydantic models in this module are the parts of a policy file as it is written, before expressions are read."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field


def listed(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


def _text(value: Any) -> Any:
    """Return a flag or number from YAML as the text of an expression."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int) else value


def _false(value: Any) -> Any:
    """Return the word for the flag in `unsaid: false`."""
    return "false" if value is False else value


def _named(value: Any) -> Any:
    """Return the bare name of a tool as consent to all its calls."""
    found = [value] if isinstance(value, str | dict) else value
    return [{"on": own} if isinstance(own, str) else own for own in found] if isinstance(found, list) else found


def _absent(value: Any) -> Any:
    return value if isinstance(value, list) else [value]


Texts = Annotated[list[str], BeforeValidator(listed)]
Expr = Annotated[str, BeforeValidator(_text)]


class Wire(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class ConsentWire(Wire):
    on: Texts
    when: Expr | None = None
    how: Literal["answer", "listing", "words"] = "listing"


class ToolsWire(Wire):
    file: str | None = None
    definitions: list[Any] = Field(default_factory=list)
    writes: Texts = Field(default_factory=list)
    reads: Texts = Field(default_factory=list)
    consent: Annotated[list[ConsentWire], BeforeValidator(_named)] = Field(default_factory=list)
    errors: Texts = Field(default_factory=list)
    types: dict[str, dict[str, Any]] = Field(default_factory=dict)
    change: dict[str, list[str]] = Field(default_factory=dict)
    groups: dict[str, Texts] = Field(default_factory=dict)


class SourceWire(Wire):
    tool: str
    each: Expr | None = None
    key: dict[str, Expr]
    result: Any = None
    fields: dict[str, Expr] = Field(default_factory=dict)
    partial: bool = False
    absent: Annotated[list[str | None], BeforeValidator(_absent)] = Field(default_factory=list)


class FactWire(Wire):
    key: dict[str, Any]
    record: Any
    sources: list[SourceWire] = Field(alias="from", default_factory=list)
    fresh: str | None = None


class EffectWire(Wire):
    on: Texts
    fact: str
    key: dict[str, Expr]
    set: dict[str, Expr] = Field(default_factory=dict)
    forget: Literal["all"] | list[str] = Field(default_factory=list)
    when: Expr | None = None


class ObligationWire(Wire):
    id: str
    when: Expr | None = None
    hold: Expr
    say: str
    severity: Literal["block", "ask", "warn"] = "block"


class RuleWire(ObligationWire):
    on: Texts
    needs: Literal["words", "facts"] | None = None


class LimitWire(Wire):
    id: str
    on: Texts
    most: int
    per: Expr | None = None
    say: str | None = None
    severity: Literal["block", "ask", "warn"] = "block"


class SaidWire(Wire):
    type: Any
    claim: bool = False
    ask: str | None = None


class NotCheckedWire(Wire):
    id: str
    say: str
    reason: str


class PolicyWire(Wire):
    policy: str
    about: str = ""
    now: str | None = None
    zone: str = ""
    unknown_tools: Literal["ask", "block", "allow"] = "ask"
    unsaid: Annotated[Literal["false", "unknown"], BeforeValidator(_false)] = "false"
    unfounded: Literal["tell", "unasked", "ask"] = "unasked"
    undeclared: Literal["block", "tell"] = "block"
    types: dict[str, Any] = Field(default_factory=dict)
    tools: ToolsWire = Field(default_factory=ToolsWire)
    answers: dict[str, Any] = Field(default_factory=dict)
    facts: dict[str, FactWire] = Field(default_factory=dict)
    said: dict[str, SaidWire] = Field(default_factory=dict)
    tables: dict[str, Any] = Field(default_factory=dict)
    let: dict[str, Expr] = Field(default_factory=dict)
    effects: list[EffectWire] = Field(default_factory=list)
    rules: list[RuleWire] = Field(default_factory=list)
    limits: list[LimitWire] = Field(default_factory=list)
    obligations: list[ObligationWire] = Field(default_factory=list)
    not_checked: list[NotCheckedWire] = Field(default_factory=list)


_PARTS: dict[str, type[Wire]] = {
    "facts": FactWire,
    "said": SaidWire,
    "rules": RuleWire,
    "limits": LimitWire,
    "obligations": ObligationWire,
    "effects": EffectWire,
    "not_checked": NotCheckedWire,
}


def keys_at(path: tuple[str | int, ...]) -> tuple[str, ...]:
    """Return the keys that a part of a policy may have, by its path. A part with free keys has none."""
    found: type[Wire] | None = None
    match path:
        case ():
            found = PolicyWire
        case ("tools",):
            found = ToolsWire
        case ("facts", _, "from", _):
            found = SourceWire
        case (str(part), _):
            found = _PARTS.get(part)
    return () if found is None else tuple(own.alias or name for name, own in found.model_fields.items())
