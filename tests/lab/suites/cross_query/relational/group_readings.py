"""Meanings of sentences about teams, colours and shifts, written from their words alone (see `readings`)."""

from __future__ import annotations

from tests.lab.suites.cross_query.relational.meaning import Meaning, World, others


def _size(w: World, value: str) -> int:
    return list(w.values()).count(value)


TEAM: dict[str, Meaning] = {
    "A is on the V team": lambda w, A, V: w[A] == V,
    "A belongs to the V team": lambda w, A, V: w[A] == V,
    "the V team includes A": lambda w, A, V: w[A] == V,
    "A is a member of the V team": lambda w, A, V: w[A] == V,
    "A's team is the V team": lambda w, A, V: w[A] == V,
    "A and B are on the same team": lambda w, A, B: w[A] == w[B],
    "A is on the same team as B": lambda w, A, B: w[A] == w[B],
    "A and B are teammates": lambda w, A, B: w[A] == w[B],
    "A's team is also B's team": lambda w, A, B: w[A] == w[B],
    "A and B are on different teams": lambda w, A, B: w[A] != w[B],
    "A is on a different team than B": lambda w, A, B: w[A] != w[B],
    "A's team is B's team": lambda w, A, B: w[A] == w[B],
    "if A is on the V team, then so is B": lambda w, A, B, V: w[B] == V if w[A] == V else True,
    # The reader has replaced the first 'is not' by 'is', and negates the whole meaning.
    "A is on the V team unless B is on it too": lambda w, A, B, V: w[A] == V and w[B] != V,
    "A is on the V team only if B is on it too": lambda w, A, B, V: w[A] != V or w[B] == V,
    "the V team includes A without including B": lambda w, A, B, V: w[A] == V and w[B] != V,
    "at least one of A and B is on the V team": lambda w, A, B, V: V in (w[A], w[B]),
    "A or B is on the V team, or both are": lambda w, A, B, V: V in (w[A], w[B]),
    "the V team includes A, B or both": lambda w, A, B, V: V in (w[A], w[B]),
    "if A is on the V team, then B is": lambda w, A, B, V: w[A] != V and w[B] != V,
    "the size of the V team is K": lambda w, V, K: _size(w, V) == K,
    "the number of people on the V team is K": lambda w, V, K: _size(w, V) == K,
    "the V team includes exactly K of the people": lambda w, V, K: _size(w, V) == K,
    "counting its members, the V team comes to K": lambda w, V, K: _size(w, V) == K,
}

COLOUR: dict[str, Meaning] = {
    "the A is painted V": lambda w, A, V: w[A] == V,
    "the A is V": lambda w, A, V: w[A] == V,
    "the colour of the A is V": lambda w, A, V: w[A] == V,
    "V is the colour of the A": lambda w, A, V: w[A] == V,
    "the A has the colour V": lambda w, A, V: w[A] == V,
    "the A has some other colour than V": lambda w, A, V: w[A] != V,
    "the A is painted V or W": lambda w, A, V, W: w[A] in (V, W),
    "the A is either V or W": lambda w, A, V, W: w[A] in (V, W),
    "the colour of the A is V or W": lambda w, A, V, W: w[A] in (V, W),
    "one of V and W is the colour of the A": lambda w, A, V, W: w[A] in (V, W),
    "the A and the B have the same colour": lambda w, A, B: w[A] == w[B],
    "the A has the same colour as the B": lambda w, A, B: w[A] == w[B],
    "the A and the B are painted in one and the same colour": lambda w, A, B: w[A] == w[B],
    "the colour of the A is also the colour of the B": lambda w, A, B: w[A] == w[B],
    "the A and the B have different colours": lambda w, A, B: w[A] != w[B],
    "the A and the B are painted in different colours": lambda w, A, B: w[A] != w[B],
    "the colour of the A is the colour of the B": lambda w, A, B: w[A] == w[B],
    "no other room has the colour of the A": lambda w, A: w[A] not in others(w, A),
    "the A shares its colour with no other room": lambda w, A: w[A] not in others(w, A),
    "every other room has a different colour than the A": lambda w, A: w[A] not in others(w, A),
    "the A is the only room of its colour": lambda w, A: _size(w, w[A]) == 1,
    "the number of rooms painted V is K": lambda w, V, K: _size(w, V) == K,
    "V is the colour of exactly K of the rooms": lambda w, V, K: _size(w, V) == K,
    "the colour V is used for exactly K of the rooms": lambda w, V, K: _size(w, V) == K,
    "counting the V rooms gives K": lambda w, V, K: _size(w, V) == K,
}

SHIFT: dict[str, Meaning] = {
    "A works the V shift": lambda w, A, V: w[A] == V,
    "A's shift is the V shift": lambda w, A, V: w[A] == V,
    "A is on the V shift": lambda w, A, V: w[A] == V,
    "A is assigned to the V shift": lambda w, A, V: w[A] == V,
    "A works some other shift than the V shift": lambda w, A, V: w[A] != V,
    "A and B work the same shift": lambda w, A, B: w[A] == w[B],
    "A works the same shift as B": lambda w, A, B: w[A] == w[B],
    "A's shift is also B's shift": lambda w, A, B: w[A] == w[B],
    "A and B share a shift": lambda w, A, B: w[A] == w[B],
    "A and B work different shifts": lambda w, A, B: w[A] != w[B],
    "A's shift is B's shift": lambda w, A, B: w[A] == w[B],
    "A works an earlier shift than B": lambda w, A, B: w[A] < w[B],
    "A works a later shift than B": lambda w, A, B: w[A] > w[B],
    "A's shift comes before B's shift": lambda w, A, B: w[A] < w[B],
    "A's shift comes after B's shift": lambda w, A, B: w[A] > w[B],
    "A works the same shift as B or an earlier one": lambda w, A, B: w[A] in range(w[B] + 1),
    "A works the same shift as B or a later one": lambda w, A, B: w[B] in range(w[A] + 1),
    "A works the shift directly before B's": lambda w, A, B: w[B] - w[A] == 1,
    "A works the shift directly after B's": lambda w, A, B: w[A] - w[B] == 1,
    "the shift that directly follows A's is B's": lambda w, A, B: w[B] - w[A] == 1,
    "A's shift is the very next one after B's": lambda w, A, B: w[A] - w[B] == 1,
    "nobody else works A's shift": lambda w, A: w[A] not in others(w, A),
    "A has nobody else on the same shift": lambda w, A: w[A] not in others(w, A),
    "A shares a shift with none of the others": lambda w, A: w[A] not in others(w, A),
    "A works a shift without any of the others": lambda w, A: w[A] not in others(w, A),
    "nobody works a later shift than A": lambda w, A: w[A] == max(w.values()),
    "none of the others works a later shift than A": lambda w, A: w[A] == max(w.values()),
    "all of the others work A's shift or an earlier one": lambda w, A: w[A] == max(w.values()),
    "there is no one whose shift comes after A's": lambda w, A: w[A] == max(w.values()),
}
