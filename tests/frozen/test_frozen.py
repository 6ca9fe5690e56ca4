"""The behaviour of holdtrue is as it was kept. The docstring of the package says how to read a failure."""

from __future__ import annotations

import pytest

from tests.frozen.record import PARTS, differences, main, read


def test_names_and_commands_are_as_they_were_kept() -> None:
    assert main(["--check", "--only", "names"]) == 0


@pytest.mark.slow
def test_everything_is_as_it_was_kept() -> None:
    assert main(["--check"]) == 0


def test_every_part_is_kept_and_a_change_is_told() -> None:
    kept = {part: read(part) for part in PARTS}
    assert all(kept.values())
    names = kept["names"]
    changed = {**names, "names/holdtrue/Budget": 1, "names/holdtrue/Own": 2}
    del changed["names/holdtrue/Session"]
    told = [line.partition("\n")[0] for line in differences("names", changed)]
    assert sorted(told) == [
        "names names/holdtrue/Budget: changed",
        "names names/holdtrue/Own: new",
        "names names/holdtrue/Session: gone",
    ]
    assert list(differences("names", names)) == []
