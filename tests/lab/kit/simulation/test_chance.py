from __future__ import annotations

from collections import Counter

from holdtrue_lab.kit.simulation.chance import draw, shuffled


def test_draws_depend_on_the_parts_alone() -> None:
    assert draw(1, "a", ("b",)) == draw(1, "a", ("b",))
    # The same in every process and on every machine.
    assert draw("pinned") == 0.16764763201395033
    assert shuffled(range(6), "pinned") == [4, 0, 1, 5, 2, 3]
    assert len({draw("a", "b"), draw("ab"), draw("a, b"), draw(("a", "b")), draw("b", "a")}) == 5


def test_draws_are_even() -> None:
    counts = Counter(int(10 * draw("even", index)) for index in range(10_000))
    assert set(counts) == set(range(10))
    # Ten standard deviations of a binomial count are 300.
    assert all(abs(count - 1000) < 300 for count in counts.values())


def test_shuffles_keep_all_and_reach_every_order() -> None:
    orders = {tuple(shuffled("abc", index)) for index in range(200)}
    assert len(orders) == 6
    assert all(sorted(order) == ["a", "b", "c"] for order in orders)
