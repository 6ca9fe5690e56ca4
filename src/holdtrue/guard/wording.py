"""Say a decision in sentences: to the model what to change, to the user what happens, to the log what it rests on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from holdtrue.guard.decision import Change, Decision, Fetch, Finding
from holdtrue.guard.results import show_call
from holdtrue.rules.closure import Env, compile_rule
from holdtrue.rules.typed import At, Fact, Get, Given, Node, Root, parts, path
from holdtrue.rules.types import ListOf, MapOf, Record, without_null
from holdtrue.rules.values import Undecided, show

MOST_VALUES = 8
LONGEST = 160


def values_in_words(node: Node, env: Env) -> str:
    """Return the values that an expression rests on: `call.total is 3; facts.user('x').plan is pro`."""
    found: dict[str, str] = {}
    for own in _paths(node):
        text = _value(own, env)
        if text is not None:
            found.setdefault(_named(own, env), text)
        if len(found) > MOST_VALUES:
            break
    shown = [f"{name} is {value}" for name, value in list(found.items())[:MOST_VALUES]]
    return "; ".join(shown) + ("; ..." if len(found) > MOST_VALUES else "")


def _paths(node: Node) -> Iterator[Node]:
    """Return the longest paths in an expression, in order: `call.total`, and not `call`."""
    if isinstance(node, Get | At | Root | Fact):
        if not any("#" in own.name for own in _roots(node)):
            yield node
        for own in _keys(node):
            yield from _paths(own)
        return
    for own in parts(node):
        yield from _paths(own)


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
    if isinstance(node, Root):
        yield node
    for own in parts(node):
        yield from _roots(own)


def _value(node: Node, env: Env) -> str | None:
    """Return a value in words; None for one that is not seen, or is a whole record."""
    if isinstance(without_null(node.type), Record | MapOf) or isinstance(node, Root | Given):
        return None if not isinstance(node, Root) or node.name != "now" else _seen(node, env)
    return _seen(node, env)


def _seen(node: Node, env: Env) -> str | None:
    try:
        value = compile_rule(node)(dict(env))
    except Undecided:
        return None
    type = without_null(node.type)
    if isinstance(type, ListOf) and isinstance(without_null(type.item), Record) and value:
        shown = ", ".join(_short_record(own, without_null(type.item)) for own in value[:6])
        return _shortened(f"[{shown}]")
    return _shortened(show(value, node.type))


def _short_record(value: Any, type: Any) -> str:
    if not isinstance(value, Mapping):
        return "?"
    own = [show(each, type.fields[name].type) for name, each in value.items() if name in type.fields]
    return " ".join(own[:4])


def _shortened(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."


def _named(node: Node, env: Env) -> str:
    """Return the path of a value, with the keys that it is found by."""
    match node:
        case Get(of, name):
            return f"{_named(of, env)}.{name}"
        case At(of, key):
            return f"{_named(of, env)}[{_key(key, env)}]"
        case Fact(kind, keys):
            return f"facts.{kind}({', '.join(_key(own, env) for own in keys)})"
    return path(node)


def _key(node: Node, env: Env) -> str:
    return _seen(node, env) or path(node) or "..."


def for_model(decision: Decision) -> str:
    """Return what to tell the model."""
    name = decision.tool
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
            lines += [f"- {_sentence(own)}" for own in decision.findings if _is_open(own)]
            if decision.fetch:
                lines.append(f"Call first: {'; or '.join(map(_fetch, decision.fetch))}.")
            lines += [f"Ask: {own}" for own in decision.questions]
            return "\n".join(lines)
    return (
        f"{name} was not called yet. List all of this to the user, and call it again, unchanged, after a yes: "
        f"{'; '.join(decision.listing)}."
    )


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
            return "Something has to be looked up before this can be done."
    return f"Please say yes to this before it is done: {'; '.join(decision.listing)}."


def for_log(decision: Decision) -> str:
    """Return what to log."""
    lines = [f"{decision.kind}: {show_call(decision.tool, decision.arguments)}"]
    if decision.mode == "observe" and decision.kind != "allow":
        lines[0] += " (observed only)"
    told = (own for own in decision.findings if own.status in ("broken", "undecided"))
    lines += [f"  {own.rule} is {own.status}: {_sentence(own)}" for own in told]
    lines += [f"  assumed: {own}" for own in decision.assumptions]
    lines += [f"  not read: {own}" for own in decision.coverage.unread]
    return "\n".join(lines)


def _is_open(own: Finding) -> bool:
    return own.severity != "warn" and (own.status == "undecided" or (own.status == "broken" and own.severity == "ask"))


def _sentence(own: Finding) -> str:
    return f"{own.say} ({own.why})" if own.why else own.say


def _change(change: Change) -> str:
    return f"{change.path} {change.after!r} instead of {change.before!r}"


def _fetch(own: Fetch) -> str:
    listed = [f"{name}={value!r}" for name, value in own.arguments.items()] + [f"{name}=?" for name in own.open]
    return f"{own.tool}({', '.join(listed)})"
