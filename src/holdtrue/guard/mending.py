"""Find the nearest call that keeps every rule, by changing only arguments that may change.

The search first minimizes the number of changed arguments. Among those calls it minimizes the summed change of amounts
and dates, in steps of their types. An argument that finds a record changes only to the key of another seen record. If
the tool's schema refuses a call, or no proof covers it, the next search excludes this call and all similar ones.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor
from typing import Any

from holdtrue.budget import Budget
from holdtrue.errors import FormulaError
from holdtrue.guard.call_commitments import commitment_rules, with_agreed_values
from holdtrue.guard.call_reading import read_call
from holdtrue.guard.decision import Change, Mend
from holdtrue.guard.judgement import Judged, failed, judge
from holdtrue.guard.listening import Listening
from holdtrue.guard.policy_parts import ANSWER, CALL, Rule, Tool
from holdtrue.guard.rule_context import RuleContext
from holdtrue.logic.formula import Compare, Constant, Count, Formula, Variable
from holdtrue.logic.node import Node
from holdtrue.logic.units import SECOND
from holdtrue.logic.value_sorts import Amount, Calendar, common_divisor
from holdtrue.logic.variable_names import renamed
from holdtrue.rules.compilation import SEEN
from holdtrue.rules.completion import Completion
from holdtrue.rules.paths import ITEM, below
from holdtrue.rules.symbolic_values import conj, disj, neg
from holdtrue.rules.translation import translate
from holdtrue.rules.types import Flag, ListOf, Name, Number, Record, Type, without_null
from holdtrue.rules.unknowns import FINEST
from holdtrue.rules.values import NotSeen, ValueFault, field_path, is_within, to_json
from holdtrue.solving.explain.closest_answer import closest
from holdtrue.solving.explain.nearest_answer import nearest
from holdtrue.solving.result import BackgroundConflict, Core, Nearest, Satisfiable, Unknown
from holdtrue.solving.route import make_engine

_log = logging.getLogger(__name__)
FEW = "=few"
"""The id of the condition that limits the number of changed arguments."""
MOST_LOOKS, MOST_SEEN = 24, 100
"""At most this many candidate calls are tried, and this many other records of a kind are considered."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A `Trial` is a call that breaks one of its rules, typed and as JSON. A `partial` call may get more arguments."""

    context: RuleContext
    heard: Listening
    tool: Tool
    call: Mapping[str, Any]
    arguments: Any
    rules: tuple[Rule, ...]
    partial: bool = False

    @property
    def root(self) -> str:
        """Return the name of the call in rules."""
        return ANSWER if self.tool.is_answer else CALL

    def refused(self, arguments: Any) -> Sequence[str] | None:
        """Return the paths that make the tool refuse these arguments, or None if it accepts them."""
        try:
            _, extras = read_call(self.tool, arguments, partial=self.partial)
        except ValueFault as fault:
            return fault.rests_on or [self.tool.root]
        blocks = self.context.policy.undeclared == "block"
        return [self.tool.root] if blocks and not all(own.declared for own in extras) else None


@dataclass(frozen=True, slots=True)
class Target:
    """A `Target` is an argument that may change: its present value and its type."""

    value: Any
    type: Type


def mended(trial: Trial, judged: Judged, budget: Budget) -> Mend | str:
    """Return the nearest call that keeps every rule, or the reason why none is proposed.

    Promised values of broken commitments are put in first, and the rest is mended afterwards.
    """
    try:
        broken = frozenset(own.rule for own in judged.findings if own.status == "broken")
        if any(own.read and not own.rule and own.id in broken for own in trial.heard.commitments):
            return "it would rest on how the user's words were read, which only the user can confirm"
        call, arguments, forced = with_agreed_values(trial.heard, trial.tool, trial.call, trial.arguments, broken)
        if not forced:
            return _mended(trial, budget)
        around = trial.context
        around.call(trial.tool, call)
        policy, heard = around.policy, replace(trial.heard, consent="answer", unfounded=())
        rules = (*policy.rules_on[trial.tool.name], *commitment_rules(policy, heard, trial.tool, call))
        if trial.refused(arguments) is None and judge(around, heard, trial.tool, rules, budget).kind == "allow":
            return Mend(arguments, forced, True)
        found = _mended(replace(trial, call=call, arguments=arguments, rules=rules, heard=heard), budget)
        return found if isinstance(found, str) else replace(found, changes=(*forced, *found.changes))
    except FormulaError as error:
        return f"no formula says what may change: {error}"
    except Exception as error:  # noqa: BLE001  the call is blocked all the same
        _log.warning("a call of %s could not be mended", trial.tool.name, exc_info=True)
        return failed(error)


def _mended(trial: Trial, budget: Budget) -> Mend | str:
    """Return the nearest call that is proved to keep every rule, or the reason why none is proposed."""
    trial.context.limit(budget.start())
    search, cuts, unproved = _Search(trial, budget), list[Formula](), ""
    if not search.targets:
        return "no argument may be changed"
    for _ in range(MOST_LOOKS):
        found = search.nearest(cuts)
        if isinstance(found, str):
            return unproved or found
        asked = {name: own.type for name, own in search.targets.items() if name in found.witness}
        completion = Completion(search.unknowns, found.witness)
        call = _with(search.loose, search.targets, {name: completion.of_type(own, name) for name, own in asked.items()})
        arguments = _changed(trial.arguments, trial.call, call, trial.tool.arguments)
        paths = trial.refused(arguments)
        if paths is not None and search.every:
            cuts.append(search.refused(found, paths, trial.tool))
        elif paths is not None:
            # An argument that no rule reads may have to change, too.
            search, cuts = _Search(trial, budget, every=True), []
        else:
            proved = _proved(trial, call, arguments, search.targets, found.optimal and search.is_sure, budget)
            if isinstance(proved, Mend):
                return proved
            unproved = unproved or proved
            cuts.append(search.unproved(found))
    return unproved or f"the schema of {trial.tool.name} refuses the nearest {MOST_LOOKS} calls"


class _Loosening:
    """Replaces each argument that may change by a marker, and enters it into `targets` by its path."""

    def __init__(self, tool: Tool, targets: dict[str, Target]) -> None:
        self._change, self._targets = tool.change, targets

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
        if isinstance(own, Number) and own.sort.step is None:
            # The variable's range must contain the present value.
            step = common_divisor(FINEST, Fraction(1, Fraction(value).denominator))
            own = replace(own, sort=Amount(own.sort.unit, step))
        self._targets[path] = Target(value, own)
        return NotSeen(path, own)

    def _may_change(self, value: Any, type: Type, pattern: str) -> bool:
        if not isinstance(type, Flag | Number | Calendar | Name):
            return False
        if isinstance(type, Calendar) and Fraction(value).denominator != 1:
            return False  # Unseen moments are whole seconds, so this one could not keep its value.
        if self._change is not None:
            return any(is_within(pattern, own) for own in self._change)
        return not isinstance(type, Name) or type.values is not None


class _Search:
    """Searches for the nearest values that keep the rules, over targets that rules read, or over `every` target."""

    def __init__(self, trial: Trial, budget: Budget, *, every: bool = False) -> None:
        around, tool, heard, self._budget, self.every = trial.context, trial.tool, trial.heard, budget, every
        looked_at = [own for own in trial.rules if own.needs != "words" or heard.listens]
        rules = [part for own in looked_at for part in own.parts if part.severity != "warn"]
        self.targets, self._ids = dict[str, Target](), [each.part_of or each.id for each in rules]
        self.loose = _Loosening(tool, self.targets).value(trial.call, tool.arguments, tool.root, "")
        # A replay from the record sees the same order.
        seen = {kind: tuple(sorted([*own][-MOST_SEEN:], key=repr)) for kind, own in around.facts.records.items()}
        ids: dict[Type, list[str]] = {}
        for kind, fact in around.policy.facts.items():
            for place, type in enumerate(fact.keys.values()):
                ids.setdefault(without_null(type), []).extend(keys[place] for keys in seen.get(kind, ()))
        env = {**(around.assumed if heard.unsaid == "false" else around.known), tool.root: self.loose, SEEN: seen}
        names = {path: each.type for path, each in self.targets.items() if isinstance(each.type, Name)}
        texts = [text for path, type in names.items() for text in (self.targets[path].value, *ids.get(type, ()))]
        values = [NotSeen(path, each.type) for path, each in self.targets.items()] if every else ()
        nodes = [rule.tools[tool.name].whole for rule in rules]
        self._question = translate(nodes, [dict(env) for _ in rules], texts=texts, values=values)
        self.unknowns, self._twins = self._question.unknowns, list[Variable]()
        self.is_sure = True
        variables, codes = self.unknowns.variables, self.unknowns.codes
        self._target = {at: _as_int(own.value, own.type, codes) for at, own in self.targets.items() if at in variables}
        entries = [entry for found in self.unknowns.lookups.values() for entry in found]
        keys = {each.name for entry in entries for key in entry.keys for each in key.variables} & self._target.keys()
        stays = {name: Compare("==", variables[name], Constant(value)) for name, value in self._target.items()}
        # A number that finds a record is an id. It changes only if the policy allows it.
        fixed = [name for name in keys if tool.change is None and isinstance(self.targets[name].type, Number)]
        self._known: list[Formula] = [stays[name] for name in fixed]
        beside: dict[str, set[Constant]] = {}
        parts: list[Node] = [each.yes for each in self._question.conditions]
        for part in parts:
            parts += part.children
            match part:
                case Compare(_, Variable(name), Constant() as code) | Compare(_, Constant() as code, Variable(name)):
                    beside.setdefault(name, set()).add(code)
        free = {name: own for name, own in names.items() if name in stays and own.values is None}
        for name, own in free.items():
            is_shown = own.kind and own in ids
            found = {Constant(codes[each]) for each in ids[own]} if is_shown else beside.get(name, set())
            self._known.append(disj((stays[name], *(Compare("==", variables[name], each) for each in found))))
        # The key of an unseen record may stay, because a rule may not need its fields.
        among = [
            disj((formula, conj(stays[name] for name in names)))
            for (_, names), formula in self.unknowns.among_seen.items()
            if names and names <= stays.keys()
        ]
        self._known += among
        is_bound = among or any(own.kind and own in ids for own in free.values())
        self._bound = ", among the records that were seen" if is_bound else ""
        self._bound += f", within what the schema of {tool.name} allows" if every else ""

    def nearest(self, cuts: Sequence[Formula]) -> Nearest | str:
        """Return the nearest values, or the reason why there are none.

        All `cuts` must hold, which exclude earlier candidates.
        """
        target, targets = self._target, self.targets
        if not target:
            return "nothing that may change would make a difference"
        soft: dict[str, Formula] = {f"{place}": each.yes for place, each in enumerate(self._question.conditions)}
        asked = (*self._question.variables, *self._twins)
        engine = make_engine(asked, (*self._question.background, *self._known, *cuts))
        choices = {name for name in target if isinstance(targets[name].type, Name | Flag)}
        # Fewest changes first; among equals, changes of amounts and dates are preferred to changes of names.
        weights = {name: len(target) + 1 + (name in choices) for name in target}
        found = nearest(engine, soft, target, self._budget, weights=weights if choices else None)
        amounts = {name: own for name, own in target.items() if name not in choices}
        if isinstance(found, Nearest) and found.optimal and not amounts.keys().isdisjoint(found.changed):
            # Then minimize the change of amounts and dates.
            variables = self.unknowns.variables
            changed = {name: Compare("!=", variables[name], Constant(own)) for name, own in target.items()}
            few = Count("<=", len(found.changed), tuple(changed.values()))
            fewer = Count(
                "<=", len(choices & set(found.changed)), tuple(changed[name] for name in changed if name in choices)
            )
            closer = closest(engine, {**soft, FEW: few & fewer}, amounts, self._budget)
            found = closer if isinstance(closer, Nearest) else replace(found, optimal=False)
        match found:
            case Nearest():
                return found
            case Core(core):
                broken = dict.fromkeys(self._ids[int(own)] for own in core if own.isdigit())
                return f"no change of what may change keeps {' and '.join(broken) or 'the rules'}{self._bound}"
            case BackgroundConflict() if cuts or self._bound:
                return f"no change of what may change is left{self._bound}"
            case BackgroundConflict():
                return "what is known cannot all be true"
            case Unknown(reason):
                return reason
        raise TypeError(f"no answer: {found!r}")

    def unproved(self, found: Nearest) -> Formula:
        """Return a formula that excludes `found`, which breaks the rules for some unseen values.

        Later calls have to keep the rules for these unseen values, too.
        """
        question, fixed = self._question, {name: found.witness[name] for name in self._target}
        kept, laws = conj(each.yes for each in question.conditions), conj(question.background)
        worst = make_engine(question.variables, question.background).decide({"": neg(kept)}, self._budget, fixed=fixed)
        if self.unknowns.left_open or not isinstance(worst, Satisfiable):
            self.is_sure = False  # No formula expresses the case, so another record may prove more.
            return disj(Compare("!=", self.unknowns.variables[name], Constant(value)) for name, value in fixed.items())
        others = [each for each in question.variables if each.name not in fixed]
        names = {each.name: f"{each.name}#{len(self._twins)}" for each in others}
        twins = {Variable(names[each.name], each.sort): worst.witness[each.name] for each in others}
        self._twins += twins
        values = (Compare("==", twin, Constant(value)) for twin, value in twins.items())
        return conj((*values, disj((neg(renamed(laws, names)), renamed(kept, names)))))

    def refused(self, found: Nearest, paths: Collection[str], tool: Tool) -> Formula:
        """Return a formula that excludes values which a schema refused at these paths, and all similar ones.

        Numbers between the same two limits of the schema are similar.
        """
        apart, schema = list[Formula](), tool.validator
        for name in self._target:
            value, variable, type = found.witness[name], self.unknowns.variables[name], self.targets[name].type
            if schema is None or not any(is_within(name, path) for path in paths):
                continue
            # In JSON a duration is a text.
            step = type.sort.step or FINEST if isinstance(type, Number) and type.sort.unit != SECOND else Fraction(0)
            if not step or schema.has_steps or value * step in schema.numbers:
                apart.append(Compare("!=", variable, Constant(value)))
                continue
            ends = [own / step for own in schema.numbers]
            apart += [Compare("<=", variable, Constant(floor(own))) for own in ends if own < value][-1:]
            apart += [Compare(">=", variable, Constant(ceil(own))) for own in ends if own > value][:1]
        return disj(apart)


def _as_int(value: Any, type: Type, codes: Mapping[str, int]) -> int:
    """Return the integer of a value in its variable's encoding, or -1 for a text that no formula mentions."""
    match type:
        case Name():
            return codes.get(value, -1)
        case Number(sort):
            return int(Fraction(value) / (sort.step or FINEST))
    return int(value)


def _with(value: Any, targets: Mapping[str, Target], found: Mapping[str, Any]) -> Any:
    """Return a call with the found values at its markers, or the earlier values if none were found."""
    match value:
        case NotSeen(path) if path in targets:
            return found.get(path, targets[path].value)
        case tuple():
            return tuple(_with(own, targets, found) for own in value)
        case Mapping():
            return {name: _with(own, targets, found) for name, own in value.items()}
    return value


def _proved(
    trial: Trial, call: dict[str, Any], arguments: Any, targets: Mapping[str, Target], optimal: bool, budget: Budget
) -> Mend | str:
    """Return the mended call if judging proves that it keeps every rule, or the reason why not."""
    own, tool, root = trial.context, trial.tool, trial.tool.root
    around = replace(own, known={**own.known, root: call}, assumed={**own.assumed, root: call})
    judged = judge(around, replace(trial.heard, consent="answer"), tool, trial.rules, budget)
    if judged.kind != "allow":
        open_ones = [
            each.rule for each in judged.findings if each.status in ("undecided", "broken") and each.severity != "warn"
        ]
        return f"the nearest call is not proved to keep {' and '.join(open_ones)}"
    before = dict(_leaves(trial.call, tool.arguments, root))
    changes = tuple(
        Change(path.removeprefix(root).removeprefix("."), before[path], after)
        for path, after in _leaves(call, tool.arguments, root)
        if path in targets and before[path] != after
    )
    return Mend(arguments, changes, optimal)


def _changed(given: Any, before: Any, after: Any, type: Type) -> Any:
    """Return the arguments as JSON, unchanged except for the changed values."""
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
