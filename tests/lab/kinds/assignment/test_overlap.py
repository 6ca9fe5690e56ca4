from __future__ import annotations

import random

from holdtrue.lab.kinds.assignment.overlap import Overlap, overlaps
from tests.lab.kit.arms import arm


def test_wrong_turns_are_counted_where_both_have_a_score() -> None:
    first = arm("direct", {"p": [0, 0, 0, 1], "q": [0, -1], "r": [0]})
    second = arm("direct", {"p": [0, 0, 1, 0], "q": [-1, 0], "s": [0]}, model="n")
    [found] = overlaps([[first], [second]])
    assert found == Overlap(first.arm, second.arm, 1, 4, 3, 3, 2, 0.5, 2 / 3, 2 / 3)


def test_nothing_wrong_has_no_shares() -> None:
    [found] = overlaps([[arm("direct", {"p": [1]}), arm("cot", {"p": [0]})]])
    assert (found.both_wrong, found.jaccard, found.first_share, found.second_share) == (0, 0.0, None, 0.0)
    [found] = overlaps([[arm("direct", {"p": [1]}), arm("cot", {"p": [1]})]])
    assert (found.jaccard, found.second_share) == (None, None)


def test_arms_differ_in_the_model_or_in_the_method_and_in_nothing_else() -> None:
    right = {"p": [0]}
    arms = [arm("direct", right), arm("cot", right), arm("direct", right, model="n"), arm("cot", right, model="n")]
    strangers = [arm("direct", right, protocol="upstream"), arm("self_refine", right, said=1)]
    pairs = [(each.first, each.second) for each in overlaps([arms[:2], [*arms[2:], *strangers]])]
    names = [(one.model + one.method, two.model + two.method) for one, two in pairs]
    assert names == [("mdirect", "mcot"), ("mdirect", "ndirect"), ("mcot", "ncot"), ("ndirect", "ncot")]


def test_overlaps_agree_with_sets() -> None:
    rng = random.Random(2)
    one = {f"p{n}": [rng.randint(-1, 1) for _ in range(6)] for n in range(20)}
    two = {f"p{n}": [rng.randint(-1, 1) for _ in range(6)] for n in range(20)}
    turns = {(p, n) for p in one for n in range(6) if one[p][n] >= 0 and two[p][n] >= 0}
    a, b = {(p, n) for p, n in turns if not one[p][n]}, {(p, n) for p, n in turns if not two[p][n]}
    [found] = overlaps([[arm("direct", one), arm("cot", two)]])
    assert (found.turns, found.first_wrong, found.second_wrong) == (len(turns), len(a), len(b))
    assert found.jaccard == len(a & b) / len(a | b)
    assert (found.first_share, found.second_share) == (len(a & b) / len(a), len(a & b) / len(b))
