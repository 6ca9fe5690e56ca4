"""Ask a model whether a part of an answer states anything, and whether an answer says a claim."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from holdtrue.language.asking import Asking, one_line
from holdtrue.language.replies import reply_object
from holdtrue.models.chat import Message, assistant, system, user
from holdtrue.world.answer_shape import object_schema

QUESTION, PART = "The question: ", "A part of the answer: "
ANSWER, STATEMENT = "The answer:", "Is this said: "
STATES, ASKS = "statement", "question"
ACTS = (STATES, "greeting", "wish", "thanks", "praise", "offer", ASKS, "introduction")
SAID, UNSAID = "said", "not said"

_ACT_SYSTEM = (
    "You see a question and one part of the answer to it. Say what that part is.\n"
    f"{STATES}: it says that something is so or is not so, may or may not be done, has or has not happened; be it in "
    "two words, with a pronoun, or as yes or no.\n"
    "greeting, wish, thanks, praise: it is only that, and says nothing that could be false.\n"
    f"offer: it offers help or asks for leave. {ASKS}: it asks. introduction: it only leads to what comes next.\n"
    f"In doubt it is a {STATES}. Return only JSON."
)
_ACT_TRIALS = (
    ("When does the pool open?", "Have a splendid swim", "wish"),
    ("When does the pool open?", "Not on Mondays", STATES),
    ("Is Ida a nurse?", "Ida is one, and so is Ben", STATES),
    ("Is Ida a nurse?", "Lovely that you ask, Eve", "praise"),
    ("Who swims, Ida or Ben?", "Here is who swims", "introduction"),
    ("Who swims, Ida or Ben?", "Ida's swim was splendid", STATES),
    ("Who swims, Ida or Ben?", "I can look up the pool for you", "offer"),
    ("Who swims, Ida or Ben?", "Nobody else", STATES),
)
_SAID_SYSTEM = (
    "You see a question, the answer to it, and a statement. Say 'said' if the answer says just that, in whatever "
    "words, be it with words of the question that it leaves out. Say 'not said' if the answer does not say it, leaves "
    "it open, or says something else. It does not matter whether it is true. Return only JSON."
)
_SWIM, _TEA = ("Ida does.", "Ben likes the sea."), ("2 EUR, and with milk 2.50 EUR.",)
_SAID_TRIALS = (
    ("Who swims, Ida or Ben?", _SWIM, "Ida swims.", SAID),
    ("Who swims, Ida or Ben?", _SWIM, "Ben does not swim.", UNSAID),
    ("What is a cup of tea?", _TEA, "A cup of tea with milk costs 2.50 EUR.", SAID),
    ("What is a cup of tea?", _TEA, "A cup of tea costs 2.50 EUR.", UNSAID),
)


async def states_anything(asking: Asking, part: str, question: str) -> bool:
    """Return whether a part of an answer states anything: True unless the model names another act, such as thanks.

    Only a text that ends with a question mark counts as a question. Raises `ModelError`.
    """
    trials = [(_shown_part(asked, own), act) for asked, own, act in _ACT_TRIALS]
    act = await _choose(asking, "dialogue_act", _ACT_SYSTEM, trials, ACTS, _shown_part(question, part))
    return act not in ACTS or act == STATES or (act == ASKS and not part.rstrip().endswith("?"))


async def says(asking: Asking, claim: str, answer: Sequence[str], question: str) -> bool:
    """Return whether the model finds a claim in an answer, given clause by clause; False without a clear yes.

    Raises `ModelError`.
    """
    trials = [(_shown_claim(asked, lines, own), word) for asked, lines, own, word in _SAID_TRIALS]
    shown = _shown_claim(question, answer, claim)
    return await _choose(asking, "said", _SAID_SYSTEM, trials, (SAID, UNSAID), shown) == SAID


def _shown_part(question: str, part: str) -> str:
    return f"{QUESTION}{one_line(question)}\n{PART}{one_line(part)}"


def _shown_claim(question: str, answer: Iterable[str], claim: str) -> str:
    listed = "".join(f"\n- {one_line(line)}" for line in answer)
    return f"{QUESTION}{one_line(question)}\n{ANSWER}{listed}\n{STATEMENT}{one_line(claim)}"


async def _choose(
    asking: Asking, purpose: str, task: str, trials: Iterable[tuple[str, str]], words: Sequence[str], shown: str
) -> str:
    """Return the word that the model chooses for the `shown` text after the example `trials`, in lower case, or ""."""
    messages: list[Message] = [system(task)]
    for trial, word in trials:
        messages += [user(trial), assistant(f'{{"it": "{word}"}}')]
    schema = object_schema({"it": {"type": "string", "enum": [*words]}})
    reply = await asking.ask(purpose, [*messages, user(shown)], schema, max_tokens=24, frame=len(messages))
    return str(reply_object(reply, "it").get("it", "")).strip().lower()
