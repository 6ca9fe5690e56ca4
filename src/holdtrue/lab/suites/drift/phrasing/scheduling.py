"""Phrasings of schedules: ways to state each constraint type, as format strings over its arguments.

Every phrasing has exactly one meaning: `before` speaks of the end of one event and the start of the other, and `gap` of
a pause from end to start, in either order; `not_simultaneous`, `at_time` and `within` speak of starts alone, because
events may overlap; `within` says that its limits are included.
"""

from __future__ import annotations

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
