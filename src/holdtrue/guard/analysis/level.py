"""Rules as formulas over everything that was not seen, with lists of so many items at most, and a solver for them.

Equal texts pass the same tests, and equal keys find the same entry: that is said to the solver, too. A call that it
finds becomes a `Situation`, which a policy decides on like any other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, islice
from typing import Any, Literal

from holdtrue.budget import NEVER, Budget, Deadline
from holdtrue.guard.analysis.situation import Situation
from holdtrue.guard.analysis.unseen import Shapes
from holdtrue.guard.policy_parts import DONE, NOW, SAID, WRITTEN, FactKind, RuleOnTool
from holdtrue.logic.formula import Compare, Constant, Formula, Term, Variable
from holdtrue.rules.compilation import DEADLINE, FACTS, Closure, Env
from holdtrue.rules.completion import Completion, TextTest, is_usual, text_tests
from holdtrue.rules.symbolic_values import FALSE, TRUE, compared, conj, disj, neg
from holdtrue.rules.translation import Condition, translate
from holdtrue.rules.typed_expressions import Get, Node, Root, walk
from holdtrue.rules.unknowns import EXISTS, LAST_DAY, Unknowns
from holdtrue.rules.values import Undecided, to_json
from holdtrue.solving.engine import Engine, fixed_id
from holdtrue.solving.result import Core, Satisfiable, Unknown
from holdtrue.solving.route import make_engine

MOST_TRIED = 40
"""So many values of an example are tried to be made usual ones, each by itself."""

Spelling = Callable[[int, str], str]
SPELLINGS: tuple[Spelling | None, ...] = (
    None,
    lambda code, text: f"{text}{'.' * 300}",
    lambda code, text: chr(0x100 + code) if code >= 0 else "",
)
"""How texts are spelled that no rule writes: as usual, long, and short, for rules that ask how long they are."""

What = Literal["applies", "kept", "kept where it applies", "broken", "not kept", "not broken", "some broken"]


@dataclass(frozen=True, slots=True)
class Demand:
    """A `Demand` says what is asked of each of some rules.

    `not kept` and `some broken` are asked of one of them at least. A rule whose value is an error is neither kept nor
    broken.
    """

    what: What
    rules: tuple[str, ...]

    def nodes(self, rules: Mapping[str, RuleOnTool]) -> Iterator[Node]:
        """Return the conditions that it is about."""
        for own in (rules[id] for id in self.rules):
            if own.when is not None:
                yield own.when
            if self.what != "applies":
                yield own.hold


def each(what: What, rules: Iterable[str]) -> tuple[Demand, ...]:
    """Return a demand on each rule by itself, of which a solver keeps the formulas for other questions."""
    return tuple(Demand(what, (id,)) for id in rules)


@dataclass(frozen=True, slots=True)
class Shown:
    """A call that does what was asked.

    Attributes:
        env: All that rules see.
        records: The records that they asked for so far, by kind and keys.
        items: How many items lists without a bound could have, None where they were left open.
    """

    env: Env
    records: Mapping[tuple[str, tuple[Any, ...]], Any]
    items: int | None


def does(demand: Demand, rules: Mapping[str, RuleOnTool], env: Env) -> bool:
    """Return whether a call of which everything is seen does what is demanded, by evaluation of the rules."""
    found = [_status(rules[id], env) for id in demand.rules]
    kept = [applies is False or holds is True for applies, holds in found]
    match demand.what:
        case "applies":
            return all(applies is True for applies, _ in found)
        case "kept":
            return all(kept)
        case "not kept":
            return not all(kept)
        case "kept where it applies":
            return all(own == (True, True) for own in found)
        case "broken":
            return all(own == (True, False) for own in found)
    return (demand.what == "some broken") is any(own == (True, False) for own in found)


def _status(rule: RuleOnTool, env: Env) -> tuple[bool | None, bool | None]:
    """Return whether a rule applies, and whether its condition holds, each None where it is an error."""
    applies = True if rule.when_closure is None else _value(rule.when_closure, env)
    return applies, _value(rule.hold_closure, env)


def _value(closure: Closure, env: Env) -> bool | None:
    try:
        return bool(closure(dict(env)))
    except Undecided:
        return None


class Level:
    """Rules in formulas, where lists have `items` items at most; None leaves them open, so that less is decided.

    Raises `FormulaError` where formulas would be too deep, or the `deadline` passes before all are made.
    """

    def __init__(
        self, shapes: Shapes, rules: Mapping[str, RuleOnTool], items: int | None, deadline: Deadline = NEVER
    ) -> None:
        self.items = items
        self._shapes, self._rules = shapes, rules
        nodes = [node for rule in rules.values() for node in (rule.when, rule.hold) if node is not None]
        question = translate(nodes, [{**shapes.unseen(), DEADLINE: deadline}] * len(nodes), items=items)
        left = iter(question.conditions)
        sure = Condition(TRUE, FALSE)
        self._conditions = {id: (sure if own.when is None else next(left), next(left)) for id, own in rules.items()}
        self.unknowns = question.unknowns
        self.variables = question.variables
        self._background = (*question.background, *congruent(question.unknowns))
        self._engine: Engine | None = None

    @property
    def engine(self) -> Engine:
        if self._engine is None:
            self._engine = make_engine(self.variables, self._background)
        return self._engine

    def formula(self, demand: Demand) -> Formula:
        """Return the formula that a call does what is demanded."""
        found = [self._conditions[id] for id in demand.rules]
        match demand.what:
            case "applies":
                return conj(when.yes for when, _ in found)
            case "kept":
                return conj(disj((when.no, hold.yes)) for when, hold in found)
            case "not kept":
                return neg(self.formula(Demand("kept", demand.rules)))
            case "kept where it applies":
                return conj(own.yes for pair in found for own in pair)
            case "broken":
                return conj(own for when, hold in found for own in (when.yes, hold.no))
        some = disj(conj((when.yes, hold.no)) for when, hold in found)
        return some if demand.what == "some broken" else neg(some)

    def soft(self, demands: Sequence[Demand]) -> dict[str, Formula]:
        """Return the formulas of demands, by their place."""
        return {str(place): self.formula(own) for place, own in enumerate(demands)}

    def completed(self, witness: Mapping[str, int], spell: Spelling | None = None) -> Shown:
        """Return the call that a witness says."""
        env = Completion(self.unknowns, witness, spell).env(self._shapes.unseen())
        look_up, records = env[FACTS], dict[tuple[str, tuple[Any, ...]], Any]()

        def remembered(kind: str, keys: tuple[Any, ...]) -> Any:
            if (kind, keys) not in records:
                records[kind, keys] = self._named(kind, keys, look_up(kind, keys))
            return records[kind, keys]

        return Shown({**env, FACTS: remembered}, records, self.items)

    def _named(self, kind: str, keys: tuple[Any, ...], record: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return a record that says its own keys, where nothing else was said of them."""
        by_name = dict(zip(self._shapes.keys[kind], keys, strict=True))
        said = {name: own for name, own in by_name.items() if isinstance(own, str) and is_usual(record.get(name))}
        return {**record, **said}

    def does(self, demands: Sequence[Demand], shown: Shown) -> bool:
        """Return whether a call does all that is demanded, by evaluation of the rules."""
        return all(does(own, self._rules, shown.env) for own in demands)

    def used(self, demands: Sequence[Demand]) -> frozenset[Variable]:
        """Return the variables that demands are about."""
        return frozenset[Variable]().union(*(self.formula(own).variables for own in demands))

    def another(self, used: frozenset[Variable], witness: Mapping[str, int]) -> Formula:
        """Return the formula that a witness is another one, first of all in what no formula says."""
        open_ones = [own for own in used if own.name[:1] == "#"] or list(used)
        return neg(conj(Compare("==", own, Constant(witness[own.name])) for own in open_ones))

    def usual(self, soft: Mapping[str, Formula], budget: Budget) -> Satisfiable | Core | Unknown:
        """Return a witness with short lists, and with usual days and names, as far as there is one."""
        deadline, wanted = budget.start(), self._usual_values()
        fixed = dict(wanted)
        while isinstance(found := self.engine.check(soft, budget.until(deadline), fixed=fixed), Core):
            named = {own for own in fixed if fixed_id(own) in found.ids}
            if not named:
                return found
            fixed = {own: value for own, value in fixed.items() if own not in named}
        if isinstance(found, Unknown):
            return found
        for name in [own for own in wanted if own not in fixed][:MOST_TRIED]:
            # What was in the way together may not be in the way alone.
            for value in range(wanted[name], wanted[name] + (2 if name.endswith("#size") else 1)):
                again = self.engine.check(soft, budget.until(deadline), fixed={**fixed, name: value})
                if isinstance(again, Satisfiable):
                    found, fixed = again, {**fixed, name: value}
                    break
        return found

    def _usual_values(self) -> dict[str, int]:
        fixed = {own.name: usual for own in self.variables if (usual := _usual(own)) is not None}
        # Ids of which nothing is said are called by names of their own.
        listed = {own.name for formula in self._background if len(formula.variables) == 1 for own in formula.variables}
        unwritten = [own for own in self.unknowns.kinds if own not in listed]
        return fixed | {own: code for code, own in enumerate(unwritten, len(self.unknowns.codes))}


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
    if high in (LAST_DAY * 86_400 - 1, (LAST_DAY + 1) * 86_400 - 1):  # moments of no place, and of one
        return (_NEW_YEAR - 1) * 86_400 + 43_200
    return 43_200 if (low, high) == (0, 86_399) else None


# What holds of all texts and maps

MOST_PAIRS = 2_000
"""So many pairs of texts or keys are told to be alike; without the others only less is decided."""


def congruent(unknowns: Unknowns) -> tuple[Formula, ...]:
    """Return the formulas that hold whatever was not seen turns out to be."""
    return tuple(islice(chain(_tests(unknowns), _entries(unknowns)), MOST_PAIRS))


def _tests(unknowns: Unknowns) -> Iterator[Formula]:
    """Return the formulas that equal texts pass the same tests, and what one test of a text says of another."""
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
    """Return whether a text that passes one test passes the other."""
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
    """Return the formulas that equal keys find the same entry of a map."""
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
    """Return the path of a map and the entry behind it, in brackets."""
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


# Calls that were shown


def written_out(
    shown: Shown, tool: str, shapes: Shapes, kinds: Mapping[str, FactKind], rules: Mapping[str, RuleOnTool]
) -> Situation:
    """Return a call with the records that any of the rules asks for, as JSON."""
    for id in rules:
        does(Demand("kept", (id,)), rules, shown.env)  # every rule asks for its records
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
    """Return what rules ask for beside the call and facts: `now`, `written`, and parts of `said` and `done`."""
    for rule in rules.values():
        for node in (*walk(rule.hold), *(() if rule.when is None else walk(rule.when))):
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
