"""Eligibility: formulas are compared with plain comparisons, and programmes with their conditions."""

from __future__ import annotations

from random import Random

from holdtrue_lab.suites.cross_query.families.policy import ELIGIBILITY
from tests.lab.suites.cross_query.judged import Judge, disagreements, draw_values

CALL = ELIGIBILITY.declaration.instance(
    ["Alice", "Bob"],
    {
        "programmes": {
            "Aurora": {"age_from": 30, "income_to": 60},
            "Beacon": {"age_to": 50, "income_from": 20, "experience_from": 4},
        }
    },
)

JUDGES: dict[str, Judge] = {
    "aged": lambda w, world, a, years: world[f"{a}.age"] == years,
    "older_than": lambda w, world, a, years: world[f"{a}.age"] in range(years + 1, 71),
    "younger_than": lambda w, world, a, years: world[f"{a}.age"] in range(18, years),
    "earns": lambda w, world, a, thousands: world[f"{a}.income"] == thousands,
    "earns_from": lambda w, world, a, thousands: world[f"{a}.income"] in range(thousands, 91),
    "earns_to": lambda w, world, a, thousands: world[f"{a}.income"] in range(10, thousands + 1),
    "experience": lambda w, world, a, years: world[f"{a}.experience"] == years,
    "experience_from": lambda w, world, a, years: world[f"{a}.experience"] in range(years, 41),
    "experience_to": lambda w, world, a, years: world[f"{a}.experience"] in range(years + 1),
    "older": lambda w, world, a, b: max(world[f"{a}.age"], world[f"{b}.age"] + 1) == world[f"{a}.age"],
    "earns_more": lambda w, world, a, b: max(world[f"{a}.income"], world[f"{b}.income"] + 1) == world[f"{a}.income"],
    "more_experience": lambda w, world, a, b: (
        max(world[f"{a}.experience"], world[f"{b}.experience"] + 1) == world[f"{a}.experience"]
    ),
    "eligible": lambda w, world, a, programme: world[f"{a}.{programme}"] == 1,
    "not_eligible": lambda w, world, a, programme: world[f"{a}.{programme}"] == 0,
    "either": lambda w, world, a, one, other: world[f"{a}.{one}"] + world[f"{a}.{other}"] > 0,
}


def test_formulas_say_what_comparisons_say() -> None:
    rng = Random(1)
    assert set(JUDGES) == set(CALL.types)
    wrong, seen = disagreements(rng, CALL, JUDGES, (draw_values(rng, CALL) for _ in range(600)))
    assert wrong == []
    assert seen == {(kind, truth) for kind in JUDGES for truth in (True, False)}


def test_one_is_eligible_exactly_when_all_conditions_are_met() -> None:
    rng = Random(2)
    lawful = 0
    for _ in range(500):
        world = draw_values(rng, CALL)
        expected = True
        for name in CALL.entities:
            age, income, experience = (world[f"{name}.{measure}"] for measure in ("age", "income", "experience"))
            expected &= world[f"{name}.Aurora"] == int(age >= 30 and income <= 60)
            expected &= world[f"{name}.Beacon"] == int(age <= 50 and income >= 20 and experience >= 4)
        assert all(law.holds(world) for law in CALL.background) == expected
        lawful += expected
    assert 0 < lawful < 500
