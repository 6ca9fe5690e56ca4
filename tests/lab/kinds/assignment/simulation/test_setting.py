from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.errors import SettingsError
from holdtrue.world.answer_shape import answer_hint
from holdtrue.world.instance import Instance
from holdtrue.world.registry import BUILTIN
from holdtrue_lab.kinds.assignment.simulation.names import (
    Character,
    Fault,
    read_name,
)
from holdtrue_lab.kinds.assignment.simulation.view import guess_setting, read_setting
from tests.lab.suites.drift.instances import INSTANCES

NAMES = st.lists(
    st.text(alphabet="abcÄé '-", min_size=1, max_size=6).map(str.strip).filter(bool),
    min_size=2,
    max_size=6,
    unique_by=str.casefold,
)


@st.composite
def instances(draw: st.DrawFn) -> Instance:
    domain, names = draw(st.sampled_from(sorted(BUILTIN))), draw(NAMES)
    match domain:
        case "seating":
            shape = draw(st.sampled_from(["round", "rectangular"]))
            context = {"num_entities": len(names) + draw(st.integers(0, 3)), "table_shape": shape}
        case "scheduling":
            context = {"num_slots": draw(st.integers(1, 40)), "max_duration": draw(st.integers(1, 5))}
        case _:
            shades = [f"shade {number}" for number in range(len(names) + draw(st.integers(0, 2)))]
            context = {"categories": {"favourite shade": shades, "rank": [str(n) for n in range(len(names))]}}
    return BUILTIN[domain].instance(names, context)


@given(instances(), st.text(alphabet="xy \n:", max_size=30))
@settings(deadline=None, max_examples=150)
def test_rebuilds_what_the_setup_lines_say(instance: Instance, noise: str) -> None:
    found = read_setting("\n".join([noise, *instance.setup_lines(), "", noise]))
    assert found is not None
    assert found.setup_lines() == instance.setup_lines()
    assert found.domain is instance.domain
    assert found.entities == instance.entities
    assert found.context == instance.context
    assert found.variables == instance.variables


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Domain: seating",
        "Domain: seating\nEntities: ",
        "Domain: cooking\nEntities: a, b",
        "Domain: seating\nEntities: a, A",
        "Domain: seating\nEntities: a, b\nTable: round\nSeats: 1 to 1, one person a seat",
        "Domain: logic_grid\nEntities: a, b\nCategory color: Red",
        "Domain: seating\nEntities: " + ", ".join(f"p{n}" for n in range(5000)),
    ],
)
def test_what_cannot_be_rebuilt_is_none(text: str) -> None:
    assert read_setting(text) is None


def test_without_hint_or_answers_there_is_no_guess() -> None:
    answer = '{"solution": {"Ann": 1}}'
    assert guess_setting("hello", [], [answer]) is None
    assert guess_setting(answer_hint(INSTANCES[0]), [], []) is None
    assert guess_setting('{"solution": {"Ann": <mood>}}', [], [answer]) is None


@pytest.mark.parametrize(
    ("name", "character"),
    [
        ("sim/perfect", Character()),
        ("perfect@3", Character(seed=3)),
        ("sim/forget:0.3", Character((Fault("forget", 0.3),))),
        ("sim/skill:0.95@7", Character((Fault("skill", 0.95),), 7)),
        ("sim/flip:1+add:0.25", Character((Fault("flip", 1.0), Fault("add", 0.25)))),
    ],
)
def test_names_say_what_a_model_is_like(name: str, character: Character) -> None:
    assert read_name(name) == character
    assert read_name(character.name) == character
    assert character.name.startswith("sim/")


@pytest.mark.parametrize(
    "name",
    [
        "sim/", "sim/forget", "sim/forget:", "sim/forget:1.1", "sim/forget:-1", "sim/forget:nan", "sim/dream:0.5",
        "sim/forget:0.5+", "sim/perfect+forget:0.5", "sim/forget:0.5@", "sim/forget:0.5@x", "sim/forget:0.5@-1",
    ],
)  # fmt: skip
def test_other_names_are_refused_with_the_known_ones(name: str) -> None:
    with pytest.raises(SettingsError, match="sim/"):
        read_name(name)
