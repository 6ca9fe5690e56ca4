"""Build the tools and answers of a policy from their schemas, which the policy may refine."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from holdtrue.guard.policy_draft import At, PolicyDraft
from holdtrue.guard.policy_parts import Tool
from holdtrue.guard.yaml_text import YamlError, read_yaml
from holdtrue.logic.value_sorts import Calendar
from holdtrue.rules.paths import instead
from holdtrue.rules.refinement import at, refined
from holdtrue.rules.schema_validation import SchemaValidator
from holdtrue.rules.syntax import RuleError
from holdtrue.rules.tools import ToolSchema, each_tool
from holdtrue.rules.types import Record, Type, types_within


class ToolBuilder:
    """Reads the `tools` and `answers` of a policy file into its draft."""

    def __init__(self, draft: PolicyDraft) -> None:
        self._draft, self._wire = draft, draft.wire.tools

    def build(self) -> None:
        schemas: list[ToolSchema] = []
        with self._draft.at(("tools",)):
            for found in each_tool([*self._file(), *self._wire.definitions]):
                if isinstance(found, ToolSchema):
                    schemas.append(found)
                    continue
                for fault in found.message.split("\n"):  # Every fault is reported, not only the first.
                    self._draft.fault(("tools",), fault)
        if not self._draft.faults:
            self._check_names({schema.name for schema in schemas} | self._draft.wire.answers.keys())
        for schema in schemas:
            with self._draft.at(("tools",)):
                self._draft.tools[schema.name] = self._tool(schema)
        for name, data in self._draft.wire.answers.items():
            with self._draft.at(("answers", name)):
                self._draft.tools[name] = self._answer(name, data)

    def _file(self) -> list[Any]:
        """Return the definitions in the JSON or YAML file that the policy names. Raises `RuleError`."""
        name = self._wire.file
        if name is None:
            return []
        if self._draft.folder is None:
            raise RuleError("tools.file is found from the folder of a policy file, and this policy is in none")
        try:
            text = (self._draft.folder / name).read_text(encoding="utf-8-sig")
            found = read_yaml(text).value if name.lower().endswith((".yaml", ".yml")) else json.loads(text)
        except (OSError, ValueError, RecursionError, YamlError) as error:
            raise RuleError(f"{name} cannot be read: {error}", self._draft.text.place(("tools", "file"))) from error
        self._draft.files.append(text)
        if isinstance(found, dict):
            return [found]
        if not isinstance(found, list):
            raise RuleError(f"{name} is no list of tool definitions", self._draft.text.place(("tools", "file")))
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
                self._draft.fault(path, text, self._draft.text.key_place(path))
        for name in set(self._wire.reads) & set(self._wire.writes):
            self._draft.fault(("tools", "reads"), f"{name} cannot be both: it reads only, or it writes")

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
        self._draft.notes += schema.notes
        change = self._change(schema.name, arguments)
        return Tool(schema, arguments, not reads, change, validator=self._validator(schema, arguments))

    def _refined(self, type: Type, path: str, data: Any, name: str) -> Type:
        where = ("tools", "types", name, path)
        found = [type]
        with self._draft.at(where):
            found.append(refined(type, path, self._draft.type(data, where)))
        return found[-1]

    def _change(self, name: str, arguments: Type) -> tuple[str, ...] | None:
        own = self._wire.change.get(name)
        for place, path in enumerate(own or ()):
            with self._draft.at(("tools", "change", name, place)):
                at(arguments, path)
        return None if own is None else tuple(own)

    def _answer(self, name: str, data: Any) -> Tool:
        schema = data.model_json_schema() if hasattr(data, "model_json_schema") else data
        schema = schema["schema"] if isinstance(schema, Mapping) and schema.keys() == {"schema"} else schema
        is_schema = isinstance(schema, Mapping) and ("properties" in schema or "$defs" in schema)
        data = {"schema": schema} if is_schema else schema
        type: Type = self._draft.type(data, ("answers", name), name, loose=is_schema)
        for path, refinement in self._wire.types.get(name, {}).items():
            type = self._refined(type, path, refinement, name)
        if not isinstance(type, Record):
            raise RuleError(f"an answer is a record, not {type}")
        if name in self._draft.tools:
            raise RuleError(f"{name} is a tool, too")
        own = ToolSchema(name, "", type, None, None, (), parameters=schema if is_schema else None)
        change, validator = self._change(name, type), self._validator(own, type)
        return Tool(own, type, writes=True, change=change, is_answer=True, validator=validator)

    def _validator(self, schema: ToolSchema, arguments: Type) -> SchemaValidator | None:
        """Return a validator for arguments by the app's schema, or None without a schema. Raises `RuleError`."""
        if schema.parameters is None:
            return None
        kinds = types_within(arguments)
        local = any(isinstance(own, Calendar) and own.kind == "moment" and own.zone != "Z" for own in kinds)
        found = SchemaValidator(schema.parameters, schema.name, local=local)
        self._draft.notes += found.notes
        return found


def _has(type: Type, path: str) -> bool:
    try:
        at(type, path)
    except RuleError:
        return False
    return True
