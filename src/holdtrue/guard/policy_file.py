"""Read a policy from a YAML file, or from equal Python values, and check all of it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from holdtrue.errors import InputError
from holdtrue.guard.citation_building import citing_parts, read_policy_prose
from holdtrue.guard.fact_building import FactBuilder
from holdtrue.guard.policy import Policy
from holdtrue.guard.policy_draft import At, PolicyDraft, part_name
from holdtrue.guard.policy_parts import NotSaid, Rule
from holdtrue.guard.policy_wire import PolicyWire, keys_at
from holdtrue.guard.rule_building import RuleBuilder
from holdtrue.guard.tool_building import ToolBuilder
from holdtrue.guard.yaml_text import FileFaults, YamlError, YamlText, read_yaml
from holdtrue.rules.local_clocks import check_place
from holdtrue.rules.paths import nearest_name
from holdtrue.rules.syntax import Place, RuleError
from holdtrue.rules.values import read_moment


class PolicyError(FileFaults):
    """A policy has faults. The error lists every fault that was found, each with its place."""


def load_policy(path: str | Path) -> Policy:
    """Return the policy of a YAML file.

    Other files that it names, such as tool definitions, are found from its folder. Raises `PolicyError` with the lines
    of all faults, or `InputError` for an unreadable file.
    """
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"the policy {path} cannot be read: {error}") from error
    return read_policy(text, folder=path.parent, where=str(path))


def read_policy(text: str, *, folder: Path | None = None, where: str = "") -> Policy:
    """Return the policy of a YAML text. `folder` is the folder of the files that it names."""
    try:
        found = read_yaml(text)
    except YamlError as error:
        raise PolicyError([(error.place, error.message)], where) from error
    return _made(found, folder, where)


def make_policy(policy: str, *, folder: Path | None = None, **parts: Any) -> Policy:
    """Return a policy of Python values. The keys of a policy file are the arguments, such as `rules=[{"id": ...}]`.

    Files that it names are found from `folder`. Tools may be pydantic models and schemas of functions. Expressions may
    be texts, or written in Python with `holdtrue.rules.python_expressions`. Raises `PolicyError`.
    """
    try:
        return _made(YamlText(_with_texts({"policy": policy, **parts})), folder, "")
    except RecursionError as error:
        raise PolicyError([(Place(1, 1), _TOO_DEEP)], "") from error


_TOO_DEEP = "a part of it, such as a schema, is nested too deep to be read"


def _made(found: YamlText, folder: Path | None, where: str) -> Policy:
    if not isinstance(found.value, Mapping):
        raise PolicyError([(Place(1, 1), "a policy is a mapping that begins with 'policy: NAME'")], where)
    try:
        wire = PolicyWire.model_validate(found.value)
    except ValidationError as error:
        raise _error(_faults_of_form(found, error), where) from error
    draft = PolicyDraft(wire, found, folder)
    try:
        policy = build(draft)
    except RecursionError as error:
        raise PolicyError([(Place(1, 1), _TOO_DEEP)], where) from error
    if policy is None:
        raise _error(draft.faults, where)
    return policy


def _error(faults: Sequence[tuple[Place, str]], where: str) -> PolicyError:
    return PolicyError(sorted(faults, key=lambda own: (own[0].line, own[0].column)), where)


def _faults_of_form(found: YamlText, error: ValidationError) -> list[tuple[Place, str]]:
    """Return the faults of the file's form. A misspelt key is not also reported as missing."""
    errors = [(_path(own), own) for own in error.errors()]
    meant = {(*path[:-1], near) for path, own in errors if (near := _meant(path, own)) is not None}
    told = (_fault(found, path, own) for path, own in errors if own["type"] != "missing" or path not in meant)
    return list(dict.fromkeys(told))


def _path(error: Any) -> At:
    """Return the path of an error in the file, without pydantic's names for the alternatives that it tried."""
    return tuple(own for own in error["loc"] if own not in ("[key]", "list[str]", "literal['all']"))


def _meant(path: At, error: Any) -> str | None:
    """Return the known key closest to an unknown one, or None."""
    return nearest_name(str(path[-1]), keys_at(path[:-1])) if error["type"] == "extra_forbidden" else None


def _with_texts(value: Any) -> Any:
    """Return the values, with expressions written in Python as texts."""
    from holdtrue.rules.python_expressions import Written

    if isinstance(value, Written):
        return str(value)
    if isinstance(value, Mapping):
        return {name: _with_texts(own) for name, own in value.items()}
    return [_with_texts(own) for own in value] if isinstance(value, list | tuple) else value


def _read_as(value: Any) -> str:
    match value:
        case None:
            return "nothing stands here, or a # that begins a comment"
        case bool():
            return f"{str(value).lower()} is a flag"
        case Mapping() | list():
            return f"this is {'a mapping' if isinstance(value, Mapping) else 'a list'}"
    return f"{value} is a number"


def _fault(found: YamlText, path: At, error: Any) -> tuple[Place, str]:
    name = part_name(found, path)
    match error["type"]:
        case "extra_forbidden":
            key = str(path[-1])
            near = _meant(path, error)
            hint = "" if near is None else f"; did you mean {near!r}?"
            return found.key_place(path), f"there is no key {key!r} here ({name}){hint}"
        case "missing":
            return found.place(path[:-1]), f"{name} is missing"
        case "model_type" | "dict_type":
            return found.place(path), f"{name}: it has to be a mapping"
        case "string_type":
            return found.place(path), f"{name}: a text is needed, and {_read_as(error['input'])}; a text goes in quotes"
    text = f"{name}: {error['msg'][:1].lower()}{error['msg'][1:]}"
    if error["type"] == "literal_error":
        known = re.findall(r"'([^']*)'", error["ctx"]["expected"])
        near = nearest_name(str(error["input"]), known)
        text += f"; did you mean {near!r}?" if near is not None else ""
    return found.place(path), text


def build(draft: PolicyDraft) -> Policy | None:
    """Return the policy of a draft, or None if the draft has `faults`.

    Rules are only read if the parts that they use have no faults, so that no fault leads to another.
    """
    wire = draft.wire
    with draft.at(("zone",)):
        check_place(wire.zone)
    draft.read_types()
    if draft.faults:
        return None
    ToolBuilder(draft).build()
    if draft.faults:
        return None
    draft.read_said()
    draft.read_tables()
    draft.read_named()
    facts = FactBuilder(draft)
    facts.build()
    if draft.faults:
        return None
    effects, builder = tuple(facts.effects()), RuleBuilder(draft)
    rules, obligations, consents = tuple(builder.rules()), tuple(builder.obligations()), tuple(builder.consents())
    _check_ids(draft, (*rules, *obligations))
    prose = read_policy_prose(draft)
    if wire.now is not None:
        with draft.at(("now",)):
            read_moment(wire.now, draft.moment, "now")
    policy = Policy(
        wire.policy,
        draft.digest(),
        wire.about,
        draft.moment,
        wire.now,
        draft.tools,
        draft.facts,
        effects,
        rules,
        obligations,
        draft.said,
        tuple(NotSaid(own.id, own.say, own.reason) for own in wire.not_checked),
        draft.given,
        tuple(wire.tools.errors),
        wire.unknown_tools,
        wire.unsaid,
        wire.unfounded,
        _groups(draft),
        tuple(dict.fromkeys(draft.notes)),
        wire.undeclared,
        consents,
        draft.named,
        prose,
        citing_parts(draft, prose),
    )
    return None if draft.faults else policy


def _groups(draft: PolicyDraft) -> dict[str, str]:
    """Return the group of each tool that the file puts into one. A tool may be in only one group."""
    found: dict[str, str] = {}
    for group, names in draft.wire.tools.groups.items():
        for place, name in enumerate(names):
            with draft.at(("tools", "groups", group, place)):
                draft.tool(name)
                if found.setdefault(name, group) != group:
                    raise RuleError(f"{name!r} is in the group {found[name]!r} already")
    return found


def _check_ids(draft: PolicyDraft, rules: tuple[Rule, ...]) -> None:
    seen: set[str] = set()
    for rule in rules:
        if rule.id in seen:
            place = rule.place if rule.place.line else Place()
            draft.note_fault(place, f"the id {rule.id!r} is used twice")
        seen.add(rule.id)
