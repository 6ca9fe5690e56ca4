"""Analyse a policy before it runs, for every call that is possible.

It finds rules that never apply, always or never hold, follow from others, or contradict each other. It also finds rules
that read facts, fields or keys which no tool can show. An *open question* is a possible fault that was neither proved
nor ruled out.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence

from holdtrue.budget import OUT_OF_TIME, Budget
from holdtrue.guard.analysis.analysis_results import Analysis, Fault, FaultKind, Undecided
from holdtrue.guard.analysis.inquiry import LATE, LISTS, SIZE
from holdtrue.guard.analysis.prose_coverage import prose_coverage
from holdtrue.guard.analysis.rule_faults import contradictions, faults_alone, implied
from holdtrue.guard.analysis.rule_formulas import Demand, RuleFormulas, each
from holdtrue.guard.analysis.tool_rules import Finding, ToolRules, listed
from holdtrue.guard.policy import Policy
from holdtrue.guard.policy_parts import SAID, FactKind, Rule, RuleOnTool, Source
from holdtrue.rules.paths import shortened, some_of
from holdtrue.rules.typed_expressions import Fact, Get, Node, Root, path, walk
from holdtrue.rules.types import Record, types_within, without_null
from holdtrue.rules.values import field_path


def missing_facts(policy: Policy, rule: RuleOnTool) -> tuple[str, ...]:
    """Return a sentence on each fact that a rule reads and no tool can show."""
    found: dict[str, None] = {}
    for node in (part for own in rule.nodes for part in walk(own)):
        if isinstance(node, Fact):
            found.update(dict.fromkeys(_about_record(policy, node)))
        if isinstance(node, Get):
            kinds = [own for own in _kinds_of(policy, node.of) if _is_shown(policy, own)]
            if kinds and not any(_shows_field(policy, own, node.name) for own in kinds):
                found[_about_field(policy, kinds[0], node.name)] = None
    return tuple(found)


def _kinds_of(policy: Policy, node: Node) -> list[FactKind]:
    """Return the kinds of facts that a record may belong to, or none if it may also be part of another value."""
    if isinstance(node, Fact):
        return [policy.facts[node.kind]]
    record = without_null(node.type)
    parts = (
        own
        for kind in policy.facts.values()
        for field in kind.record.fields.values()
        for own in types_within(field.type)
    )
    if not isinstance(record, Record) or any(own is record for own in parts):
        return []
    return [own for own in policy.facts.values() if own.record is record]


def _about_record(policy: Policy, node: Fact) -> Iterator[str]:
    kind = policy.facts[node.kind]
    if not _is_shown(policy, kind):
        writing = sorted({own.tool for own in kind.sources})
        shown = f"only {', '.join(writing)} would, which writes" if writing else "no tool is named that would"
        yield f"It asks for facts.{kind.name}, and no reading tool shows it: {shown}."
    for key, name in zip(node.keys, kind.keys, strict=True):
        reason = _unknowable(policy, key)
        if reason:
            yield f"It asks for facts.{kind.name} by {path(key) or name}, which nobody can know: {reason}."


def _is_shown(policy: Policy, kind: FactKind) -> bool:
    return any(_reads(policy, own) for own in kind.sources) or any(
        own.kind == kind.name and own.changes for own in policy.effects
    )


def _reads(policy: Policy, source: Source) -> bool:
    return not policy.tools[source.tool].writes


def _shows_field(policy: Policy, kind: FactKind, name: str) -> bool:
    """Return whether a reading tool shows a field of a record, or an effect sets it."""
    shown = any(_reads(policy, own) and (name in own.fields or name in own.named) for own in kind.sources)
    return shown or any(own.kind == kind.name and name in own.changes for own in policy.effects)


def _about_field(policy: Policy, kind: FactKind, name: str) -> str:
    tools = sorted({own.tool for own in kind.sources if _reads(policy, own)})
    who = f"{' and '.join(tools)} {'does' if len(tools) == 1 else 'do'} not" if tools else "no reading tool does"
    return f"It asks for {shortened(name)} of facts.{kind.name}, which nothing shows: {who}."


def _unknowable(policy: Policy, key: Node) -> str:
    """Return the reason why the value of a key can never be known, or ""."""
    for node in walk(key):
        match node:
            case Get(Root(root), name) if root == SAID and name in policy.said and policy.said[name].claim:
                return f"it rests on the claim {SAID}.{name}, which no tool can show"
            case Fact(kind) if not _is_shown(policy, policy.facts[kind]):
                return f"it rests on facts.{kind}, which no reading tool shows"
    return ""


LIMIT = Budget(timeout_s=60.0)
"""The default time limit for analysing a whole policy."""
MOST_NAMED = 5
"""At most this many rules are named in a sentence."""
MOST_NOTES = 20
"""At most this many notes on schemas are told."""
_ON_ALL = ("never applies", "always holds", "implied")
"""A rule on several tools has a fault of these kinds only if it has the fault on each of its tools."""


def check_policy(policy: Policy, budget: Budget = LIMIT) -> tuple[Fault, ...]:
    """Return the proved faults of a policy. `analyse_policy` also returns the open questions."""
    return analyse_policy(policy, budget).faults


def analyse_policy(policy: Policy, budget: Budget = LIMIT) -> Analysis:
    """Return the faults of a policy's rules, limits and obligations, over all possible calls, moments and facts.

    `budget` is for the whole analysis. Questions that run out of time, or that no formula expresses, are in
    `Analysis.undecided`.
    """
    began, deadline = time.perf_counter(), budget.start()
    names = [*(name for name, rules in policy.rules_on.items() if rules), *([""] if policy.obligations else [])]
    tools = [ToolRules(policy, name, budget, deadline) for name in names]
    found = [own for on in tools for own in _on_tool(on)]
    faults = [own for own in found if isinstance(own, Fault)]
    kept, asides = _by_rule(policy, _of_whole_rules(policy, faults))
    return Analysis(
        policy.name,
        tuple(sorted(kept, key=_order)),
        tuple(sorted(asides, key=_order)),
        tuple(sorted(_collapsed(own for own in found if isinstance(own, Undecided)), key=_order)),
        tuple(_assumptions(tools)),
        len(policy.rules) + len(policy.obligations),
        sum(1 for name in names if name),
        time.perf_counter() - began,
        (*_on_reading_tools(policy), *_on_statements(policy), *_undeclared(policy), *_on_schemas(policy)),
        prose_coverage(policy),
    )


def _on_reading_tools(policy: Policy) -> Iterator[str]:
    """Yield a note on each reading tool with rules, because its calls are decided on, too."""
    for name, rules in policy.rules_on.items():
        if rules and not policy.writes(name):
            has = f"{listed(tuple(own.id for own in rules[:MOST_NAMED]))}{' and others' * (len(rules) > MOST_NAMED)}"
            yield f"{name} only reads, and {has} decide{'s' * (len(rules) == 1)} on its calls all the same."


def _on_statements(policy: Policy) -> Iterator[str]:
    """Yield notes on statements that readers do not fill in."""
    if not policy.said:
        return
    from holdtrue.guard.conversation.message_reading import guard_acts, unread_by
    from holdtrue.language.requests.plain_reader import PlainReader, never_answered

    acts, own = guard_acts(policy), {name: field_path(SAID, name) for name in policy.said}
    unread = unread_by(PlainReader(), policy)
    if unread:
        yield f"No reader reads {some_of([own[name] for name in unread], MOST_NAMED)}: state it by `commit`."
    asked = {name: each.question for name, each in policy.said.items() if each.is_asked}
    if others := [own[name] for name in never_answered(acts, asked) if name not in unread]:
        yield f"Code alone reads no {some_of(others, MOST_NAMED)}: it needs a model, or an `ask` or choices of its own."
    for tool, rules in policy.rules_on.items():
        paths = {path(part) for rule in rules for each in rule.tools[tool].nodes for part in walk(each)}
        same = [own[name] for name in policy.tools[tool].arguments.fields if name in own and own[name] in paths]
        if same and all(each.how == "words" for each in policy.consents_on[tool]):
            name = some_of(same, MOST_NAMED)
            yield f"A model fills the argument of {tool} in place of {name}: read that, or ask for consent by listing."


def _undeclared(policy: Policy) -> Iterator[str]:
    """Yield a note on arguments that a schema neither declares nor forbids."""
    told = {
        name: {} if own.validator is None else own.validator.names_in({"": None}, partial=True)
        for name, own in policy.tools.items()
    }
    own = [name for name, names in told.items() if names is not None and "" not in names.get("", ())]
    if own:
        fate = "block a call" if policy.undeclared == "block" else "are only told (undeclared: tell)"
        yield f"Arguments that the schema does not declare and does not forbid {fate}: {some_of(own, 8)}."


def _on_schemas(policy: Policy) -> Iterator[str]:
    """Yield the notes on parts of schemas that no type expresses."""
    yield from policy.notes[:MOST_NOTES]
    if len(policy.notes) > MOST_NOTES:
        yield f"{len(policy.notes) - MOST_NOTES:,} more notes on schemas are in `policy.notes`."


def _on_tool(on: ToolRules) -> Iterator[Finding]:
    # A call that keeps all rules, and calls that break one each, answer most later questions.
    on.inquiry.ask(*each("kept where it applies", on.rules))
    for rule in on.policy.rules_on[on.tool] if on.tool else on.policy.obligations:
        yield from _missing(on, rule)
    # Implication among hundreds of rules is slow, so half of the time is reserved for questions about single rules.
    left, until, followed = [*on.rules], on.inquiry.half_time(), list[Finding]()
    while left and not until.passed:
        followed += implied(on, left.pop(0))
    yield from _in_time(on, "always holds", faults_alone, [*on.rules])
    clashes = list(contradictions(on))
    yield from clashes
    followed += _in_time(on, "implied", implied, left)
    # Contradicting rules imply anything.
    sets = [{own.rule, *own.others} for own in clashes]
    yield from (own for own in followed if not any(clash <= {*own.others} for clash in sets))


def _in_time(
    on: ToolRules, kind: FaultKind, find: Callable[[ToolRules, str], Iterable[Finding]], ids: Sequence[str]
) -> Iterator[Finding]:
    """Yield the findings on each rule until the time runs out, and then an open question for each remaining rule."""
    for place, id in enumerate(ids):
        if on.inquiry.late:
            yield from (on.open(kind, own, LATE) for own in ids[place:])
            return
        yield from find(on, id)


def _collapsed(found: Iterable[Undecided]) -> list[Undecided]:
    """Return the open questions, each once, with one entry for all that ran out of time."""
    listed = [*{(own.kind, own.rule, own.tool, own.others): own for own in found}.values()]
    late = sorted((own for own in listed if own.code == "time"), key=_order)
    if len(late) < 2:
        return listed
    tools = {own.tool for own in late}
    ids = tuple(dict.fromkeys(id for own in late for id in (own.rule, *own.others)))
    questions = (
        f"{len(late):,} questions about {len(ids):,} rule{'' if len(ids) == 1 else 's'} ({some_of(ids, MOST_NAMED)})"
    )
    reason = f"{OUT_OF_TIME} before {questions} were answered"
    tool = tools.pop() if len(tools) == 1 else ""
    one = Undecided("out of time", ids[0], tool, late[0].place, ids[1:], reason, "time")
    return [*(own for own in listed if own.code != "time"), one]


def _missing(on: ToolRules, rule: Rule) -> Iterator[Fault]:
    for text in missing_facts(on.policy, rule.tools[on.tool]):
        example = on.example(Demand("applies", (rule.parts[-1].id,)))
        yield Fault("missing fact", rule.id, on.tool, rule.place, text, example=example)


def _of_whole_rules(policy: Policy, faults: Sequence[Fault]) -> list[Fault]:
    """Return the faults without those of a severity that a wider part of the same rule has, too."""
    parts = (part for rule in (*policy.rules, *policy.obligations) for part in rule.parts if part.severity != "warn")
    of = {own.id: own.part_of for own in parts if own.part_of}
    keys = ((own.kind, own.tool, of.get(own.rule, own.rule), own.others, own.rule in of or own.text) for own in faults)
    return [*dict(zip(keys, faults, strict=True)).values()]


def _by_rule(policy: Policy, faults: Sequence[Fault]) -> tuple[list[Fault], list[Fault]]:
    """Return the faults of rules, and separately those that a rule shows on some of its tools only."""
    tools = defaultdict(set)
    for own in faults:
        tools[own.kind, own.rule].add(own.tool)
    rules = (*policy.rules, *policy.obligations)
    on = {own.id: set(own.tools) for rule in rules for own in (rule, *rule.parts)}
    asides = [own for own in faults if own.kind in _ON_ALL and tools[own.kind, own.rule] != on[own.rule]]
    return [own for own in faults if own not in asides], asides


def _order(own: Fault | Undecided) -> tuple[int, str, str]:
    return own.place.line, own.rule, own.tool


def _assumptions(tools: Sequence[ToolRules]) -> Iterator[str]:
    made = [on.inquiry.formulas(LISTS[0]) for on in tools]
    assumed = (own for formulas in made if isinstance(formulas, RuleFormulas) for own in formulas.unknowns.assumptions)
    if any(own.endswith(SIZE) for own in assumed):
        yield (
            f"A list without a stated bound has {LISTS[0]} items at most, or {LISTS[-1]} where that shows no call; "
            "what only such lists prove counts as not decided."
        )
