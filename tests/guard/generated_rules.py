"""Generate random rules: conditions that fit the types of the values in a policy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from holdtrue.guard.policy import Policy
from holdtrue.logic.units import ONE, SECOND
from holdtrue.logic.value_sorts import Calendar
from holdtrue.rules import types as ty
from holdtrue.rules.cel import write_cel
from holdtrue.rules.syntax import Constant
from holdtrue.rules.types import Type, without_null

Path = tuple[str, Type, bool]
"""An expression, its type, and whether it may not be there."""
RELATIONS = ("<", "<=", "==", "!=", ">", ">=")


class RuleWriter:
    """Writes random rules about the calls of a tool of a policy."""

    def __init__(self, random: Random, policy: Policy, users: Sequence[str], texts: Sequence[str]) -> None:
        self._random, self._policy = random, policy
        self._users, self._texts = users, texts
        self._names = 0
        self._paths: list[Path] = []

    def rule(self, id: str, tool: str) -> dict[str, Any]:
        """Return a rule as a policy file has it."""
        arguments = self._policy.tools[tool].arguments
        self._paths = [*self._below("call", arguments)]
        if self._random.random() < 0.5:
            return self._written(id, tool, 1)
        users = [path for path, type, optional in self._paths if _is_user(type) and not optional]
        for _ in range(2):
            self._paths += self._below(f"facts.acc({self._user(users)})", self._policy.facts["acc"].record)
        slot = f"facts.slot(call.day, {self._random.choice(('call.place', '1'))})"
        self._paths += self._below(slot, self._policy.facts["slot"].record)
        self._paths += self._below("said", self._policy.roots["said"])
        self._paths.append(("tables.allowed", ty.MapOf(ty.COUNT), False))
        return self._written(id, tool, 2)

    def _written(self, id: str, tool: str, depth: int) -> dict[str, Any]:
        found = {
            "id": id,
            "on": tool,
            "hold": self.condition(depth),
            "say": f"Rule {id} has to be kept.",
            "severity": self._random.choice(("block", "block", "block", "block", "ask", "warn")),
        }
        if self._random.random() < 0.3:
            found["when"] = self.condition(1)
        if self._random.random() < 0.1:
            found["needs"] = "words"
        return found

    def _user(self, users: Sequence[str]) -> str:
        own = self._random.choice((*users, *users, _text(self._random.choice(self._users))))
        return f"facts.acc({own}).owner" if self._random.random() < 0.2 else own

    def _below(self, path: str, type: Type, *, optional: bool = False) -> Iterator[Path]:
        own = without_null(type)
        if isinstance(own, ty.Record):
            for name, field in own.fields.items():
                inner = f"{path}.{name}" if name.isidentifier() else f"{path}[{_text(name)}]"
                yield from self._below(inner, field.type, optional=optional or not field.required)
            return
        yield path, type, optional

    def condition(self, depth: int) -> str:
        """Return a condition over all that the rule knows."""
        random = self._random
        if depth == 0 or random.random() < 0.3:
            return self._simple(depth)
        match random.randrange(8):
            case 0 | 1 | 2:
                return f"({self.condition(depth - 1)} && {self.condition(depth - 1)})"
            case 3 | 4:
                return f"({self.condition(depth - 1)} || {self.condition(depth - 1)})"
            case 5:
                return f"!({self.condition(depth - 1)})"
            case 6:
                return f"({self.condition(0)} ? {self.condition(depth - 1)} : {self.condition(0)})"
        return self._about_done()

    def _simple(self, depth: int) -> str:
        path, type, optional = self._random.choice(self._paths)
        about = self._about(path, type, depth)
        if optional and self._random.random() < 0.7:
            there = f"has({_selected(path)})"
            return self._random.choice((f"({there} && {about})", f"(!{there} || {about})", there))
        return about

    def _about(self, path: str, type: Type, depth: int) -> str:
        """Return a condition about the value at a path."""
        if isinstance(type, ty.Nullable):
            about = self._about(path, type.value, depth)
            return self._random.choice((f"({path} == null || {about})", f"{path} != null", about))
        match type:
            case ty.Flag():
                return path
            case ty.Number():
                return self._about_number(path, type)
            case ty.Name():
                return self._about_name(path, type)
            case ty.ListOf():
                return self._about_list(path, type, depth)
            case ty.MapOf():
                return self._about_map(path)
            case Calendar():
                return self._about_time(path, type)
        raise TypeError(type)

    def _alike(self, type: Type) -> str | None:
        """Return another path of the same type."""
        found = [path for path, other, _ in self._paths if _same(type, without_null(other))]
        return self._random.choice(found) if found else None

    def _about_number(self, path: str, type: ty.Number) -> str:
        random, relation = self._random, self._random.choice(RELATIONS)
        other = self._alike(type)
        if type.sort.unit == SECOND:
            right = random.choice((other or path, "duration('2h')"))
            return f"{path} {relation} {right}"
        literal = random.choice(("0", "1", "2", "3", "-1") if type.whole else ("0.5", "1.0", "2", "0"))
        choices = [
            f"{path} {relation} {literal}",
            f"{path} + 1 {relation} {literal}",
            f"{path} * 2 {relation} {other or path}",
        ]
        choices += [f"{path} {relation} {other or literal}", f"math.abs({path}) {relation} {literal}"]
        choices += [
            f"{path} - {other or path} {relation} {literal}",
            f"math.greatest({path}, {other or path}) {relation} {literal}",
        ]
        if type.sort.unit == ONE and type.whole:
            choices += [
                f"{path} / 2 {relation} {literal}",
                f"{path} % 2 == 0",
                f"{path} * {other or path} {relation} {literal}",
            ]
        return random.choice(choices)

    def _about_name(self, path: str, type: ty.Name) -> str:
        random = self._random
        options = type.values or (self._users if type.kind else self._texts)
        some = _text(random.choice(options))
        choices = [f"{path} == {some}", f"{path} != {some}", f"{path} in [{some}, {_text(random.choice(options))}]"]
        if (other := self._alike(type)) is not None:
            choices.append(f"{path} == {other}")
        if type.values is None:
            choices += [f"{path}.startsWith('a')", f"{path} in written", f"{path} in tables.names"]
        elif "pro" in type.values:
            choices.append(f"tables.allowed[{path}] >= 2")
        return random.choice(choices)

    def _about_time(self, path: str, type: Calendar) -> str:
        random, relation = self._random, self._random.choice(RELATIONS)
        other = self._alike(type) or path
        match type.kind:
            case "date":
                later = random.choice((path, f"{path} + days(1)"))
                return " ".join((later, relation, random.choice((other, "now.date()", "date('2026-03-02')"))))
            case "time":
                return " ".join((path, relation, random.choice((other, "time('12:00')", "now.time()"))))
        return random.choice(
            (f"{path} {relation} {other}", f"{path} {relation} now", f"now - {path} <= duration('1h')")
        )

    def _about_map(self, path: str) -> str:
        relation = self._random.choice(RELATIONS)
        if path.startswith("tables."):
            return f"size({path}) {relation} 2"
        key = self._random.choice(("'a'", "'b.c'", self._alike(ty.TEXT) or "'a'"))
        return self._random.choice(
            (
                f"{key} in {path}",
                f"{path}[{key}] {relation} 2",
                f"size({path}) {relation} 1",
                f"{path}.all(k, k == 'a')",
            )
        )

    def _about_list(self, path: str, type: ty.ListOf, depth: int) -> str:
        random, relation = self._random, self._random.choice(RELATIONS)
        self._names += 1
        item = f"i{self._names}"
        about = self._about_item(item, without_null(type.item), depth)
        choices = [f"size({path}) {relation} 1", f"{path} == []"]
        choices += [f"{path}.{macro}({item}, {about})" for macro in ("all", "exists", "exists_one")]
        choices.append(f"size({path}.filter({item}, {about})) {relation} 1")
        if isinstance(type.item, ty.Record):
            choices.append(f"{path}.map({item}, {item}.cost).sum() {relation} 3.0")
            choices.append(f"{path}[0].count {relation} 1")
            choices.append(f"{path}.all(i, {item}, i == 0 || {item}.cost >= {path}[i - 1].cost)")
        if isinstance(type.item, ty.Number):
            choices.append(f"{path}.sum() {relation} 3")
            choices.append(f"math.greatest({path}) {relation} 2")
        if (other := self._alike(type)) is not None:
            choices += [f"{path} == {other}", f"sets.contains({path}, {other})"]
        return random.choice(choices)

    def _about_item(self, item: str, type: Type, depth: int) -> str:
        if not isinstance(type, ty.Record):
            return self._about(item, type, 0)
        path, own, optional = self._random.choice([*self._below(item, type)])
        about = self._about(path, own, 0)
        return f"(has({path}) && {about})" if optional and self._random.random() < 0.7 else about

    def _about_done(self) -> str:
        limit = self._random.randint(0, 2)
        choices = (
            f"size(done.act) <= {limit}",
            "done.act.exists(d, d.user == call.user)",
            "done.act.all(d, has(d.at) && now - d.at >= duration('1h'))",
            "size(done.get_acc.filter(d, d.user == call.user)) >= 1",
        )
        return self._random.choice(choices)


def _text(text: str) -> str:
    return write_cel(Constant(text))


def _selected(path: str) -> str:
    """Return a path with its last step after a dot, as `has` requires it."""
    if not path.endswith("]"):
        return path
    of, _, name = path.rpartition("[")
    return f"{of}.`{name[1:-2]}`"


def _is_user(type: Type) -> bool:
    return isinstance(type, ty.Name) and type.kind == "user"


def _same(one: Type, other: Type) -> bool:
    match one, other:
        case ty.Number(), ty.Number():
            return one.sort.unit == other.sort.unit
        case ty.ListOf(item), ty.ListOf(own):
            return item is own or (not isinstance(item, ty.Record) and _same(item, own))
    return one == other
