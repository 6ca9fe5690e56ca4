"""The folder of a drafted policy: prose, tools, policy, open questions, a person's marks and the log of calls."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, Field, ValidationError

from holdtrue.errors import InputError, SettingsError
from holdtrue.files import write_whole
from holdtrue.guard.analysis.case_file import Expected
from holdtrue.guard.analysis.prose_coverage import prose_coverage
from holdtrue.guard.drafting.policy_data import DECLARED, LISTED, Data, first_of
from holdtrue.guard.policy import Policy
from holdtrue.guard.policy_file import load_policy, make_policy
from holdtrue.guard.policy_wire import PolicyWire
from holdtrue.guard.prose import read_prose
from holdtrue.guard.yaml_text import read_yaml, write_yaml
from holdtrue.logic.value_sorts import Calendar
from holdtrue.rules.types import Name, Number, Record, Type

PROSE, TOOLS, POLICY, QUESTIONS, MARKS, CALLS = (
    "prose.md", "tools.json", "policy.yaml", "questions.yaml", "marks.yaml", "draft.jsonl"
)  # fmt: skip
_VERB = re.compile(r"^[a-z]+(?:_(?=[a-z])|(?=[A-Z]))")
"""The verb at the beginning of a tool's name, such as `get_`. Kinds of facts have names without it."""
BEFORE = "policy.before.yaml"
"""The last policy that a person had edited, as it was before a draft was added."""


class Mark(BaseModel):
    """A `Mark` is a person's judgement of one edge of a rule, or of one question of two drafts.

    Attributes:
        edge: The id of the edge or question.
        expect: The right decision on the case.
        decided: The policy's decision when the mark was made.
        case: The call with all that is known, as in a file of cases.
    """

    edge: str
    rule: str = ""
    sentences: list[int] = Field(default_factory=list)
    mark: Literal["right", "wrong", "unsure"]
    note: str | None = None
    expect: Expected | None = None
    decided: Expected | None = None
    case: dict[str, Any] | None = None


def open_folder(folder: Path, prose: Path, tools: Path | None, reads: Sequence[str] = ()) -> None:
    """Make the folder with an empty policy, or check that it is one of the same prose and tools.

    `reads` are the tools that only read.

    Raises `InputError` for an unreadable file, and `SettingsError` where a file of the folder is another one.
    """
    text = _read(prose)
    _same(folder / PROSE, text)
    if tools is not None:
        given = _read(tools)
        named = read_yaml(given).value if tools.suffix in (".yaml", ".yml") else _json(given, tools)
        _same(folder / TOOLS, json.dumps(named, indent=1, ensure_ascii=False, default=float))
    if (folder / POLICY).exists():
        return
    if not (folder / TOOLS).exists():
        raise SettingsError("a new draft needs the definitions of the tools: add --tools FILE")
    own = {"file": PROSE, "digest": read_prose(text).digest}
    data: Data = {"policy": prose.stem, "prose": own, "tools": {"file": TOOLS, "reads": list(reads)}}
    facts = _shown_facts(make_policy(folder=folder, **data))
    data |= {"facts": facts} if facts else {}
    write_whole(folder / POLICY, policy_text(folder, data))


def _shown_facts(policy: Policy) -> Data:
    """Return a kind of facts for each tool that only reads and has a schema of its result, by its name."""
    found: Data = {}
    for tool in policy.tools.values():
        required = {name: own.type for name, own in tool.arguments.fields.items() if own.required}
        keys = {name: text for name, own in required.items() if (text := _key_type(own))}
        if not tool.writes and keys and keys.keys() == required.keys() and isinstance(tool.schema.result, Record):
            shown = {"tool": tool.name, "key": {name: f"call.{name}" for name in keys}}
            short = re.sub(r"\W", "_", _VERB.sub("", tool.name))
            name = f"{short[:1].lower()}{short[1:]}"
            # Two tools may show one thing by different keys, such as get_member and find_member.
            found[re.sub(r"\W", "_", tool.name) if name in found else name] = {"key": keys, "from": [shown]}
    return found


def _key_type(type: Type) -> str | list[str]:
    """Return the type of a key in the notation of policies, or "" for a type that no key has."""
    match type:
        case Name(_, values):
            return "text" if values is None else list(values)
        case Number():
            return "whole" if type.whole else ""
        case Calendar("date"):
            return "date"
    return ""


def _json(text: str, path: Path) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is no JSON: {error}") from error


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read: {error}") from error


def _same(path: Path, text: str) -> None:
    """Write a file of the folder. One that exists has to have this text already."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text)
    elif _read(path) != text:
        raise SettingsError(f"{path} has another text already: edit that file, or draft in another folder")


def read_data(folder: Path) -> Data:
    """Return the folder's policy as data, with short forms written out. Raises `PolicyError` with lines."""
    load_policy(folder / POLICY)
    data: Data = read_yaml(_read(folder / POLICY)).value
    consents = PolicyWire.model_validate(data).tools.consent
    if consents:
        data["tools"]["consent"] = [own.model_dump(exclude_unset=True) for own in consents]
    named = (own for key in DECLARED for own in (data.get(key) or {}).values())
    for part in (*named, *(own for key in LISTED for own in data.get(key) or ())):
        if isinstance(part, dict) and isinstance(part.get("sentences"), int):
            part["sentences"] = [part["sentences"]]
    return data


def ordered(data: Data) -> Data:
    """Return the sections in the order of the docs, and parts that decide in the order of their sentences."""
    found = {key: data[key] for key in PolicyWire.model_fields if key in data}
    return found | {key: sorted(data[key], key=first_of) for key in LISTED if key in data}


def policy_text(folder: Path, data: Data) -> str:
    """Return a policy as YAML below a list of its open sentences."""
    coverage = prose_coverage(make_policy(folder=folder, **data))
    lines = [] if coverage is None else [f"#   {own.number}. {own.text}" for own in coverage.open]
    return "\n".join([*(["# Open sentences of the prose:"] if lines else []), *lines, write_yaml(ordered(data))])


def write_policy(folder: Path, before: Data, data: Data) -> bool:
    """Write a changed policy. Return whether the old file was kept as well, since a person had edited its text."""
    path = folder / POLICY
    if ordered(data) == ordered(before):
        return False
    edited = _read(path) != policy_text(folder, before)
    if edited:
        write_whole(folder / BEFORE, _read(path))
    write_whole(path, policy_text(folder, data))
    return edited


def read_marks(folder: Path, file: str = MARKS) -> tuple[Mark, ...]:
    """Return a person's marks in a file, or none if there is no file. Raises `InputError` for a malformed one."""
    try:
        return tuple(Mark.model_validate(own) for own in read_list(folder / file))
    except ValidationError as error:
        raise InputError(f"{folder / file}: {error}") from error


def read_list(path: Path) -> list[Any]:
    """Return the list in a YAML file of the folder, or an empty one if there is no file. Raises `InputError`."""
    if not path.exists():
        return []
    found = read_yaml(_read(path)).value or []
    if not isinstance(found, list):
        raise InputError(f"{path} has to be a list")
    return found
