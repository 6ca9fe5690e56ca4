"""Read cases and single calls from YAML or JSON; a fault in one is told with its line."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError

from holdtrue.errors import InputError
from holdtrue.guard.analysis.situation import Situation
from holdtrue.guard.policy import Policy
from holdtrue.guard.policy_parts import Unsaid
from holdtrue.guard.yaml_text import Path, YamlError, YamlText, read_yaml
from holdtrue.rules.paths import instead
from holdtrue.rules.syntax import Place
from holdtrue.rules.values import ValueFault

Expected = Literal["allow", "block", "ask", "confirm", "met", "unmet"]


def _listed(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


def _changes(value: Any) -> Any:
    if value is False or value is None or isinstance(value, dict):
        return value
    raise ValueError("it has to be the changed arguments, or false where no call is to be proposed")


class SituationWire(BaseModel):
    """A `SituationWire` is a call as it is written, or the end of a conversation."""

    model_config = ConfigDict(extra="forbid", strict=True)

    tool: str = ""
    end: bool = False
    call: Any = None
    facts: dict[str, list[Any]] = {}
    results: list[Any] = []
    done: dict[str, list[Any]] = {}
    said: dict[str, Any] | None = None
    written: str | list[str] | None = None
    now: str | None = None
    consent: bool = False
    listen: bool = True
    unsaid: Unsaid | None = None

    def situation(self) -> Situation:
        return Situation(
            self.tool,
            {} if self.call is None else self.call,
            self.facts,
            tuple(self.results),
            self.done,
            self.said,
            self.written,
            self.now,
            self.consent,
            self.listen,
            self.unsaid,
        )


class CaseWire(SituationWire):
    """A case as it is written."""

    name: str
    expect: Expected
    rules: Annotated[list[str] | None, BeforeValidator(_listed)] = None
    mend: Annotated[dict[str, Any] | Literal[False] | None, BeforeValidator(_changes)] = None


@dataclass(frozen=True)
class Case:
    """A situation, and what a policy is expected to say of it.

    Attributes:
        expect: The kind of the decision; at the end of a conversation `met`, or `unmet`.
        rules: Those that the decision rests on, just these, or None for any.
        mend: The arguments that the proposed call changes, by their paths; False for none, None for any.
    """

    name: str
    situation: Situation
    expect: Expected
    rules: tuple[str, ...] | None = None
    mend: Mapping[str, Any] | bool | None = None
    place: Place = field(default=Place(), compare=False)


class CasesError(InputError):
    """Cases cannot be read: every fault that was found, each with its place."""

    def __init__(self, faults: Sequence[tuple[Place, str]], where: str = "") -> None:
        self.faults = tuple(faults)
        heads = (f"{where}:{f'{place.line}:{place.column}:' if place.line else ''}" for place, _ in faults)
        lines = (f"{head.lstrip(':')} {text}" for head, (_, text) in zip(heads, faults, strict=True))
        super().__init__("\n".join(line.strip() for line in lines))


def read_cases(text: str, policy: Policy, *, where: str = "") -> tuple[Case, ...]:
    """Return the cases that a YAML text lists. Raises `CasesError` with the lines of all faults.

    What the facts, words and earlier calls of a case are has to fit the policy; the arguments of its call need not.
    """
    found = _read(text, where)
    if not isinstance(found.value, list):
        raise CasesError(
            [(Place(1, 1), "cases are a list, each with a name, a tool, a call and what to expect")], where
        )
    faults: list[tuple[Place, str]] = []
    cases: list[Case] = []
    names: set[str] = set()
    for place, value in enumerate(found.value):
        case = _case(found, place, value, faults)
        if case is None:
            continue
        if case.name in names:
            faults.append((case.place, f"the name {case.name!r} is used twice"))
        names.add(case.name)
        cases.append(case)
        faults += _misfits(found, (place,), case.situation, policy)
        faults += _unknown_rules(found, place, case, policy)
    if faults:
        raise CasesError(sorted(faults, key=lambda own: (own[0].line, own[0].column)), where)
    return tuple(cases)


def read_situation(text: str, policy: Policy, *, where: str = "") -> Situation:
    """Return the call that a YAML or JSON text says, with its facts. Raises `CasesError`, with lines."""
    found = _read(text, where)
    try:
        wire = SituationWire.model_validate(found.value)
    except ValidationError as error:
        raise CasesError([_fault(found, (), own) for own in error.errors()], where) from error
    situation = wire.situation()
    faults = [*_without_tool(found, (), wire), *_misfits(found, (), situation, policy)]
    if faults:
        raise CasesError(faults, where)
    return situation


def _read(text: str, where: str) -> YamlText:
    try:
        found = read_yaml(text)
    except YamlError as error:
        message = str(error).partition(": ")[2] if error.place.line else str(error)
        raise CasesError([(error.place, message)], where) from error
    found.value = _plain(found.value)
    return found


def _plain(value: Any) -> Any:
    """Return values with floats for decimals that a float says exactly, as JSON has them."""
    match value:
        case Decimal():
            number = float(value)
            return number if Decimal(repr(number)) == value else value
        case list():
            return [_plain(own) for own in value]
        case dict():
            return {name: _plain(own) for name, own in value.items()}
    return value


def _case(found: YamlText, place: int, value: Any, faults: list[tuple[Place, str]]) -> Case | None:
    try:
        wire = CaseWire.model_validate(value)
    except ValidationError as error:
        faults += [_fault(found, (place,), own) for own in error.errors()]
        return None
    faults += _without_tool(found, (place,), wire)
    if wire.end is not (wire.expect in ("met", "unmet")):
        said = "met or unmet" if wire.end else "allow, block, ask or confirm"
        faults.append((found.place((place, "expect")), f"expect: it has to be {said} here"))
    rules = None if wire.rules is None else tuple(wire.rules)
    return Case(wire.name, wire.situation(), wire.expect, rules, wire.mend, found.place((place,)))


def _without_tool(found: YamlText, path: Path, wire: SituationWire) -> list[tuple[Place, str]]:
    if wire.end is not bool(wire.tool):
        return []
    said = "a call has a tool; the end of a conversation is written as end: true"
    return [(found.place(path), said if not wire.end else "the end of a conversation has no tool")]


def _misfits(found: YamlText, path: Path, situation: Situation, policy: Policy) -> list[tuple[Place, str]]:
    """Return what of a situation does not fit the policy."""
    tool = situation.tool
    if tool and tool not in policy.tools:
        text = f"tool: there is no tool {tool!r}; {instead(tool, policy.tools)}"
        return [(found.place((*path, "tool")), text)]
    try:
        situation.check(policy)
    except ValueFault as error:
        return [(found.place((*path, *_steps(error.path))), str(error))]
    except InputError as error:
        return [(found.place(path), str(error))]
    return []


def _unknown_rules(found: YamlText, place: int, case: Case, policy: Policy) -> list[tuple[Place, str]]:
    known = [own.id for own in (*policy.rules, *policy.obligations)] + ["schema", "consent"]
    return [
        (found.place((place, "rules")), f"rules: there is no rule {own!r}; {instead(own, known)}")
        for own in case.rules or ()
        if own not in known
    ]


_STEP = re.compile(r"\[(\d+)\]|\['((?:[^'\\]|\\.)*)'\]|([^.\[\]]+)")


def _steps(path: str) -> Path:
    """Return the steps of a path such as `facts.user[0].membership`."""
    return tuple(int(own[1]) if own[1] is not None else own[2] or own[3] for own in _STEP.finditer(path))


def _fault(found: YamlText, path: Path, error: Any) -> tuple[Place, str]:
    # Behind what may be of two types stands which of them was tried.
    steps = error["loc"][:1] if error["loc"][:1] in (("mend",), ("written",)) else error["loc"]
    own, name = (*path, *steps), ".".join(map(str, steps))
    known = [*CaseWire.model_fields]
    match error["type"]:
        case "extra_forbidden":
            return found.place(own), f"there is no key {name!r} here; {instead(name, known)}"
        case "missing":
            return found.place(path), f"{name} is missing"
        case "model_type" | "model_attributes_type":
            return found.place(own), "a case is a mapping, with a name, a tool, a call and what to expect"
    text = error["msg"].removeprefix("Value error, ")
    return found.place(own), f"{name}: {text[:1].lower()}{text[1:]}"
