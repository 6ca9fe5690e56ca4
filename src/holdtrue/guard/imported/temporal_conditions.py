"""Translate the temporal conditions of Dogwood into conditions on calls that took effect.

    X::response                         an earlier call of X that took effect, in `done.X`, with its arguments
    X::request                          the call itself, or an earlier call of X that took effect
    callerPrincipal, callerResource     those of the conversation, which has one of each

Calls have no order but their moments, so `previous` is not carried, and `since` only of an event that did not happen. A
call at the same moment counts as later. Results and failures of earlier calls, and counts of different values, are not
carried either. As in Dogwood, a missing field makes a condition false, and no error.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from holdtrue.guard.imported import folded_conditions as c
from holdtrue.guard.imported.folded_conditions import FALSE, TRUE, all_of, any_of, called
from holdtrue.guard.imported.foreign_statements import NotCarried, presence, typed
from holdtrue.guard.imported.temporal_notation import COMPARED, Node, flat
from holdtrue.guard.policy import Policy
from holdtrue.guard.policy_parts import CALL, DONE, NOW
from holdtrue.rules.syntax import Constant, Expression, Ident, Invoke, Select

Env = Mapping[str, Expression]
"""The values of the variables that are bound so far."""
Found = tuple[list[Expression], Expression]
"""Conditions that a value is there, and the value."""
_SCOPE: Mapping[tuple[str, ...], Node] = {
    ("callerPrincipal",): ("path", "principal"),
    ("callerResource",): ("path", "resource"),
}


@dataclass(frozen=True)
class _Occurrences:
    """`_Occurrences` are the call itself, or with a `variable` the earlier `calls`, that match an event."""

    matches: Expression
    env: Env
    variable: Ident | None = None
    calls: Expression = TRUE

    def some(self, inner: Expression = TRUE) -> Expression:
        """Return the condition that one of them matches, with an inner condition on it."""
        found = all_of((self.matches, inner))
        if self.variable is None or found == FALSE:
            return found
        return called("exists", self.variable, found, on=self.calls)

    def total(self, value: Expression | None) -> Expression:
        """Return how many match, or the sum of a value over them."""
        if self.variable is None:
            return c.chosen(self.matches, Constant(1) if value is None else value, Constant(0))
        found = called("filter", self.variable, self.matches, on=self.calls)
        return (
            called("size", found) if value is None else called("sum", on=called("map", self.variable, value, on=found))
        )


class TemporalCondition:
    """A `TemporalCondition` translates conditions for one tool. `differs` gets the ways in which it differs."""

    def __init__(self, tool: str, policy: Policy) -> None:
        self._tool, self._policy, self._fresh = tool, policy, 0
        self.differs: list[str] = []

    def translated(self, node: Node) -> Expression:
        """Return the condition of a node. Raises `NotCarried`."""
        return self._all([node], {})

    def _all(self, nodes: Sequence[Node], env: Env) -> Expression:
        """Return the conjunction of nodes, of which each may bind variables for those behind it."""
        if not nodes:
            return TRUE
        (kind, *parts), rest = nodes[0], nodes[1:]
        match kind:
            case "and":
                return self._all([*parts, *rest], env)
            case "formerly" | "event":
                found = list(self._occurrences(nodes[0], env))
                if any(own.env != env for own in found):
                    return any_of(own.some(self._all(rest, own.env)) for own in found)
                own = any_of(own.some() for own in found)
            case "==" if free := [own for own in parts if _is_free(own, env)]:
                guards, value = self._value(parts[0] if parts[1] is free[0] else parts[1], env)
                return all_of((*guards, self._all(rest, {**env, free[0][1]: value})))
            case "exists":
                own = self._all(parts[1:], {name: value for name, value in env.items() if name != parts[0]})
            case "not":
                own = c.negated(self._all(parts, env))
            case "since":
                own = self._since(parts[0], parts[1], parts[2], env)
            case sign if sign in COMPARED:
                (left, one), (right, other) = (self._value(part, env) for part in parts)
                own = all_of((*left, *right, c.compared(sign, one, other)))
            case _:
                raise NotCarried(f"a temporal condition begins with {parts[0] if kind == 'path' else kind!r}")
        return all_of((own, self._all(rest, env)))

    def _occurrences(self, node: Node, env: Env) -> Iterator[_Occurrences]:
        """Yield the calls that an event matches, now or within a window, with other conditions on them.

        A `formerly` without a window goes through all earlier calls.
        """
        body = flat(node[2] if node[0] == "formerly" else node)
        others = [own for own in body if own[0] in COMPARED]
        events = [own for own in body if own[0] == "event"]
        if len(events) != 1 or any(own[0] not in ("event", "tp", *COMPARED) for own in body):
            raise NotCarried("a temporal condition has several events, or one within another, at one moment")
        (_, action, kind, fields) = events[0]
        tool = next((own for own in self._policy.tools if action == own or action.endswith(f"___{own}")), None)
        if tool is None or kind not in ("request", "response"):
            why = f"there is no tool {action}" if tool is None else f"no rule sees an event of the kind {kind}"
            raise NotCarried(f"in a temporal condition, {why}")
        if kind == "request" and tool == self._tool:
            matches, bound = self._matches(Ident(CALL), tool, fields, env)
            yield _Occurrences(all_of((*matches, self._all(others, bound))), bound)
        if node[0] != "formerly":
            return
        if kind == "request":
            self.differs.append(f"an earlier request of {tool} that was stopped or failed counts in Dogwood, not here")
        self._fresh += 1
        own = Ident(f"c{self._fresh}")
        matches, bound = self._matches(own, tool, fields, env)
        age = Invoke("-", (Ident(NOW), Select(own, "at")))
        recent = c.compared("<=", age, called("duration", Constant(node[1]))) if node[1] else TRUE
        matching = all_of((*matches, recent, self._all(others, bound)))
        yield _Occurrences(matching, bound, own, Select(Ident(DONE), tool))

    def _matches(
        self, of: Expression, tool: str, fields: Mapping[tuple[str, ...], Node], env: Env
    ) -> tuple[list[Expression], Env]:
        """Return the conditions that a call has these fields, and the variables with those that the fields bind."""
        found, bound = list[Expression](), dict(env)
        for path, term in fields.items():
            if _SCOPE.get(path) == term or (term == ("any",) and path[0] not in ("input", "output")):
                continue
            if path[0] != "input":
                raise NotCarried(f"no rule sees {'.'.join(path)} of an earlier call")
            guards, own = self._field(of, tool, path[1:])
            found += guards
            if _is_free(term, bound):
                bound[term[1]] = own
            elif term != ("any",):
                guards, value = self._value(term, bound)
                found += guards if own == value else [*guards, c.compared("==", own, value)]
        return found, bound

    def _field(self, of: Expression, tool: str, path: Sequence[str]) -> Found:
        found: list[Expression] = []
        call: Expression = Ident(CALL)
        for name in path:
            own = typed(self._policy, tool, call)
            there = presence(self._policy, tool, None if own is None else own.type, name)
            of, call = Select(of, name), Select(call, name)
            found.append(called("has", of) if there is None else Constant(there))
        return found, of

    def _value(self, term: Node, env: Env) -> Found:
        match term:
            case ("constant", value):
                return [], Constant(value)
            case ("path", "context", "input", *names):
                return self._field(Ident(CALL), self._tool, names)
            case ("path", "principal" | "resource" as who, *names):
                return [], c.stated(who, *(names or ["uid"]))
            case ("path", name) if name in env:
                return [], env[name]
            case ("count", summed, names, body):
                return [], self._total(summed, names, body, env)
        raise NotCarried(f"a temporal condition reads {'.'.join(map(str, term[1:])) or term[0]}")

    def _total(self, summed: str, names: frozenset[str], body: Node, env: Env) -> Expression:
        times = {part[1] for part in flat(body[2] if body[0] == "formerly" else body) if part[0] == "tp"}
        if len(times) != 1 or names != times | ({summed} if summed else set()):
            raise NotCarried("it counts or sums different values, and not calls")
        found = list(self._occurrences(body, {name: value for name, value in env.items() if name not in names}))
        total: Expression = Constant(0)
        for part in found:
            one = part.total(part.env[summed] if summed else None)
            total = one if part is found[0] else Invoke("+", (total, one))
        return total

    def _since(self, left: Node, window: str, right: Node, env: Env) -> Expression:
        """Return the condition that an event happened, and since then no event of another tool."""
        (denied,) = flat(left[1]) if left[0] == "not" and len(flat(left[1])) == 1 else [("",)]
        if denied[0] != "event" or any(own[:2] == denied[:2] for own in flat(right)):
            raise NotCarried("a since of what has to hold all the time, or of two events of one tool")
        found = []
        for own in self._occurrences(("formerly", window, right), env):
            later = []
            for other in self._occurrences(("formerly", "", denied), own.env) if own.variable is not None else ():
                moments = [Select(call, "at") for call in (other.variable, own.variable) if call is not None]
                later.append(other.some(c.compared(">=", *moments) if len(moments) == 2 else TRUE))
            found.append(own.some(c.negated(any_of(later))))
        return any_of(found)


def _is_free(term: Node, env: Env) -> bool:
    """Return whether a term is a variable that is not bound."""
    return term[0] == "path" and len(term) == 2 and term[1] not in {*env, "context", "principal", "resource"}
