"""Logged turns: a broken commitment is named by every id under which it was logged."""

from __future__ import annotations

import json
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from holdtrue.budget import UNLIMITED
from holdtrue.cli.main import app
from holdtrue.errors import RecordError
from holdtrue.verification.logged_turn import CheckedTurn, LoggedTurn, check_logged_turn, read_logged_turn
from holdtrue.world.registry import BUILTIN

NAMES = ["Ann", "Bob", "Cy", "Dee"]
Logged = tuple[str | None, str, list[Any]]


def read(*constraints: Logged, seats: tuple[int, ...] = (1, 2, 3, 4), shape: str = "round") -> LoggedTurn:
    values = [{"type": kind, "args": args, **({"id": id} if id else {})} for id, kind, args in constraints]
    row = {
        "id": "t",
        "domain": "seating",
        "entities": NAMES,
        "context": {"table_shape": shape},
        "constraints": values,
        "answer": {"solution": dict(zip(NAMES, seats, strict=True))},
    }
    return read_logged_turn(row, BUILTIN, None)


def check(*constraints: Logged, **more: Any) -> CheckedTurn:
    return check_logged_turn(read(*constraints, **more), UNLIMITED)


MIRRORED: tuple[Logged, ...] = (
    ("a", "adjacent", ["Ann", "Cy"]),
    ("b", "at_position", ["Ann", 1]),
    ("c", "adjacent", ["cy", "ANN"]),
    ("d", "adjacent", ["Ann", "Cy"]),
)


def test_a_mus_has_one_id_for_each_commitment_and_the_others_beside_it() -> None:
    clash: tuple[Logged, ...] = (
        ("x1", "at_position", ["Ann", 1]),
        ("x2", "at_position", ["Bob", 1]),
        ("x3", "at_position", ["Ann", 1]),
    )
    checked = check(*clash)
    assert checked.verdict.mus == ("x1", "x2") and checked.verdict.mus_minimal
    assert checked.also == {"x1": ("x3",)}
    assert 'x1 (also logged as x3): "' in checked.sentences[0]


@pytest.mark.parametrize(
    ("second", "name"), [(("a", "at_position", ["Bob", 2]), "a"), ((None, "at_position", ["Bob", 2]), "C002")]
)
def test_one_id_for_two_constraints_is_an_error_that_names_the_places(second: Logged, name: str) -> None:
    with pytest.raises(RecordError, match=f"constraints: number 1 and number 2 are both called '{name}'"):
        read((name, "at_position", ["Ann", 1]), second)


@pytest.mark.parametrize("id", [True, 1.5, ["a"], ""])
def test_an_id_is_a_name(id: Any) -> None:
    with pytest.raises(RecordError, match="the id of number 1 is no name"):
        read_logged_turn(
            {
                "domain": "seating",
                "entities": NAMES,
                "context": {"table_shape": "round"},
                "constraints": [{"id": id, "type": "at_position", "args": ["Ann", 1]}],
            },
            BUILTIN,
            None,
        )


@given(st.data())
def test_every_way_of_logging_the_same_breaks_the_same(data: st.DataObject) -> None:
    """Constraints are repeated, mirrored and mixed under different ids. `violated` has exactly the broken ones."""
    pairs = [list(pair) for pair in (("Ann", "Bob"), ("Ann", "Cy"), ("Bob", "Dee"), ("Cy", "Dee"), ("Ann", "Dee"))]
    drawn = data.draw(st.lists(st.tuples(st.sampled_from(pairs), st.booleans()), min_size=1, max_size=8))
    seats = tuple(data.draw(st.permutations([1, 2, 3, 4])))
    where = dict(zip(NAMES, seats, strict=True))
    logged = [(f"k{n}", "adjacent", pair[::-1] if turned else pair) for n, (pair, turned) in enumerate(drawn)]
    broken = [id for id, _, (one, other) in logged if abs(where[one] - where[other]) == 2]
    found = check(*logged, seats=seats)
    assert sorted(found.verdict.violated) == sorted(broken)
    groups = [{id, *others} for id, others in found.also.items()]
    assert len(list(chain(*groups))) == len(set(chain(*groups)))
    said = {id: frozenset(args) for id, _, args in logged}
    assert all(len({said[id] for id in group}) == 1 for group in groups)
    assert all(id in said for id in found.verdict.mus or ())


@pytest.mark.parametrize("verb", ["check", "explain"])
def test_the_commands_name_every_id(verb: str, tmp_path: Path) -> None:
    row = {
        "domain": "seating",
        "entities": NAMES,
        "context": {"table_shape": "round"},
        "constraints": [{"id": id, "type": kind, "args": args} for id, kind, args in MIRRORED],
        "answer": {"solution": dict(zip(NAMES, (1, 2, 3, 4), strict=True))},
    }
    file = tmp_path / "turn.json"
    file.write_text(json.dumps(row))
    assert "a (also logged as c, d)" in CliRunner().invoke(app, [verb, str(file)]).stdout
    values = json.loads(CliRunner().invoke(app, [verb, "--json", str(file)]).stdout)
    if verb == "check":
        assert values["violated"] == ["a", "c", "d"]
    else:
        [broken] = values["answer"]["violated"]
        assert (broken["id"], broken["also"]) == ("a", ["c", "d"])
