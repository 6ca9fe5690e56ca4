"""Play scripted dialogues with planted drift through a `ClaimSession`, which checks their answers as they stand."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import aclosing
from pathlib import Path

from holdtrue.budget import Budget
from holdtrue.conversation.claim_session import ClaimSession
from holdtrue.kinds.claims.gold_logic import GoldLogic
from holdtrue.kinds.claims.method import ClaimMethod
from holdtrue.kinds.claims.record import ClaimsRecord
from holdtrue.kinds.claims.settings import CheckSettings
from holdtrue.lab.kinds.claims.dialogue import Dialogue, read_dialogue
from holdtrue.lab.kinds.claims.settings import Formal
from holdtrue.lab.kit.json_file import read_json
from holdtrue.models.chat import ChatModel

Watch = Callable[[Dialogue, int, ClaimsRecord], None]


async def play_dialogue(
    dialogue: Dialogue,
    model: ChatModel,
    *,
    formal: Formal = "llm",
    given: bool = True,
    check: CheckSettings | None = None,
    budget: Budget | None = None,
    watch: Watch | None = None,
) -> tuple[ClaimsRecord, ...]:
    """Return the records of a dialogue's turns, whose scripted answers are checked; `watch` is called with each.

    `formal` says what is taken from the dialogue's own logic: nothing, its things, or its vocabulary and the formulas
    of the context. The model always formalizes what user and assistant say. With `given`, the user's statements are
    given one by one instead of being read from the message. Raises `ModelError`.
    """
    context = {f"P{place}": statement for place, statement in enumerate(dialogue.context, start=1)}
    premises = {id: statement.sentence for id, statement in context.items()}
    session = ClaimSession(
        [statement.text for statement in context.values()],
        model=model,
        method=ClaimMethod("given", answerer="given", check=check or CheckSettings()),
        budget=budget,
        gold=GoldLogic(dialogue.vocabulary, premises, {}) if formal == "gold" else None,
        entities=dialogue.vocabulary.entities if formal == "gold_entities" else None,
    )
    records: list[ClaimsRecord] = []
    async with aclosing(session):
        for number, turn in enumerate(dialogue.turns, start=1):
            stated = [statement.text for statement in turn.stated] if given else None
            records.append(await session.acheck(turn.assistant, turn.user, stated=stated))
            if watch is not None:
                watch(dialogue, number, records[-1])
    return tuple(records)


def load_dialogues(folder: Path | None = None) -> tuple[Dialogue, ...]:
    """Return the dialogues in a folder's JSON files, by file name, or our own ones. Raises `RecordError`."""
    files = sorted((folder or Path(__file__).parent).glob("*.json"))
    return tuple(read_dialogue(read_json(file), file.name) for file in files)
