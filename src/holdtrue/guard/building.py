"""Make a policy of what its file says: every part is checked, and all faults are told at once."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from holdtrue.guard.fact_building import FactBuilder
from holdtrue.guard.ground import At, Ground
from holdtrue.guard.policy import Policy
from holdtrue.guard.policy_parts import NotSaid, Rule
from holdtrue.guard.policy_wire import PolicyWire
from holdtrue.guard.rule_building import RuleBuilder
from holdtrue.guard.tool_building import ToolBuilder
from holdtrue.guard.yaml_text import YamlText
from holdtrue.rules.local_clocks import check_place
from holdtrue.rules.syntax import Place, RuleError
from holdtrue.rules.values import read_moment


def build(
    wire: PolicyWire, found: YamlText, folder: Path | None, left_out: Collection[At] = ()
) -> tuple[Ground, Policy]:
    """Return the policy, and the ground that it was made on; it may be used only if that has no `faults`.

    `left_out` are the paths of what is not in the wire, since it has a fault that is known already.
    """
    ground = Ground(wire, found, folder, left_out)
    with ground.at(("zone",)):
        check_place(wire.zone)
    ground.read_types()
    ToolBuilder(ground).build()
    ground.read_said()
    ground.read_tables()
    ground.read_named()
    facts = FactBuilder(ground)
    facts.build()
    effects = tuple(facts.effects())
    builder = RuleBuilder(ground)
    rules, obligations = tuple(builder.rules()), tuple(builder.obligations())
    _check_ids(ground, (*rules, *obligations))
    if wire.now is not None:
        with ground.at(("now",)):
            read_moment(wire.now, ground.moment, "now")
    policy = Policy(
        wire.policy,
        ground.digest(),
        wire.about,
        ground.moment,
        wire.now,
        ground.tools,
        ground.facts,
        effects,
        rules,
        obligations,
        ground.said,
        tuple(NotSaid(own.id, own.say, own.reason) for own in wire.not_checked),
        ground.given,
        tuple(wire.tools.errors),
        wire.unknown_tools,
        wire.unsaid,
        wire.unfounded,
        _groups(ground, wire),
        tuple(dict.fromkeys(ground.notes)),
        wire.undeclared,
    )
    return ground, policy


def _groups(ground: Ground, wire: PolicyWire) -> dict[str, str]:
    """Return the group of each tool that the file puts into one; a tool is in one group at most."""
    found: dict[str, str] = {}
    for group, names in wire.tools.groups.items():
        for place, name in enumerate(names):
            with ground.at(("tools", "groups", group, place)):
                ground.tool(name)
                if found.setdefault(name, group) != group:
                    raise RuleError(f"{name!r} is in the group {found[name]!r} already")
    return found


def _check_ids(ground: Ground, rules: tuple[Rule, ...]) -> None:
    seen: set[str] = set()
    for rule in rules:
        if rule.id in seen:
            place = rule.place if rule.place.line else Place()
            ground.note_fault(place, f"the id {rule.id!r} is used twice")
        seen.add(rule.id)
