from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from holdtrue.errors import SettingsError
from holdtrue.kinds.assignment.method import find_method
from holdtrue_lab.kinds.assignment import KIND
from holdtrue_lab.kinds.assignment.problem import Problem, ProblemTurn
from holdtrue_lab.kit.plan import Plan, deal, hash_contents
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
