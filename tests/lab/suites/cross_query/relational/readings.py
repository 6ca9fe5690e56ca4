"""An independent reader of relational sentences, written from their words alone.

Capital letters are arguments: A, B, C entities, K, L numbers, V, W values. A world maps each entity to its seat,
office, team, colour, or the place (from 0) of its shift.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from tests.lab.suites.cross_query.relational.group_readings import COLOUR, SHIFT, TEAM
from tests.lab.suites.cross_query.relational.meaning import Meaning
from tests.lab.suites.cross_query.relational.seat_readings import CIRCULAR, LINEAR, OFFICE

_LETTER = re.compile(r"\b([ABCKLVW])\b")
_DENIED = (
    (re.compile(r"\bdoes not have\b"), "has"),
    (re.compile(r"\bdoes not (\w+)"), r"\1s"),
    (re.compile(r"\bdo not "), ""),
    (re.compile(r"\b(is|are) not\b"), r"\1"),
)

_READINGS: dict[str, dict[str, Meaning]] = {
    "seating_circular": CIRCULAR,
    "seating_linear": LINEAR,
    "office_assignment": OFFICE,
    "team_assignment": TEAM,
    "colour_assignment": COLOUR,
    "shift_assignment": SHIFT,
}


def read(subdomain: str, clause: str, slots: Mapping[str, str]) -> tuple[Meaning, dict[str, Any]]:
    """Return the meaning of a clause, and its arguments; `slots` has a pattern for each letter.

    A clause with a denial is read without its first denial, and its meaning is negated.
    """
    # Whole clauses first: 'nobody' and 'no' belong to the wording, and so may a denial inside.
    positive = next((known for pattern, put in _DENIED if (known := pattern.sub(put, clause, count=1)) != clause), None)
    for text, denied in ((clause, False), (positive or clause, positive is not None)):
        found = []
        for template, meaning in _READINGS[subdomain].items():
            match = re.fullmatch(_pattern(template, slots), text)
            if match:
                found.append((meaning, match.groupdict()))
        if found:
            assert len(found) == 1, f"{clause!r} can be read in {len(found)} ways"
            meaning, args = found[0]
            return _deny(meaning) if denied else meaning, args
    raise AssertionError(f"nobody has written down what {clause!r} means")


def _deny(meaning: Meaning) -> Meaning:
    return lambda w, **named: not meaning(w, **named)


def _pattern(template: str, slots: Mapping[str, str]) -> str:
    seen: set[str] = set()

    def slot(match: re.Match[str]) -> str:
        letter = match[1]
        if letter in seen:
            return f"(?P={letter})"
        seen.add(letter)
        return f"(?P<{letter}>{slots[letter]})"

    return _LETTER.sub(slot, re.escape(template).replace(r"\ ", " "))
