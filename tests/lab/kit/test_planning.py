"""How many answers are drawn, and under which name."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdtrue.errors import SettingsError
from holdtrue_lab.kit.declared import is_preset
from holdtrue_lab.kit.planning import draw_samples
from holdtrue_lab.kit.registry import find_suite
from holdtrue_lab.suites.cross_query.generate import generate
from tests.lab.kit.plans import plan_for

SUITES = ("drift", "cross_query", "belief", "verge")
PLAYINGS = {suite: find_suite(suite).kind.playing() for suite in (*SUITES, "cegvr")}


@given(st.sampled_from(SUITES), st.integers(1, 99))
def test_presets_of_another_number_have_a_name_of_their_own_and_nothing_else_changes(suite: str, samples: int) -> None:
    playing = PLAYINGS[suite]
    methods = list(playing.presets.values())
    found = draw_samples(playing, methods, samples)
    assert len({method.name for method in found}) == len(methods)
    for before, after in zip(methods, found, strict=True):
        if after != before:
            assert before.name in ("self_consistency", "linc") and playing.draws_samples(before)
            assert after == replace(before, name=f"{before.name}_{samples}", samples=samples)
        assert is_preset(after, methods) is (after == before), "reports never take one for the other"
    own = {method.name: method.samples for method in methods if playing.draws_samples(method)}
    assert own.keys() == ({"self_consistency", "linc"} if suite == "verge" else {"self_consistency"})
    kept = {method.name for method in found} & own.keys()
    assert kept == {name for name, number in own.items() if number == samples}, "only its own number changes nothing"


def test_a_method_of_one_s_own_keeps_what_its_table_says() -> None:
    playing = PLAYINGS["drift"]
    own = playing.declare_method({"name": "three", "base": "self_consistency", "samples": 3})
    found = draw_samples(playing, [own, playing.find_method("self_consistency")], 20)
    assert [(method.name, method.samples) for method in found] == [("three", 3), ("self_consistency_20", 20)]
    with pytest.raises(SettingsError, match=r"^samples: three say by themselves how many answers they draw"):
        draw_samples(playing, [own], 20)


@pytest.mark.parametrize(
    ("suite", "methods", "samples", "fault"),
    [
        ("drift", "direct,cot", 3, "samples: none of direct, cot draws several answers.*; there is self_consistency"),
        ("verge", "direct,tree_of_thought", 3, "samples: none of .*; there is self_consistency"),
        ("cegvr", "one_shot,cd_vgs", 3, "samples: none of one_shot, cd_vgs .*: .* --k candidates in each of --rounds"),
        ("drift", "self_consistency", 0, "samples must be at least 1, got 0"),
    ],
)
def test_what_cannot_be_set_is_told(suite: str, methods: str, samples: int, fault: str) -> None:
    playing = PLAYINGS[suite]
    with pytest.raises(SettingsError, match=f"^{fault}"):
        draw_samples(playing, [playing.find_method(name) for name in methods.split(",")], samples)


def test_a_run_keeps_the_settings_of_a_preset_that_draws_otherwise() -> None:
    playing, cases = PLAYINGS["cross_query"], generate(1, {"relational": 1})
    methods = [playing.find_method(name) for name in ("direct", "self_consistency")]
    plan = plan_for("cross_query", cases, methods, model="sim/labels", samples=20)
    assert plan.settings.methods == ("direct", "self_consistency_20")
    assert plan.settings.own_methods["self_consistency_20"]["samples"] == 20
    framed = plan_for("cross_query", cases, methods, model="sim/labels", samples=20, frame="direct")
    assert framed.settings.methods == ("direct", "direct_self_consistency_20")
    as_published = plan_for("cross_query", cases, methods, model="sim/labels", samples=5)
    assert as_published.settings.methods == ("direct", "self_consistency"), "its own number makes no other method"
    assert not as_published.settings.own_methods
