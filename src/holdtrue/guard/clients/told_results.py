"""Tell a conversation how a call ended: that counts, whether or not it can be written down at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from holdtrue.errors import StoreConflict, StoreError

if TYPE_CHECKING:
    from holdtrue.guard.conversation.guarded_conversation import GuardedConversation, Outcome

_TRIES = 3


async def tell_result(
    talk: GuardedConversation, tool: str, arguments: Any, result: Any, id: str | None, outcome: Outcome | None = None
) -> StoreConflict | StoreError | None:
    """Let a conversation see a result, and return what keeps it from being written down now, or None.

    After a `StoreConflict` it is told again, for what another process wrote is known then; after so many of them the
    call stays pending. After another `StoreError` it is written with whatever comes next. Neither lets another call
    through.
    """
    kept_from: StoreConflict | None = None
    for _ in range(_TRIES):
        try:
            await talk.saw(tool, arguments, result, call=id, outcome=outcome)
            return None
        except StoreConflict as error:
            kept_from = error
        except StoreError as error:
            return error
    return kept_from
