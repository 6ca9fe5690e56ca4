"""Phrasings of logic grids: ways to state each constraint type, as format strings over its arguments.

Every phrasing has exactly one meaning: it always names the category, because a value alone does not say it; `ordered`
speaks of a place in the list of values, never of who is first. No article stands before a category ('a color').
"""

from __future__ import annotations

LOGIC_GRID: dict[str, tuple[str, ...]] = {
    "assign": (
        "the {1} of {0} is {2}",
        "for {1}, {0} has {2}",
        "{2} is the {1} that goes to {0}",
        "give {0} the {1} {2}",
        "in the {1} category, {0} gets {2}",
        "{0} is the person whose {1} is {2}",
        "as far as {1} is concerned, {2} belongs to {0}",
        "under {1}, match {0} with {2}",
    ),
    "not_assign": (
        "the {1} of {0} is anything but {2}",
        "for {1}, {0} does not have {2}",
        "{2} is not the {1} that goes to {0}",
        "{0} must not be given the {1} {2}",
        "in the {1} category, {2} is ruled out for {0}",
        "{0} is not the person whose {1} is {2}",
        "the {1} {2} does not belong to {0}",
        "{0} has to have some other {1} than {2}",
    ),
    "same_as": (
        "{0} and {1} share the same {2}",
        "the {2} of {0} is also the {2} of {1}",
        "whatever {2} {0} has, {1} has it as well",
        "{0} and {1} have identical {2} values",
        "for {2}, {0} and {1} get the same value",
        "{0} matches {1} in {2}",
        "there is no difference in {2} between {0} and {1}",
        "in the {2} category, {0} and {1} have to agree",
    ),
    "different": (
        "{0} and {1} do not share the same {2}",
        "the {2} of {0} differs from that of {1}",
        "whatever {2} {0} has, {1} has to have some other",
        "{0} and {1} may not have matching {2} values",
        "when it comes to {2}, {0} and {1} are not alike",
        "{0} does not match {1} in {2}",
        "in the {2} category, {0} and {1} get different values",
        "{0} must not end up with the {2} that {1} has",
    ),
    "ordered": (
        "going through the {2} list from the top, {0}'s value turns up before {1}'s",
        "in the order of the {2} list, {0}'s value ranks ahead of {1}'s",
        "the {2} list names {0}'s value earlier than {1}'s",
        "{0}'s {2} has a smaller list number than {1}'s",
        "as the {2} values are listed, {0}'s precedes {1}'s",
        "{1}'s {2} is further down its list than {0}'s",
        "the {2} of {1} is listed after the {2} of {0}",
        "{1}'s {2} must be listed later than {0}'s",
    ),
}
