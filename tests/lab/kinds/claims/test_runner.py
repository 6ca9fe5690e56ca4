"""The settings of a run about claims reach the models that it asks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from holdtrue.errors import SettingsError
from holdtrue.models.chat import Request
from holdtrue_claims.kind.prompts.questions import Answer
from holdtrue_lab.kinds.claims.entry import ClaimEntry
from holdtrue_lab.kinds.claims.settings import ClaimSettings
from holdtrue_lab.kit.journal import read_entries
from holdtrue_lab.kit.plan import Plan
from holdtrue_lab.kit.runner import run
from holdtrue_lab.kit.settings import CALLS_FILE, JOURNAL_FILE
from tests.lab.kinds.claims.answering_model import bakers
from tests.lab.kinds.claims.items import ITEMS, plan_claims
from tests.lab.kit.runs import Wrapped

METHODS = (
    "cot", "self_consistency", "self_refine", "tree_of_thought", "verge", "verge_no_routing", "given",
    "restate_premises", "solver_only",
)  # fmt: skip
ANSWERS = {
    "i1": Answer("Ada is a baker. Ada rises early.", "A"),
    "i2": Answer("Bob is a baker.", "A"),
    "i3": Answer("Ada probably likes bread."),
}
GOLD = ClaimSettings(formal="gold", judges=2)


def make(**more: Any) -> Plan:
    """Methods of all kinds, by the logic that people wrote."""
    given = {"methods": METHODS, "items": ITEMS, "settings": GOLD, "max_connections": 4, **more}
    if "given" in given["methods"]:
        given.setdefault("written_answers", ANSWERS)
    return plan_claims(given.pop("items"), given.pop("methods"), **given)


def model(before: Callable[[Request], None] | None = None, delay_s: float = 0.0) -> Wrapped:
    return Wrapped(before, delay_s, bakers())


def played(folder: Path) -> list[ClaimEntry]:
    return [entry for entry in read_entries(folder) if isinstance(entry, ClaimEntry)]


def test_what_is_not_measured_is_not_asked_for(tmp_path: Path) -> None:
    plan = make(methods=["cot", "verge"], settings=replace(GOLD, measure=False))
    asyncio.run(run(plan, model(), tmp_path))
    checked = {entry.method: entry.record.final.check is not None for entry in played(tmp_path)}
    assert checked == {"cot": False, "verge": True}
    assert not any(entry.record.measuring for entry in played(tmp_path))
    assert all(entry.record.usage.calls == 1 for entry in played(tmp_path) if entry.method == "cot")


def test_what_is_laid_over_the_methods_reaches_the_model(tmp_path: Path) -> None:
    samples: dict[str, set[int]] = {}

    def watch(request: Request) -> None:
        samples.setdefault(request.purpose, set()).add(request.sample)

    plan = make(methods=["cot"], settings=replace(GOLD, formulas=4, judges=3, round_trip=0.0))
    asyncio.run(run(plan, model(watch), tmp_path))
    # The fourth formula is drawn only because one of three cannot be read; the third judge could change nothing.
    assert samples["formalize"] == {0, 1, 2, 3}
    assert samples["judge"] == {0, 1}
    assert "retell" not in samples
    assert "vocabulary" not in samples, "people said what the context means"


def test_named_things_can_be_given_to_the_model(tmp_path: Path) -> None:
    purposes: set[str] = set()
    plan = make(methods=["cot"], settings=ClaimSettings(formal="gold_entities", formulas=1, judges=1))
    asyncio.run(run(plan, model(lambda request: purposes.add(request.purpose)), tmp_path))
    assert "vocabulary" in purposes
    assert "entities" not in purposes


def test_other_models_formalize_beside_the_one_that_answers(tmp_path: Path) -> None:
    asked: dict[str, set[str]] = {"test": set(), "other": set()}
    other = Wrapped(lambda request: asked["other"].add(request.purpose), 0.0, bakers("other"))
    plan = make(methods=["cot"], settings=replace(GOLD, formalizers=("other",)))
    first = model(lambda request: asked["test"].add(request.purpose))
    standing = asyncio.run(run(plan, first, tmp_path, formalizers=[other]))
    assert standing.failures == []
    assert "formalize" in asked["other"]
    assert asked["other"] <= {"formalize", "retell", "correct"}
    assert "answer" in asked["test"]
    calls = first.calls + other.calls
    assert len((tmp_path / CALLS_FILE).read_text().splitlines()) == calls
    again, beside = model(), Wrapped(None, 0.0, bakers("other"))
    (tmp_path / JOURNAL_FILE).write_bytes(b"")
    asyncio.run(run(plan, again, tmp_path, formalizers=[beside]))
    assert (again.calls, beside.calls) == (0, 0), "what any of them said is in the log"


def test_a_run_needs_the_models_that_it_names(tmp_path: Path) -> None:
    plan = make(methods=["cot"], settings=replace(GOLD, formalizers=("other",)))
    with pytest.raises(SettingsError, match="the run needs its other models: other"):
        asyncio.run(run(plan, model(), tmp_path))
