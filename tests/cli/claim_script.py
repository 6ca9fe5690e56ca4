"""A scripted model for every step of a small case, with known replies."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from tests.claims.kind.choosing import in_words

CONTEXT = (
    "If someone is a musician, then they practise daily. Everyone who works at the opera is a musician or a dancer. "
    "Mia works at the opera. Mia is not a dancer."
)
FORMULAS: Mapping[str, str] = {
    "If someone is a musician, then they practise daily": "forall x (Musician(x) -> Daily(x))",
    "Everyone who works at the opera is a musician or a dancer": "forall x (Opera(x) -> Musician(x) or Dancer(x))",
    "Mia works at the opera": "Opera(Mia)",
    "Mia is not a dancer": "not Dancer(Mia)",
    "Mia is a dancer": "Dancer(Mia)",
    "Mia practises daily": "Daily(Mia)",
    "Tom is a musician": "Musician(Tom)",
    "Tom does not practise daily": "not Daily(Tom)",
    "Tom is a dancer": "Dancer(Tom)",
}
WORDS = {
    "Musician": "x is a musician",
    "Dancer": "x is a dancer",
    "Opera": "x works at the opera",
    "Daily": "x practises daily",
}


def write_script(file: Path, answer: str, *, formulas: Mapping[str, str] = FORMULAS, verdict: str = "uncertain") -> str:
    """The name of a scripted model that knows these formulas, and an answer of sentences that are its claims."""
    claims = [{"text": f"{text.strip()}.", "type": "logical"} for text in answer.strip(" .").split(".")]
    things = [{"name": name, "sort": "person"} for name in ("Mia", "Tom")]
    words = [{"name": name, "meaning": meaning} for name, meaning in WORDS.items()]
    replies: list[tuple[str, object]] = [
        ("Things:\n", {"functions": [], "predicates": words}),
        ("Text: ", {"things": things}),
        ("Claim: ", {"verdict": verdict, "confidence": 80}),
        ("A part of the answer: ", {"it": "nothing"}),
        ("Answer:\n", {"claims": claims}),
        ("Claims with a name:", {"bridges": []}),
    ]
    replies += [
        (f"Somebody says: {text}", {"says": in_words(formula, ("Mia", "Tom"), WORDS)})
        for text, formula in formulas.items()
    ]
    replies += [(f"Sentence: {text}", {"formula": formula}) for text, formula in formulas.items()]
    # The round trip shows what was read in other signs, so each formula is known by the sentence that it is of.
    replies += [(f"Formula: {formula}", {"sentence": text}) for text, formula in _shown(formulas).items()]
    replies.append(("Sentence: ", {"formula": "Unknown(Mia)"}))
    file.write_text(json.dumps([{"match": match, "text": json.dumps(reply)} for match, reply in replies]))
    return f"script/{file}"


def _shown(formulas: Mapping[str, str]) -> dict[str, str]:
    return dict(sorted(formulas.items(), key=lambda pair: -len(pair[1])))
