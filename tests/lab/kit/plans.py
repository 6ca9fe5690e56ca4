"""Plans for tests, with the settings of a suite's kind given by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from holdtrue_lab.kit.plan import AnyMethod, Plan
from holdtrue_lab.kit.planning import make_plan
from holdtrue_lab.kit.registry import find_suite


def plan_for(suite: str, problems: Sequence[Any], methods: Sequence[AnyMethod], **changes: Any) -> Plan:
    """Return a plan of the named suite; settings of its kind are picked out of `changes`."""
    found = find_suite(suite)
    names = {field.name for field in fields(found.kind.playing().settings)}
    own = {name: changes.pop(name) for name in names & changes.keys()}
    settings = changes.pop("settings", None) or found.kind.playing().settings(**own)
    return make_plan(found, problems, methods, settings, **{"source": "test", **changes})
