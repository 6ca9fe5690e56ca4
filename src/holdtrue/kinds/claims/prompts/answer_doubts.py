"""Ask what words alone do not show: whether a part of an answer states anything more, and whether it says a claim."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from holdtrue.language.asking import Asking, one_line
from holdtrue.language.replies import reply_object
from holdtrue.models.chat import Message, assistant, system, user
from holdtrue.world.schema import object_schema

QUESTION, CLAIMS, PART = "The question: ", "Claims of the answer:", "A part of the answer: "
ANSWER, STATEMENT = "The answer:", "Is this said: "
MORE, NOTHING = "more", "nothing"
SAID, UNSAID = "said", "not said"

_REMAINDER_SYSTEM = (
    "An answer was taken apart into claims. You see one part of it. Say 'nothing' if that part states nothing beyond "
    "the claims: a greeting, thanks, a wish, a word on the answer itself, or words that only connect. Say 'more' if it "
    "states anything, or answers yes or no to anything, that no claim states. Return only JSON."
)
_POOL = ("The pool opens at 9.",)
_REMAINDER_TRIALS = (
    ("When does the pool open?", _POOL, "Have a splendid swim", NOTHING),
    ("When does the pool open?", _POOL, "The water is freezing", MORE),
    ("Is Ida a nurse?", ("Ida is not a nurse.",), "No", NOTHING),
    ("Is Ida a nurse?", ("Ida works in Ward 3.",), "Yes", MORE),
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
_Trial = tuple[str, Sequence[str], str, str]


async def states_more(asking: Asking, part: str, claims: Sequence[str], question: str) -> bool:
    """Return whether a part of an answer states more than its claims; True unless the model says that it does not.

    Raises `ModelError`.
    """
    told = (_REMAINDER_SYSTEM, _REMAINDER_TRIALS, (CLAIMS, PART), (MORE, NOTHING))
    return await _choose(asking, "remainder", *told, (question, claims, part)) != NOTHING


async def says(asking: Asking, claim: str, answer: Sequence[str], question: str) -> bool:
    """Return whether a model finds a claim in an answer, given clause by clause; False unless it says so.

    Raises `ModelError`.
    """
    told = (_SAID_SYSTEM, _SAID_TRIALS, (ANSWER, STATEMENT), (SAID, UNSAID))
    return await _choose(asking, "said", *told, (question, answer, claim)) == SAID


async def _choose(
    asking: Asking,
    purpose: str,
    task: str,
    trials: Iterable[_Trial],
    headings: tuple[str, str],
    words: tuple[str, str],
    given: tuple[str, Sequence[str], str],
) -> str:
    """Return which word a model says of what is given, as in the trials; another text where it says none."""

    def shown(question: str, lines: Sequence[str], last: str) -> str:
        listed = "".join(f"\n- {one_line(line)}" for line in lines)
        return f"{QUESTION}{one_line(question)}\n{headings[0]}{listed}\n{headings[1]}{one_line(last)}"

    messages: list[Message] = [system(task)]
    for question, lines, last, word in trials:
        messages += [user(shown(question, lines, last)), assistant(f'{{"it": "{word}"}}')]
    schema = object_schema({"it": {"type": "string", "enum": [*words]}})
    asked = [*messages, user(shown(*given))]
    reply = await asking.ask(purpose, asked, schema, max_tokens=24, frame=len(messages))
    return str(reply_object(reply, "it").get("it", "")).strip().lower()
