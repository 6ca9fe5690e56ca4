"""Conversations for simulated models: small problems, played with the prompts that real models get."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from holdtrue.kinds.assignment.prompts import AnswerPrompt, Exchange
from holdtrue.language.readers import Protocol
from holdtrue.logic.evaluate import evaluate
from holdtrue.models.chat import Message, Reply, Request, user
from holdtrue.world.answer import Answer, Assignment
from holdtrue.world.instance import Constraint, Instance
from holdtrue.world.reader import read_answer
from holdtrue_lab.kinds.assignment.problem import Problem
from holdtrue_lab.kinds.assignment.simulation.model import open_simulated
from holdtrue_lab.suites.drift.generate import generate
from tests.lab.kinds.assignment.gold import gold_until


@cache
def problems() -> tuple[Problem, ...]:
    """A dozen problems of all three domains."""
    return tuple(generate(11, 12, turns=6))


@dataclass(frozen=True, slots=True)
class Played:
    """A turn as it was played: the request, the reply, and the constraints that the user really stated."""

    instance: Instance
    number: int
    message: str
    request: Request
    reply: Reply
    gold: tuple[Constraint, ...]

    @property
    def answer(self) -> Answer:
        return read_answer(self.instance, self.reply.text)

    @property
    def injected(self) -> set[str]:
        return set(filter(None, self.reply.annotations.get("injected", "").split(",")))

    @property
    def broken(self) -> list[Constraint]:
        """The constraints of the user that the complete answer breaks."""
        assert isinstance(self.answer, Assignment)
        values = self.answer.values
        return [made for made in self.gold if not evaluate(self.instance.formula(made), values)]

    @property
    def correct(self) -> bool:
        """By direct evaluation: complete, and nothing broken."""
        answer = self.answer
        if not isinstance(answer, Assignment) or len(answer.values) != len(self.instance.variables):
            return False
        formulas = (*self.instance.background, *map(self.instance.formula, self.gold))
        return all(evaluate(formula, answer.values) for formula in formulas)


async def play(name: str, *, protocol: Protocol = "stated") -> list[Played]:
    """Every turn of every problem with the model of that name, each answer in the history of the next."""
    model = open_simulated(name)
    played: list[Played] = []
    for problem in problems():
        instance = problem.make_instance()
        history: tuple[Exchange, ...] = ()
        for turn in problem.turns:
            prompt = AnswerPrompt(instance, "direct", protocol, history, turn.message)
            request = Request(prompt.messages(), "answer")
            reply = await model.complete(request)
            gold = gold_until(problem, instance, turn.number)
            played.append(Played(instance, turn.number, turn.message, request, reply, gold))
            history += (Exchange(turn.message, reply.text),)
    return played


def extraction(instance: Instance, sentence: str, *lines: str) -> tuple[Message, ...]:
    """Return the prompt that asks for the constraints of a sentence."""
    return (user("\n".join([*instance.setup_lines(), f"Sentence: {sentence}", *lines])),)


def sentences() -> Iterator[tuple[Instance, str, Constraint]]:
    """Return every sentence of the problems with its constraint."""
    for problem in problems():
        instance = problem.make_instance()
        for stated in problem.gold_by_turn(instance).values():
            for made in stated:
                yield instance, instance.sentence(made), made
