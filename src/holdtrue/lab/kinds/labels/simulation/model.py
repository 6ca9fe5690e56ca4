"""Simulated models that answer with labels: they know cases by heart, and fail at the rates that their names set.

A case is found by the premises and queries of the prompt.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from holdtrue.kinds.labels.case import Case
from holdtrue.kinds.labels.prompts import WORDING
from holdtrue.lab.kinds.labels.simulation.names import LabelCharacter
from holdtrue.lab.kinds.labels.simulation.view import LabelTask, view_labels
from holdtrue.lab.kinds.labels.simulation.world import LabelledStatement, LabelWorld
from holdtrue.lab.kit.simulation.chance import draw, pick
from holdtrue.lab.kit.simulation.model import LOST, FormatTask, Latest, Simulated, make_reply
from holdtrue.lab.kit.simulation.reply_faults import drawn_anew, spoiled, tidied
from holdtrue.language.asking import one_line
from holdtrue.models.chat import Reply, Request
from holdtrue.record import Label

# Confidences are spread evenly so far to both sides of their mean, where 0 and 1 leave room.
SPREAD = 0.1


class SimulatedAnswerer(Simulated[LabelCharacter]):
    """A simulated model that knows the cases that it is given, with the faults that its name sets.

    A reply's annotations have `fault:query` for each fault that changed an answer in it. A repair prompt gets new
    answers to the queries that it asks again, with faults at the same rates, and the old answers to all others. Raises
    `SettingsError` for an unknown name.
    """

    def __init__(self, name: str, cases: Sequence[Case]) -> None:
        super().__init__(LabelCharacter.read(name))
        self._cases: dict[tuple[str, ...], list[Case]] = {}
        for case in cases:
            self._cases.setdefault(tuple(one_line(premise.text) for premise in case.premises), []).append(case)
        self._worlds: Latest[LabelWorld] = Latest()

    def reply(self, request: Request) -> Reply:
        task = view_labels(request.messages)
        if isinstance(task, FormatTask):
            return make_reply(request, tidied(task.response, self.character.tidy, self.character.seed))
        case = self._find(task) if task else None
        if task is None or case is None:
            return make_reply(request, LOST)
        # The cases live as long as the answerer, so that their identities name them.
        world = self._worlds.get(id(case), lambda: LabelWorld(case))
        sample = drawn_anew(request, self.character.greedy, self.character.seed)
        answering = _Answering(self.character, world, task, sample)
        text, kind, faults = spoiled(answering.answer(), request, self.character, self.character.seed)
        return make_reply(request, text, [*answering.injected, *faults], kind)

    def _find(self, task: LabelTask) -> Case | None:
        """The first case with these premises that has all these queries."""
        for case in self._cases.get(task.premises, ()):
            known = {query.id: one_line(query.text) for query in case.queries}
            if all(known.get(id) == text for id, text in task.queries):
                return case
        return None


class _Answering:
    """One reply in the making."""

    def __init__(self, character: LabelCharacter, world: LabelWorld, task: LabelTask, sample: int) -> None:
        self.character = character
        self.world = world
        self.task = task
        # Another frame, a repair prompt, or another sample is another throw of the dice. What is believed is not: a
        # question is answered alike whatever became of earlier answers, so that policies can be compared.
        self.key = (character.seed, task.premises, task.frame, sample)
        self.earlier: list[LabelledStatement] = world.labelled(task.beliefs)
        self.injected: list[str] = []

    def answer(self) -> str:
        wording = WORDING[self.task.words]
        answers: dict[str, dict[str, str | float]] = {}
        for id, text in self.task.queries:
            label = self.task.kept.get(id) or self._draw(id, text)
            self.earlier.append((id, label))
            answers[id] = {"label": wording[label], "confidence": self._confidence(id, text, label)}
        reply = json.dumps({"answers": answers}, ensure_ascii=False)
        if self.task.frame == "cot":
            return f"- I went through the premises for {', '.join(answers)}.\n\n{reply}"
        return reply

    def _draw(self, id: str, text: str) -> Label:
        """The right label, or what a fault makes of it."""
        right, character = self.world.queries[id].label, self.character
        key = (*self.key, id, text, self.task.feedback)
        dice = draw(*key, "fault")
        options, fault = [right], ""
        if dice < character.wrong:
            options, fault = [label for label in Label if label is not right], "wrong"
        elif dice < character.wrong + character.unknown:
            options, fault = [Label.UNKNOWN], "unknown"
        elif dice < character.wrong + character.unknown + character.contradict:
            options, fault = self.world.clashing(id, self.earlier) or [right], "contradict"
        if fault and draw(*key, "avoided") < character.avoids(self.task.frame, self.task.told):
            options = [right]
        label = pick(options, *key, "which")
        if fault and options != [right]:
            self.injected.append(f"{fault}:{id}")
        return label

    def _confidence(self, id: str, text: str, label: Label) -> float:
        # Without the feedback: what is kept after a repair is as sure as it was.
        right, wrong = self.character.confidence
        mean = right if label is self.world.queries[id].label else wrong
        spread = min(SPREAD, mean, 1 - mean)
        return round(mean + spread * (2 * draw(*self.key, id, text, label.value, "confidence") - 1), 3)
