"""The statements of a scripted dialogue before an answer."""

from __future__ import annotations

from collections.abc import Mapping

from holdtrue_lab.kinds.claims.dialogue import Dialogue, Statement


def earlier_statements(dialogue: Dialogue, turn: int) -> Mapping[str, Statement]:
    """Return everything that the answer of a turn (from 1) must fit: the context, the user's words, and accepted
    claims.
    """
    statements = {f"P{place}": statement for place, statement in enumerate(dialogue.context, start=1)}
    for number, each in enumerate(dialogue.turns[:turn], start=1):
        statements |= {f"U{number}.{place}": statement for place, statement in enumerate(each.stated, start=1)}
        if number < turn and not each.drifts:
            statements |= {f"T{number}.{id}": statement for id, statement in each.claims.items()}
    return statements
