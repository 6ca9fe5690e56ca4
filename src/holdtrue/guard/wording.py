"""Say a decision in sentences: to the model what to change, to the user what happens, to the log what it rests on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from holdtrue.guard.finding_names import FAULT, PENDING, UNHEARD
from holdtrue.guard.json_values import json_text
from holdtrue.guard.result_forms import stop_mark
from holdtrue.rules.closure import Env, compile_rule
from holdtrue.rules.paths import printable, shortened, some_of
from holdtrue.rules.typed import At, Fact, Get, Given, Node, Over, Root, parts, path, walk
from holdtrue.rules.types import ListOf, MapOf, Record, Type, without_null
from holdtrue.rules.values import Undecided, show

if TYPE_CHECKING:
    from holdtrue.guard.decision import Change, Decision, Finding

_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
MOST_VALUES, MOST_ITEMS = 8, 6
LONGEST = 160
MOST_ARGUMENTS = 40
_WHOLE = Record | MapOf | ListOf
"""What is too much to be shown beside others."""


def values_in_words(node: Node, env: Env) -> str:
    """Return the values that an expression rests on: `call.total is 3; facts.user('x').plan is pro`.

    Records are never shown as a whole: of those in a list only the fields that the expression asks for.
    """
    found: dict[str, str] = {}
    for own, fields in _paths(node):
        text = _value(own, env, fields)
        if text is not None:
            found.setdefault(_named(own, env), text)
        if len(found) > MOST_VALUES:
            break
    shown = [f"{name} is {value}" for name, value in list(found.items())[:MOST_VALUES]]
    return "; ".join(shown) + ("; ..." if len(found) > MOST_VALUES else "")


def _paths(node: Node, fields: tuple[str, ...] = ()) -> Iterator[tuple[Node, tuple[str, ...]]]:
    """Return the longest paths in an expression, in order: `call.total`, and not `call`.

    Beside each stand the fields of its items that a macro over it asks for.
    """
    if isinstance(node, Get | At | Root | Fact):
        if not any("#" in own.name for own in _roots(node)):
            yield node, fields
        for own in _keys(node):
            yield from _paths(own)
        return
    if isinstance(node, Over):
        yield from _paths(node.of, _asked(node))
        for own in parts(node)[1:]:
            yield from _paths(own)
        return
    for own in parts(node):
        yield from _paths(own)


def _asked(node: Over) -> tuple[str, ...]:
    """Return the fields of an item that a macro asks for."""
    names = (
        part.name
        for own in parts(node)[1:]
        for part in walk(own)
        if isinstance(part, Get) and isinstance(part.of, Root) and part.of.name == node.variable
    )
    return tuple(sorted(set(names)))


def _keys(node: Node) -> Sequence[Node]:
    match node:
        case At(of, key):
            return (*_keys(of), key)
        case Get(of):
            return _keys(of) if isinstance(of, Get | At | Root | Fact) else (of,)
        case Fact(_, keys):
            return keys
    return ()


def _roots(node: Node) -> Iterator[Root]:
    return (own for own in walk(node) if isinstance(own, Root))


def _value(node: Node, env: Env, fields: Sequence[str]) -> str | None:
    """Return a value in words; None for one that is not seen, or is a whole record."""
    if isinstance(without_null(node.type), Record | MapOf) or isinstance(node, Root | Given):
        return None if not isinstance(node, Root) or node.name != "now" else _seen(node, env, fields)
    return _seen(node, env, fields)


def _seen(node: Node, env: Env, fields: Sequence[str] = ()) -> str | None:
    try:
        value = compile_rule(node)(dict(env))
    except Undecided:
        return None
    type = without_null(node.type)
    if isinstance(type, ListOf) and isinstance(value, tuple):
        return _items(value, without_null(type.item), fields)
    return cut(show(value, node.type))


def _items(value: tuple[Any, ...], type: Type, fields: Sequence[str]) -> str:
    """Return a list in words: plain values as they are, and of records the fields that were asked for."""
    if not value:
        return "empty"
    if isinstance(type, Record):
        own = {name: type.fields[name].type for name in fields if name in type.fields}
        plain = {name: each for name, each in own.items() if not isinstance(without_null(each), _WHOLE)}
        shown = [_short_record(each, plain) for each in value[:MOST_ITEMS]] if plain else []
    else:
        shown = [] if isinstance(type, _WHOLE) else [show(each, type) for each in value[:MOST_ITEMS]]
    if not shown:
        return f"a list of {len(value):,}"
    more = f", and {len(value) - MOST_ITEMS:,} more" if len(value) > MOST_ITEMS else ""
    return cut(f"[{', '.join(shown)}{more}]")


def _short_record(value: Any, fields: Mapping[str, Type]) -> str:
    if not isinstance(value, Mapping):
        return "?"
    return " ".join(show(value[name], type) for name, type in fields.items() if name in value) or "?"


def cut(text: str) -> str:
    """Return a text on one line, so that no value can look like a line of its own; of a long one the beginning."""
    return printable(text) if len(text) <= LONGEST else f"{printable(text[: LONGEST - 3])}..."


def _named(node: Node, env: Env) -> str:
    """Return the path of a value, with the keys that it is found by."""
    match node:
        case Get(of, name):
            return f"{_named(of, env)}.{name}"
        case At(Given(), key):
            return f"the table's entry for {_key(key, env)}"
        case At(of, key):
            return f"{_named(of, env)}[{_key(key, env)}]"
        case Fact(kind, keys):
            return f"facts.{kind}({', '.join(_key(own, env) for own in keys)})"
    return path(node)


def _key(node: Node, env: Env) -> str:
    return _seen(node, env) or path(node) or "..."


def for_model(decision: Decision) -> str:
    """Return the words for the model: of a stopped call with the mark by which `saw` knows them again."""
    words = _for_model(decision)
    return f"{stop_mark(decision.kind)} {words}" if decision.stops else words


def _for_model(decision: Decision) -> str:
    name = decision.tool
    if decision.mode == "observe":
        return f"{name} may be called."
    broken = [_sentence(own) for own in decision.findings if own.status == "broken" and own.severity == "block"]
    match decision.kind:
        case "allow":
            return f"{name} may be called."
        case "block":
            lines = [f"{name} was not called, because it breaks the policy:", *(f"- {own}" for own in broken)]
            if decision.mend is not None:
                changes = ", ".join(map(_change, decision.mend.changes))
                lines.append(f"This would keep every rule, if the user agrees: {changes}.")
            return "\n".join(lines)
        case "ask":
            lines = [f"{name} was not called, because this is not decided yet:"]
            lines += [f"- {own}" for _, own in _told(own for own in decision.findings if _is_open(own))]
            if decision.fetch:
                calls = (_call(own.tool, own.arguments) for own in decision.fetch)
                lines.append(f"Call first: {'; or '.join(calls)}.")
            lines += [f"Ask: {own}" for own in decision.questions]
            return "\n".join(lines)
    return (
        f"{name} was not called yet. Tell the user just these words, nothing before or behind them, and call it again, "
        f"unchanged, after a yes: {for_user(decision)}"
    )


_FOR_USER = {
    UNHEARD: "I could not take in all that you said. Please say again what you want.",
    FAULT: "Something went wrong on our side, so that this cannot be done now. Please try again later.",
    PENDING: "Please wait: something that was begun before this has not ended yet.",
}


def for_user(decision: Decision) -> str:
    """Return what to tell the user."""
    broken = [own.say for own in decision.findings if own.status == "broken" and own.severity == "block"]
    match decision.kind:
        case "allow":
            return ""
        case "block":
            return "This cannot be done: " + " ".join(broken)
        case "ask":
            if decision.questions:
                return " ".join(decision.questions)
            reasons = {own.rule for own in decision.findings if own.status == "undecided"}
            found = [_FOR_USER[own] for own in (UNHEARD, FAULT, PENDING) if own in reasons]
            return found[0] if found else "Something has to be looked up before this can be done."
    what = " ".join(words_of_tool(decision.tool))
    return f"Please say yes to this before it is done: {what} ({'; '.join(decision.listing)})."


def words_of_tool(name: str) -> list[str]:
    """Return the words of a tool's name, without what it is grouped by: `reserve`, `table` of `Shop.ReserveTable`."""
    return _CAMEL.sub(" ", name.rpartition(".")[2]).replace("_", " ").lower().split()


def for_log(decision: Decision) -> str:
    """Return what to log."""
    lines = [f"{decision.kind}: {_call(decision.tool, decision.arguments)}"]
    if decision.mode == "observe" and decision.kind != "allow":
        lines[0] += " (observed only)"
    told = _told(own for own in decision.findings if own.status in ("broken", "undecided"))
    lines += [f"  {name}: {own}" for name, own in told]
    lines += [f"  assumed: {own}" for own in decision.assumptions]
    lines += [f"  not read: {own}" for own in decision.coverage.unread]
    return "\n".join(lines)


def why(decision: Decision) -> str:
    """Return why each rule that a decision rests on is broken or undecided; what else it is where there is none."""
    rules = frozenset(decision.rules)
    told = _told(own for own in decision.findings if own.rule in rules)
    return " ".join(own for _, own in told) or _for_model(decision)


def _told(findings: Iterable[Finding]) -> Iterator[tuple[str, str]]:
    """Yield findings in words, each with the name of its rule; all that there was no time for are one sentence."""
    late = []
    for own in findings:
        if own.by == "limit":
            late.append(own.rule)
        else:
            yield f"{own.rule} is {own.status}", _sentence(own)
    if late:
        yield "not decided", f"The time limit ran out before these rules were decided: {some_of(late, MOST_ITEMS)}."


def _is_open(own: Finding) -> bool:
    return own.severity != "warn" and (own.status == "undecided" or (own.status == "broken" and own.severity == "ask"))


def _sentence(own: Finding) -> str:
    return f"{own.say} ({own.why})" if own.why else own.say


def _change(change: Change) -> str:
    return f"{change.path} {json_text(change.after, LONGEST)} instead of {json_text(change.before, LONGEST)}"


def _call(tool: str, arguments: Any) -> str:
    """Return a call on one line, with long arguments cut."""
    name = tool if tool.isprintable() and len(tool) <= LONGEST else shortened(tool)
    if not isinstance(arguments, Mapping):
        return f"{name}({json_text(arguments, LONGEST)})"
    listed = [
        f"{key if key.isidentifier() and len(key) <= LONGEST else shortened(key)}={json_text(own, LONGEST)}"
        for key, own in islice(arguments.items(), MOST_ARGUMENTS)
    ]
    rest = ["..."] if len(arguments) > MOST_ARGUMENTS else []
    return f"{name}({', '.join((*listed, *rest))})"
