from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdtrue.errors import SettingsError
from holdtrue.kinds.assignment.method import find_method
from holdtrue_lab.kinds.assignment import KIND
from holdtrue_lab.kinds.assignment.problem import Problem, ProblemTurn
from holdtrue_lab.kit.plan import Plan, deal, hash_contents
from holdtrue_lab.kit.planning import draw_samples
from holdtrue_lab.kit.playing import is_preset
from holdtrue_lab.kit.registry import find_suite
from holdtrue_lab.suites.cross_query.generate import generate
from tests.lab.kit.plans import plan_for

DIRECT, REPAIR = find_method("direct"), find_method("mus_repair")


def problem(id: str, domain: str = "seating", turns: int = 2) -> Problem:
    said = tuple(
        ProblemTurn(n, f"message {n}", ({"type": "adjacent", "args": ["A", "B"]},)) for n in range(1, turns + 1)
    )
    return Problem(id, "drift", domain, ("A", "B"), {}, said)


def digest(problems: Sequence[Problem]) -> str:
    return hash_contents(map(KIND.playing().describe_problem, problems))


def plan(problems: list[Problem], **changes: object) -> Plan:
    given: dict[str, object] = {"source": "test", "model": "sim/perfect", "extractor": "templates", **changes}
    return plan_for("drift", problems, [DIRECT, REPAIR], **given)


def test_jobs_go_problem_by_problem_and_domains_take_turns() -> None:
    problems = [problem("a1", "a"), problem("a2", "a"), problem("b1", "b"), problem("a3", "a"), problem("b2", "b")]
    made = plan(problems)
    assert [p.id for p in made.problems] == ["a1", "b1", "a2", "b2", "a3"]
    assert [(job.problem.id, job.method.name) for job in made.jobs][:4] == [
        ("a1", "direct"),
        ("a1", "mus_repair"),
        ("b1", "direct"),
        ("b1", "mus_repair"),
    ]
    assert made.turns == 5 * 2 * 2


def test_a_limit_takes_the_beginning_of_the_whole() -> None:
    problems = [problem(f"{domain}{n}", domain) for domain in "abc" for n in range(4)]
    whole, part = plan(problems), plan(problems, limit=5)
    assert part.problems == whole.problems[:5]
    assert part.settings.problems == 12
    assert part.settings.problems_sha256 == whole.settings.problems_sha256


def test_the_digest_knows_what_can_change_a_result() -> None:
    base = problem("p")
    first = base.turns[0]
    others = [
        replace(base, id="q"),
        replace(base, domain="scheduling"),
        replace(base, entities=("A", "C")),
        replace(base, context={"num_entities": 3}),
        replace(base, turns=base.turns[:1]),
        replace(base, turns=(replace(first, message="other"), *base.turns[1:])),
        replace(base, turns=(replace(first, gold=()), *base.turns[1:])),
    ]
    assert len({digest([each]) for each in (base, *others)}) == len(others) + 1
    assert digest([replace(base, split="dev")]) == digest([base])


def test_a_key_says_what_takes_turns() -> None:
    problems = [problem("a1", "a", 1), problem("b1", "b", 1), problem("a2", "a", 2), problem("b2", "b", 1)]
    assert [p.id for p in deal(problems)] == ["a1", "b1", "a2", "b2"]
    assert [p.id for p in deal(problems, key=lambda asked: len(asked.turns))] == ["a1", "a2", "b1", "b2"]


def test_a_run_keeps_its_folder_until_the_schema_version_rises(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("holdtrue_lab.kit.planning.version", lambda: "0.5.0")
    assert plan([problem("p")]).name == "drift-sim_perfect-stated-templates-65a330af"


def test_the_folder_is_named_by_what_decides_results() -> None:
    base = plan([problem("p")])
    assert base.name.startswith("drift-sim_perfect-stated-templates-")
    assert base.name == plan([problem("p")], limit=1, max_connections=3, token_limit=9, source="else").name
    others = (("model", "sim/x"), ("protocol", "upstream"), ("base_url", "http://127.0.0.1:1"))
    names = {plan([problem("p")], **{key: value}).name for key, value in others}
    names |= {plan([problem("p")], extractor="llm", reader=reader).name for reader in (None, "sim/x")}
    assert len({base.name, *names}) == 6


def test_dealing_keeps_every_problem_once() -> None:
    problems = [problem(f"{n}", domain) for n, domain in enumerate("abacabad")]
    assert sorted(p.id for p in deal(problems)) == sorted(p.id for p in problems)


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"protocol": "other"}, "unknown protocol 'other'; there are stated, upstream"),
        ({"extractor": "other"}, "unknown extractor 'other'; there are llm, templates, gold"),
        ({"limit": 0}, "at least one problem"),
        ({"max_connections": 0}, "max_connections"),
    ],
)
def test_settings_that_make_no_sense_are_refused(changes: dict[str, object], fault: str) -> None:
    with pytest.raises(SettingsError, match=fault):
        plan([problem("p")], **changes)


def test_nothing_may_be_named_twice() -> None:
    with pytest.raises(SettingsError, match="the problem 'p' is named twice"):
        plan([problem("p"), problem("p")])
    with pytest.raises(SettingsError, match="the method 'direct' is named twice"):
        plan_for("drift", [problem("p")], [DIRECT, DIRECT], model="")
    with pytest.raises(SettingsError, match="at least one problem"):
        plan([])


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
