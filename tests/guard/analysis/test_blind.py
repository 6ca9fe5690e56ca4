"""Policies with one planted fault each, pairs of policies, and a sound one: written with the code unread."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from holdtrue.guard import PolicyError, check_policy, compare_policies, load_policy

BLIND = Path(__file__).parent / "blind"
FAULTS: list[dict[str, Any]] = json.loads((BLIND / "faults.json").read_text(encoding="utf-8"))
PAIRS: list[dict[str, Any]] = json.loads((BLIND / "diff.json").read_text(encoding="utf-8"))


def test_there_are_forty_faults_and_sixty_pairs() -> None:
    assert len(FAULTS) == 40 and len(PAIRS) == 60
    assert sum(own["differs"] for own in PAIRS) == 40


@pytest.mark.slow
@pytest.mark.parametrize("planted", FAULTS, ids=lambda own: Path(own["file"]).stem)
def test_a_planted_fault_is_found_and_no_other(planted: dict[str, Any]) -> None:
    path = BLIND / "faults" / Path(planted["file"]).name
    if planted["kind"] == "type error":
        with pytest.raises(PolicyError) as caught:
            load_policy(path)
        assert len(caught.value.faults) == 1 and caught.value.faults[0][0].line
        return
    found = check_policy(load_policy(path))
    assert [own.kind for own in found] == [planted["kind"]]
    assert found[0].rule in planted["rules"]


@pytest.mark.slow
@pytest.mark.parametrize("pair", PAIRS, ids=lambda own: own["pair"])
def test_a_planted_difference_is_found_and_none_elsewhere(pair: dict[str, Any]) -> None:
    first, second = (load_policy(BLIND / "diff" / f"{pair['pair']}{own}.yaml") for own in "ab")
    assert compare_policies(first, second).same is not pair["differs"]


@pytest.mark.slow
def test_a_sound_policy_has_no_fault() -> None:
    assert check_policy(load_policy(BLIND / "sound.yaml")) == ()
