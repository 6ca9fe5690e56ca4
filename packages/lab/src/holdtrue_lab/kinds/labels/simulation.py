"""Simulated models that answer with labels. They know the cases, and fail at the rates in their names.

A prompt's premises and queries identify its case. `sim/labels` is always right.
`sim/labels:wrong=0.2,unknown=0.1,contradict=0.1,confidence=0.9/0.6@7` has faults and seed 7. `sim/labels:cross_query`
and `sim/labels:belief` are names of `PRESETS`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import ClassVar

from holdtrue.budget import Budget
from holdtrue.kinds.labels import prompts
from holdtrue.kinds.labels.case import Case, Query
from holdtrue.kinds.labels.prompts import WORDING
from holdtrue.language.asking import one_line
from holdtrue.language.retries import GIVEN_BEFORE, NUMBERED
from holdtrue.ledger.beliefs import DENIAL, commitment
from holdtrue.logic.formula import Formula
from holdtrue.models.chat import Message, Reply, Request
from holdtrue.record import Label
from holdtrue.solving.engine import Engine
from holdtrue.solving.result import Unsatisfiable
from holdtrue.solving.route import make_engine
from holdtrue_lab.kit.simulation import model as sim
from holdtrue_lab.kit.simulation.chance import draw, pick
from holdtrue_lab.kit.simulation.model import FormatTask, last_message, messages_of
from holdtrue_lab.kit.simulation.names import RatedCharacter


@dataclass(frozen=True, slots=True)
class LabelTask:
    """The task to answer `queries` (id, text) about the premises.

    `beliefs` are sentences of earlier turns. `feedback` is the text of a repair prompt, with its report of earlier
    attempts. `kept` has the labels that a repair prompt does not ask for again.
    """

    frame: str
    premises: tuple[str, ...]
    queries: tuple[tuple[str, str], ...]
    words: prompts.Words
    beliefs: tuple[str, ...] = ()
    feedback: str = ""
    kept: Mapping[str, Label] = field(default_factory=dict)

    @property
    def told(self) -> str:
        """The kind of feedback, named as an effect of `LabelCharacter`, or '' in a first prompt."""
        if not self.feedback:
            return ""
        return "quoted" if prompts.CONFLICT in self.feedback.split("\n") else "names"


def view_labels(messages: Sequence[Message]) -> LabelTask | FormatTask | None:
    """Return the task that the last user message sets, or None if it asks for no labels."""
    last = last_message(messages)
    if last.startswith(prompts.FORMAT_REQUEST):
        return FormatTask(last.partition("\n\nResponse:\n")[2])
    blocks: dict[str, list[str]] = {}
    for block in last.split("\n\n"):
        title, *lines = block.split("\n")
        blocks.setdefault(title, lines)
    for words, title in prompts.QUERIES.items():
        if prompts.PREMISES in blocks and title in blocks:
            return _label_task(_frame(messages), blocks, words, _named_lines(blocks[title]))
    return None


def _label_task(
    frame: str, blocks: Mapping[str, list[str]], words: prompts.Words, queries: tuple[tuple[str, str], ...]
) -> LabelTask:
    repair = blocks.get(prompts.REPAIR, [])
    given, asked_again = _after(prompts.GIVEN, repair), _after(prompts.AGAIN, repair)
    again = [title for title in blocks if title.startswith((NUMBERED, GIVEN_BEFORE))]
    labels = {name: label for label, name in prompts.WORDING[words].items()}
    said = (item.rpartition(" ") for item in given)
    return LabelTask(
        frame,
        tuple(text for _, text in _named_lines(blocks[prompts.PREMISES])),
        queries,
        words,
        tuple(line.removeprefix("- ") for line in blocks.get(prompts.BELIEFS, [])),
        "\n".join([*repair, *again]),
        {id: labels[word] for id, _, word in said if word in labels and id not in asked_again},
    )


def _frame(messages: Sequence[Message]) -> str:
    system_text = "\n".join(messages_of(messages, "system"))
    return next((frame for frame, text in prompts.LABEL_SYSTEM.items() if system_text.startswith(text)), "direct")


def _named_lines(lines: Sequence[str]) -> tuple[tuple[str, str], ...]:
    parts = (line.partition(": ") for line in lines)
    return tuple((name, text) for name, _, text in parts)


def _after(start: str, lines: Sequence[str]) -> list[str]:
    """Return the items of the list in the line that begins with `start`."""
    found = next((line.removeprefix(start) for line in lines if line.startswith(start)), "")
    return found.removesuffix(".").split(", ") if found else []


# The limit on the solver's conflicts makes answers independent of the machine's speed.
_BUDGET = Budget(timeout_s=None, conflicts=20_000)

LabelledStatement = tuple[str, Label]


class LabelWorld:
    """A case with a solver; the solver is made when it is first needed.

    Only verdicts of the solver are used, because its witnesses depend on earlier questions.
    """

    def __init__(self, case: Case) -> None:
        self.queries: Mapping[str, Query] = {query.id: query for query in case.queries}
        self._case = case
        self._engine: Engine | None = None
        self._impossible: dict[frozenset[LabelledStatement], bool] = {}
        self._sentences = _sentences(case)

    def labelled(self, sentences: Iterable[str]) -> list[LabelledStatement]:
        """Return the answers that the sentences of beliefs repeat. Sentences that are about no query are ignored."""
        found = (self._sentences.get(_plain(sentence)) for sentence in sentences)
        return [labelled for labelled in found if labelled is not None]

    def clashing(self, query: str, earlier: Iterable[LabelledStatement]) -> list[Label]:
        """Return the labels of a query that are impossible with the premises and one earlier answer.

        Earlier answers that the premises refute are ignored. If the premises alone allow some of these labels, return
        only the allowed labels.
        """
        held = [said for said in dict.fromkeys(earlier) if self._commits(said) and not self._refuted(said)]
        options = [(query, label) for label in (Label.ENTAILED, Label.CONTRADICTED)]
        found = [option for option in options if any(self._refuted(option, said) for said in held)]
        allowed = [option for option in found if not self._refuted(option)]
        return [label for _, label in allowed or found]

    def _commits(self, labelled: LabelledStatement) -> bool:
        return labelled[1] is not Label.UNKNOWN and self.queries[labelled[0]].formula is not None

    def _refuted(self, *answers: LabelledStatement) -> bool:
        """Return whether these answers cannot all be right, given the premises."""
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
    """Return the answer that each sentence repeats: a query is ENTAILED, and the denial of a query CONTRADICTED."""
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
"""The usual simulated models for both suites. They are wrong at these rates, and then less sure."""


@dataclass(frozen=True, slots=True)
class LabelCharacter(RatedCharacter):
    """The rates of a simulated model that answers with labels. An answer has at most one fault.

    `wrong` is the probability of one of the two wrong labels, and `unknown` the probability of UNKNOWN. `contradict` is
    the probability of a label that contradicts an earlier answer and the premises, if there is such a label.
    `confidence` has the mean confidence of right answers, and of wrong answers. `unclosed` and `cut` are the
    probabilities that a reply lacks its last brackets, and that the token limit ends it.

    The other rates are probabilities of effects. A fault is avoided if the prompt asks for reasons (`think`) or has
    examples (`shots`). In a repair, a fault is avoided if the prompt names clashing answers (`names`) or quotes a whole
    conflict (`quoted`). Brackets are closed if the prompt asks for clean JSON (`tidy`), or a schema is set (`bound`).
    Repeated samples at temperature 0 have the same answer (`greedy`).
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
        """Return the probability that a fault is avoided under a prompt frame, after feedback of the kind `told`."""
        framed = {"cot": self.think, "few_shot": self.shots}.get(frame, 0.0)
        return 1 - (1 - framed) * (1 - (getattr(self, told) if told else 0.0))

    def fault(self) -> str:
        faulty = self.wrong + self.unknown + self.contradict
        return "the rates of faults add up to more than 1" if faulty > 1 + 1e-9 else ""


# Confidences are distributed evenly up to this distance from their mean, and stay in 0..1.
SPREAD = 0.1


class SimulatedAnswerer(sim.Simulated[LabelCharacter]):
    """A simulated model that knows the given cases, with the faults that its name sets.

    A reply's annotations have `fault:query` for each fault that changed an answer in the reply. If a repair prompt asks
    a query again, it gets a new answer with the same fault rates. All other queries keep their answers. Raises
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
        # The answerer keeps the cases alive, so their identities are stable keys.
        world = self._worlds.get(id(case), lambda: LabelWorld(case))
        sample = sim.drawn_anew(request, self.character.greedy, self.character.seed)
        answering = _Answering(self.character, world, task, sample)
        text, kind, faults = sim.spoiled(answering.answer(), request, self.character, self.character.seed)
        return sim.make_reply(request, text, [*answering.injected, *faults], kind)

    def _find(self, task: LabelTask) -> Case | None:
        """Return the first case with these premises that has all these queries."""
        for case in self._cases.get(task.premises, ()):
            known = {query.id: one_line(query.text) for query in case.queries}
            if all(known.get(id) == text for id, text in task.queries):
                return case
        return None


class _Answering:
    """The state of one reply while it is made."""

    def __init__(self, character: LabelCharacter, world: LabelWorld, task: LabelTask, sample: int) -> None:
        self.character = character
        self.world = world
        self.task = task
        # If the frame or the sample changes, all random draws change. Beliefs do not change them. So a question gets
        # the same answer under every revision policy, and policies can be compared.
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
        """Return the right label, or the label that a fault gives instead."""
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
        # The key does not contain the feedback, so a label that is kept in a repair keeps its confidence.
        right, wrong = self.character.confidence
        mean = right if label is self.world.queries[id].label else wrong
        spread = min(SPREAD, mean, 1 - mean)
        return round(mean + spread * (2 * draw(*self.key, id, text, label.value, "confidence") - 1), 3)
