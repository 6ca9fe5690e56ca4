"""A small world for claim methods: its sentences, its gold logic, and a scripted model that knows each formula."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from holdtrue.budget import Budget
from holdtrue.language.asking import Asking
from holdtrue.models.chat import Request
from holdtrue_claims.fol.notation import read_fol
from holdtrue_claims.fol.syntax import Sentence
from holdtrue_claims.fol.vocabulary import Entity, Predicate, Vocabulary
from holdtrue_claims.kind.answering import ClaimPlayed, ClaimTurn
from holdtrue_claims.kind.gold_logic import GoldLogic
from holdtrue_claims.kind.loop import play_claims
from holdtrue_claims.kind.method import CLAIM_PRESETS, ClaimMethod
from holdtrue_claims.kind.premise_preparation import prepare
from holdtrue_claims.kind.prompts.decomposition import ANSWER
from holdtrue_claims.kind.prompts.judges import CLAIM
from holdtrue_claims.kind.prompts.questions import Answer
from holdtrue_claims.kind.settings import CheckSettings, FormalSettings
from tests.recorder import Recorder

SENTENCES = ("Rex is a dog.", "All dogs bark.", "Tom is a cat.", "No cat is a dog.", "Tom sleeps or Rex sleeps.")
FORMULAS: Mapping[str, str] = {
    "Rex is a dog": "Dog(Rex)",
    "All dogs bark": "forall x (Dog(x) -> Barks(x))",
    "Tom is a cat": "Cat(Tom)",
    "No cat is a dog": "forall x (Cat(x) -> not Dog(x))",
    "Tom sleeps or Rex sleeps": "Sleeps(Tom) or Sleeps(Rex)",
    "Rex barks": "Barks(Rex)",
    "Rex does not bark": "not Barks(Rex)",
    "Tom is a dog": "Dog(Tom)",
    "Tom is not a dog": "not Dog(Tom)",
    "Tom barks": "Barks(Tom)",
    "Tom sleeps": "Sleeps(Tom)",
    "Tom does not sleep": "not Sleeps(Tom)",
    "Rex sleeps": "Sleeps(Rex)",
    "Rex does not sleep": "not Sleeps(Rex)",
}
OPTIONS = {"A": "Rex does not bark", "B": "Rex barks", "C": "Tom is a dog"}
QUESTION = "Which of the following is true?"
VOCABULARY = Vocabulary(
    (Entity("Rex", "animal"), Entity("Tom", "animal")),
    (
        Predicate("Dog", ("animal",), "x is a dog"),
        Predicate("Cat", ("animal",), "x is a cat"),
        Predicate("Barks", ("animal",), "x barks"),
        Predicate("Sleeps", ("animal",), "x sleeps"),
    ),
)
LIGHT = CheckSettings(FormalSettings(samples=1, round_trip=None, corrections=0), judges=1, bridges=False)
"""A check with as few calls as can be."""


def sentence(text: str) -> Sentence:
    found = read_fol(FORMULAS[text.strip(" .")]).sentence
    assert found is not None
    return found


def gold(options: Mapping[str, str] | None = None) -> GoldLogic:
    """Return the gold logic of the world."""
    statements = {letter: sentence(text) for letter, text in (OPTIONS if options is None else options).items()}
    premises = {f"P{place}": sentence(text) for place, text in enumerate(SENTENCES, start=1)}
    return GoldLogic(VOCABULARY, premises, statements)


def light(preset: ClaimMethod | str, **changes: object) -> ClaimMethod:
    """Return a preset, given itself or by name, with a check that takes few calls."""
    method = CLAIM_PRESETS[preset] if isinstance(preset, str) else preset
    check = replace(LIGHT, routing=method.check.routing)
    return replace(method, check=check, **changes)  # type: ignore[arg-type]


def said(option: str, *claims: str) -> str:
    """A reply of the model."""
    return json.dumps({"reasoning": " ".join(f"{claim}." for claim in claims), "answer": option})


def scripted(answers: Callable[[Request], str] | Sequence[str]) -> Recorder:
    """Return a model that answers questions from a list or by a function, and knows all formulas."""
    waiting = iter(()) if callable(answers) else iter(answers)

    def reply(request: Request) -> str:
        if request.purpose in _REPLIES:
            return known(request)
        return answers(request) if callable(answers) else next(waiting)

    return Recorder(reply)


def known(request: Request) -> str:
    """Return the reply to a request that is no question; it follows from the world alone."""
    return _REPLIES[request.purpose](request.messages[-1].content)


async def play(
    method: ClaimMethod,
    model: Recorder,
    *,
    measured: bool = True,
    options: Mapping[str, str] | None = None,
    given: Answer | None = None,
    statement: str | None = None,
) -> ClaimPlayed:
    """One turn about the world, with gold premises."""
    asked = OPTIONS if options is None else options
    asking = Asking(model)
    premises = None
    if measured or method.verifies:
        premises = await prepare(
            asking,
            method.check.formal,
            SENTENCES,
            budget=Budget(),
            question=QUESTION,
            options=asked,
            gold=gold(asked),
        )
    turn = ClaimTurn(asking, SENTENCES, QUESTION, asked, premises, statement, given_answer=given)
    return await play_claims(method, turn)


def _claims(text: str) -> str:
    """Return each line of an answer as a claim; a line without a known formula is vague."""
    lines = [line.strip("- .") for line in text.split(ANSWER)[-1].splitlines()]
    claims = [
        {"text": line, "type": "logical" if line in FORMULAS else "vague"} for line in dict.fromkeys(lines) if line
    ]
    return json.dumps({"claims": claims})


def _formula(text: str) -> str:
    asked = text.split("Sentence: ")[-1].splitlines()[0].strip(" .")
    return json.dumps({"formula": FORMULAS.get(asked, "?")})


def _retold(text: str) -> str:
    formula = read_fol(text.split("Formula: ")[-1]).sentence
    return json.dumps({"sentence": next(stated for stated in FORMULAS if sentence(stated) == formula)})


def _judged(text: str) -> str:
    supported = "nice" in text.split(CLAIM)[-1]
    return json.dumps({"verdict": "supported" if supported else "unsupported", "confidence": 90})


_REPLIES: Mapping[str, Callable[[str], str]] = {
    "decompose": _claims,
    "retell": _retold,
    "judge": _judged,
    "bridge": lambda text: "{}",
    "entities": lambda text: '{"things": []}',
    "vocabulary": lambda text: '{"functions": [], "predicates": []}',
    **dict.fromkeys(("formalize", "refine", "correct", "statement"), _formula),
}
