"""Write the user's message of a turn in varied words: phrasings of each domain, and connectives between them.

Phrasings are ways to state each constraint type, as format strings over its arguments.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from holdtrue.lab.kit.words import Number, capitalized
from holdtrue.world.domain import Integer
from holdtrue.world.instance import Arg, Constraint, Instance

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
"""Phrasings of logic grids.

Every phrasing has exactly one meaning: it always names the category, because a value alone does not say it; `ordered`
speaks of a place in the list of values, never of who is first. No article stands before a category ('a color').
"""

SCHEDULING: dict[str, tuple[str, ...]] = {
    "before": (
        "{0} has to be over by the time {1} starts",
        "{0} must come to an end before {1} begins",
        "finish {0} before you start {1}",
        "{1} cannot begin until {0} is over",
        "{1} must wait for {0} to end",
        "{1} may follow only once {0} is completed",
        "by the start of {1}, {0} has to be finished",
        "the start of {1} may not come earlier than the end of {0}",
    ),
    "at_time": (
        "slot {1} is when {0} starts",
        "begin {0} in slot {1}",
        "{0} is to kick off in slot {1}",
        "the starting slot of {0} is number {1}",
        "{0} has to get going in the {1:th} time slot",
        "schedule {0} to start in slot number {1}",
        "{0} gets slot {1} as its start",
        "let the {1:th} slot be the start of {0}",
    ),
    "not_simultaneous": (
        "the starting slots of {0} and {1} must not be equal",
        "{0} and {1} may not start at the same time",
        "the start of {0} has to avoid the slot where {1} starts",
        "the start of {0} and the start of {1} have to fall in different slots",
        "whatever slot {0} starts in, {1} has to start in another",
        "no slot may see both {0} and {1} begin",
        "{0} and {1} are not allowed to share a start slot",
        "keep the starts of {0} and {1} from falling in the same slot",
    ),
    "within": (
        "{0} must not start earlier than slot {1} or later than slot {2}",
        "the start of {0} falls somewhere from slot {1} through slot {2}",
        "the earliest start for {0} is slot {1} and the latest is slot {2}",
        "the latest that {0} may start is slot {2} and the soonest is slot {1}",
        "start {0} in any slot from {1} to {2}, both included",
        "pick a starting slot for {0} between {1} and {2} inclusive",
        "the window for starting {0} runs from slot {1} to slot {2}, limits included",
        "slots {1} through {2} are the only ones in which {0} may start",
    ),
    "duration": (
        "{0} takes up exactly {1:slot}",
        "{0} stretches over {1:slot}",
        "the length of {0} is {1:slot}",
        "from start to finish, {0} needs exactly {1:slot}",
        "set the duration of {0} to {1}",
        "{0} goes on for {1:slot}, no more and no less",
        "once {0} has started, it occupies {1:slot} in all",
        "make {0} exactly {1:slot} in length",
    ),
    "gap": (
        "with {0} and {1} in either order, the later starts {2:slot} or more after the earlier ends",
        "after the earlier of {0} and {1} ends, at least {2:slot} must pass before the other starts",
        "no matter which of {0} and {1} is earlier, insert {2:slot} or more of rest in between",
        "whether {0} or {1} goes earlier, let a minimum of {2:slot} pass from its end to the other's start",
        "{0} may come before or after {1}, but with no fewer than {2:slot} of pause in between",
        "the pause separating {0} from {1} has to be {2:slot} or longer, whichever of them goes earlier",
        "a buffer of {2:slot} or more has to lie between {0} and {1}, regardless of their order",
        "{0} and {1} may not come closer together than {2:slot} from end to start, in either order",
    ),
}
"""Phrasings of schedules.

Every phrasing has exactly one meaning: `before` speaks of the end of one event and the start of the other, and `gap` of
a pause from end to start, in either order; `not_simultaneous`, `at_time` and `within` speak of starts alone, because
events may overlap; `within` says that its limits are included.
"""

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
"""Phrasings of seating.

Every phrasing has exactly one meaning: a number of seats is always one 'between', never 'away'; left and right are said
of the very next seat ('directly', 'immediately', 'neighbour'); nobody is just 'across from' somebody else, which could
mean the one seat that faces theirs.
"""

BANKS = {"logic_grid": LOGIC_GRID, "scheduling": SCHEDULING, "seating": SEATING}
# No 'next', 'then' or 'first': in a schedule they would say something. Commas only where a statement has a verb
# of its own and no negation can reach over them, which every phrasing of the banks sees to.
CONNECTIVES = (
    ". Also, ", ". And ", ". On top of that, ", ". In addition, ", ". Besides, ", ". ",
    "; ", "; also, ", "; and ", ", and ", ", and also ",
)  # fmt: skip
OPENERS = ("Please note: ", "Keep in mind: ", "For the record: ", "To be clear: ")
OPENED_SHARE = 0.25


def vary(rng: Random, instance: Instance, stated: Sequence[Constraint]) -> str:
    """Return a message that states the constraints in order, in words drawn from the bank of the instance's domain."""
    message = rng.choice(OPENERS) if rng.random() < OPENED_SHARE else ""
    for place, constraint in enumerate(stated):
        message += rng.choice(CONNECTIVES) if place else ""
        phrase = vary_phrase(rng, instance, constraint)
        begins = not message or message.endswith(". ")
        message += capitalized(phrase) if begins else phrase
    return message + "."


def vary_phrase(rng: Random, instance: Instance, constraint: Constraint) -> str:
    """Return one constraint in words, with symmetric arguments in either order, and numbers in digits or words."""
    # Phrasings of ranges name the limits in order, and the canonical form has them so.
    args: Sequence[Arg] = instance.canonical(constraint).args
    if instance.types[constraint.type].symmetric and rng.random() < 0.5:
        args = (args[1], args[0], *args[2:])
    phrasing = rng.choice(BANKS[instance.domain.name][constraint.type])
    return fill(phrasing, instance, constraint.type, args, spelled=rng.random() < 0.5)


def fill(phrasing: str, instance: Instance, kind: str, args: Sequence[Arg], *, spelled: bool) -> str:
    """Return a phrasing of the type `kind` with its arguments filled in, and numbers `spelled` or in digits."""
    declared = instance.types[kind].arguments
    written = (
        Number(int(value), spelled) if isinstance(argument, Integer) else value
        for argument, value in zip(declared, args, strict=True)
    )
    return phrasing.format(*written)
