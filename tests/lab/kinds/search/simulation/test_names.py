from __future__ import annotations

import pytest

from holdtrue.errors import SettingsError
from holdtrue.lab.kinds.search.simulation.names import SearchCharacter


@pytest.mark.parametrize(
    ("name", "character"),
    [
        ("sim/search", SearchCharacter()),
        ("sim/search@3", SearchCharacter(seed=3)),
        ("sim/search:p=0.2", SearchCharacter(p=0.2)),
        (
            "sim/search:p=0.2,claim=0.1,generic=0,core=0.2,ranked=0.25,conflict=0.3,malformed=0.05@7",
            SearchCharacter(0.2, core=0.2, ranked=0.25, conflict=0.3, claim=0.1, malformed=0.05, seed=7),
        ),
        ("sim/search:p=0,witness=1,outside=.5,changed=1", SearchCharacter(0, witness=1, outside=0.5, changed=1)),
    ],
)
def test_names_say_what_a_searcher_is_like(name: str, character: SearchCharacter) -> None:
    assert SearchCharacter.read(name) == character
    assert SearchCharacter.read(character.name) == character


def test_the_shortest_spelling_is_the_name() -> None:
    spelled = "sim/search:core=0.20,p=0.10,claim=0,changed=0.3@0"
    assert SearchCharacter.read(spelled).name == "sim/search:p=0.1,core=0.2"


def test_feedback_adds_its_own_effect_alone() -> None:
    character = SearchCharacter.read("sim/search:p=0.2,generic=0.1,core=0.3")
    assert [round(character.skill(kind), 9) for kind in ("", "generic", "core", "ranked")] == [0.2, 0.3, 0.5, 0.2]


@pytest.mark.parametrize(
    "name",
    [
        "sim/", "sim/searc", "search", "sim/search:", "sim/search:p", "sim/search:p=", "sim/search:p=1.1",
        "sim/search:p=-1", "sim/search:p=nan", "sim/search:dream=0.5", "sim/search:p=0.5,p=0.1", "sim/search:core=0.2",
        "sim/search:p=0.6,core=0.5", "sim/search:claim=0.6,outside=0.5", "sim/search:seed=1", "sim/search@",
        "sim/search@x", "sim/search:p=0.5@-1",
    ],
)  # fmt: skip
def test_other_names_are_refused(name: str) -> None:
    with pytest.raises(SettingsError, match="search"):
        SearchCharacter.read(name)
