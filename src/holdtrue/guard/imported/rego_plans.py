"""Translate the plan of a Rego policy, as OPA's compilers make it, into conditions on the calls of a tool.

    input.tool, input.tool_name                                     the name of the tool
    input.args, input.arguments, input.params, input.parameters     its arguments, `call`
    other input                                                     facts that the app states: `facts.input().user.role`

In Rego the undefined makes a body fail, so the conditions ask first whether an optional argument is there.

Source: Open Policy Agent, "Intermediate Representation (IR)" (openpolicyagent.org/docs/ir).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from holdtrue.guard.imported import folded_conditions as c
from holdtrue.guard.imported.folded_conditions import FALSE, TRUE, all_of, any_of, called, stated_path, terms
from holdtrue.guard.imported.foreign_statements import NotCarried, Part, presence
from holdtrue.guard.imported.rego_values import (
    CONDITIONS,
    Elements,
    Env,
    Value,
    Ways,
    added_to,
    built_in,
    compared,
    has_elements,
    plain,
    rest_of,
)
from holdtrue.guard.policy import Policy
from holdtrue.guard.policy_parts import CALL
from holdtrue.logic.value_sorts import int_if_whole
from holdtrue.rules.checker import Scope, check
from holdtrue.rules.syntax import Constant, Expression, Ident, Index, Invoke, Items, RuleError, Select
from holdtrue.rules.types import Flag, ListOf, Name, Number, Type

_TOOL, _ARGUMENTS = ("tool", "tool_name"), ("args", "arguments", "params", "parameters")
_INPUT, _DATA = Ident("input"), Ident("data")
_ROW = re.compile(r'"row": (\d+)')


Body = tuple[int, int, bool, tuple[Part, ...]]
"""The place and line of a body, whether it makes its rule true or false, and the conditions under which it does."""


class RegoPlan:
    """A `RegoPlan` runs a plan on unknown input, for the calls of one tool."""

    def __init__(self, plan: Mapping[str, Any], policy: Policy, tool: str) -> None:
        self._texts = [_text(own["value"]) for own in plan["static"]["strings"]]
        self._functions = {own["name"]: own for own in plan["funcs"]["funcs"]}
        self._policy, self._tool, self._roots = policy, tool, {CALL: policy.tools[tool].arguments, **policy.roots}
        self._items: dict[str, Type] = {}
        self._fresh = self._line = 0

    def bodies(self, rule: Mapping[str, Any]) -> Iterator[Body]:
        """Yield the conditions under which each body makes a rule true, or adds an element, or makes a rule false."""
        result, whole = rule["return"], True
        env: Env = {rule["params"][0]: [(TRUE, _INPUT)], rule["params"][1]: [(TRUE, _DATA)]}
        path: Expression = TRUE
        for place, own in enumerate(statement for block in rule["blocks"] for statement in block["stmts"]):
            before, is_body = env.get(result, ()), own["type"] == "BlockStmt"
            line = self._line = 1 + min(map(int, _ROW.findall(json.dumps(own))), default=self._line - 1)
            try:
                path = self._step(own, TRUE if is_body else path, env, ())
                if not is_body and own["type"] != "AssignVarOnceStmt":
                    continue
                added, elements = added_to(env.get(result, ()), before), has_elements(env.get(result, ()))
                made = any_of(all_of((way, TRUE if elements else self._truth(value))) for way, value in added)
            except NotCarried as fault:
                whole = False
                yield place, line, True, (*terms(fault.known), NotCarried(fault.reason, self._line))
                continue
            if made != FALSE and not is_body and not whole:
                yield place, line, True, (NotCarried("its default rests on a body that is not carried", line),)
                continue
            unmade = any_of(way for way, value in added if value == FALSE and is_body)
            if unmade != FALSE:
                yield place, line, False, terms(unmade) or (TRUE,)
            if made != FALSE or (is_body and unmade == FALSE):
                yield place, line, True, terms(made) or (TRUE,)

    def _run(self, block: Mapping[str, Any], path: Expression, env: Env, around: tuple[Expression, ...]) -> Expression:
        """Return the condition that all statements of a block are passed. `around` is known outside of the block."""
        scanned = {own["stmt"]["source"] for own in block["stmts"] if own["type"] == "ScanStmt"}
        for own in block["stmts"]:
            if path == FALSE:
                break
            self._line = 1 + own["stmt"]["row"] if "row" in own["stmt"] else self._line
            if own["type"] == "NotEqualStmt" and own["stmt"]["a"].get("value") in scanned:
                continue  # A collection that the block goes through is true.
            try:
                path = self._step(own, path, env, around)
            except NotCarried as fault:
                if not around:
                    fault.known = all_of((path, fault.known))
                raise
        return path

    def _step(
        self, statement: Mapping[str, Any], path: Expression, env: Env, around: tuple[Expression, ...]
    ) -> Expression:
        """Return the condition that a statement is passed, and change the locals that it sets."""
        own, known, name = statement["stmt"], {*terms(path), *around}, statement["type"]
        inside = (*around, *terms(path), TRUE)
        match name:
            case "BlockStmt":
                for block in own["blocks"]:
                    self._run(block, path, env, around)
            case "NotStmt":
                return all_of((path, c.negated(self._run(own["block"], TRUE, dict(env), inside))))
            case "ScanStmt":
                self._scan(own, path, env, inside)
            case "CallStmt" if own["func"] in self._functions:
                return self._call(own, path, env, known)
            case "CallStmt":
                args = [self._operand(arg, known, env) for arg in own["args"]]
                env[own["result"]] = [(path, self._built_in(own["func"], args, known))]
            case "DotStmt":
                of, key = (self._operand(own[part], known, env) for part in ("source", "key"))
                path, value = self._field(of, key, path)
                env[own["target"]] = [(path, value)]
            case "EqualStmt" | "NotEqualStmt":
                left, right = (self._operand(own[side], known, env) for side in "ab")
                if name == "NotEqualStmt" and right == FALSE:
                    return all_of((path, self._truth(left)))
                return all_of((path, compared("==" if name == "EqualStmt" else "!=", left, right)))
            case "AssignVarStmt" | "AssignVarOnceStmt":
                env[own["target"]] = [(path, self._operand(own["source"], known, env)), *env.get(own["target"], ())]
            case "IsDefinedStmt" | "IsUndefinedStmt":
                defined = any_of(rest_of(way, known) for way, _ in env.get(own["source"], ()))
                return all_of((path, defined if name == "IsDefinedStmt" else c.negated(defined)))
            case "SetAddStmt" | "ObjectInsertOnceStmt":  # Only the keys of a partial object are looked at.
                part, of = ("value", own["set"]) if name == "SetAddStmt" else ("key", own["object"])
                ((_, value),) = env[of]
                items = value.items if isinstance(value, Elements) else ()
                env[of] = [(TRUE, Elements((*items, (path, self._operand(own[part], known, env)))))]
            case "ArrayAppendStmt":
                array, value = self._local(own["array"], known, env), self._operand(own["value"], known, env)
                made: Value = NotCarried("it makes a list")
                if isinstance(array, Items) and isinstance(value, Expression):
                    made = Items((*array.items, value))
                env[own["array"]] = [(path, made)]
            case "ResetLocalStmt" | "MakeSetStmt" | "MakeArrayStmt" | "MakeObjectStmt" | "MakeNullStmt":
                env[own["target"]] = _MADE[name]
            case "MakeNumberRefStmt" | "MakeNumberIntStmt":
                number = Fraction(self._texts[own["index"]] if name == "MakeNumberRefStmt" else own["value"])
                env[own["target"]] = [(TRUE, Constant(int_if_whole(number)))]
            case "ObjectInsertStmt" | "ReturnLocalStmt" | "NopStmt":
                pass
            case _:
                raise NotCarried(f"no rule says a {name} of Rego's plan")
        return path

    def _scan(self, own: Mapping[str, Any], path: Expression, env: Env, around: tuple[Expression, ...]) -> None:
        """Run the body of a loop for any item. A local from outside of it is set if there is such an item."""
        source = plain(self._local(own["source"], {*around}, env), {*around})
        type = self._type(source)
        if not stated_path(source) and not isinstance(type, ListOf):
            raise NotCarried("it goes through an object")
        self._fresh += 1
        item = Ident(f"x{self._fresh}")
        if isinstance(type, ListOf):
            self._items[item.name] = type.item
        inner: Env = {
            **env,
            own["value"]: [(TRUE, item)],
            own["key"]: [(TRUE, NotCarried("it reads a place in a list"))],
        }
        self._run(own["block"], TRUE, inner, around)
        for local, before in env.items():
            added = []
            for way, value in added_to(inner[local], before):
                inside = isinstance(value, Expression) and item in c.walk(value)
                some = FALSE if way == FALSE else called("exists", item, way, on=source)
                added.append(
                    (all_of((path, some)), NotCarried("it reads an item outside of its loop") if inside else value)
                )
            old = before[0][1] if before else None
            if isinstance(old, Elements):
                env[local] = [(TRUE, Elements((*old.items, *added)))]
            else:
                env[local] = [*added, *before]

    def _call(self, own: Mapping[str, Any], path: Expression, env: Env, known: set[Expression]) -> Expression:
        """Run a function, and return the condition that it has a result."""
        function = self._functions[own["func"]]
        args = (self._operand(arg, known, env) for arg in own["args"])
        inner: Env = {local: [(TRUE, value)] for local, value in zip(function["params"], args, strict=True)}
        for block in function["blocks"]:
            self._run(block, TRUE, inner, (TRUE,))
        env[own["result"]] = found = inner.get(function["return"], ())
        return all_of((path, any_of(way for way, _ in found)))

    def _operand(self, operand: Any, known: set[Expression], env: Env) -> Value:
        if isinstance(operand, int):
            return self._local(operand, known, env)
        match operand["type"]:
            case "bool":
                return Constant(operand["value"])
            case "string_index":
                return Constant(self._texts[operand["value"]])
        return self._local(operand["value"], known, env)

    def _local(self, local: int, known: set[Expression], env: Env) -> Value:
        """Return the value of a local that is defined: the newest whose condition is known, or a choice of values."""
        ways = [(rest_of(way, known), value) for way, value in env.get(local, ())]
        found: Value = ways[-1][1] if ways else NotCarried("it reads a value that is not defined")
        for way, value in ways[-2::-1]:
            if way == TRUE or value == found:
                found = value
            elif isinstance(value, Expression) and isinstance(found, Expression):
                found = c.chosen(way, value, found)
            else:
                found = NotCarried("a value depends on a condition")
        return found

    def _field(self, of: Value, key: Value, path: Expression) -> tuple[Expression, Value]:
        """Return the condition that a field is there, and its value."""
        if not isinstance(of, Expression) or not isinstance(key, Constant):
            return path, of if isinstance(of, NotCarried) else NotCarried("it reads a field whose name is computed")
        if of == _INPUT:
            own = Constant(self._tool) if key.value in _TOOL else c.stated("input", str(key.value))
            return path, Ident(CALL) if key.value in _ARGUMENTS else own
        if of == _DATA:
            return path, NotCarried("it reads data, which is no part of the policy")
        if isinstance(key.value, int):
            return all_of((path, c.compared(">", called("size", of), key))), Index(of, key)
        type, value = self._type(of), Select(of, str(key.value))
        if stated_path(of):
            return path, value
        if isinstance(type, Flag | Number | Name | ListOf):
            return FALSE, value
        there = presence(self._policy, self._tool, type, value.name)
        return all_of((path, called("has", value) if there is None else Constant(there))), value

    def _type(self, value: Expression) -> Type | None:
        try:
            return check(value, Scope({**self._roots, **self._items})).type
        except RuleError:
            return None

    def _truth(self, value: Value) -> Expression:
        """Return the condition that a defined value is not false."""
        value = plain(value, set()) if isinstance(value, NotCarried) else value
        if isinstance(value, Constant | Elements):
            return Constant(value != FALSE)
        if isinstance(value, Invoke) and value.name in CONDITIONS:
            return value
        type = self._type(value)
        return value if isinstance(type, Flag) or (type is None and stated_path(value)) else TRUE

    def _built_in(self, name: str, args: Sequence[Value], known: set[Expression]) -> Value:
        if name != "object.get" or not isinstance(args[1], Constant):
            return built_in(name, args, known)
        there, value = self._field(args[0], args[1], TRUE)
        return c.chosen(there, plain(value, known), plain(args[2], known))


_MADE: Mapping[str, Ways] = {
    "ResetLocalStmt": [],
    "MakeSetStmt": [(TRUE, Elements())],
    "MakeArrayStmt": [(TRUE, Items(()))],
    "MakeObjectStmt": [(TRUE, NotCarried("its value is an object"))],
    "MakeNullStmt": [(TRUE, Constant(None))],
}


def _text(written: str) -> str:
    """Return a text of the plan, which is written as in JSON, with or without its quotes."""
    is_quoted = len(written) > 1 and written[0] == written[-1] == '"'
    found: str = json.loads(written if is_quoted else f'"{written}"')
    return found
