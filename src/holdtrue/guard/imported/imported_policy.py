"""Turn policies of other languages into a policy file, and name every part that no rule carries.

A call is allowed if one permit is true of it, where the language demands that, and no forbid is. Where the languages
skip an error, a person is asked.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from holdtrue.errors import InputError
from holdtrue.guard.imported.folded_conditions import FALSE, TRUE, all_of, any_of, walk
from holdtrue.guard.imported.foreign_statements import NotCarried, Part, Statement
from holdtrue.guard.imported.stated_facts import stated_kinds
from holdtrue.guard.policy import Policy
from holdtrue.guard.policy_file import make_policy, read_policy
from holdtrue.guard.policy_parts import CALL, NOW
from holdtrue.guard.yaml_text import write_yaml
from holdtrue.rules.cel import write_cel
from holdtrue.rules.checker import FactKind, Scope, check_condition
from holdtrue.rules.syntax import Expression, Ident, RuleError

Language = Literal["cedar", "dogwood", "rego"]


@dataclass(frozen=True)
class Omission:
    """An `Omission` is a part of the original that the imported policy lacks, with its line and the reason."""

    id: str
    line: int
    forbids: bool
    reason: str

    def __str__(self) -> str:
        return f"line {self.line}: {'forbid' if self.forbids else 'permit'} {self.id}: {self.reason}"


@dataclass(frozen=True)
class ImportedPolicy:
    """An `ImportedPolicy` is a policy from another language, as an object and as the `text` of a file.

    Its `omissions` are all parts that it lacks, those of forbids first.
    """

    language: Language
    policy: Policy
    text: str
    omissions: tuple[Omission, ...]


def import_policy(
    text: str, tools: Sequence[Any], *, language: Language | None = None, schema: str = "", name: str = "imported"
) -> ImportedPolicy:
    """Return the policy that a text in Cedar, Dogwood or Rego means for calls of these tools.

    Args:
        text: The policies. An action, or `input.tool`, is the name of a tool.
        tools: The definitions of the tools.
        language: The language, or None to find it by the text.
        schema: A schema of Cedar, which tells the groups of actions.
        name: The name of the policy.

    Raises `InputError` for a text that the language itself rejects, and `PolicyError` for tools that cannot be read.
    """
    language = language or language_of(text)
    zone = "" if language == "rego" else "Z"
    bare = make_policy(name, tools={"definitions": list(tools)}, zone=zone)
    if language == "rego":
        from holdtrue.guard.imported.rego_policies import read_rego

        statements, default_deny = read_rego(text, bare)
    else:
        from holdtrue.guard.imported.cedar_policies import read_cedar

        statements, default_deny = tuple(read_cedar(text, bare, schema)), True
    scopes = {tool: Scope({CALL: own.arguments, **bare.roots}) for tool, own in bare.tools.items()}
    conditions = [
        (part, scopes[tool])
        for own in statements
        for tool, parts in own.parts.items()
        for part in parts
        if not isinstance(part, NotCarried)
    ]
    own_parts: dict[str, Any] = {"tools": {"definitions": list(tools)}, "facts": stated_kinds(conditions)}
    if any(part == Ident(NOW) for condition, _ in conditions for part in walk(condition)):
        own_parts["zone"] = zone
    rules = _Rules(make_policy(name, **own_parts))
    own_parts["unknown_tools"] = "block" if default_deny else "ask"
    own_parts["rules"] = list(rules.made(statements, default_deny))
    omissions = tuple(sorted(dict.fromkeys(rules.omissions), key=lambda own: (not own.forbids, own.line)))
    own_parts["not_checked"] = [{"id": own.id, "say": f"Line {own.line}.", "reason": own.reason} for own in omissions]
    about = f"Imported from {language.capitalize()}."
    whole = {"policy": name, "about": about, **{key: own for key, own in own_parts.items() if own}}
    written = write_yaml(whole, flow=False)
    return ImportedPolicy(language, read_policy(written), written, omissions)


def language_of(text: str) -> Language:
    """Return the language of policies by their text. Raises `InputError`."""
    if re.search(r"^\s*package\s", text, re.MULTILINE):
        return "rego"
    if re.search(r"\btemporal\s*\{", text):
        return "dogwood"
    if re.search(r"\b(permit|forbid)\s*\(", text):
        return "cedar"
    raise InputError("this is no policy in Cedar, Dogwood or Rego; say --from if it is")


class _Rules:
    """`_Rules` makes rules of statements, and gathers the `omissions`."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self._kinds = {name: FactKind((), own.record) for name, own in policy.facts.items()}
        self.omissions: list[Omission] = []
        self._ids = Counter[str]()

    def made(self, statements: Sequence[Statement], default_deny: bool) -> Iterator[dict[str, Any]]:
        """Yield rules as in a policy file: those of forbids, and those which say that a permit has to be true."""
        known = [self._checked(own) for own in statements]
        for own in known:
            reasons = own.differs if own.parts else ("no call of these tools makes it true",)
            self.omissions += [Omission(own.id, own.line, own.forbids, reason) for reason in reasons]
            if own.forbids:
                yield from self._forbid(own)
        if not default_deny:
            return
        permits = [(own, self._lacking(own)) for own in known if not own.forbids]
        found: dict[Expression, list[str]] = {}
        for tool in self._policy.tools:
            ways = (_whole(own.parts[tool]) for own, lacking in permits if tool in own.parts and tool not in lacking)
            found.setdefault(any_of(ways), []).append(tool)
        for condition, on in found.items():
            if condition != TRUE:
                say = "No permit allows this call." if condition == FALSE else "A permit has to allow this call."
                yield {"id": self._id(f"permit-{on[0]}"), "on": on, "hold": write_cel(condition), "say": say}

    def _forbid(self, own: Statement) -> Iterator[dict[str, Any]]:
        """Yield rules, one for each condition. If no tool carries the whole forbid, a person is asked in its place."""
        lacking = self._lacking(own)
        found = {tool: _whole(parts) for tool, parts in own.parts.items()}
        whole = [tool for tool, condition in found.items() if tool not in lacking and condition != FALSE]
        conditions: dict[Expression, list[str]] = {}
        for tool in whole or lacking:
            conditions.setdefault(found[tool], []).append(tool)
        for condition, on in conditions.items():
            when = {} if condition == TRUE else {"when": write_cel(condition)}
            asked = {} if whole else {"severity": "ask"}
            yield {"id": self._id(own.id), "on": on, **when, "hold": False, "say": own.say, **asked}

    def _lacking(self, own: Statement) -> list[str]:
        """Return the tools on which a statement lacks parts, and note them. A false part makes the others needless."""
        faults: dict[tuple[int, str], list[str]] = {}
        for tool, parts in own.parts.items():
            for part in parts if FALSE not in parts else ():
                if isinstance(part, NotCarried):
                    faults.setdefault((part.line or own.line, part.reason), []).append(tool)
        for (line, reason), tools in faults.items():
            on = "" if len(tools) == len(own.parts) else f"on {', '.join(tools)}: "
            self.omissions.append(Omission(own.id, line, own.forbids, f"{on}{reason}"))
        return list(dict.fromkeys(tool for tools in faults.values() for tool in tools))

    def _checked(self, own: Statement) -> Statement:
        """Return the statement. Its parts that have no type become parts that are not carried."""
        return replace(
            own, parts={tool: tuple(self._typed(part, tool) for part in on) for tool, on in own.parts.items()}
        )

    def _typed(self, part: Part, tool: str) -> Part:
        if isinstance(part, NotCarried):
            return part
        try:
            check_condition(part, Scope({CALL: self._policy.tools[tool].arguments, **self._policy.roots}, self._kinds))
            write_cel(part)
        except RuleError as error:
            return NotCarried(f"{error.message}; as it stands, the condition is an error on every such call")
        return part

    def _id(self, id: str) -> str:
        self._ids[id] += 1
        return id if self._ids[id] == 1 else self._id(f"{id}-{self._ids[id]}")


def _whole(parts: Sequence[Part]) -> Expression:
    return all_of(part for part in parts if not isinstance(part, NotCarried))
