"""Translate the rules on a tool into formulas over all unseen values, and find calls that satisfy them.

Lists have a bounded number of items. Extra formulas say that equal texts pass the same tests, and that equal keys find
the same entry. A call that a solver finds becomes a `Situation`, which a policy can decide on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, islice
from typing import Any, Literal

from holdtrue.budget import NEVER, Budget, Deadline
from holdtrue.guard.analysis.call_shapes import Shapes, type_at
from holdtrue.guard.analysis.sample_values import SampleValues
from holdtrue.guard.analysis.situation import Situation
from holdtrue.guard.policy_parts import DONE, NOW, SAID, WRITTEN, FactKind, RuleOnTool
from holdtrue.logic.formula import Compare, Constant, Formula, Term, Truth, Variable
from holdtrue.rules.compilation import DEADLINE, FACTS, Closure, Env
from holdtrue.rules.completion import Completion, TextTest, is_usual, text_tests
from holdtrue.rules.known_values import with_values
from holdtrue.rules.symbolic_values import FALSE, TRUE, compared, conj, disj, neg
from holdtrue.rules.translation import Condition, translate
from holdtrue.rules.typed_expressions import Get, Node, Root, walk
from holdtrue.rules.types import Type, without_null
from holdtrue.rules.unknowns import EXISTS, LAST_DAY, Unknowns
from holdtrue.rules.values import Undecided, to_json
from holdtrue.solving.engine import Engine, confirm, fixed_id
from holdtrue.solving.memos import FormulaMemo
from holdtrue.solving.result import Core, Satisfiable, Unknown
from holdtrue.solving.route import make_engine

MOST_TRIED = 40
"""At most this many values of an example are changed to typical ones, one at a time."""

Spelling = Callable[[int, str], str]
SPELLINGS: tuple[Spelling | None, ...] = (
    None,
    lambda code, text: f"{text}{'.' * 300}",
    lambda code, text: chr(0x100 + code) if code >= 0 else "",
)
"""How texts that no rule mentions are spelled: normal, long or short, for rules on the length of a text."""

What = Literal["applies", "kept", "kept where it applies", "broken", "not kept", "not broken", "some broken"]


@dataclass(frozen=True, slots=True)
class Demand:
    """A `Demand` is a question about some rules, such as whether a call keeps them.

    For `not kept` and `some broken` one of the rules is enough; all other demands concern each of the rules. A rule
    whose value is an error is neither kept nor broken.
    """

    what: What
    rules: tuple[str, ...]

    def nodes(self, rules: Mapping[str, RuleOnTool]) -> Iterator[Node]:
        """Yield the conditions that the demand is about."""
        for own in (rules[id] for id in self.rules):
            yield from (node for node in own.nodes if self.what != "applies" or node is not own.hold)

    def formula(self, conditions: Mapping[str, tuple[Condition, Condition]]) -> Formula:
        """Return the demand as a formula, made of the conditions `when` and `hold` of each rule."""
        found = [conditions[id] for id in self.rules]
        kept = conj(disj((when.no, hold.yes)) for when, hold in found)
        broken = [conj((when.yes, hold.no)) for when, hold in found]
        match self.what:
            case "applies":
                return conj(when.yes for when, _ in found)
            case "kept":
                return kept
            case "not kept":
                return neg(kept)
            case "kept where it applies":
                return conj(own.yes for pair in found for own in pair)
            case "broken":
                return conj(broken)
            case "some broken":
                return disj(broken)
        return neg(disj(broken))


def each(what: What, rules: Iterable[str]) -> tuple[Demand, ...]:
    """Return one demand for each rule. The solver reuses the formulas of single demands."""
    return tuple(Demand(what, (id,)) for id in rules)


@dataclass(frozen=True, slots=True)
class Shown:
    """A `Shown` is a call that satisfies the demands.

    Attributes:
        env: All values that rules read.
        records: The records that rules have looked up so far, by kind and keys.
        items: The largest number of items in unbounded lists, or None if they were left open.
        formulas: The formulas that the call was found by.
        witness: The values of their variables.
        spell: The spelling of texts that no rule mentions.
        texts: The texts by their codes.
    """

    env: Env
    records: Mapping[tuple[str, tuple[Any, ...]], Any]
    items: int | None
    formulas: RuleFormulas
    witness: Mapping[str, int]
    spell: Spelling | None
    texts: Mapping[int, str]

    def changed(self, values: Mapping[str, int]) -> Shown:
        """Return the call with other values of some variables. It may satisfy other demands.

        A look-up that now has the key of another one finds the same record.
        """
        witness = {**self.witness, **values}
        for entries in self.formulas.unknowns.lookups.values():
            keys = {own.path: (own.found_by(self.witness), own.found_by(witness)) for own in entries}
            for own in entries:
                old, new = keys[own.path]
                twins = (each.path for each in entries if old != new is not None and keys[each.path] == (new, new))
                twin = next(twins, None)
                for name in [] if twin is None else [each for each in witness if each.startswith(own.path)]:
                    same = f"{twin}{name.removeprefix(own.path)}"
                    witness[name] = witness.get(same, witness[name])
        return self.formulas.completed(witness, self.spell, self.texts)


def does(demand: Demand, rules: Mapping[str, RuleOnTool], env: Env) -> bool:
    """Return whether a fully seen call satisfies a demand, by evaluation of the rules."""
    values = {
        id: _conditions(own, iter([_value(closure, env) for closure in own.closures]))
        for id, own in rules.items()
        if id in demand.rules
    }
    return demand.formula(values) == TRUE


def _conditions(own: RuleOnTool, values: Iterator[Condition]) -> tuple[Condition, Condition]:
    """Return the conditions that a rule applies and that it holds, by the values of its nodes in their order."""
    when = Condition(TRUE, FALSE) if own.when is None else next(values)
    applies = TRUE if own.perhaps is None else neg(next(values).no)
    applies = applies if own.unless is None else next(values).no
    return Condition(conj((when.yes, applies)), disj((when.no, neg(applies)))), next(values)


def _value(closure: Closure, env: Env) -> Condition:
    """Return a condition as two constant formulas: that it is true, and that it is false. An error makes both false."""
    try:
        found = bool(closure(dict(env)))
    except Undecided:
        return Condition(FALSE, FALSE)
    return Condition(Truth(found), Truth(not found))


class RuleFormulas:
    """`RuleFormulas` are rules as formulas in which lists have at most `items` items. With None, lists are left open,
    so that less is decided.

    Raises `FormulaError` if formulas become too deep, or if the `deadline` passes first.
    """

    def __init__(
        self,
        shapes: Shapes,
        rules: Mapping[str, RuleOnTool],
        items: int | None,
        deadline: Deadline = NEVER,
        samples: SampleValues | None = None,
    ) -> None:
        self.items = items
        self._shapes, self._rules, self._samples = shapes, rules, samples
        nodes = [node for rule in rules.values() for node in rule.nodes]
        question = translate(nodes, [{**shapes.unseen(), DEADLINE: deadline}] * len(nodes), items=items)
        left = iter(question.conditions)
        self._conditions = {id: _conditions(own, left) for id, own in rules.items()}
        self.unknowns = question.unknowns
        self.variables = question.variables
        self._background = (*question.background, *congruent(question.unknowns))
        self._engine: Engine | None = None
        self._formulas: dict[Demand, Formula] = {}
        self._names = FormulaMemo(lambda formula: frozenset(own.name for own in formula.variables))
        self.start: Mapping[str, int] = {}
        """A witness to begin with. It may lack values, and may be of other formulas."""

    @property
    def engine(self) -> Engine:
        if self._engine is None:
            self._engine = make_engine(self.variables, self._background)
        return self._engine

    def type_of(self, name: str) -> Type | None:
        """Return the type of a variable's value, or None if nothing declares it."""
        found = type_at(self._shapes, name)
        return None if found is None else without_null(found)

    def formula(self, demand: Demand) -> Formula:
        if demand not in self._formulas:
            self._formulas[demand] = demand.formula(self._conditions)
        return self._formulas[demand]

    def soft(self, demands: Sequence[Demand]) -> dict[str, Formula]:
        return {str(place): self.formula(own) for place, own in enumerate(demands)}

    def completed(
        self, witness: Mapping[str, int], spell: Spelling | None = None, texts: Mapping[int, str] | None = None
    ) -> Shown:
        """Return the call that a witness describes. Codes with a text in `texts` keep it, as far as they can."""
        completion = Completion(self.unknowns, witness, spell, self._samples, texts)
        env = completion.env(self._shapes.unseen())
        look_up, records = env[FACTS], dict[tuple[str, tuple[Any, ...]], Any]()

        def remembered(kind: str, keys: tuple[Any, ...]) -> Any:
            if (kind, keys) not in records:
                records[kind, keys] = self._named(kind, keys, look_up(kind, keys))
            return records[kind, keys]

        return Shown({**env, FACTS: remembered}, records, self.items, self, witness, spell, completion.texts)

    def _named(self, kind: str, keys: tuple[Any, ...], record: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return a record with its keys in the fields of the same names, unless rules constrain these fields."""
        by_name = dict(zip(self._shapes.keys[kind], keys, strict=True))
        said = {name: own for name, own in by_name.items() if isinstance(own, str) and is_usual(record.get(name))}
        return {**record, **said}

    def does(self, demands: Sequence[Demand], shown: Shown) -> bool:
        return all(does(own, self._rules, shown.env) for own in demands)

    def used(self, demands: Sequence[Demand]) -> frozenset[Variable]:
        return frozenset[Variable]().union(*(self.formula(own).variables for own in demands))

    def read_by(self, id: str) -> frozenset[Variable]:
        """Return the variables that a rule reads, or all of them for a rule that is not among these."""
        if id not in self._conditions:
            return frozenset(self.variables)
        return self.used([Demand("kept", (id,)), Demand("broken", (id,))])

    def another(self, used: frozenset[Variable], witness: Mapping[str, int]) -> Formula:
        """Return the formula that excludes a witness, preferably by its values for parts that no formula expresses."""
        open_ones = [own for own in used if own.name[:1] == "#"] or list(used)
        return neg(conj(Compare("==", own, Constant(witness[own.name])) for own in open_ones))

    def near(self, soft: Mapping[str, Formula], budget: Budget) -> Satisfiable | Core | Unknown:
        """Return a witness that shares values with `start`, if `start` already satisfies most of the formulas.

        With most values known the formulas say little, and are quick to solve. At first only the variables of formulas
        that `start` breaks are open. Then those that a core names are, too.
        """
        deadline, every = budget.start(), (*self._background, *soft.values())
        known = [own for own in self.variables if own.name in self.start and self.start[own.name] in own.sort]
        fixed = {own.name: self.start[own.name] for own in known}
        opened = {own.name for own in self.variables} - fixed.keys()
        seen = {id(own): own.holds(fixed) for own in every if not self._names[own] & opened}
        opened |= {name for own in every if seen.get(id(own)) is False for name in self._names[own]}
        if 2 * sum(seen.get(id(own), False) for own in soft.values()) <= len(soft):
            fixed = {}
        while fixed := {name: own for name, own in fixed.items() if name not in opened}:
            left = (with_values(own, fixed) for own in every if not self._names[own] or self._names[own] - fixed.keys())
            engine = make_engine([own for own in self.variables if own.name not in fixed], left)
            found = engine.check({}, budget.until(deadline))
            if isinstance(found, Satisfiable):
                return confirm({**fixed, **found.witness}, every, fixed, engine.name)
            found = self.engine.check(soft, budget.until(deadline), fixed=fixed)
            if not isinstance(found, Core):
                return found
            opened = {own for own in fixed if fixed_id(own) in found.ids}
            if not opened:
                return found
            opened = opened.union(*(self._names[soft[own]] for own in found.ids if own in soft))
        return self.engine.check(soft, budget.until(deadline))

    def usual(
        self, soft: Mapping[str, Formula], budget: Budget, most: int = MOST_TRIED
    ) -> Satisfiable | Core | Unknown:
        """Return a witness with short lists and with typical days and names, as far as possible.

        At most `most` of the values that were given up together are tried again, one at a time.
        """
        deadline, wanted = budget.start(), self._usual_values()
        fixed = dict(wanted)
        while isinstance(found := self.engine.check(soft, budget.until(deadline), fixed=fixed), Core):
            named = {own for own in fixed if fixed_id(own) in found.ids}
            if not named:
                return found
            fixed = {own: value for own, value in fixed.items() if own not in named}
        if isinstance(found, Unknown):
            return found
        for name in [own for own in wanted if own not in fixed][:most]:
            # Values that failed together may work alone.
            for value in range(wanted[name], wanted[name] + (2 if name.endswith("#size") else 1)):
                again = self.engine.check(soft, budget.until(deadline), fixed={**fixed, name: value})
                if isinstance(again, Satisfiable):
                    found, fixed = again, {**fixed, name: value}
                    break
        return found

    def _usual_values(self) -> dict[str, int]:
        fixed = {own.name: usual for own in self.variables if (usual := self._usual(own)) is not None}
        # Each unconstrained id gets its own name.
        listed = {own.name for formula in self._background if len(formula.variables) == 1 for own in formula.variables}
        unwritten = [own for own in self.unknowns.kinds if own not in listed]
        return fixed | {own: code for code, own in enumerate(unwritten, len(self.unknowns.codes))}

    def _usual(self, variable: Variable) -> int | None:
        found = _usual(variable)
        if found is None and self._samples is not None and variable.name in self.unknowns.paths:
            return self._samples.number(variable.name)
        return found


_NEW_YEAR = 739_617
"""The day number of 2026-01-01."""


def _usual(variable: Variable) -> int | None:
    low, high = getattr(variable.sort, "low", None), getattr(variable.sort, "high", None)
    if variable.name.endswith(("#size", "#there")):
        return low
    if variable.name.endswith(f"#{EXISTS}"):
        return high
    if high == LAST_DAY:
        return _NEW_YEAR
    if high in (LAST_DAY * 86_400 - 1, (LAST_DAY + 1) * 86_400 - 1):  # moments without a place, and with one
        return (_NEW_YEAR - 1) * 86_400 + 43_200
    return 43_200 if (low, high) == (0, 86_399) else None


# Laws of texts and maps

MOST_PAIRS = 2_000
"""At most this many pairs of texts or keys are compared. Without the other pairs, less is decided."""


def congruent(unknowns: Unknowns) -> tuple[Formula, ...]:
    """Return formulas that hold for all unseen values."""
    return tuple(islice(chain(_tests(unknowns), _entries(unknowns)), MOST_PAIRS))


def _tests(unknowns: Unknowns) -> Iterator[Formula]:
    """Yield formulas on tests of texts: equal texts pass the same ones, and one may imply or exclude another."""
    variables = unknowns.variables
    tests = [own for own in text_tests(variables) if own.subject in variables]
    for one, other in combinations(tests, 2):
        if (one.operation, one.literal) == (other.operation, other.literal):
            equal = compared("==", variables[one.subject], variables[other.subject])
            yield _alike(equal, variables[one.variable], variables[other.variable])
        if one.subject == other.subject:
            passed = [Compare("==", variables[own.variable], Constant(1)) for own in (one, other)]
            if _excludes(one, other):
                yield disj(map(neg, passed))
            elif _implies(one, other):
                yield disj((neg(passed[0]), passed[1]))
            elif _implies(other, one):
                yield disj((neg(passed[1]), passed[0]))


def _implies(one: TextTest, other: TextTest) -> bool:
    """Return whether a text that passes the first test also passes the second."""
    if other.operation == "contains":
        return other.literal in one.literal
    if one.operation != other.operation:
        return False
    if one.operation == "starts_with":
        return one.literal.startswith(other.literal)
    return one.literal.endswith(other.literal)


def _excludes(one: TextTest, other: TextTest) -> bool:
    """Return whether no text passes both tests."""
    same = one.operation == other.operation != "contains"
    return same and not _implies(one, other) and not _implies(other, one)


def _entries(unknowns: Unknowns) -> Iterator[Formula]:
    """Yield formulas which say that equal keys find the same entry of a map."""
    maps: dict[str, list[tuple[str, Term]]] = {}
    for name in unknowns.variables:
        if name.endswith("]#there"):
            path, entry = _split(name[: -len("#there")])
            key = _key(unknowns, entry[1:-1])
            if key is not None:
                maps.setdefault(path, []).append((entry, key))
    for path, entries in maps.items():
        for (one, key), (other, twin) in combinations(entries, 2):
            equal = compared("==", key, twin)
            if equal is not FALSE:
                yield from _same_entry(unknowns, equal, path + one, path + other)


def _split(name: str) -> tuple[str, str]:
    """Return the path of a map, and the entry after it in brackets."""
    depth = 0
    for place in range(len(name) - 1, -1, -1):
        depth += (name[place] == "]") - (name[place] == "[")
        if depth == 0:
            return name[:place], name[place:]
    return "", name


def _key(unknowns: Unknowns, written: str) -> Term | None:
    if written in unknowns.variables:
        return unknowns.variables[written]
    return next((Constant(code) for text, code in unknowns.codes.items() if repr(text) == written), None)


def _same_entry(unknowns: Unknowns, equal: Formula, one: str, other: str) -> Iterator[Formula]:
    for name in [own for own in unknowns.variables if own.startswith(one)]:
        twin = unknowns.variables.get(other + name[len(one) :])
        if twin is not None:
            yield _alike(equal, unknowns.variables[name], twin)


def _alike(equal: Formula, one: Term, other: Term) -> Formula:
    return disj((neg(equal), Compare("==", one, other)))


# Calls as situations


def written_out(
    shown: Shown, tool: str, shapes: Shapes, kinds: Mapping[str, FactKind], rules: Mapping[str, RuleOnTool]
) -> Situation:
    """Return a call as JSON, with all records that the rules look up."""
    for id in rules:
        does(Demand("kept", (id,)), rules, shown.env)  # this makes every rule look up its records
    facts: dict[str, list[Any]] = {}
    for (kind, keys), record in shown.records.items():
        facts.setdefault(kind, []).append(_record(kinds[kind], shapes, keys, record))
    env, roots = shown.env, shapes.roots
    used = set(_used(rules))
    done = to_json(env[DONE], roots[DONE])
    said = to_json(env[SAID], roots[SAID])
    return Situation(
        tool,
        {} if shapes.call is None else to_json(env[shapes.root], shapes.call),
        facts,
        done={name: calls for name, calls in done.items() if calls and f"{DONE}.{name}" in used},
        said={name: own for name, own in said.items() if f"{SAID}.{name}" in used} or None,
        written=list(env[WRITTEN]) if WRITTEN in used else None,
        now=to_json(env[NOW], roots[NOW]) if NOW in used or any(own.fresh_s for own in kinds.values()) else None,
        consent=True,
    )


def _used(rules: Mapping[str, RuleOnTool]) -> Iterator[str]:
    """Yield the names that rules read besides the call and facts: `now`, `written`, and parts of `said` and `done`."""
    for rule in rules.values():
        for node in (part for own in rule.nodes for part in walk(own)):
            match node:
                case Root(name):
                    yield name
                case Get(Root(root), name):
                    yield f"{root}.{name}"


def _record(kind: FactKind, shapes: Shapes, keys: Iterable[Any], record: Any) -> dict[str, Any]:
    key = {name: to_json(own, type) for own, (name, type) in zip(keys, kind.keys.items(), strict=True)}
    type = shapes.facts[kind.name]
    if not record and type.may_be_absent:
        return {"key": key, "record": None}
    found: dict[str, Any] = to_json(record, type)
    if all(found.get(name, own) == own for name, own in key.items()):
        return {**key, **found}
    return {"key": key, "record": found}
