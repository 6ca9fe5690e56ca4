"""Answers that give every variable a value: their methods, and the fields that their records add.

A `Method` is the procedure of a turn, and its `Feedback` the content of repair prompts. `find_method` finds one of
`PRESETS` by name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdtrue.namespace import namespace

if TYPE_CHECKING:
    from holdtrue.kinds.assignment.method import PRESETS as PRESETS
    from holdtrue.kinds.assignment.method import Feedback as Feedback
    from holdtrue.kinds.assignment.method import Method as Method
    from holdtrue.kinds.assignment.method import find_method as find_method
    from holdtrue.kinds.assignment.record import AssignmentDetail as AssignmentDetail
    from holdtrue.kinds.assignment.record import AssignmentRecord as AssignmentRecord
else:
    __all__, __getattr__, __dir__ = namespace(
        __name__,
        {
            ".method": "Method Feedback PRESETS find_method",
            ".record": "AssignmentDetail AssignmentRecord",
        },
    )
