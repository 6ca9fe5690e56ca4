"""Ask a model which of several statements means the same as a sentence, or whether none of them does.

The statements are formulas that code worded (`fol.english`), so the model sees no formula and no wording by a model.
The caller chooses their order. The model repeats the chosen statement, because small models repeat a text much more
reliably than they choose a letter.
"""

from __future__ import annotations

from collections.abc import Sequence

from holdtrue.language.asking import Asking, one_line
from holdtrue.language.replies import reply_object
from holdtrue.models.chat import user
from holdtrue.world.answer_shape import object_schema
from holdtrue.world.lenient_json import strip_thinking
from holdtrue_claims.kind.prompts.logic_text import example_json, taught

# These lines separate the parts of the prompt; simulated models read them too.
SAID = "Somebody says: "
BEFORE = "Before that, which tells what pronouns and what is left unsaid mean: "
WHICH = "Which of these says just that?"
ITEM = "- "
NONE = "None of these."

CHOICE_SYSTEM = (
    "Somebody says a sentence. Statements in stiff words follow, of which at most one says just what the sentence "
    "says: no more, no less, and nothing else. They differ in small things: who does it to whom, more or less, at "
    "least, at most or exactly, numbers and units, all, some or none, if or only if, and, or, not. Words in another "
    "order, or other words for the same, are no difference. x, y and z stand for whatever a statement says they are. "
    "Repeat the statement that says the same. Return only JSON."
)
_EXAMPLES: tuple[tuple[str, tuple[str, ...], str], ...] = (
    (
        "Only members may borrow tools.",
        (
            "For every x: if x is a member, then x may borrow tools.",
            "For every x: if x may borrow tools, then x is a member.",
            "For some x: x is a member and x may borrow tools.",
        ),
        "For every x: if x may borrow tools, then x is a member.",
    ),
    (
        "Tom is taller than Mia by 3 cm or more.",
        (
            "The height of Tom is at least 3 cm more than the height of Mia.",
            "The height of Mia is at least 3 cm more than the height of Tom.",
            "The height of Tom is exactly 3 cm more than the height of Mia.",
            "The height of Tom is at most 3 cm more than the height of Mia.",
        ),
        "The height of Tom is at least 3 cm more than the height of Mia.",
    ),
    (
        "Mia is taught by Tom.",
        ("It is not true that Tom teaches Mia.", "Mia teaches Tom.", "Tom teaches Mia."),
        "Tom teaches Mia.",
    ),
    (
        "The concert is over by ten at night.",
        (
            "The end of the concert is no earlier than 22:00.",
            "The end of the concert is no later than 10:00.",
            "The end of the concert is no later than 22:00.",
        ),
        "The end of the concert is no later than 22:00.",
    ),
    (
        "There is nobody among the singers who does not dance.",
        ("No singer dances.", "Every singer dances.", "Some singer dances."),
        "Every singer dances.",
    ),
    (
        "Two lamps are on, no more and no fewer.",
        ("At least 2 lamps are on.", "At most 2 lamps are on.", "Exactly 3 lamps are on."),
        NONE,
    ),
)


async def choose(
    asking: Asking, sentence: str, statements: Sequence[str], number: int = 0, *, before: str = ""
) -> int | None:
    """Return the index of the statement that the model repeats; None for none of them, and for an unreadable reply.

    `number` distinguishes draws about the same sentence, and `before` is the text before it. Raises `ModelError`.
    """
    shown = [one_line(text) for text in statements]
    schema = object_schema({"says": {"type": "string", "enum": [*shown, NONE]}})
    # An English token is longer than two characters.
    longest = max(map(len, (*shown, NONE))) // 2 + 16
    trials = ((_asked(said, own), example_json({"says": chosen})) for said, own, chosen in _EXAMPLES)
    messages = [*taught(CHOICE_SYSTEM, trials), user(_asked(sentence, shown, before))]
    frame = len(messages) - 1
    reply = await asking.ask("choose", messages, schema, sample=number, max_tokens=longest, frame=frame)
    said = reply_object(reply, "says").get("says")
    plain = _plain(said if isinstance(said, str) else strip_thinking(reply))
    return next((place for place, text in enumerate(shown) if _plain(text) == plain), None)


def _asked(sentence: str, statements: Sequence[str], before: str = "") -> str:
    listed = [f"{ITEM}{one_line(text)}" for text in (*statements, NONE)]
    told = [f"{BEFORE}{one_line(before)}"] if before else []
    return "\n".join((f"{SAID}{one_line(sentence)}", *told, WHICH, *listed))


def _plain(text: str) -> str:
    """Return a statement without the marks that a model may add or omit when it repeats it."""
    return " ".join(text.split()).removeprefix(ITEM).strip(" .")
