"""Ask a model which of several statements says just what a sentence says, or whether none of them does.

The statements are formulas in words that code wrote (`logic.fol.words`), so that no formula and no wording of the
model's own is shown. Their order is for whoever asks to choose.
"""

from __future__ import annotations

from collections.abc import Sequence

from holdtrue.language.asking import Asking, one_line
from holdtrue.language.replies import reply_object
from holdtrue.models.chat import Message, assistant, system, user
from holdtrue.world.jsonscan import strip_thinking
from holdtrue.world.schema import object_schema

# The lines by which a prompt's parts are told apart; simulated models read them too.
SAID = "Somebody says: "
WHICH = "Which one says just that?"
NONE = "none of these"
LETTERS = "ABCDEFGHIJ"
MOST = len(LETTERS) - 1

CHOICE_SYSTEM = (
    "Somebody says a sentence. Statements in stiff words follow; at most one of them says just what the sentence says: "
    "no more, no less, and nothing else. They differ in small things: who does it to whom, more or less, at least, at "
    "most or exactly, numbers and units, all, some or none, if or only if, and, or, not. Words in another order or "
    "other words for the same are no difference. x, y and z stand for whatever a statement says they are. Choose its "
    "letter. Return only JSON."
)
_EXAMPLES: tuple[tuple[str, tuple[str, ...], str], ...] = (
    (
        "Only members may borrow tools.",
        (
            "For every x: if x is a member, then x may borrow tools.",
            "For every x: if x may borrow tools, then x is a member.",
            "For some x: x is a member and x may borrow tools.",
        ),
        "B",
    ),
    (
        "Tom is taller than Mia by 3 cm or more.",
        (
            "The height of Tom is at least 3 cm more than the height of Mia.",
            "The height of Mia is at least 3 cm more than the height of Tom.",
            "The height of Tom is at most 3 cm more than the height of Mia.",
        ),
        "A",
    ),
    (
        "Two lamps are on, no more and no fewer.",
        ("At least 2 lamps are on.", "At most 2 lamps are on.", "Exactly 3 lamps are on."),
        "D",
    ),
)


async def choose(asking: Asking, sentence: str, statements: Sequence[str], number: int = 0) -> int | None:
    """Return the place of the statement that the model chooses; None for none of them, or for no readable reply.

    `number` tells draws about the same sentence apart. Raises `ModelError`, and `ValueError` for over `MOST` statements.
    """
    letters = LETTERS[: len(statements) + 1]
    if len(statements) > MOST:
        raise ValueError(f"at most {MOST} statements can be shown, not {len(statements)}")
    schema = object_schema({"choice": {"type": "string", "enum": list(letters)}})
    reply = await asking.ask("choose", choice_messages(sentence, statements), schema, sample=number, max_tokens=16)
    chosen = reply_object(reply, "choice").get("choice")
    letter = str(chosen if chosen is not None else strip_thinking(reply)).strip(" .)\"'")[:1].upper()
    place = letters.find(letter) if letter else -1
    return place if 0 <= place < len(statements) else None


def choice_messages(sentence: str, statements: Sequence[str]) -> list[Message]:
    """Return the prompt: examples, then the sentence with its statements; the last letter is for none of them."""
    messages = [system(CHOICE_SYSTEM)]
    for said, shown, letter in _EXAMPLES:
        messages += [user(_asked(said, shown)), assistant(f'{{"choice": "{letter}"}}')]
    return [*messages, user(_asked(sentence, statements))]


def _asked(sentence: str, statements: Sequence[str]) -> str:
    listed = [f"{letter}) {one_line(text)}" for letter, text in zip(LETTERS, (*statements, NONE), strict=False)]
    return "\n".join((f"{SAID}{one_line(sentence)}", WHICH, *listed))
