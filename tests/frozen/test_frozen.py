"""The behaviour of holdtrue is as it was kept. The docstring of the package says how to read a failure."""

from __future__ import annotations

import pytest

from tests.frozen.record import PARTS, differences, main, read


@pytest.mark.slow
def test_everything_is_as_it_was_kept() -> None:
    assert main(["--check"]) == 0


def test_every_part_is_kept_and_a_change_is_told() -> None:
    kept = {part: read(part) for part in PARTS}
    assert all(kept.values())
    own = kept["guard"]
    first, second, *_ = sorted(own)
    changed = {**own, first: 1, "a new one": 2}
    del changed[second]
    told = [line.partition("\n")[0] for line in differences("guard", changed)]
    assert sorted(told) == sorted([f"guard {first}: changed", "guard a new one: new", f"guard {second}: gone"])
    assert list(differences("guard", own)) == []
