"""A model for tests that answers about the bakers of `claim_items`, every purpose by the words of its prompt.

Its reply depends on the request alone. Now and then it is wrong, or cannot be read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from holdtrue.models.chat import ChatModel, Request
from holdtrue.models.scripted import ScriptModel
from holdtrue_claims.kind.gold_logic import STATEMENT
from holdtrue_claims.kind.prompts.answer_doubts import ACTS, SAID, UNSAID
from holdtrue_claims.kind.prompts.choice import NONE
from tests.lab.kinds.claims.items import LOGIC, STATEMENTS, VOCABULARY

FORMULAS = {
    "Ada is a baker.": "Baker(ada)",
    "Ada rises early.": "Early(ada)",
    "Bob is a baker.": "Baker(bob)",
    "Ada is a dancer.": "Dancer(ada)",
    "Ada does not rise early.": "¬Early(ada)",
    "Bob is not a baker.": "¬Baker(bob)",
    "Ada is not a dancer.": "¬Dancer(ada)",
}
REASONING = ("Ada is a baker.", "Bob is a baker.", "Ada probably likes bread.", "Ada rises early.")
_ITEM = re.compile("|".join(map(re.escape, STATEMENTS)))
_CLAIM = re.compile(r"^- (.+)$", re.MULTILINE)
_SOFT = re.compile(r"^(C[0-9]+): ", re.MULTILINE)
_LAST = re.compile(r"(?:Sentence|Formula): (.+)")


def bakers(name: str = "test") -> ChatModel:
    return ScriptModel(_reply, name=name)


def _reply(request: Request) -> str:
    said = request.messages[-1].content
    return _REPLIES[request.purpose]("\n".join(message.content for message in request.messages), said, _draw(request))


def _draw(request: Request) -> int:
    return int(request.key("any")[:8], 16)


def _answer(all: str, said: str, draw: int) -> str:
    if draw % 11 == 0:
        return "I would rather not say."
    found = _ITEM.search(all)
    right = STATEMENTS[found[0]][1] if found else "A"
    letter = right if draw % 5 else "ABC"[draw % 3]
    first, second = REASONING[draw % 4], REASONING[draw // 4 % 4]
    return json.dumps({"reasoning": f"{first} {second}", "answer": letter})


def _decompose(all: str, said: str, draw: int) -> str:
    claims = [{"text": text, "type": "vague" if "probably" in text else "logical"} for text in _CLAIM.findall(said)]
    return json.dumps({"claims": claims})


def _formalize(all: str, said: str, draw: int) -> str:
    text = _LAST.findall(said)[-1]
    return json.dumps({"formula": "Baker(x)" if draw % 11 == 0 else FORMULAS.get(text, "Dancer(bob)")})


def _retell(all: str, said: str, draw: int) -> str:
    formula = _LAST.findall(said)[-1]
    texts = {written: text for text, written in FORMULAS.items()}
    return json.dumps({"sentence": texts.get(formula, "Somebody sleeps.")})


def _judge(all: str, said: str, draw: int) -> str:
    return json.dumps({"verdict": ("supported", "plausible", "uncertain")[draw % 3], "confidence": draw % 100})


def _bridge(all: str, said: str, draw: int) -> str:
    found = _SOFT.search(said)
    formula = f"{found[1] if found else 'C1'} → Baker(ada)"
    return json.dumps({"bridges": [{"text": "Who likes bread bakes.", "formula": formula}]})


def _critique(all: str, said: str, draw: int) -> str:
    return json.dumps({"ok": draw % 3 == 0, "problems": [] if draw % 3 == 0 else ["Look at the bakers again."]})


def _program(all: str, said: str, draw: int) -> str:
    found = _ITEM.search(all)
    if draw % 7 == 0 or found is None:
        return "No program."
    predicates = [{"form": f"{own.name}(x)", "meaning": own.meaning} for own in VOCABULARY.predicates]
    asked = {STATEMENT: STATEMENTS[found[0]][0]}
    return json.dumps({"predicates": predicates, "functions": [], "premises": list(LOGIC), "statements": asked})


def _choose(all: str, said: str, draw: int) -> str:
    """Choose one of the statements that are shown, or none of them."""
    shown = _CLAIM.findall(said)
    return json.dumps({"says": shown[draw % len(shown)] if shown and draw % 5 else NONE})


_REPLIES: dict[str, Callable[[str, str, int], str]] = {
    "answer": _answer,
    "decompose": _decompose,
    "formalize": _formalize,
    "correct": _formalize,
    "refine": _formalize,
    "statement": _formalize,
    "retell": _retell,
    "judge": _judge,
    "bridge": _bridge,
    "critique": _critique,
    "program": _program,
    "choose": _choose,
    "said": lambda all, said, draw: json.dumps({"it": (SAID, UNSAID)[draw % 2]}),
    "dialogue_act": lambda all, said, draw: json.dumps({"it": ACTS[draw % len(ACTS)]}),
    "thought": lambda all, said, draw: json.dumps({"thought": REASONING[draw % 4]}),
    "rate": lambda all, said, draw: json.dumps({"rating": draw % 10 + 1}),
    "entities": lambda all, said, draw: json.dumps({"things": []}),
    "vocabulary": lambda all, said, draw: "I cannot.",
}
