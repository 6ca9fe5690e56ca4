"""Cases for simulated answerers: lamps that are lit or dark, with labels by counting all worlds."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from random import Random

from holdtrue.kinds.labels.case import Case, Premise, Query
from holdtrue.kinds.labels.prompts import LabelPrompt, LabelRepair, Words
from holdtrue.logic.connectives import Formula, Not
from holdtrue.logic.evaluate import evaluate
from holdtrue.logic.sorts import IntSort
from holdtrue.logic.terms import Variable
from holdtrue.models.chat import Reply, Request
from holdtrue.record import Label
from holdtrue_lab.kinds.labels.simulation import SimulatedAnswerer

ROOMS = ("hall", "attic", "barn", "cellar", "porch")
VARIABLES = tuple(Variable(room, IntSort(0, 1)) for room in ROOMS)
_WORLDS = [dict(zip(ROOMS, values, strict=True)) for values in product((0, 1), repeat=len(ROOMS))]


def lit(room: str) -> Formula:
    return VARIABLES[ROOMS.index(room)].eq(1)


def possible(case: Case, *formulas: Formula) -> bool:
    """Whether the premises and all formulas can hold: by trying every world."""
    demanded = [*case.theory.values(), *formulas]
    return any(all(evaluate(formula, world) for formula in demanded) for world in _WORLDS)


def commitment(case: Case, place: int, label: Label) -> Formula:
    """Return the formula that an answer other than UNKNOWN commits to."""
    formula = case.queries[place].formula
    assert formula is not None
    return formula if label is Label.ENTAILED else Not(formula)


def _case(number: int) -> Case:
    """A lamp that is lit, one that is dark because of it, and two that cannot both be lit.

    There is a query about every lamp; about two of them there are two.
    """
    rng = Random(number)
    first, *others = rng.sample(ROOMS, len(ROOMS))
    premises = [Premise(f"In house {number}, the {first} is lit.", lit(first))]
    for given, then in ((first, others[0]), (others[1], others[2])):
        premises.append(Premise(f"Where the {given} is lit, the {then} is dark.", lit(given).implies(Not(lit(then)))))
    drawn = Case(f"case-{number}", "toy", "lamps", "lamps", "propositional", ROOMS, VARIABLES, (), tuple(premises), ())
    queries = []
    for place, room in enumerate((*rng.sample(ROOMS, len(ROOMS)), first, others[1])):
        formula, text = lit(room), f"The {room} is lit"
        if rng.random() < 0.4:
            formula, text = Not(formula), f"The {room} is dark"
        label = Label.UNKNOWN
        if not possible(drawn, Not(formula)):
            label = Label.ENTAILED
        elif not possible(drawn, formula):
            label = Label.CONTRADICTED
        words = f"{text} (asked as number {place})"
        queries.append(Query(f"q{place}", words, label, "lit", formula, reasoning=f"because-{number}-{place}"))
    return Case(
        drawn.id, "toy", "lamps", "lamps", "propositional", ROOMS, VARIABLES, (), drawn.premises, tuple(queries)
    )


LAMPS = tuple(_case(number) for number in range(150))


def asked(
    case: Case,
    *,
    place: int | None = None,
    frame: str = "direct",
    words: Words = "labels",
    beliefs: Sequence[str] | None = None,
    repair: LabelRepair | None = None,
) -> LabelPrompt:
    """The prompt for one query of a case, or for all of them."""
    queries = case.queries if place is None else case.queries[place : place + 1]
    return LabelPrompt(
        frame,
        tuple(premise.text for premise in case.premises),
        tuple((query.id, query.text) for query in queries),
        None if beliefs is None else tuple(beliefs),
        words,
        repair,
    )


async def reply(model: SimulatedAnswerer, prompt: LabelPrompt, sample: int = 0) -> Reply:
    return await model.complete(Request(prompt.messages(), "answer", schema=prompt.schema(), sample=sample))
