from __future__ import annotations

from typing import Any

import pytest

from holdtrue.errors import SettingsError
from holdtrue.lab.suites.cegvr.generate import generate_linear
from holdtrue.lab.suites.cegvr.make import make_problems
from holdtrue.lab.suites.cegvr.structure import tally
from holdtrue.lab.suites.cegvr.transfer import make_transfer
from holdtrue.lab.suites.cegvr.upstream import generate_upstream


def test_kind_and_style_say_what_is_made() -> None:
    assert make_problems(3, 2) == generate_linear(3, 2)
    assert make_problems(3, 1, sat_ratio=0.0) == generate_linear(3, 1, 0.0)
    assert make_problems(3, 1, style="upstream") == generate_upstream(3, 1)
    assert make_problems(3, 2, kind="sudoku4") == make_transfer("sudoku4", 3, 2)


@pytest.mark.parametrize(
    ("settings", "fault"),
    [
        ({"style": "thick"}, "unknown style 'thick'; there are sparse, upstream"),
        ({"kind": "chess"}, "chess"),
        ({"kind": "latin5", "style": "upstream"}, "are for kind linear"),
        ({"kind": "latin5", "sat_ratio": 0.5}, "are for kind linear"),
        ({"kind": "latin5", "count": 0}, "one problem at least"),
    ],
)
def test_what_cannot_be_made_is_an_error(settings: dict[str, Any], fault: str) -> None:
    with pytest.raises(SettingsError, match=fault):
        make_problems(3, **{"count": 1, **settings})


def test_a_tally_says_what_there_is() -> None:
    problems = generate_linear(3, 5)
    sizes = [problem.metadata["smallest_mus"] for problem in problems if problem.gold == "unsat"]
    size_counts = ", ".join(f"{size} ({sizes.count(size)})" for size in sorted(set(sizes)))
    assert tally(problems) == (
        f"3 sat (1 easy, 1 medium, 1 hard), 2 unsat (1 easy, 1 medium), smallest MUSes of {size_counts} constraints"
    )
