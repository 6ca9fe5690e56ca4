from __future__ import annotations

from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue_lab.kit.arm import Arm
from holdtrue_lab.kit.plays import ArmPlays, Play, ProblemKey
from holdtrue_lab.kit.shown import most_telling

DOMAINS = ("a", "b")


def arm(method: str, right: dict[str, list[bool]], model: str = "m") -> ArmPlays[Play]:
    plays = {(name, 0): Play(name[0], len(turns), dict(enumerate(turns, start=1))) for name, turns in right.items()}
    return ArmPlays(Arm("drift", model, "stated", "llm", method), False, plays)


def names(found: list[ProblemKey]) -> list[str]:
    return [name for name, _ in found]


def test_controls_tell_nothing() -> None:
    direct = arm("direct", {"a1": [True, True], "a2": [True, False]})
    chance = arm("random_legal", {"a1": [False, False], "a2": [True, False], "a3": [False, False]})
    assert names(most_telling([[direct, chance]], 9, {"random_legal"})) == ["a2", "a1"]


TURNS = st.lists(st.booleans(), min_size=2, max_size=2)
ARMS = st.lists(st.dictionaries(st.sampled_from(["a1", "a2", "a3", "b1", "b2"]), TURNS), max_size=3)


@settings(deadline=None, max_examples=60)
@given(ARMS, st.integers(0, 6))
def test_no_problem_of_a_domain_tells_more_than_a_chosen_one(drawn: list[dict[str, list[bool]]], number: int) -> None:
    arms = [arm(f"m{k}", right) for k, right in enumerate(drawn)]
    chosen = names(most_telling([arms], number))
    there = {name for right in drawn for name in right}
    assert len(chosen) == len(set(chosen)) == min(number, len(there))

    def contrast(name: str) -> int:
        played = [right[name] for right in drawn if name in right]
        return sum(a[k] != b[k] for a, b in combinations(played, 2) for k in range(2))

    for domain in DOMAINS:
        picked = [contrast(name) for name in chosen if name[0] == domain]
        left = [contrast(name) for name in there - set(chosen) if name[0] == domain]
        assert picked == sorted(picked, reverse=True)
        assert min(picked, default=0) >= max(left, default=0) or not picked
