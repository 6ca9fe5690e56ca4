"""Build the facts and effects of a policy: the results that show records, and the changes that calls make to them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction

from holdtrue.guard.policy_draft import At, PolicyDraft
from holdtrue.guard.policy_parts import CALL, NOW, Effect, FactKind, Part, Source, Tool
from holdtrue.guard.policy_wire import EffectWire, FactWire, SourceWire
from holdtrue.logic.value_sorts import Calendar
from holdtrue.rules.checker import Scope, check, check_condition
from holdtrue.rules.syntax import RuleError
from holdtrue.rules.type_lattice import same_units, unified
from holdtrue.rules.typed_expressions import At as Entry
from holdtrue.rules.typed_expressions import Choose, Get, Given, Node, Root, walk
from holdtrue.rules.types import TEXT, Field, ListOf, MapOf, Name, Number, Record, Type, in_words, without_null
from holdtrue.rules.values import read_duration


class FactBuilder:
    """Reads the `facts` and `effects` of a policy file into its draft."""

    def __init__(self, draft: PolicyDraft) -> None:
        self._draft = draft

    def build(self) -> None:
        """Read all kinds of facts, and then the tools that show them."""
        for name, wire in self._draft.wire.facts.items():
            with self._draft.at(("facts", name)):
                self._draft.facts[name] = self._kind(name, wire)
        for name, wire in self._draft.wire.facts.items():
            if name in self._draft.facts:
                kind = self._draft.facts[name]
                self._draft.facts[name] = replace(kind, sources=tuple(self._sources(kind, wire)))

    def _kind(self, name: str, wire: FactWire) -> FactKind:
        path: At = ("facts", name)
        written = wire.record is not None
        record = self._draft.type(wire.record, (*path, "record"), name) if written else self._shown(wire)
        if not isinstance(record, Record):
            raise RuleError(f"a record is meant, not {record}")
        keys = {own: self._draft.type(data, (*path, "key", own)) for own, data in wire.key.items()}
        for own, type in keys.items():
            if not isinstance(type, Name | Number | Calendar):
                raise RuleError(f"a key is a text, a number or a date, and {own} is {in_words(type)}")
        fresh = None
        if wire.fresh is not None:
            fresh = read_duration(wire.fresh)
            if fresh is None or fresh <= 0:
                self._draft.fault((*path, "fresh"), f"{wire.fresh!r} is no duration; write 24h or 15m")
        record = replace(record, may_be_absent=any(own.absent for own in wire.sources))
        return FactKind(name, keys, record, (), fresh)

    def _shown(self, wire: FactWire) -> Type:
        """Return the declared result of the tool that shows a kind of facts without a `record` of its own."""
        whole = (own.tool for own in wire.sources if own.result is None and own.each is None and not own.fields)
        results = (self._draft.tool(own).schema.result for own in whole)
        found = next((without_null(own) for own in results if own is not None), None)
        if found is None:
            raise RuleError("write the fields of its `record`: no tool that shows it has a schema of its result")
        return found

    def _sources(self, kind: FactKind, wire: FactWire) -> Iterator[Source]:
        for place, own in enumerate(wire.sources):
            path: At = ("facts", kind.name, "from", place)
            with self._draft.at(path):
                yield self._source(kind, own, path)

    def _source(self, kind: FactKind, wire: SourceWire, path: At) -> Source:
        draft = self._draft
        tool = draft.tool(wire.tool)
        result = self._result(kind, wire, path)
        roots: dict[str, Type] = {CALL: tool.arguments, "result": result}
        each, item = None, result
        if wire.each is not None:
            each = check(draft.cel(wire.each, (*path, "each")), draft.scope(roots, facts=False))
            if not isinstance(each.type, ListOf | MapOf):
                raise RuleError(f"each is a list or a map of what holds records, and this is {each.type}")
            item = each.type.item if isinstance(each.type, ListOf) else each.type.value
            roots |= {"name": TEXT} if isinstance(each.type, MapOf) else {}
        scope = draft.scope({**roots, "item": item}, facts=False)
        keys = self._keys(kind, wire.key, scope, (*path, "key"))
        fields = {
            name: self._set(kind, name, text, scope, (*path, "fields", name)) for name, text in wire.fields.items()
        }
        named = set()
        for name, own in kind.record.fields.items():
            if name not in fields and _check_shown(item, name, own, optional=wire.partial or not own.required):
                named.add(name)
        if wire.absent and (each is not None or any(_roots(own) - {CALL} for own in keys)):
            raise RuleError("absent says that there is no such record: which one, the call has to say by its key")
        return Source(wire.tool, result, each, keys, fields, wire.partial, frozenset(named), tuple(wire.absent))

    def _result(self, kind: FactKind, wire: SourceWire, path: At) -> Type:
        if wire.result is not None:
            return self._draft.type(wire.result, (*path, "result"), "result")
        if wire.each is not None:
            return ListOf(kind.record)
        declared = self._draft.tool(wire.tool).schema.result
        if declared is not None and wire.fields:
            return declared
        # A field that equals the whole result gives the result its type.
        own = (kind.record.fields.get(name) for name, text in wire.fields.items() if text.strip() == "result")
        return next((each.type for each in own if each is not None), kind.record)

    def _keys(self, kind: FactKind, wire: Mapping[str, str], scope: Scope, path: At) -> tuple[Node, ...]:
        if wire.keys() != kind.keys.keys():
            raise RuleError(
                f"facts of kind {kind.name} are found by {', '.join(kind.keys)}, not by {', '.join(wire) or 'nothing'}"
            )
        found = []
        for name, type in kind.keys.items():
            node = check(self._draft.cel(wire[name], (*path, name)), scope)
            if unified(node.type, type) is None:
                raise RuleError(f"{name} is {type}, and this is {node.type}", node.place)
            found.append(node)
        return tuple(found)

    def _set(self, kind: FactKind, name: str, text: str, scope: Scope, path: At) -> Node:
        record = kind.record
        if name not in record.fields:
            raise RuleError(f"there is no field {name!r}; there is {', '.join(record.fields)}")
        node = check(self._draft.cel(text, path), scope)
        if not _same(node.type, record.fields[name].type):
            raise RuleError(f"{name} is {record.fields[name].type}, and this is {node.type}", node.place)
        _check_written(node, without_null(record.fields[name].type), name)
        return node

    def effects(self) -> Iterator[Effect]:
        """Yield the effects of calls on records, one for each tool."""
        for place, wire in enumerate(self._draft.wire.effects):
            for tool in wire.on:
                with self._draft.at(("effects", place)):
                    yield self._effect(wire, tool, ("effects", place))

    def _effect(self, wire: EffectWire, name: str, path: At) -> Effect:
        draft = self._draft
        tool = draft.tool(name)
        kind = draft.kind(wire.fact)
        scope = draft.scope({CALL: tool.arguments, NOW: draft.moment})
        keys = self._keys(kind, wire.key, scope, (*path, "key"))
        sets, parts = dict[str, Node](), list[Part]()
        for own, text in wire.set.items():
            if own in kind.record.fields or own.isidentifier():
                sets[own] = self._set(kind, own, text, scope, (*path, "set", own))
            else:
                parts.append(self._part(kind, own, text, tool, (*path, "set", own)))
        when = None
        if wire.when is not None:
            when = check_condition(draft.cel(wire.when, (*path, "when")), scope)
        for own in wire.forget if wire.forget != "all" else ():
            if own not in kind.record.fields:
                raise RuleError(f"there is no field {own!r} to forget; there is {', '.join(kind.record.fields)}")
        forget = None if wire.forget == "all" else tuple(wire.forget)
        return Effect(name, kind.name, keys, sets, forget, when, tuple(parts))

    def _part(self, kind: FactKind, place: str, text: str, tool: Tool, path: At) -> Part:
        """Return a place in a field that an effect sets, such as `stock[call.item]`."""
        roots: dict[str, Type] = {CALL: tool.arguments, NOW: self._draft.moment}
        node = check(self._draft.cel(f"item.{place}", path), self._draft.scope({**roots, "item": kind.record}))
        value = check(self._draft.cel(text, path), self._draft.scope(roots))
        if not _same(value.type, node.type):
            raise RuleError(f"{place} is {node.type}, and this is {value.type}", value.place)
        _check_written(value, without_null(node.type), place)
        steps: list[str | Node] = []
        while not (isinstance(node, Root) and node.name == "item"):
            if not isinstance(node, Get | Entry) or (isinstance(node, Entry) and "item" in _roots(node.key)):
                raise RuleError(f"{place} is no place in a field; write stock[call.item] or address.city")
            steps.insert(0, node.name if isinstance(node, Get) else node.key)
            node = node.of
        return Part(place, str(steps[0]), tuple(steps[1:]), value)


def _check_written(node: Node, type: Type, name: str) -> None:
    """Raise `RuleError` for a constant that the field of a record cannot have."""
    match node:
        case Choose(_, then, otherwise):
            _check_written(then, type, name)
            _check_written(otherwise, type, name)
        case Given(value) if isinstance(type, Name) and type.values is not None and isinstance(value, str):
            if value not in type.values:
                raise RuleError(f"{name} is {type}, and never {value!r}", node.place)
        case Given(value) if isinstance(type, Number) and isinstance(value, int | Fraction):
            if type.low is not None and value < type.low:
                raise RuleError(f"{name} is at least {type.low}, and never {value}", node.place)
            if type.high is not None and value > type.high:
                raise RuleError(f"{name} is at most {type.high}, and never {value}", node.place)


def _check_shown(item: Type, name: str, own: Field, *, optional: bool) -> bool:
    """Return whether a result shows a field by its name. Raises `RuleError` if it must and does not."""
    fields = item.fields if isinstance(item, Record) else {}
    mine = fields.get(name)
    if mine is None and optional:
        return False
    if mine is None or not _same(mine.type, own.type):
        has = f"it has {', '.join(fields)}" if fields else f"it is {item}: say under fields what of it {name} is"
        raise RuleError(f"the result has no {name!r} of type {own.type}; {has}")
    return True


def _roots(node: Node) -> set[str]:
    return {own.name for own in walk(node) if isinstance(own, Root)}


def _same(own: Type, wanted: Type) -> bool:
    return unified(own, wanted) is not None and same_units(own, wanted)
