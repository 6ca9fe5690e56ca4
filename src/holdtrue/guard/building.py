"""Make a policy of what its file says: every part is checked, and all faults are told at once.

The schemas of tools and answers are refined by what the policy says of them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from holdtrue.guard.fact_building import FactBuilder
from holdtrue.guard.ground import At, Ground
from holdtrue.guard.policy import Policy
from holdtrue.guard.policy_parts import NotSaid, Rule, Tool
from holdtrue.guard.rule_building import RuleBuilder
from holdtrue.logic.value_sorts import Calendar
from holdtrue.rules.local_clocks import check_place
from holdtrue.rules.paths import instead
from holdtrue.rules.refinement import at, refined
from holdtrue.rules.schema_validation import SchemaValidator
from holdtrue.rules.syntax import Place, RuleError
from holdtrue.rules.tools import ToolSchema, each_tool
from holdtrue.rules.types import Record, Type, types_within
from holdtrue.rules.values import read_moment


class ToolBuilder:
    """Reads the `tools` and `answers` of a policy file into its ground."""

    def __init__(self, ground: Ground) -> None:
        self._ground, self._wire = ground, ground.wire.tools

    def build(self) -> None:
        """Read all tools and answers."""
        schemas: list[ToolSchema] = []
        with self._ground.at(("tools",)):
            for found in each_tool([*self._file(), *self._wire.definitions]):
                if isinstance(found, ToolSchema):
                    schemas.append(found)
                    continue
                with self._ground.at(("tools",)):  # One fault stops no other: all are told at once.
                    raise found
        if self._ground.faults:
            return
        self._check_names({schema.name for schema in schemas} | self._ground.wire.answers.keys())
        for schema in schemas:
            with self._ground.at(("tools",)):
                self._ground.tools[schema.name] = self._tool(schema)
        for name, data in self._ground.wire.answers.items():
            with self._ground.at(("answers", name)):
                self._ground.tools[name] = self._answer(name, data)

    def _file(self) -> list[Any]:
        name = self._wire.file
        if name is None:
            return []
        if self._ground.folder is None:
            raise RuleError("tools.file is found from the folder of a policy file, and this policy is in none")
        try:
            text = (self._ground.folder / name).read_text(encoding="utf-8")
            found = json.loads(text)
        except (OSError, ValueError, RecursionError) as error:
            raise RuleError(f"{name} cannot be read: {error}", self._ground.place(("tools", "file"))) from error
        self._ground.files.append(text)
        if isinstance(found, Mapping) and (isinstance(found.get("tools"), list) or "result" in found):
            found = [found]
        if not isinstance(found, list):
            raise RuleError(f"{name} is no list of tool definitions", self._ground.place(("tools", "file")))
        return found

    def _check_names(self, names: set[str]) -> None:
        listed = {"writes": self._wire.writes, "reads": self._wire.reads}
        parts: list[tuple[str, str | int, str]] = [
            *((key, place, name) for key, own in listed.items() for place, name in enumerate(own)),
            *(("consent", place, name) for place, own in enumerate(self._wire.consent) for name in own.on),
            *(("types", name, name) for name in self._wire.types if name != "*"),
            *(("change", name, name) for name in self._wire.change),
        ]
        for key, part, name in parts:
            path: At = ("tools", key, part)
            if name not in names:
                text = f"there is no tool {name!r}; {instead(name, sorted(names))}"
                self._ground.fault(path, text, self._ground.key_place(path))
        for name in set(self._wire.reads) & set(self._wire.writes):
            self._ground.fault(("tools", "reads"), f"{name} cannot be both: it reads only, or it writes")

    def _tool(self, schema: ToolSchema) -> Tool:
        own = self._wire
        arguments: Type = schema.arguments
        for name in ("*", schema.name):
            for path, data in own.types.get(name, {}).items():
                if name != "*" or _has(arguments, path):
                    arguments = self._refined(arguments, path, data, name)
        if not isinstance(arguments, Record):
            raise RuleError(f"the arguments of {schema.name} are no record")
        reads = schema.name in own.reads or (schema.read_only is True and schema.name not in own.writes)
        self._ground.notes += schema.notes
        change = self._change(schema.name, arguments)
        return Tool(schema, arguments, not reads, change, validator=self._validator(schema, arguments))

    def _refined(self, type: Type, path: str, data: Any, name: str) -> Type:
        where = ("tools", "types", name, path)
        found = [type]
        with self._ground.at(where):
            found.append(refined(type, path, self._ground.type(data, where)))
        return found[-1]

    def _change(self, name: str, arguments: Type) -> tuple[str, ...] | None:
        own = self._wire.change.get(name)
        for place, path in enumerate(own or ()):
            with self._ground.at(("tools", "change", name, place)):
                at(arguments, path)
        return None if own is None else tuple(own)

    def _answer(self, name: str, data: Any) -> Tool:
        schema = data.model_json_schema() if hasattr(data, "model_json_schema") else data
        schema = schema["schema"] if isinstance(schema, Mapping) and schema.keys() == {"schema"} else schema
        is_schema = isinstance(schema, Mapping) and ("properties" in schema or "$defs" in schema)
        data = {"schema": schema} if is_schema else schema
        type: Type = self._ground.type(data, ("answers", name), name, loose=is_schema)
        for path, refinement in self._wire.types.get(name, {}).items():
            type = self._refined(type, path, refinement, name)
        if not isinstance(type, Record):
            raise RuleError(f"an answer is a record, not {type}")
        if name in self._ground.tools:
            raise RuleError(f"{name} is a tool, too")
        own = ToolSchema(name, "", type, None, None, (), parameters=schema if is_schema else None)
        change, validator = self._change(name, type), self._validator(own, type)
        return Tool(own, type, writes=True, change=change, is_answer=True, validator=validator)

    def _validator(self, schema: ToolSchema, arguments: Type) -> SchemaValidator | None:
        """Return what says whether arguments fit the schema as the app wrote it. Raises `RuleError`."""
        if schema.parameters is None:
            return None
        kinds = types_within(arguments)
        local = any(isinstance(own, Calendar) and own.kind == "moment" and own.zone != "Z" for own in kinds)
        found = SchemaValidator(schema.parameters, schema.name, local=local)
        self._ground.notes += found.notes
        return found


def _has(type: Type, path: str) -> bool:
    try:
        at(type, path)
    except RuleError:
        return False
    return True


def build(ground: Ground) -> Policy | None:
    """Return the policy that stands on a ground, or None where that has `faults`.

    Rules are looked at only where the parts that they use have none, so that no fault follows from another one.
    """
    wire = ground.wire
    with ground.at(("zone",)):
        check_place(wire.zone)
    ground.read_types()
    if ground.faults:
        return None
    ToolBuilder(ground).build()
    if ground.faults:
        return None
    ground.read_said()
    ground.read_tables()
    ground.read_named()
    facts = FactBuilder(ground)
    facts.build()
    if ground.faults:
        return None
    effects, builder = tuple(facts.effects()), RuleBuilder(ground)
    rules, obligations, consents = tuple(builder.rules()), tuple(builder.obligations()), tuple(builder.consents())
    _check_ids(ground, (*rules, *obligations))
    if wire.now is not None:
        with ground.at(("now",)):
            read_moment(wire.now, ground.moment, "now")
    policy = Policy(
        wire.policy,
        ground.digest(),
        wire.about,
        ground.moment,
        wire.now,
        ground.tools,
        ground.facts,
        effects,
        rules,
        obligations,
        ground.said,
        tuple(NotSaid(own.id, own.say, own.reason) for own in wire.not_checked),
        ground.given,
        tuple(wire.tools.errors),
        wire.unknown_tools,
        wire.unsaid,
        wire.unfounded,
        _groups(ground),
        tuple(dict.fromkeys(ground.notes)),
        wire.undeclared,
        consents,
    )
    return None if ground.faults else policy


def _groups(ground: Ground) -> dict[str, str]:
    """Return the group of each tool that the file puts into one; a tool is in one group at most."""
    found: dict[str, str] = {}
    for group, names in ground.wire.tools.groups.items():
        for place, name in enumerate(names):
            with ground.at(("tools", "groups", group, place)):
                ground.tool(name)
                if found.setdefault(name, group) != group:
                    raise RuleError(f"{name!r} is in the group {found[name]!r} already")
    return found


def _check_ids(ground: Ground, rules: tuple[Rule, ...]) -> None:
    seen: set[str] = set()
    for rule in rules:
        if rule.id in seen:
            place = rule.place if rule.place.line else Place()
            ground.note_fault(place, f"the id {rule.id!r} is used twice")
        seen.add(rule.id)
