"""Meanings of sentences about seats and offices, written from their words alone (see `readings`)."""

from __future__ import annotations

from itertools import pairwise

from tests.lab.suites.cross_query.relational.meaning import Meaning, World, others


def _round(w: World, a: str, b: str) -> int:
    """Return the steps clockwise from A to B."""
    return int((w[b] - w[a]) % len(w))


def _beside(w: World, a: str, b: str) -> bool:
    return _round(w, a, b) in (1, len(w) - 1)


def _in_row(w: World) -> list[str]:
    return sorted(w, key=lambda who: int(w[who]))


def _touch(w: World, a: str, b: str) -> bool:
    row = _in_row(w)
    return (a, b) in pairwise(row) or (b, a) in pairwise(row)


def _middle(w: World, A: str, B: str, C: str) -> bool:
    return _in_row({who: w[who] for who in (A, B, C)})[1] == A


def _front(door: int) -> int:
    return door + 1 if door % 2 else door - 1


_SEATS: dict[str, Meaning] = {
    "A sits in seat K": lambda w, A, K: w[A] == K,
    "seat K is taken by A": lambda w, A, K: w[A] == K,
    "the person in seat K is A": lambda w, A, K: w[A] == K,
    "A has seat number K": lambda w, A, K: w[A] == K,
    "it is A who sits in seat K": lambda w, A, K: w[A] == K,
    "A sits in some other seat than seat K": lambda w, A, K: w[A] != K,
    "somebody other than A sits in seat K": lambda w, A, K: K in others(w, A),
    "either A or B sits in seat K": lambda w, A, B, K: (w[A] == K) != (w[B] == K),
    "seat K is taken by A or by B": lambda w, A, B, K: K in (w[A], w[B]),
    "the person in seat K is A or B": lambda w, A, B, K: K in (w[A], w[B]),
    "one of A and B sits in seat K": lambda w, A, B, K: K in (w[A], w[B]),
}


def _adjacency(beside: Meaning) -> dict[str, Meaning]:
    return {
        "A sits next to B": lambda w, A, B: beside(w, A, B),
        "A and B sit side by side": lambda w, A, B: beside(w, A, B),
        "A and B are direct neighbours": lambda w, A, B: beside(w, A, B),
        "A has a seat right beside B's": lambda w, A, B: beside(w, A, B),
        "A and B are in adjacent seats": lambda w, A, B: beside(w, A, B),
        "A's seat is right beside B's": lambda w, A, B: beside(w, A, B),
        "A and B are in seats that are adjacent": lambda w, A, B: beside(w, A, B),
    }


def _shares_neighbour(w: World, A: str, B: str) -> bool:
    return any(_beside(w, third, A) and _beside(w, third, B) for third in w)


CIRCULAR: dict[str, Meaning] = {
    **_SEATS,
    **_adjacency(_beside),
    "A sits in the next seat clockwise from B": lambda w, A, B: _round(w, B, A) == 1,
    "going clockwise, A comes directly after B": lambda w, A, B: _round(w, B, A) == 1,
    "going clockwise, A comes directly before B": lambda w, A, B: _round(w, A, B) == 1,
    "A sits in the next seat counterclockwise from B": lambda w, A, B: _round(w, A, B) == 1,
    "A's neighbour in the clockwise direction is B": lambda w, A, B: _round(w, A, B) == 1,
    "A sits directly between B and C": lambda w, A, B, C: {_round(w, A, B), _round(w, A, C)} == {1, len(w) - 1},
    "A's two neighbours are B and C": lambda w, A, B, C: {_round(w, A, B), _round(w, A, C)} == {1, len(w) - 1},
    "A has B as one neighbour and C as the other": lambda w, A, B, C: _beside(w, A, B) and _beside(w, A, C),
    "A and B are the two people who sit right beside C": lambda w, A, B, C: _beside(w, C, A) and _beside(w, C, B),
    "A and B have a neighbour in common": _shares_neighbour,
    "somebody sits right beside both A and B": _shares_neighbour,
    "some neighbour of A is also a neighbour of B": _shares_neighbour,
    "there is a person who sits directly between A and B": _shares_neighbour,
    "A and B have no neighbour in common": lambda w, A, B: not _shares_neighbour(w, A, B),
    "nobody sits right beside both A and B": lambda w, A, B: not _shares_neighbour(w, A, B),
    "none of A's neighbours is also a neighbour of B": lambda w, A, B: not _shares_neighbour(w, A, B),
    "there is no person who sits directly between A and B": lambda w, A, B: not _shares_neighbour(w, A, B),
    "A sits directly opposite B": lambda w, A, B: _round(w, A, B) == _round(w, B, A),
    "A and B sit directly across the table from each other": lambda w, A, B: _round(w, A, B) == _round(w, B, A),
    "the seat straight across from A's is B's": lambda w, A, B: 2 * _round(w, A, B) == len(w),
    "as many people sit between A and B one way round the table as the other way": lambda w, A, B: (
        _round(w, A, B) == _round(w, B, A)
    ),
    "it is B who sits straight across from A": lambda w, A, B: 2 * _round(w, A, B) == len(w),
}

LINEAR: dict[str, Meaning] = {
    **_SEATS,
    **_adjacency(_touch),
    "A sits somewhere to the left of B": lambda w, A, B: _in_row(w).index(A) < _in_row(w).index(B),
    "A sits somewhere to the right of B": lambda w, A, B: _in_row(w).index(A) > _in_row(w).index(B),
    "A has a lower seat number than B": lambda w, A, B: w[A] < w[B],
    "A has a higher seat number than B": lambda w, A, B: w[A] > w[B],
    "counting up from seat 1, A comes before B": lambda w, A, B: w[A] < w[B],
    "A sits directly to the left of B": lambda w, A, B: _in_row(w).index(A) + 1 == _in_row(w).index(B),
    "A sits directly to the right of B": lambda w, A, B: _in_row(w).index(A) - 1 == _in_row(w).index(B),
    "A's seat number is exactly one lower than B's": lambda w, A, B: w[A] == w[B] - 1,
    "A's seat number is exactly one higher than B's": lambda w, A, B: w[A] == w[B] + 1,
    "the very next seat to the right of A's is B's": lambda w, A, B: w[B] == w[A] + 1,
    "A sits somewhere between B and C": _middle,
    "A's seat number lies between those of B and C": _middle,
    "of A, B and C, A is the one in the middle": _middle,
    "one of B and C sits somewhere to the left of A and the other somewhere to the right": _middle,
    "A sits at an end of the row": lambda w, A: A in (_in_row(w)[0], _in_row(w)[-1]),
    "A sits at one of the two ends of the row": lambda w, A: A in (_in_row(w)[0], _in_row(w)[-1]),
    "A has exactly one neighbour": lambda w, A: sum(_touch(w, A, who) for who in w) == 1,
    "A sits in the first or in the last seat": lambda w, A: w[A] in (1, len(w)),
    "A sits at neither end of the row": lambda w, A: 1 < w[A] < len(w),
    "A has two neighbours": lambda w, A: sum(_touch(w, A, who) for who in w) == 2,
    "A sits neither in the first nor in the last seat": lambda w, A: w[A] not in (1, len(w)),
    "the seat numbers of A and B differ by exactly K": lambda w, A, B, K: w[A] - w[B] in (K, -K),
    "the difference between A's and B's seat numbers is K": lambda w, A, B, K: w[A] - w[B] in (K, -K),
    "one of A and B has a seat number exactly K higher than the other's": lambda w, A, B, K: (
        w[A] + K == w[B] or w[B] + K == w[A]
    ),
    "A's and B's seat numbers are exactly K apart": lambda w, A, B, K: w[A] - w[B] in (K, -K),
}


def _next_door(w: World, A: str, B: str) -> bool:
    for side in ((1, 3, 5, 7), (2, 4, 6, 8)):
        if w[A] in side and w[B] in side:
            return abs(side.index(w[A]) - side.index(w[B])) == 1
    return False


def _one_side(w: World, A: str, B: str) -> bool:
    return bool(w[A] % 2 == w[B] % 2)


OFFICE: dict[str, Meaning] = {
    "A has office K": lambda w, A, K: w[A] == K,
    "office K is assigned to A": lambda w, A, K: w[A] == K,
    "A works in office K": lambda w, A, K: w[A] == K,
    "the person in office K is A": lambda w, A, K: w[A] == K,
    "office number K is A's": lambda w, A, K: w[A] == K,
    "A has some other office than office K": lambda w, A, K: w[A] != K,
    "A has office K or office L": lambda w, A, K, L: w[A] in (K, L),
    "A works either in office K or in office L": lambda w, A, K, L: w[A] in (K, L),
    "A's office is number K or number L": lambda w, A, K, L: w[A] in (K, L),
    "one of the offices K and L is A's": lambda w, A, K, L: w[A] in (K, L),
    "A has a lower office number than B": lambda w, A, B: w[A] < w[B],
    "A has a higher office number than B": lambda w, A, B: w[A] > w[B],
    "the number of A's office is below that of B's": lambda w, A, B: w[A] < w[B],
    "the number of A's office is above that of B's": lambda w, A, B: w[A] > w[B],
    "office K is empty": lambda w, K: K not in w.values(),
    "nobody has office K": lambda w, K: K not in w.values(),
    "office K is assigned to nobody": lambda w, K: K not in w.values(),
    "none of these people works in office K": lambda w, K: K not in w.values(),
    "A's office is next door to B's": _next_door,
    "A and B have offices next door to each other": _next_door,
    "A works next door to B": _next_door,
    "the offices of A and B are next door to one another": _next_door,
    "A's office faces B's": lambda w, A, B: _front(w[A]) == w[B],
    "A and B have offices that face each other": lambda w, A, B: _front(w[A]) == w[B],
    "the office that faces A's is B's": lambda w, A, B: _front(w[A]) == w[B],
    "the offices of A and B face one another across the corridor": lambda w, A, B: _front(w[B]) == w[A],
    "A and B have offices on the same side of the corridor": _one_side,
    "A's office is on the same side of the corridor as B's": _one_side,
    "A and B work on one and the same side of the corridor": _one_side,
    "the office numbers of A and B are both odd or both even": _one_side,
    "A and B have offices on different sides of the corridor": lambda w, A, B: not _one_side(w, A, B),
    "A and B work on different sides of the corridor": lambda w, A, B: not _one_side(w, A, B),
    "of the office numbers of A and B, one is odd and the other even": lambda w, A, B: not _one_side(w, A, B),
}
