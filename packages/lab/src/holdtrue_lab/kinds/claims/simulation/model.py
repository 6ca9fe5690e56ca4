"""Simulated models for the claims suites. They know the items, take every step of VERGE, and fail at given rates.

A prompt's sentences identify its item. Formulas are always first-order text. `names` lists the faults.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence

from holdtrue.language.sentences import split_sentences
from holdtrue.models.chat import Reply, Request
from holdtrue_claims.claim_record import ClaimType, SoftVerdict
from holdtrue_claims.fol.notation import write_fol
from holdtrue_claims.kind.prompts import answer_doubts as doubts
from holdtrue_claims.kind.prompts.decomposition import MOST_CLAIMS
from holdtrue_claims.kind.prompts.questions import read_option
from holdtrue_lab.kinds.claims.dialogue import Dialogue
from holdtrue_lab.kinds.claims.item import Item
from holdtrue_lab.kinds.claims.simulation import view, writing
from holdtrue_lab.kinds.claims.simulation import world as worlds
from holdtrue_lab.kinds.claims.simulation.names import ClaimCharacter
from holdtrue_lab.kit.simulation.chance import draw, pick
from holdtrue_lab.kit.simulation.model import LOST, Simulated, make_reply

_SURE = 90
_GOOD, _BAD = 9, 2


class SimulatedReasoner(Simulated[ClaimCharacter]):
    """A simulated model that knows the given items and dialogues, with the faults that its name sets.

    It formalizes and judges the answers of a dialogue, but gives no answers there. A reply's annotations name the
    faults that changed it, such as `wrong` or `misread`. Raises `SettingsError` for an unknown name.
    """

    def __init__(self, name: str, items: Sequence[Item] = (), *, dialogues: Iterable[Dialogue] = ()) -> None:
        super().__init__(ClaimCharacter.read(name))
        self._library = worlds.Library([*map(worlds.item_world, items), *map(worlds.dialogue_world, dialogues)])

    def reply(self, request: Request) -> Reply:
        task = view.view_claims(request.messages)
        if task is None:
            return make_reply(request, LOST)
        # A change of the prompt, the seed or the sample draws anew.
        last = request.messages[-1].content
        if self.character.reads_whole_chat:
            last = "\n".join(message.content for message in request.messages)
        key = (self.character.seed, last, request.seed, request.sample)
        doing = _Doing(self.character, self._library, key, request.temperature)
        return make_reply(request, doing.reply(task), doing.injected)


class _Doing:
    """A `_Doing` is the state of one reply while it is made."""

    def __init__(
        self, character: ClaimCharacter, library: worlds.Library, key: tuple[object, ...], temperature: float
    ) -> None:
        self.character = character
        self.library = library
        self.key = key
        self.temperature = temperature
        self.injected: list[str] = []

    def reply(self, task: view.ClaimTask) -> str:
        match task:
            case view.TextTask(text, words):
                world = self.library.with_text(text)
                return LOST if world is None else writing.words_reply(world) if words else writing.things_reply(world)
            case view.FormulaTask():
                return self._formula(task)
            case view.RetellTask(formula, vocabulary_text):
                sayings = (
                    writing.say_formula(world, formula, vocabulary_text)
                    for world in self.library.with_vocabulary(vocabulary_text)
                )
                return _json(sentence=next(filter(None, sayings), writing.spell_formula(formula)))
            case view.ChoiceTask():
                return self._choice(task)
            case view.ClaimsTask(sentences):
                return self._claims(sentences)
            case view.ActTask(part):
                asked = part.endswith("?")
                states = (not asked and self.library.states_anything(part)) != self._fails("confuse", "dialogue_act")
                return _json(it=doubts.STATES if states else doubts.ASKS if asked else "wish")
            case view.SaidTask(answer, claim):
                is_said = worlds.plain(claim) in map(worlds.plain, self.library.claims_of(answer) or ())
                return _json(it=doubts.SAID if is_said != self._fails("confuse", "said") else doubts.UNSAID)
            case view.BridgeTask():
                return self._bridges(task)
            case view.JudgeTask():
                return self._judgement(task)
            case view.QuestionTask():
                return self._question(task)
            case view.ProgramTask():
                return self._program(task)

    def _fails(self, fault: str, *more: object, steps: int = 0) -> bool:
        """Draw whether this fault happens here, and note it for the reply's annotations if it does."""
        if draw(*self.key, fault, *more) >= self.character.probability(fault, self.temperature, steps):
            return False
        self._note(fault)
        return True

    def _note(self, fault: str) -> None:
        if fault not in self.injected:
            self.injected.append(fault)

    def _formula(self, task: view.FormulaTask) -> str:
        world = self.library.with_sentences([task.sentence], task.vocabulary_text)
        known = None if world is None else world.known[worlds.plain(task.sentence)]
        if world is None or known is None or known.sentence is None:
            return LOST
        sentence = known.sentence
        if self._fails("misread"):
            sentence = writing.misread(world, sentence, *self.key)
        elif self._fails("weaken"):
            # All samples of a sentence are weakened in the same way, so that they can agree.
            sentence = writing.weaken(world, sentence, self.character.seed, worlds.plain(task.sentence))
        return _json(formula=writing.write_formula(world, sentence, task.vocabulary_text))

    def _choice(self, task: view.ChoiceTask) -> str:
        world = self.library.with_sentences([task.sentence])
        known = None if world is None else world.known.get(worlds.plain(task.sentence))
        none = task.statements[-1]
        chosen = None
        if world is not None and known is not None and known.sentence is not None:
            chosen = writing.find_saying(world, known.sentence, task.statements)
        if self._fails("confuse"):
            return _json(says=pick([text for text in task.statements if text != chosen], *self.key, "statement"))
        return _json(says=chosen or none)

    def _program(self, task: view.ProgramTask) -> str:
        """Return a program of the formulas of all sentences. Some may be misread, and one may be unreadable."""
        world = self.library.with_sentences([*task.sentences, *task.statements.values()])
        if world is None:
            return LOST
        sorts = task.form in ("typed", "script")
        premises = [self._formal(world, text, sorts=sorts) for text in task.sentences]
        premises = premises if task.form == "script" else writing.with_laws(world, premises)
        statements = {name: self._formal(world, text, sorts=sorts) for name, text in task.statements.items()}
        # Laws were appended to the first formula, so that formula is the one to garble.
        broken = f"{premises[0]} ->" if premises and self._fails("garble") else None
        return writing.program_reply(
            world, task.form, [*([broken] if broken else premises[:1]), *premises[1:]], statements
        )

    def _formal(self, world: worlds.ClaimWorld, text: str, *, sorts: bool) -> str:
        """Return a sentence's formula. Without `sorts`, its quantifiers range over everything."""
        known = world.known.get(worlds.plain(text))
        if known is None or known.sentence is None:
            return ""
        wrong = self._fails("misread", worlds.plain(text))
        meant = writing.misread(world, known.sentence, *self.key, worlds.plain(text)) if wrong else known.sentence
        return write_fol(meant if sorts else writing.unsorted(meant))

    def _claims(self, sentences: Sequence[str]) -> str:
        """Return the claims of a known answer, or the sentences of any other."""
        found = self.library.claims_of(sentences) or sentences
        kept = [text for place, text in enumerate(found[:MOST_CLAIMS]) if not self._fails("drop", place)]
        typed = [{"text": text, "type": self._type(place)} for place, text in enumerate(kept)]
        return json.dumps({"claims": typed}, ensure_ascii=False)

    def _type(self, place: int) -> ClaimType:
        return ClaimType.VAGUE if self._fails("mistype", place) else ClaimType.LOGICAL

    def _bridges(self, task: view.BridgeTask) -> str:
        """Return rules by which claims without a formula imply their gold formulas.

        Rules about the last claims come first, because all others lead to the last ones, and only a few rules are
        taken.
        """
        rules = []
        world = self.library.with_sentences(task.judged.values(), task.vocabulary_text)
        for id, text in reversed(list(task.judged.items())):
            known = None if world is None else world.known.get(worlds.plain(text))
            if world is not None and known is not None and known.sentence is not None and self._finds("bridge", id):
                formula = writing.write_formula(world, known.sentence, task.vocabulary_text)
                rules.append({"text": f"{id} says that {text}", "formula": f"{id} → ({formula})"})
        return json.dumps({"bridges": rules}, ensure_ascii=False)

    def _finds(self, skill: str, *more: object) -> bool:
        return draw(*self.key, skill, *more) < float(getattr(self.character, skill))

    def _judgement(self, task: view.JudgeTask) -> str:
        world = self.library.with_sentences([task.claim, *split_sentences(task.context)])
        known = None if world is None else world.known.get(worlds.plain(task.claim))
        verdict = SoftVerdict.UNCERTAIN if known is None else known.verdict
        if self._fails("confuse"):
            others = [other for other in SoftVerdict if other is not verdict]
            verdict = pick(others, *self.key, "verdict")
        return json.dumps({"verdict": verdict.value, "confidence": _SURE})

    def _question(self, task: view.QuestionTask) -> str:
        world = self.library.with_question(task.context, task.question, task.options)
        if world is None:
            return LOST
        if task.kind == "answer":
            return self._answer(world, task)
        if task.kind == "thought":
            return _json(
                thought=pick(world.context[: worlds.MOST_PREMISES] or ("Nothing is told.",), *self.key, "thought")
            )
        # Recorded runs of characters with only the first four rates read a denial of a wrong statement as that
        # statement.
        find = worlds.stated_option if self.character.reads_whole_chat else _read_option
        good = _right(world, task.said, find) != self._fails("confuse")
        if task.kind == "rate":
            return json.dumps({"rating": _GOOD if good else _BAD})
        return json.dumps({"ok": good, "problems": [] if good else ["The answer does not follow from the context."]})

    def _answer(self, world: worlds.ClaimWorld, task: view.QuestionTask) -> str:
        letter = self._option(world, task)
        said = [*world.context[: worlds.MOST_PREMISES], *filter(None, [world.option_says(letter)])]
        reasoning = " ".join(f"{text.rstrip('. ')}." for text in said)
        if not task.options:
            return reasoning
        return _json(reasoning=reasoning, answer=letter) if task.reasons else _json(answer=letter)

    def _option(self, world: worlds.ClaimWorld, task: view.QuestionTask) -> str:
        """Return the option to give. After feedback, a character that revises mends or spoils its last option."""
        told = task.feedback if self.character.revises else None
        before = None if told is None else worlds.given_option(world, told.previous)
        if told is None or before is None:
            return self._wrong_option(world) if self._fails("wrong", steps=task.steps) else world.answer
        if before == world.answer:
            return self._wrong_option(world) if self._fails("spoil") else before
        mending = told.about(world.option_says(before))
        if mending and self._finds(mending):
            return world.answer
        self._note("wrong")
        return before

    def _wrong_option(self, world: worlds.ClaimWorld) -> str:
        others = [option for option in world.options if option != world.answer]
        return pick(others, *self.key, "option") if others else world.answer


def _read_option(world: worlds.ClaimWorld, said: str) -> str | None:
    return read_option(said, world.options)


def _right(world: worlds.ClaimWorld, said: str, find: Callable[[worlds.ClaimWorld, str], str | None]) -> bool:
    """Return whether an answer gives the right option, or, if it gives none, whether it states no wrong one."""
    given = find(world, said)
    if given is not None:
        return given == world.answer
    wrong = [world.option_says(letter) for letter in world.options if letter != world.answer]
    return not any(text and worlds.plain(text) in worlds.plain(said) for text in wrong)


def _json(**fields: str) -> str:
    return json.dumps(fields, ensure_ascii=False)
