"""The pydantic models in this module are the parts of a policy file as it is written, before expressions are read."""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from pydantic_core import PydanticCustomError


def listed(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


def _text(value: Any) -> Any:
    """Return a flag or number from YAML as the text of an expression."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int) else value


def _several(value: Any) -> Any:
    return [value] if isinstance(value, int) else value


def _prose(value: Any) -> Any:
    return {"file": value} if isinstance(value, str) else value


def _named(value: Any) -> Any:
    """Return consents in which the bare name of a tool stands for all its calls."""
    found = [value] if isinstance(value, str | dict) else value
    return [{"on": own} if isinstance(own, str) else own for own in found] if isinstance(found, list) else found


Texts = Annotated[list[str], BeforeValidator(listed)]
Expr = Annotated[str, BeforeValidator(_text)]


class Wire(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class CitingWire(Wire):
    """A `CitingWire` is a part that stands for sentences of the policy's prose, by their numbers."""

    sentences: Annotated[list[int], BeforeValidator(_several)] = Field(default_factory=list)


class ProseWire(Wire):
    file: str
    digest: str | None = None


class ConsentWire(CitingWire):
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
    absent: Annotated[list[str | None], BeforeValidator(lambda own: own if isinstance(own, list) else [own])] = Field(
        default_factory=list
    )


class FactWire(CitingWire):
    key: dict[str, Any]
    record: Any = None
    sources: list[SourceWire] = Field(alias="from", default_factory=list)
    fresh: str | None = None


class EffectWire(CitingWire):
    on: Texts
    fact: str
    key: dict[str, Expr]
    set: dict[str, Expr] = Field(default_factory=dict)
    forget: Literal["all"] | list[str] = Field(default_factory=list)
    when: Expr | None = None


class SeverityWire(Wire):
    """The condition of each severity. The strictest one whose condition is true counts."""

    block: Expr | None = None
    ask: Expr | None = None
    warn: Expr | None = None


def _graded(value: Any) -> Any:
    """Return a severity in which a bare name is for all calls."""
    if isinstance(value, dict | SeverityWire):
        return value
    if value not in SeverityWire.model_fields:
        expected = "'block', 'ask' or 'warn'"
        raise PydanticCustomError("literal_error", "Input should be {expected}", {"expected": expected})
    return {value: "true"}


Severities = Annotated[SeverityWire, BeforeValidator(_graded)]


class ObligationWire(CitingWire):
    id: str
    when: Expr | None = None
    hold: Expr
    say: str
    severity: Severities = Field(default_factory=lambda: SeverityWire(block="true"))


class RuleWire(ObligationWire):
    on: Texts
    needs: Literal["words", "facts"] | None = None


class LimitWire(CitingWire):
    id: str
    on: Texts
    most: int
    per: Expr | None = None
    say: str | None = None
    severity: Severities = Field(default_factory=lambda: SeverityWire(block="true"))


class SaidWire(CitingWire):
    type: Any
    claim: bool = False
    ask: str | None = None


class NotCheckedWire(CitingWire):
    id: str
    say: str
    reason: str
    open: bool = False


class PolicyWire(Wire):
    policy: str
    about: str = ""
    prose: Annotated[ProseWire | None, BeforeValidator(_prose)] = None
    now: str | None = None
    zone: str = ""
    unknown_tools: Literal["ask", "block", "allow"] = "ask"
    unsaid: Annotated[Literal["false", "unknown"], BeforeValidator(_text)] = "false"
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


def keys_at(path: tuple[str | int, ...]) -> tuple[str, ...]:
    """Return the keys that a part of a policy may have, by its path. A part with free keys has none."""
    found: Any = PolicyWire
    for step in path:
        own = _parts(found)
        found = own.get(str(step)) if own else next(reversed(get_args(found)), None)
    return tuple(_parts(found))


def _parts(kind: Any) -> dict[str, Any]:
    fields = kind.model_fields if isinstance(kind, type) and issubclass(kind, Wire) else {}
    return {own.alias or name: own.annotation for name, own in fields.items()}
