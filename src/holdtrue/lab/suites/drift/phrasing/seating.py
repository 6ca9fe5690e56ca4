"""Phrasings of seating: ways to state each constraint type, as format strings over its arguments.

Every phrasing has exactly one meaning: a number of seats is always one 'between', never 'away'; left and right are
said of
the very next seat ('directly', 'immediately', 'neighbour'); nobody is just 'across from' somebody else, which
could mean the one seat that faces theirs.
"""

from __future__ import annotations

SEATING: dict[str, tuple[str, ...]] = {
    "adjacent": (
        "{0} and {1} have to sit side by side",
        "{0} and {1} need to be direct neighbours at the table",
        "give {0} and {1} seats that adjoin each other",
        "a place right beside {0}, in whichever direction, belongs to {1}",
        "leave no seat between {0} and {1}",
        "{0} is to have {1} as an immediate neighbour",
        "{0} is placed directly beside {1}, in either direction",
        "{0} and {1} belong in neighbouring seats",
    ),
    "not_adjacent": (
        "keep {0} and {1} out of neighbouring seats",
        "{0} may not be a direct neighbour of {1}",
        "{0} and {1} must not sit side by side",
        "the seats that adjoin {0}'s are off limits to {1}",
        "{0} cannot be placed directly beside {1}",
        "{0} and {1} are not allowed to be neighbours at the table",
        "any seat suits {0} as long as it does not touch {1}'s",
        "avoid having {0} and {1} as immediate neighbours",
    ),
    "at_position": (
        "seat {1} belongs to {0}",
        "reserve seat number {1} for {0}",
        "please put {0} in seat {1}",
        "{0} has to take the {1:th} seat",
        "the {1:th} seat goes to {0}",
        "the person in seat {1} has to be {0}",
        "no seat other than number {1} will do for {0}",
        "{0} sits in the seat that is numbered {1}",
    ),
    "left_of": (
        "{0} takes the place immediately on {1}'s left",
        "{0}'s right-hand neighbour must be {1}",
        "{0} goes into the seat directly left of {1}",
        "immediately to the right of {0} sits {1}",
        "{1} sits in the very next seat to the right of {0}",
        "{1}'s left-hand neighbour is {0}",
        "directly on the left of {1}, there must be {0}",
        "the person on {1}'s immediate left is {0}",
    ),
    "separated_by": (
        "leave no fewer than {2:seat} between {0} and {1}",
        "keep {2:seat} or more between {0} and {1}",
        "put a minimum of {2:seat} between {0} and {1}",
        "from {0} to {1} there must be {2:seat} at the very least in between",
        "going either way around the table, at least {2:seat} must lie between {0} and {1}",
        "seat {0} away from {1}, with at least {2:seat} in between",
        "counting the shorter way around, the seats between {0} and {1} must number at least {2}",
        "the number of seats between {0} and {1} may not drop below {2}",
    ),
    "same_side": (
        "put {0} and {1} along the same side",
        "whichever side of the table {0} takes, {1} takes it too",
        "the side of the table where {0} sits is where {1} has to sit as well",
        "{0} and {1} may not be split across different sides",
        "the side of the table across from {0}'s is closed to {1}",
        "a common side of the table is needed for {0} and {1}",
        "the table side must be identical for {0} and {1}",
        "{0} and {1} must have their side of the table in common",
    ),
    "opposite_side": (
        "{0} and {1} belong on opposite sides",
        "the table sides of {0} and {1} have to differ",
        "{0} must be on the side of the table where {1} is not",
        "{0} and {1} may not have a side of the table in common",
        "split {0} and {1} up so that each gets a different side of the table",
        "whichever side of the table {0} takes, {1} takes the other",
        "the side across from {0}'s is where {1} has to go",
        "{0} and {1} must never end up on the same side",
    ),
}
