"""Simulated models for the claims suites: they know items by heart, do every step of VERGE, and fail at given rates.

An item is found by the sentences of the prompt. Formulas are first-order text, whatever is asked for, and they know of
no bridging axioms. `sim/claims` has no faults; `sim/claims:wrong=0.2,misread=0.1,drop=0.1,confuse=0.1@7` has them at
these rates, with seed 7.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from holdtrue.claim_record import ClaimType, SoftVerdict
from holdtrue.kinds.claims.prompts.decomposition import MOST_CLAIMS
from holdtrue.kinds.claims.prompts.questions import read_option
from holdtrue.lab.kinds.claims.dialogue import Dialogue
from holdtrue.lab.kinds.claims.item import Item
from holdtrue.lab.kinds.claims.simulation.view import (
    BridgeTask,
    ClaimsTask,
    ClaimTask,
    FormulaTask,
    JudgeTask,
    QuestionTask,
    RetellTask,
    TextTask,
    view_claims,
)
from holdtrue.lab.kinds.claims.simulation.world import (
    MOST_PREMISES,
    ClaimWorld,
    Library,
    dialogue_world,
    item_world,
    plain,
)
from holdtrue.lab.kinds.claims.simulation.writing import (
    misread,
    say_formula,
    spell_formula,
    things_reply,
    words_reply,
    write_formula,
)
from holdtrue.lab.kit.simulation.chance import draw, pick
from holdtrue.lab.kit.simulation.model import LOST, Simulated, make_reply
from holdtrue.lab.kit.simulation.names import RatedCharacter
from holdtrue.language.sentences import split_sentences
from holdtrue.models.chat import Reply, Request

_SURE = 90
_GOOD, _BAD = 9, 2


@dataclass(frozen=True, slots=True)
class ClaimCharacter(RatedCharacter):
    """The probabilities of the faults of a simulated model of the claims suites.

    Attributes:
        wrong: An answer gives a wrong option.
        misread: A formula is a wrong one with the same names.
        drop: A claim is left out when an answer is split into claims.
        confuse: A judge, a critic or a rater says the wrong thing.
    """

    KIND: ClassVar[str] = "sim/claims"
    FORMS: ClassVar[str] = "a reasoner is sim/claims, or has rates up to 1, such as sim/claims:wrong=0.2,misread=0.1@7"

    wrong: float = 0.0
    misread: float = 0.0
    drop: float = 0.0
    confuse: float = 0.0


class SimulatedReasoner(Simulated[ClaimCharacter]):
    """A simulated model that knows the items and dialogues that it is given, with the faults that its name sets.

    It formalizes and judges the answers of a dialogue, but gives none itself. A reply's annotations name the faults
    that changed it: `wrong`, `misread`, `drop` or `confuse`. Raises `SettingsError` for an unknown name.
    """

    def __init__(self, name: str, items: Sequence[Item] = (), *, dialogues: Iterable[Dialogue] = ()) -> None:
        super().__init__(ClaimCharacter.read(name))
        self._library = Library([*map(item_world, items), *map(dialogue_world, dialogues)])

    def reply(self, request: Request) -> Reply:
        task = view_claims(request.messages)
        if task is None:
            return make_reply(request, LOST)
        # Another prompt, another seed, or another sample is another throw of the dice.
        last = request.messages[-1].content
        doing = _Doing(self.character, self._library, (self.character.seed, last, request.seed, request.sample))
        return make_reply(request, doing.reply(task), doing.injected)


class _Doing:
    """One reply in the making."""

    def __init__(self, character: ClaimCharacter, library: Library, key: tuple[object, ...]) -> None:
        self.character = character
        self.library = library
        self.key = key
        self.injected: list[str] = []

    def reply(self, task: ClaimTask) -> str:
        match task:
            case TextTask(text, words):
                world = self.library.with_text(text)
                return LOST if world is None else words_reply(world) if words else things_reply(world)
            case FormulaTask():
                return self._formula(task)
            case RetellTask(formula, vocabulary_text):
                sayings = (
                    say_formula(world, formula, vocabulary_text)
                    for world in self.library.with_vocabulary(vocabulary_text)
                )
                return _json(sentence=next(filter(None, sayings), spell_formula(formula)))
            case ClaimsTask(sentences):
                return self._claims(sentences)
            case BridgeTask():
                return json.dumps({"bridges": []})
            case JudgeTask():
                return self._judgement(task)
            case QuestionTask():
                return self._question(task)

    def _fails(self, fault: str, *more: object) -> bool:
        """Draw whether this fault happens here, and note it for the reply's annotations if it does."""
        if draw(*self.key, fault, *more) >= getattr(self.character, fault):
            return False
        if fault not in self.injected:
            self.injected.append(fault)
        return True

    def _formula(self, task: FormulaTask) -> str:
        world = self.library.with_sentences([task.sentence], task.vocabulary_text)
        known = None if world is None else world.known[plain(task.sentence)]
        if world is None or known is None or known.sentence is None:
            return LOST
        sentence = known.sentence
        if self._fails("misread"):
            sentence = misread(world, sentence, *self.key)
        return _json(formula=write_formula(world, sentence, task.vocabulary_text))

    def _claims(self, sentences: Sequence[str]) -> str:
        """The claims of an answer that is known, or its sentences."""
        found = self.library.claims_of(sentences) or sentences
        kept = [text for place, text in enumerate(found[:MOST_CLAIMS]) if not self._fails("drop", place)]
        return json.dumps({"claims": [{"text": text, "type": ClaimType.LOGICAL} for text in kept]}, ensure_ascii=False)

    def _judgement(self, task: JudgeTask) -> str:
        world = self.library.with_sentences([task.claim, *split_sentences(task.context)])
        known = None if world is None else world.known.get(plain(task.claim))
        verdict = SoftVerdict.UNCERTAIN if known is None else known.verdict
        if self._fails("confuse"):
            others = [other for other in SoftVerdict if other is not verdict]
            verdict = pick(others, *self.key, "verdict")
        return json.dumps({"verdict": verdict.value, "confidence": _SURE})

    def _question(self, task: QuestionTask) -> str:
        world = self.library.with_question(task.context, task.question, task.options)
        if world is None:
            return LOST
        if task.kind == "answer":
            return self._answer(world, task)
        if task.kind == "thought":
            return _json(thought=pick(world.context[:MOST_PREMISES] or ("Nothing is told.",), *self.key, "thought"))
        good = _right(world, task.said) != self._fails("confuse")
        if task.kind == "rate":
            return json.dumps({"rating": _GOOD if good else _BAD})
        return json.dumps({"ok": good, "problems": [] if good else ["The answer does not follow from the context."]})

    def _answer(self, world: ClaimWorld, task: QuestionTask) -> str:
        letter = world.answer
        if self._fails("wrong"):
            others = [option for option in world.options if option != letter]
            letter = pick(others, *self.key, "option") if others else letter
        said = [*world.context[:MOST_PREMISES], *filter(None, [world.option_says(letter)])]
        reasoning = " ".join(f"{text.rstrip('. ')}." for text in said)
        if not task.options:
            return reasoning
        return _json(reasoning=reasoning, answer=letter) if task.reasons else _json(answer=letter)


def _right(world: ClaimWorld, said: str) -> bool:
    """Return whether an answer gives the right option, or, if it gives none, whether it states no wrong one."""
    given = read_option(said, world.options)
    if given is not None:
        return given == world.answer
    wrong = [world.option_says(letter) for letter in world.options if letter != world.answer]
    return not any(text and plain(text) in plain(said) for text in wrong)


def _json(**fields: str) -> str:
    return json.dumps(fields, ensure_ascii=False)
