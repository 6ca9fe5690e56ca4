"""Read test cases and single calls from YAML or JSON, and report faults with their lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, ValidationError

from holdtrue.errors import InputError
from holdtrue.guard.analysis.situation import Situation
from holdtrue.guard.policy import Policy
from holdtrue.guard.policy_parts import Unsaid
from holdtrue.guard.policy_wire import Wire, listed
from holdtrue.guard.yaml_text import FileFaults, Path, YamlError, YamlText, read_yaml, write_yaml
from holdtrue.rules.paths import instead
from holdtrue.rules.syntax import Place
from holdtrue.rules.values import ValueFault

Expected = Literal["allow", "block", "ask", "confirm", "met", "unmet"]


def _changes(value: Any) -> Any:
    if value is False or value is None or isinstance(value, dict):
        return value
    raise ValueError("it has to be the changed arguments, or false where no call is to be proposed")


class SituationWire(Wire):
    """A `SituationWire` is a call, or the end of a conversation, as written in a file."""

    tool: str = ""
    end: bool = False
    call: Any = None
    facts: dict[str, list[Any]] = Field(default_factory=dict)
    results: list[Any] = Field(default_factory=list)
    done: dict[str, list[Any]] = Field(default_factory=dict)
    said: dict[str, Any] | None = None
    written: str | list[str] | None = None
    now: str | None = None
    consent: bool = False
    listen: bool = True
    unsaid: Unsaid | None = None

    def situation(self) -> Situation:
        parts = {own.name: getattr(self, own.name) for own in fields(Situation)}
        return Situation(**{**parts, "call": {} if self.call is None else self.call, "results": tuple(self.results)})


class CaseWire(SituationWire):
    """A `CaseWire` is a case as written in a file."""

    name: str
    expect: Expected
    rules: Annotated[list[str] | None, BeforeValidator(listed)] = None
    mend: Annotated[dict[str, Any] | Literal[False] | None, BeforeValidator(_changes)] = None


@dataclass(frozen=True)
class Case:
    """A `Case` is a situation with the expected decision of a policy.

    Attributes:
        expect: The expected kind of decision; at the end of a conversation `met` or `unmet`.
        rules: All rules that the decision must rest on, or None for any.
        mend: The expected changes of the proposed call, by path; False for no proposal, None for any.
    """

    name: str
    situation: Situation
    expect: Expected
    rules: tuple[str, ...] | None = None
    mend: Mapping[str, Any] | bool | None = None
    place: Place = field(default=Place(), compare=False)

    def to_json(self) -> dict[str, Any]:
        """Return the case in the form of a file of cases."""
        found = {"name": self.name, **self.situation.to_json(), "expect": self.expect}
        more = {"rules": None if self.rules is None else [*self.rules], "mend": self.mend}
        return found | {name: own for name, own in more.items() if own is not None}


class CasesError(FileFaults):
    """Cases have faults. The error lists every fault that was found, each with its place."""


def write_cases(cases: Iterable[Case]) -> str:
    """Return the YAML text of cases, which `read_cases` reads again."""
    return write_yaml([own.to_json() for own in cases], flow=False)


def read_cases(text: str, policy: Policy, *, where: str = "") -> tuple[Case, ...]:
    """Return the cases in a YAML text. Raises `CasesError` with the lines of all faults.

    The facts, statements and earlier calls of a case must fit the policy. The arguments of its call need not.
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
    """Return the call in a YAML or JSON text, with its facts. Raises `CasesError` with lines."""
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
        raise CasesError([(error.place, error.message)], where) from error
    found.value = _plain(found.value)
    return found


def _plain(value: Any) -> Any:
    """Return values with floats in place of decimals that a float represents exactly."""
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
    """Return the faults of a situation for a policy."""
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
    # For a union, pydantic appends the alternative that it tried.
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
