"""Find the nearest call that keeps every rule: only arguments change that may, and never a fact or a word of a user.

The fewest arguments change first; of these calls it is one whose amounts and dates differ by the least sum, each in the
steps of its type. What finds a record is only changed for another record that was seen. A call that the tool's own
schema refuses is looked for again without its value.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice
from math import ceil, floor
from typing import Any

from holdtrue.budget import Budget
from holdtrue.errors import FormulaError
from holdtrue.guard.call_reading import read_call
from holdtrue.guard.checking import judge
from holdtrue.guard.decision import Change, Mend
from holdtrue.guard.facts import Keys
from holdtrue.guard.listening import Listening
from holdtrue.guard.policy_parts import Rule, Tool
from holdtrue.guard.surroundings import ANSWER, CALL, Surroundings
from holdtrue.logic.formula import Compare, Constant, Count, Formula
from holdtrue.logic.value_sorts import Amount, Calendar
from holdtrue.rules.closure import SEEN
from holdtrue.rules.completion import Completion
from holdtrue.rules.paths import ITEM, below
from holdtrue.rules.symbolic import Question, translate
from holdtrue.rules.symbolic_values import common_step, conj, disj
from holdtrue.rules.types import Flag, ListOf, Name, Number, Record, Type, without_null
from holdtrue.rules.unknowns import FINEST
from holdtrue.rules.values import NotSeen, ValueFault, field_path, is_within, to_json
from holdtrue.solving.explain.closest import closest
from holdtrue.solving.explain.nearest import nearest
from holdtrue.solving.result import BackgroundConflict, Core, Nearest, Unknown
from holdtrue.solving.route import make_engine

FEW = "=few"
"""The id of the condition that no more arguments change than have to."""
MOST_LOOKS, MOST_SEEN = 24, 100
"""So many calls are looked at, and so many records of a kind may take the place of another."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A call that breaks one of these rules: as it was read, and as JSON; a `partial` one is not filled in yet."""

    surroundings: Surroundings
    heard: Listening
    tool: Tool
    call: Mapping[str, Any]
    arguments: Any
    rules: tuple[Rule, ...]
    partial: bool = False

    @property
    def root(self) -> str:
        """Return the name that rules have for the call."""
        return ANSWER if self.tool.is_answer else CALL

    def refused(self, arguments: Any) -> str | None:
        """Return the path of what blocks arguments for their form alone, or None where nothing does."""
        try:
            _, extras = read_call(self.tool, arguments, partial=self.partial)
        except ValueFault as fault:
            return fault.path
        blocks = self.surroundings.policy.undeclared == "block"
        return self.root if blocks and not all(own.declared for own in extras) else None


@dataclass(frozen=True, slots=True)
class Target:
    """An argument that may change: what stands there, and what it can be; `pattern` is its path as a policy has it."""

    value: Any
    type: Type
    pattern: str


def mended(trial: Trial, budget: Budget) -> Mend | str:
    """Return the nearest call that is proved to keep every rule, or the reason why none is proposed."""
    rules = [rule for rule in trial.rules if rule.severity != "warn" and (rule.needs != "words" or trial.heard.listens)]
    own = trial.surroundings
    own.limit(budget.start())
    fixed: set[str] = set()
    while True:
        targets: dict[str, Target] = {}
        loose = _Loosening(trial.tool, targets, fixed).value(trial.call, trial.tool.arguments, trial.root, "")
        if not targets:
            return "no argument may be changed"
        try:
            question = _question(trial, rules, loose, targets)
        except FormulaError as error:
            return f"no formula says what may change: {error}"
        keys = _keys(question) & targets.keys()
        # A number that finds a record is an id: it changes only where the policy says so.
        ids = {name for name in keys if isinstance(targets[name].type, Number)}
        if trial.tool.change is not None or not ids:
            break
        fixed |= ids
    search = _Search(question, [rule.id for rule in rules], targets, budget)
    cuts: list[Formula] = []
    unproved = ""
    for _ in range(MOST_LOOKS):
        found = search.nearest(cuts)
        if isinstance(found, str):
            return unproved or (f"{found}, within what the schema of {trial.tool.name} allows" if cuts else found)
        call = _with_witness(loose, targets, Completion(question.unknowns, found.witness), found.witness)
        arguments = _changed(trial.arguments, trial.call, call, trial.tool.arguments)
        changed = {name: found.witness[name] for name in found.changed if name in targets}
        if (place := trial.refused(arguments)) is not None:
            cuts.append(search.without(changed, place, trial.tool))
            continue
        proved = _proved(trial, call, arguments, targets, found.optimal, budget)
        if isinstance(proved, Mend) or not keys:
            return proved
        unproved = unproved or proved
        cuts.append(search.without(changed, trial.root, trial.tool))  # Another record may prove more.
    return unproved or f"the schema of {trial.tool.name} refuses the nearest {MOST_LOOKS} calls"


def _question(trial: Trial, rules: Sequence[Rule], loose: Any, targets: Mapping[str, Target]) -> Question:
    own = trial.surroundings
    records = own.facts.records
    # In an order that a replay from the record has, too.
    seen: dict[str, tuple[Keys, ...]] = {
        kind: tuple(sorted(islice(reversed([*found]), MOST_SEEN), key=repr)) for kind, found in records.items()
    }
    env = {**(own.assumed if trial.heard.unsaid == "false" else own.known), trial.root: loose, SEEN: seen}
    texts = [each.value for each in targets.values() if isinstance(each.type, Name)]
    nodes = [rule.tools[trial.tool.name].whole for rule in rules]
    return translate(nodes, [dict(env) for _ in rules], texts=texts)


def _keys(question: Question) -> set[str]:
    """Return the variables by whose values records are found."""
    entries = (entry for found in question.unknowns.lookups.values() for entry in found)
    return {variable.name for entry in entries for key in entry.keys for variable in key.variables}


class _Loosening:
    """Puts markers in place of all that may change in a call; `targets` gets what stands there, by its path."""

    def __init__(self, tool: Tool, targets: dict[str, Target], fixed: Collection[str]) -> None:
        self._change, self._fixed = tool.change, fixed
        self._targets = targets

    def value(self, value: Any, type: Type, path: str, pattern: str) -> Any:
        own = without_null(type)
        match own:
            case Record(fields) if isinstance(value, Mapping):
                return {
                    name: self.value(each, fields[name].type, field_path(path, name), below(pattern, name))
                    for name, each in value.items()
                }
            case ListOf(item) if isinstance(value, tuple):
                return tuple(
                    self.value(each, item, f"{path}[{place}]", pattern + ITEM) for place, each in enumerate(value)
                )
        if value is None or isinstance(value, NotSeen) or not self._may_change(value, own, pattern):
            return value
        if path in self._fixed:
            return value
        if isinstance(own, Number) and own.sort.step is None:
            # Its variable has to be able to have the value that stands there.
            step = common_step(FINEST, Fraction(1, Fraction(value).denominator))
            own = replace(own, sort=Amount(own.sort.unit, step))
        self._targets[path] = Target(value, own, pattern)
        return NotSeen(path, own)

    def _may_change(self, value: Any, type: Type, pattern: str) -> bool:
        if not isinstance(type, Flag | Number | Calendar | Name):
            return False
        if isinstance(type, Calendar) and Fraction(value).denominator != 1:
            return False  # Moments that were not seen are whole seconds, so this one could not stay as it is.
        if self._change is not None:
            return any(is_within(pattern, own) for own in self._change)
        return not isinstance(type, Name) or type.values is not None


class _Search:
    """Looks for the nearest values of `targets` that keep the rules with these ids."""

    def __init__(self, question: Question, ids: list[str], targets: Mapping[str, Target], budget: Budget) -> None:
        self._unknowns, self._question, self._ids, self._budget = question.unknowns, question, ids, budget
        self._targets = targets
        self._target = {
            name: _as_int(own.value, own.type, self._unknowns.codes)
            for name, own in targets.items()
            if name in self._unknowns.variables
        }
        codes = len(self._unknowns.codes)
        self._known = [
            Compare("<", self._unknowns.variables[name], Constant(codes))
            for name in self._target
            if isinstance(targets[name].type, Name)
        ]
        own = self._unknowns.among_seen.items()
        # A record that was not seen may stay the one that it is, for a rule may need nothing of it.
        stays = {
            name: Compare("==", self._unknowns.variables[name], Constant(value)) for name, value in self._target.items()
        }
        self._among = [
            formula | conj(stays[name] for name in names)
            for (_, names), formula in own
            if names and names <= stays.keys()
        ]

    def nearest(self, cuts: Sequence[Formula]) -> Nearest | str:
        """Return the nearest values outside of `cuts`, or the reason why there are none."""
        target, targets = self._target, self._targets
        if not target:
            return "nothing that may change would make a difference"
        soft: dict[str, Formula] = {f"{place}": each.yes for place, each in enumerate(self._question.conditions)}
        engine = make_engine(self._question.variables, (*self._question.background, *self._known, *self._among, *cuts))
        choices = {name for name in target if isinstance(targets[name].type, Name | Flag)}
        # As few changes as there can be, and among as many rather of amounts and dates than of what was chosen by name.
        weights = {name: len(target) + 1 + (name in choices) for name in target}
        found = nearest(engine, soft, target, self._budget, weights=weights if choices else None)
        amounts = {name: own for name, own in target.items() if name not in choices}
        if isinstance(found, Nearest) and found.optimal and not amounts.keys().isdisjoint(found.changed):
            # Now amounts and dates by as little as can be.
            variables = self._unknowns.variables
            changed = {name: Compare("!=", variables[name], Constant(own)) for name, own in target.items()}
            few = Count("<=", len(found.changed), tuple(changed.values()))
            fewer = Count(
                "<=", len(choices & set(found.changed)), tuple(changed[name] for name in changed if name in choices)
            )
            closer = closest(engine, {**soft, FEW: few & fewer}, amounts, self._budget)
            found = closer if isinstance(closer, Nearest) else replace(found, optimal=False)
        seen = ", among the records that were seen" if self._among else ""
        match found:
            case Nearest():
                return found
            case Core(core):
                broken = [self._ids[int(own)] for own in core if own.isdigit()]
                return f"no change of what may change keeps {' and '.join(broken) or 'the rules'}{seen}"
            case BackgroundConflict() if cuts or self._among:
                return f"no change of what may change is left{seen}"
            case BackgroundConflict():
                return "what is known cannot all be true"
            case Unknown(reason):
                return reason
        raise TypeError(f"no answer: {found!r}")

    def without(self, changed: Mapping[str, int], path: str, tool: Tool) -> Formula:
        """Return the formula that leaves out values that were refused, as a whole or at a path.

        Where one number is refused for itself, all numbers between the same two that the schema names are.
        """
        within = {name: own for name, own in changed.items() if is_within(name, path)} or changed
        variables = self._unknowns.variables
        if len(within) == 1 and tool.validator is not None:
            ((name, value),) = within.items()
            type = self._targets[name].type
            if name == path and isinstance(type, Number) and not tool.validator.has_steps:
                step, named = type.sort.step or FINEST, tool.validator.numbers
                place = bisect_left(named, value * step)
                if named and (place == len(named) or named[place] != value * step):
                    below = [Compare("<=", variables[name], Constant(floor(named[place - 1] / step)))] if place else []
                    above = [Compare(">=", variables[name], Constant(ceil(own / step))) for own in named[place:][:1]]
                    return disj([*below, *above])
        return disj(Compare("!=", variables[name], Constant(own)) for name, own in within.items())


def _as_int(value: Any, type: Type, codes: Mapping[str, int]) -> int:
    """Return a value as its variable counts it; -1 for a text that no formula has."""
    match type:
        case Name():
            return codes.get(value, -1)
        case Number(sort):
            return int(Fraction(value) / (sort.step or FINEST))
    return int(value)


def _with_witness(value: Any, targets: Mapping[str, Target], completion: Completion, witness: Mapping[str, int]) -> Any:
    """Return a call with what a witness chose, or with what stood there where no formula speaks of it."""
    match value:
        case NotSeen(path) if path in targets:
            own = targets[path]
            return completion.of_type(own.type, path) if path in witness else own.value
        case tuple():
            return tuple(_with_witness(own, targets, completion, witness) for own in value)
        case Mapping():
            return {name: _with_witness(own, targets, completion, witness) for name, own in value.items()}
    return value


def _proved(
    trial: Trial, call: dict[str, Any], arguments: Any, targets: Mapping[str, Target], optimal: bool, budget: Budget
) -> Mend | str:
    """Return the mended call, once it was judged like any other and every rule is proved to hold."""
    own, tool, root = trial.surroundings, trial.tool, trial.root
    around = replace(own, known={**own.known, root: call}, assumed={**own.assumed, root: call})
    judged = judge(around, replace(trial.heard, consent=True), tool, trial.rules, budget)
    if judged.kind != "allow":
        open_ones = [
            each.rule for each in judged.findings if each.status in ("undecided", "broken") and each.severity != "warn"
        ]
        return f"the nearest call is not proved to keep {' and '.join(open_ones)}"
    before = dict(_leaves(trial.call, tool.arguments, root))
    changes = tuple(
        Change(_place(path, root), before[path], after)
        for path, after in _leaves(call, tool.arguments, root)
        if path in targets and before[path] != after
    )
    return Mend(arguments, changes, optimal)


def _place(path: str, root: str) -> str:
    """Return the path of an argument in its call."""
    return path.removeprefix(root).removeprefix(".")


def _changed(given: Any, before: Any, after: Any, type: Type) -> Any:
    """Return arguments as they were given, with what has changed as JSON in its place."""
    own = without_null(type)
    match own:
        case Record(fields) if isinstance(given, Mapping) and isinstance(after, Mapping):
            return {
                name: _changed(each, before[name], after[name], fields[name].type) if name in after else each
                for name, each in given.items()
            }
        case ListOf(item) if isinstance(given, list) and isinstance(after, tuple):
            return [_changed(*each, item) for each in zip(given, before, after, strict=True)]
    return given if before == after else to_json(after, type)


def _leaves(value: Any, type: Type, path: str) -> Iterator[tuple[str, Any]]:
    """Return all values in a call by their paths, as JSON."""
    own = without_null(type)
    match own:
        case Record(fields) if isinstance(value, Mapping):
            for name, each in value.items():
                yield from _leaves(each, fields[name].type, field_path(path, name))
        case ListOf(item) if isinstance(value, tuple):
            for place, each in enumerate(value):
                yield from _leaves(each, item, f"{path}[{place}]")
        case _:
            yield path, to_json(value, type)
