from __future__ import annotations

from typing import Any

import pytest

from holdtrue.errors import SettingsError
from holdtrue.kinds.search.method import REVEALED, SEARCH_PRESETS, SearchMethod, find_search_method, revealed


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"feedback": "core", "reveal_witness": True}, r"names end with \+witness just where a witness is revealed"),
        ({"name": f"mine{REVEALED}", "feedback": "core"}, r"names end with \+witness just where a witness is revealed"),
        ({"name": f"mine{REVEALED}", "feedback": "conflict", "reveal_witness": True}, "only feedback core or ranked"),
        ({"frame": "cot"}, "there is no frame 'cot', only direct"),
        ({"temperature": 2.5}, r"a temperature is in 0\.\.2, got 2\.5"),
    ],
)
def test_settings_that_do_not_fit_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        SearchMethod(**{"name": "mine", **settings})


def test_what_reveals_a_witness_is_marked_also_under_a_name_of_its_own() -> None:
    mine = revealed(SearchMethod("mine", feedback="ranked"))
    assert (mine.name, mine.reveal_witness) == (f"mine{REVEALED}", True)
    silent = SearchMethod("silent")
    assert revealed(silent) == silent


def test_all_that_is_there_is_named_where_something_else_is_asked_for() -> None:
    with pytest.raises(SettingsError) as refused:
        find_search_method(f"cd_vgs{REVEALED}")
    for name in (*SEARCH_PRESETS, f"multi_unsat_core_feedback{REVEALED}", f"cd_vgs_core_rank{REVEALED}"):
        assert name in str(refused.value)
        assert find_search_method(name).name == name
