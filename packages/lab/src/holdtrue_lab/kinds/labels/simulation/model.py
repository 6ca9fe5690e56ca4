"""Simulated models that answer with labels: they know cases by heart, and fail at the rates that their names set.

A case is found by the premises and queries of the prompt.

`sim/labels` is always right; `sim/labels:wrong=0.2,unknown=0.1,contradict=0.1,confidence=0.9/0.6@7` has faults and
seed 7. `sim/labels:cross_query` and `sim/labels:belief` are short for `PRESETS`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar

from holdtrue.budget import Budget
from holdtrue.kinds.labels.case import Case, Query
from holdtrue.kinds.labels.prompts import WORDING
from holdtrue.language.asking import one_line
from holdtrue.ledger.beliefs import DENIAL, commitment
from holdtrue.logic.formula import Formula
from holdtrue.models.chat import Reply, Request
from holdtrue.record import Label
from holdtrue.solving.engine import Engine
from holdtrue.solving.result import Unsatisfiable
from holdtrue.solving.route import make_engine
from holdtrue_lab.kinds.labels.simulation.view import LabelTask, view_labels
from holdtrue_lab.kit.simulation import model as sim
from holdtrue_lab.kit.simulation.chance import draw, pick
from holdtrue_lab.kit.simulation.names import RatedCharacter

# Counted in conflicts, so that what is answered does not depend on the machine.
_BUDGET = Budget(timeout_s=None, conflicts=20_000)

LabelledStatement = tuple[str, Label]


class LabelWorld:
    """A case with a solver, which is made when it is first needed. Only verdicts of the solver are used: its
    witnesses depend on what it was asked before.
    """

    def __init__(self, case: Case) -> None:
        self.queries: Mapping[str, Query] = {query.id: query for query in case.queries}
        self._case = case
        self._engine: Engine | None = None
        self._impossible: dict[frozenset[LabelledStatement], bool] = {}
        self._sentences = _sentences(case)

    def labelled(self, sentences: Iterable[str]) -> list[LabelledStatement]:
        """The answers that sentences of beliefs repeat; what they are about has to be a query of the case."""
        found = (self._sentences.get(_plain(sentence)) for sentence in sentences)
        return [labelled for labelled in found if labelled is not None]

    def clashing(self, query: str, earlier: Iterable[LabelledStatement]) -> list[Label]:
        """The labels of a query that are impossible with an earlier answer and the premises.

        Only the earlier answers that the premises allow are looked at, and labels that they allow come first.
        """
        held = [said for said in dict.fromkeys(earlier) if self._commits(said) and not self._refuted(said)]
        options = [(query, label) for label in (Label.ENTAILED, Label.CONTRADICTED)]
        found = [option for option in options if any(self._refuted(option, said) for said in held)]
        allowed = [option for option in found if not self._refuted(option)]
        return [label for _, label in allowed or found]

    def _commits(self, labelled: LabelledStatement) -> bool:
        return labelled[1] is not Label.UNKNOWN and self.queries[labelled[0]].formula is not None

    def _refuted(self, *answers: LabelledStatement) -> bool:
        """Return whether the premises make it impossible that these answers are all right."""
        asked = frozenset(answers)
        if asked not in self._impossible:
            if self._engine is None:
                case = self._case
                self._engine = make_engine(case.variables, (*case.laws, *case.theory.values()))
            formulas = {f"{id}={label}": self._commitment(id, label) for id, label in answers}
            soft = {name: formula for name, formula in formulas.items() if formula is not None}
            self._impossible[asked] = isinstance(self._engine.decide(soft, _BUDGET), Unsatisfiable)
        return self._impossible[asked]

    def _commitment(self, id: str, label: Label) -> Formula | None:
        statement = self.queries[id].formula
        return None if statement is None else commitment(statement, label)


def _sentences(case: Case) -> dict[str, LabelledStatement]:
    """Return what sentences of beliefs say: they have a query's own words or those of its constraint, or deny them."""
    found: dict[str, LabelledStatement] = {}
    for query in case.queries:
        texts = [query.text]
        if case.instance is not None and query.constraint is not None:
            texts.append(case.instance.sentence(query.constraint))
        for text in texts:
            found.setdefault(_plain(text), (query.id, Label.ENTAILED))
            found.setdefault(_plain(DENIAL + text), (query.id, Label.CONTRADICTED))
    return found


def _plain(sentence: str) -> str:
    return " ".join(sentence.split()).rstrip(".?!").casefold()


PRESETS: Mapping[str, str] = MappingProxyType(
    {
        "cross_query": "wrong=0.2,confidence=0.9/0.6",
        "belief": "wrong=0.3,confidence=0.9/0.6",
    }
)
"""The usual answerers of both suites: wrong at these rates, and less sure where they are wrong."""


@dataclass(frozen=True, slots=True)
class LabelCharacter(RatedCharacter):
    """The rates of a simulated model that answers with labels; an answer has at most one fault.

    `wrong` is the probability of one of the other two labels, `unknown` that of UNKNOWN, and `contradict` that of a
    label that cannot be right with an earlier answer and the premises, if there is one. `confidence` has the mean
    confidence of right answers, and that of wrong ones. `unclosed` and `cut` are the probabilities that a reply lacks
    its last brackets, or is ended by the token limit.

    The others are effects: the probability that a fault is avoided where the prompt asks for reasons (`think`), has an
    example (`shots`), or names answers that clash (`names`) or a whole conflict (`quoted`) in a repair; that the
    brackets are closed where clean JSON is asked for (`tidy`), or a schema is (`bound`); and that a further draw at
    temperature 0 repeats the first one (`greedy`).
    """

    KIND: ClassVar[str] = "sim/labels"
    FORMS: ClassVar[str] = (
        f"an answerer is sim/labels, sim/labels:PRESET with one of {', '.join(PRESETS)}, or faults with rates up to 1, "
        "such as sim/labels:wrong=0.2,confidence=0.9/0.6@7"
    )
    PRESETS: ClassVar[Mapping[str, str]] = PRESETS

    wrong: float = 0.0
    unknown: float = 0.0
    contradict: float = 0.0
    confidence: tuple[float, float] = (0.8, 0.8)
    unclosed: float = 0.0
    cut: float = 0.0
    think: float = 0.0
    shots: float = 0.0
    names: float = 0.0
    quoted: float = 0.0
    tidy: float = 0.0
    bound: float = 0.0
    greedy: float = 0.0

    def avoids(self, frame: str, told: str) -> float:
        """Return the probability that a fault is avoided under a frame, after a repair prompt that tells this."""
        framed = {"cot": self.think, "few_shot": self.shots}.get(frame, 0.0)
        return 1 - (1 - framed) * (1 - (getattr(self, told) if told else 0.0))

    def fault(self) -> str:
        faulty = self.wrong + self.unknown + self.contradict
        return "the rates of faults add up to more than 1" if faulty > 1 + 1e-9 else ""


# Confidences are spread evenly so far to both sides of their mean, where 0 and 1 leave room.
SPREAD = 0.1


class SimulatedAnswerer(sim.Simulated[LabelCharacter]):
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
        self._worlds: sim.Latest[LabelWorld] = sim.Latest()

    def reply(self, request: Request) -> Reply:
        task = view_labels(request.messages)
        if isinstance(task, sim.FormatTask):
            return sim.make_reply(request, sim.tidied(task.response, self.character.tidy, self.character.seed))
        case = self._find(task) if task else None
        if task is None or case is None:
            return sim.make_reply(request, sim.LOST)
        # The cases live as long as the answerer, so that their identities name them.
        world = self._worlds.get(id(case), lambda: LabelWorld(case))
        sample = sim.drawn_anew(request, self.character.greedy, self.character.seed)
        answering = _Answering(self.character, world, task, sample)
        text, kind, faults = sim.spoiled(answering.answer(), request, self.character, self.character.seed)
        return sim.make_reply(request, text, [*answering.injected, *faults], kind)

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
