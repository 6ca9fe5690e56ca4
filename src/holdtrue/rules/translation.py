"""Translate typed expressions to formulas over the values that nothing has shown.

A condition becomes two formulas: `yes` is true if the condition is true, and `no` if the condition is false. An error
is neither, as in CEL. If `yes` is valid, the rule holds for all unseen values; if `no` is valid, the rule is broken. A
condition that no formula expresses stays open: it may be true, false or an error. This is sound, and only leaves more
undecided.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from holdtrue.budget import OUT_OF_TIME
from holdtrue.errors import FormulaError
from holdtrue.logic.formula import Count, Formula, Variable
from holdtrue.rules import typed_expressions as t
from holdtrue.rules.compilation import DEADLINE, FACTS, MOST_STEPS, SEEN, STEPS, Closure, Env, compile_rule
from holdtrue.rules.symbolic_choice import (
    Valued,
    as_flag,
    at_key,
    at_place,
    each_case,
    entries_of,
    lifted,
    merged,
    placed,
    unwrapped,
)
from holdtrue.rules.symbolic_values import (
    FALSE,
    TRUE,
    Cases,
    Flag,
    Items,
    MadeMap,
    NotSayable,
    OpenMap,
    OpenRecord,
    Text,
    conj,
    disj,
    flag_of,
    is_known,
    neg,
)
from holdtrue.rules.types import Flag as FlagType
from holdtrue.rules.types import without_null
from holdtrue.rules.unknowns import Unknowns
from holdtrue.rules.values import FactKey, Fault, NotSeen, Undecided, Unseen

MOST_ENTRIES = 400
"""A macro over a longer list stays open if unseen values matter, since its formula would be too large."""


@dataclass(frozen=True, slots=True)
class Condition:
    """A `Condition` has two formulas: `yes` is true if an expression is true, and `no` if the expression is false."""

    yes: Formula
    no: Formula


@dataclass(frozen=True, slots=True)
class Question:
    """A `Question` to a solver has conditions, their variables, and the `background` formulas that always hold."""

    conditions: tuple[Condition, ...]
    variables: tuple[Variable, ...]
    background: tuple[Formula, ...]
    unknowns: Unknowns


Compiled = dict[int, tuple[Closure, frozenset[str], t.Node]]
"""The closure, names and node of each compiled part, by the `id` of the node; keeping the node keeps its `id`."""


def translate(
    nodes: Sequence[t.Node],
    envs: Sequence[Env],
    *,
    items: int | None = None,
    compiled: Compiled | None = None,
    texts: Sequence[str] = (),
    values: Sequence[NotSeen] = (),
) -> Question:
    """Return the conditions of expressions, each in its environment, as formulas over shared variables.

    Args:
        nodes: The typed expressions, all of type bool.
        envs: The environment of each expression.
        items: The greatest length of unseen lists whose schema has no bound; with None such lists are left open.
        compiled: A cache of closures, for expressions that are translated often.
        texts: Possible values of unknown texts, in addition to the texts in the expressions.
        values: Unseen values that get variables even if no expression uses them.
    """
    deadline = envs[0].get(DEADLINE) if envs else None
    first = Unknowns(items, deadline=deadline, codes={own: place for place, own in enumerate(dict.fromkeys(texts))})
    own = {} if compiled is None else compiled
    conditions = _translated(nodes, envs, first, own, values)
    if first.codes or first.open_names:
        # Only equality of names counts, so the known names and one more for each unknown name are enough.
        names = max(1, len(first.codes) + first.open_names)
        second = Unknowns(items, names=names, codes=dict(first.codes), deadline=deadline)
        conditions = _translated(nodes, envs, second, own, values)
        first = second
    background = (*first.background, *first.same_records())
    return Question(conditions, tuple(first.variables.values()), background, first)


def _translated(
    nodes: Sequence[t.Node], envs: Sequence[Env], unknowns: Unknowns, compiled: Compiled, values: Sequence[NotSeen]
) -> tuple[Condition, ...]:
    found = []
    for node, env in zip(nodes, envs, strict=True):
        if unknowns.deadline is not None and unknowns.deadline.passed:
            raise FormulaError(OUT_OF_TIME)
        flag = Translator(unknowns, env, compiled).flag(node)
        found.append(Condition(flag.yes, flag.no))
    for own in values:
        unknowns.value(own)
    return tuple(found)


def _with_errors(value: Any, ok: Formula) -> Valued:
    """Return a value; a condition becomes an error if `ok` does not hold."""
    if not isinstance(value, Flag):
        return value, ok
    found = value.where(ok)
    return found, found.defined


class Translator:
    """A `Translator` translates expressions in one environment, with the variables of `unknowns`."""

    def __init__(self, unknowns: Unknowns, env: Env, compiled: Compiled) -> None:
        self.unknowns = unknowns
        self._env = env
        self._compiled = compiled
        self._bound: dict[str, Any] = {}
        """The symbolic values of macro variables; a closure cannot compute with these."""

    def flag(self, node: t.Node) -> Flag:
        """Return a condition; if no formula expresses it, return one that may be true, false or an error."""
        try:
            value, ok = self.value(node)
            value, there = unwrapped(value)
            if value is None:
                return Flag(FALSE, FALSE)
            # The formulas of a condition include its errors.
            return value if isinstance(value, Flag) and there is TRUE else as_flag(value).where(conj((ok, there)))
        except NotSayable as error:
            path, fact = (error.path, error.fact) if error.path else self._not_seen(node)
            return self.unknowns.fresh_flag(str(error), path, fact)

    def _not_seen(self, node: t.Node) -> tuple[str, FactKey | None]:
        """Return the path and record of the first unseen value that an expression needs, or ("", None)."""
        closure = self._closure(node)
        try:
            if closure is not None:
                self._run(closure)
        except Unseen as error:
            return error.what.path, error.what.fact
        except (Undecided, NotSayable):
            pass  # The error comes before any unseen value.
        return "", None

    def value(self, node: t.Node) -> Valued:
        """Return the value of an expression, known or symbolic. Raises `NotSayable`, also if the time is over."""
        self.unknowns.spend(0)
        known = self._known(node)
        if known is not None:
            return known
        match node:
            case t.Root(name):
                return (self._bound[name] if name in self._bound else self._lifted(self._env[name])), TRUE
            case t.Get():
                return _with_errors(*self._get(node))
            case t.Has():
                return self._has(node)
            case t.At():
                return _with_errors(*self._at(node))
            case t.Fact():
                return _with_errors(*self._fact(node))
            case t.Apply():
                return self._apply(node)
            case t.Not(operand):
                flag = self.flag(operand)
                return Flag(flag.no, flag.yes), flag.defined
            case t.Junction(every, operands):
                return _joined(every, [self.flag(own) for own in operands])
            case t.Choose():
                return self._choose(node)
            case t.MakeList(items):
                values = [self.value(own) for own in items]
                return Items(tuple((TRUE, value) for value, _ in values)), conj(ok for _, ok in values)
            case t.MakeMap(entries):
                made = {key: self.value(own) for key, own in entries}
                return MadeMap((key, value) for key, (value, _) in made.items()), conj(ok for _, ok in made.values())
            case t.Over():
                return self._over(node)
        raise NotSayable(f"no formula says {node!r:.60}")

    def _known(self, node: t.Node) -> Valued | None:
        """Return the value of an expression whose values were all seen, and else None.

        The result for an error is None, too, since an unseen operand may decide the condition.
        """
        if isinstance(node, t.Given):
            return node.value, TRUE
        closure = self._closure(node)
        if closure is None:
            return None
        try:
            return self._lifted(self._run(closure)), TRUE
        except Undecided:
            return None

    def _run(self, closure: Closure) -> Any:
        """Run a closure. Raises `NotSayable` after too many steps for one question."""
        if self.unknowns.run > MOST_STEPS:
            raise NotSayable(f"over {MOST_STEPS:,} items would have to be looked at")
        self._env[STEPS] = 0
        try:
            return closure(self._env)
        finally:
            self.unknowns.run += self._env[STEPS]

    def _closure(self, node: t.Node) -> Closure | None:
        """Return the closure of an expression, or None if it uses a symbolic macro variable."""
        own = self._compiled.get(id(node))
        if own is None:
            names = frozenset(part.name for part in t.walk(node) if isinstance(part, t.Root))
            own = self._compiled[id(node)] = compile_rule(node), names, node
        return own[0] if self._bound.keys().isdisjoint(own[1]) else None

    def _lifted(self, value: Any) -> Any:
        return self.unknowns.value(value) if isinstance(value, NotSeen) else value

    def _get(self, node: t.Get) -> Valued:
        def field(of: Any) -> Valued:
            if isinstance(of, OpenRecord):
                found, value = self.unknowns.field_of(of, node.name)
                return value, found
            if not isinstance(of, Mapping):
                raise NotSayable(f"{of!r:.60} has no fields")
            if node.name not in of:
                return None, FALSE
            return self._lifted(of[node.name]), self.unknowns.shown(of[node.name])

        return each_case(*self.value(node.of), field)

    def _has(self, node: t.Has) -> Valued:
        def found(of: Any) -> Formula:
            match of:
                case OpenRecord():
                    return self.unknowns.field_of(of, node.name)[0]
                case OpenMap(path, _, fact):
                    return self.unknowns.there(f"{path}[{node.name!r}]", fact)
                case Mapping():
                    return self.unknowns.shown(of[node.name]) if node.name in of else FALSE
            raise NotSayable(f"{of!r:.60} has no fields")

        flag, ok = each_case(*self.value(node.of), lambda of: (flag_of(found(of)), TRUE))
        return (flag.where(ok) if isinstance(flag, Flag) else flag), ok

    def _at(self, node: t.At) -> Valued:
        of, ok = self.value(node.of)
        key, fine = self.value(node.key)
        key, keyed = unwrapped(key)
        if key is None:
            return None, FALSE
        find = at_key if isinstance(key, str | Text) else at_place
        return each_case(of, conj((ok, fine, keyed)), lambda own: find(self.unknowns, own, key))

    def _fact(self, node: t.Fact) -> Valued:
        keys: list[Any] = []
        ok: Formula = TRUE
        for own in node.keys:
            key, fine = self.value(own)
            key, there = unwrapped(key)
            if key is None:
                return None, FALSE
            keys.append(key)
            ok = conj((ok, fine, there))
        if all(is_known(own) for own in keys):
            found = self._env[FACTS](node.kind, tuple(keys))
            if isinstance(found, NotSeen):
                self.unknowns.note_look_up(node.kind, tuple(keys), found.path)
            return self._lifted(found), ok
        if isinstance(keys[0], Cases):
            raise NotSayable("which record is meant is not known")
        types = [own.type for own in node.keys]
        record = self.unknowns.looked_up(node.kind, tuple(keys), types, node.type)
        if SEEN not in self._env:
            return record, ok
        seen = self._env[SEEN].get(node.kind, ())
        hits = [
            own for own in zip(self.unknowns.among(node.kind, tuple(keys), seen), seen, strict=True) if own[0] != FALSE
        ]
        cases = [(is_this, self._lifted(self._env[FACTS](node.kind, own)), TRUE) for is_this, own in hits]
        return merged([*cases, (conj(neg(is_this) for is_this, _ in hits), record, TRUE)], ok)

    def _apply(self, node: t.Apply) -> Valued:
        args = []
        ok: Formula = TRUE
        for own in node.args:
            if isinstance(without_null(own.type), FlagType):
                flag = self.flag(own) if isinstance(own.type, FlagType) else None
                value, fine = self.value(own) if flag is None else (flag, flag.defined)
            else:
                value, fine = self.value(own)
            args.append(value)
            ok = conj((ok, fine))
        return _operated(self.unknowns, node, args, ok)

    def _choose(self, node: t.Choose) -> Valued:
        condition = self.flag(node.condition)
        found = [(condition.yes, *self.value(node.then)), (condition.no, *self.value(node.otherwise))]
        return merged([own for own in found if own[0] is not FALSE], condition.defined)

    # Macros

    def _over(self, node: t.Over) -> Valued:
        found, ok = each_case(*self.value(node.of), lambda of: self._over_items(node, of))
        return (found.where(ok) if isinstance(found, Flag) else found), ok

    def _over_items(self, node: t.Over, of: Any) -> Valued:
        entries = entries_of(self.unknowns, of) if node.index is None else placed(self.unknowns, of)
        if len(entries) > MOST_ENTRIES:
            raise NotSayable(f"a list of {len(entries)} items, of which something is not known")
        by_key = node.index is None and isinstance(of, Mapping)
        done = []
        for there_is, place, value in entries:
            item = place if by_key else value
            done.append(_Done(there_is, item, *self._of_item(node, place, item)))
        return _gathered(node.macro, done)

    def _of_item(self, node: t.Over, place: Any, item: Any) -> tuple[Flag | None, Valued | None]:
        """Return the condition for one item and, for `map`, the value."""
        self._bind(node.variable, item)
        if node.index is not None:
            self._bind(node.index, place)
        try:
            if node.macro != "map":
                return self.flag(node.body), None
            condition = self.flag(node.condition) if node.condition is not None else None
            if condition is not None and condition.yes is FALSE:
                return condition, None
            return condition, self.value(node.body)
        finally:
            self._bound.pop(node.variable, None)
            if node.index is not None:
                self._bound.pop(node.index, None)

    def _bind(self, name: str, value: Any) -> None:
        if isinstance(value, NotSeen):
            value = self.unknowns.value(value)
        if is_known(value):
            self._env[name] = value
        else:
            self._bound[name] = value


@dataclass(frozen=True, slots=True)
class _Done:
    """A `_Done` is the result of a macro for one item, which is in the list if `there` holds."""

    there: Formula
    item: Any
    flag: Flag | None
    valued: Valued | None


def _gathered(macro: t.Macro, done: Sequence[_Done]) -> Valued:
    """Return the value of a macro, given the results for its items."""
    flags = [(own.there, own.flag) for own in done if own.flag is not None]
    match macro:
        case "all":
            return _joined(True, [Flag(disj((neg(there), own.yes)), conj((there, own.no))) for there, own in flags])
        case "exists":
            return _joined(False, [Flag(conj((there, own.yes)), disj((neg(there), own.no))) for there, own in flags])
    settled = conj(disj((neg(there), own.defined)) for there, own in flags)
    match macro:
        case "exists_one":
            one = _exactly_one(tuple(conj((there, own.yes)) for there, own in flags))
            return Flag(conj((one, settled)), conj((neg(one), settled))), settled
        case "filter":
            kept = [(conj((own.there, own.flag.yes)), own.item) for own in done if own.flag is not None]
            return Items(tuple(own for own in kept if own[0] is not FALSE)), settled
    entries, fine = [], [settled]
    for own in done:
        present = own.there if own.flag is None else conj((own.there, own.flag.yes))
        if own.valued is not None and present is not FALSE:
            entries.append((present, own.valued[0]))
            fine.append(disj((neg(present), own.valued[1])))
    return Items(tuple(entries)), conj(fine)


def _joined(every: bool, flags: Sequence[Flag]) -> Valued:
    """Return the conjunction of conditions if `every` is true, and else their disjunction."""
    yes, no = [own.yes for own in flags], [own.no for own in flags]
    found = Flag(conj(yes), disj(no)) if every else Flag(disj(yes), conj(no))
    return found, found.defined


def _exactly_one(hits: tuple[Formula, ...]) -> Formula:
    unsettled = tuple(own for own in hits if own is not TRUE and own is not FALSE)
    sure = sum(own is TRUE for own in hits)
    if sure > 1 or (not unsettled and sure != 1):
        return FALSE
    return Count("==", 1 - sure, unsettled) if unsettled else TRUE


def _operated(unknowns: Unknowns, node: t.Apply, args: Sequence[Any], ok: Formula) -> Valued:
    """Return the result of an operation on partly symbolic operands. Raises `NotSayable`."""
    operation, plain = node.operation, [lifted(unknowns, own) for own in args]
    needed = [place for place in range(len(plain)) if place not in operation.may_be_null]
    for place in needed:
        plain[place], there = unwrapped(plain[place])
        ok = conj((ok, there))
        if plain[place] is None:
            return None, FALSE
    split = next((place for place in needed if isinstance(plain[place], Cases)), None)
    if split is not None:
        found = []
        for when, own in plain[split].cases:
            found.append((when, *_operated(unknowns, node, [*plain[:split], own, *plain[split + 1 :]], TRUE)))
        return merged(found, ok)
    # Operations on nullable operands always use formulas, because these register the texts in the rule.
    known = None if operation.may_be_null or not all(map(is_known, plain)) else _of_known(node, plain)
    value, fine = known or operation.formulas(unknowns, node, plain)
    ok = conj((ok, fine))
    return (value.where(ok) if isinstance(value, Flag) else value), ok


def _of_known(node: t.Apply, args: Sequence[Any]) -> Valued | None:
    try:
        value = node.operation.on_values(node)(*args)
    except Unseen:
        return None
    except Fault:
        return None, FALSE
    return (as_flag(value) if isinstance(value, bool) else value), TRUE
