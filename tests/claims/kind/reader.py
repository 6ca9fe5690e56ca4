"""A scripted model that replies by the purpose of a request, and by the sentence at the end of its prompt."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from holdtrue.models.chat import Reply, Request
from holdtrue.record import Usage
from tests.claims.kind.choosing import in_words


@dataclass
class ReaderModel:
    """A `ReaderModel` maps every sentence to a fixed reply for each purpose. `formulas` maps a sentence to its formula,
    or to one formula for each draw; the last one serves all further draws. `better` holds the replies to `refine` and
    `correct`. `retold` maps formulas to their words, by default to the sentence that they were written for. `claims`
    holds the text and type of each claim of every answer. `meant` maps a sentence to the formula that the model
    chooses, if it differs from the one that it writes. `verdicts` holds the replies of judges, and `bridges` the
    proposed bridging axioms. `asked` counts the calls by purpose.
    """

    entities: Sequence[tuple[str, str]] = ()
    predicates: Sequence[tuple[str, str]] = ()
    formulas: Mapping[str, str | Sequence[str]] = field(default_factory=dict)
    better: Mapping[str, str] = field(default_factory=dict)
    retold: Mapping[str, str] = field(default_factory=dict)
    meant: Mapping[str, str] = field(default_factory=dict)
    claims: Sequence[tuple[str, str]] = ()
    verdicts: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    bridges: Sequence[tuple[str, str]] = ()
    name: str = "script"
    asked: Counter[str] = field(default_factory=Counter)

    async def complete(self, request: Request) -> Reply:
        return Reply(self.reply(request), Usage(1, len(request.messages[-1].content.split()), 1))

    def reply(self, request: Request) -> str:
        self.asked[request.purpose] += 1
        return json.dumps(self._reply(request, request.messages[-1].content))

    async def aclose(self) -> None:
        """Nothing to release."""

    def _reply(self, request: Request, said: str) -> object:
        match request.purpose:
            case "entities":
                return {"things": [{"name": name, "sort": sort} for name, sort in self.entities]}
            case "vocabulary":
                return {
                    "functions": [],
                    "predicates": [{"meaning": meaning, "name": name} for name, meaning in self.predicates],
                }
            case "formalize" | "statement":
                formula = self._about(self.formulas, said)
                return {
                    "formula": formula if isinstance(formula, str) else formula[min(request.sample, len(formula) - 1)]
                }
            case "refine" | "correct":
                return {"formula": self._about(self.better, said)}
            case "retell":
                formula = said.rpartition("Formula: ")[2]
                own = next((text for text, known in self.formulas.items() if known == formula), formula)
                return {"sentence": self.retold.get(formula, own)}
            case "choose":
                found = self._about({**self.formulas, **self.meant}, said.partition("\n")[0])
                formula = found if isinstance(found, str) else found[0]
                return {"says": in_words(formula, (name for name, _ in self.entities), dict(self.predicates))}
            case "decompose":
                return {"claims": [{"text": text, "type": type} for text, type in self.claims]}
            case "judge":
                verdict, confidence = self._about(self.verdicts, said)
                return {"verdict": verdict, "confidence": confidence}
            case "bridge":
                return {"bridges": [{"text": text, "formula": formula} for text, formula in self.bridges]}
        raise AssertionError(request.purpose)

    @staticmethod
    def _about(known: Mapping, said: str):  # type: ignore[no-untyped-def,type-arg]
        """Return the entry for the sentence of the prompt: the one after `Sentence:`, or else the last known one."""
        said = said.rpartition("Sentence: ")[2].partition("\n")[0] if "Sentence: " in said else said
        found = max((text for text in known if text in said), key=said.rindex, default=None)
        if found is None:
            raise AssertionError(f"nothing is known of {said[-200:]!r}")
        return known[found]
