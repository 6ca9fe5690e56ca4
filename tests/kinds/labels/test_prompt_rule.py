"""A prompt about queries may hold the frame, the case's sentences, the model's labels, verdicts about these, and
beliefs.

It never holds gold, later queries, the values of a witness, or beliefs that were given up, with their reasons.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from typing import get_args

import pytest

from holdtrue.conversation.query_session import QuerySession
from holdtrue.conversation.query_state import Question
from holdtrue.kinds.labels.case import Case, Premise, Query
from holdtrue.kinds.labels.formalizer import Formal
from holdtrue.kinds.labels.method import LABEL_PRESETS, LabelMethod
from holdtrue.kinds.labels.prompts import BELIEFS, QUERIES
from holdtrue.kinds.labels.record import LabelsRecord
from holdtrue.kinds.labels.turn import WayOfAsking
from holdtrue.ledger.policies import SCREENED
from holdtrue.models.chat import Request
from holdtrue.record import Label
from holdtrue.world.domain import Attribute, Axiom, ConstraintType, Domain, Entity, Integer
from tests.recorder import Recorder

# The house rule keeps every witness away from the numbers in sentences. Only 111 to 119 are possible, and sentences
# have only 118 and 119 of these.
CODES = Domain(
    name="codes",
    attributes=[Attribute("code", low=105, high=125)],
    constraint_types=[
        ConstraintType("lower", (Entity(), Entity()), "{0} has a lower code than {1}", lambda w, a, b: a.code < b.code),
        ConstraintType("at", (Entity(), Integer(105, 125)), "{0} has code {1}", lambda w, a, k: a.code.eq(k)),
    ],
    axioms=lambda w: [
        Axiom(f"house_{e}", "codes obey the house rule", (w[e].code >= 111) & (w[e].code <= 119)) for e in w.entities
    ],
)
WORLD = CODES.instance(["Ann", "Bob", "Cy"])
PREMISES = ["Ann has a lower code than Bob.", "Bob has a lower code than Cy."]
STATEMENTS = [
    "Bob has code 118.",
    "Ann has a lower code than Cy.",
    "Bob has code 119.",
    "Cy has a lower code than Bob.",
]
STATEMENTS += ["Cy has code 119.", "Cy has code 118."]
SECRETS = re.compile(r"\b11[1-7]\b")
GIVEN = ["ENTAILED", "ENTAILED", "CONTRADICTED", "ENTAILED", "CONTRADICTED", "ENTAILED"]
"""The fourth contradicts the premises, the last the first: Bob would be where Cy is."""
RIGHT = [Label.UNKNOWN, Label.ENTAILED, Label.CONTRADICTED, Label.CONTRADICTED, Label.UNKNOWN, Label.UNKNOWN]
METHODS: dict[str, LabelMethod] = LABEL_PRESETS
ASKING = [name for name, method in METHODS.items() if method.answerer == "model"]
WAYS = [(way, formal) for way in get_args(WayOfAsking) for formal in get_args(Formal)]
WRONG = {f"q{place}": label for place, label in enumerate(GIVEN)}


def read(sentence: str) -> tuple[str, list[str | int]]:
    """A sentence as a constraint."""
    first, lower, last = re.fullmatch(r"(\w+) has (?:(a lower) code than|code) (\w+)\.?", sentence).groups()  # type: ignore[union-attr]
    return ("lower", [first, last]) if lower else ("at", [first, int(last)])


def make_case(statements: list[str] = STATEMENTS, labels: list[Label] = RIGHT, gold: str | None = None) -> Case:
    """Return the case. `gold` makes the suite's formulas those of another sentence."""
    constraints = {text: WORLD.constraint(*read(gold or text)) for text in (*PREMISES, *statements)}
    return Case(
        id="codes",
        suite="cross_query",
        domain="codes",
        subdomain="codes",
        logic_type="csp",
        entities=WORLD.entities,
        variables=tuple(WORLD.variables.values()),
        laws=WORLD.background,
        premises=(
            Premise("There are three codes.", setting=True),
            *(Premise(t, WORLD.formula(constraints[t])) for t in PREMISES),
        ),
        queries=tuple(
            Query(f"q{place}", text, label, "kind", WORLD.formula(constraints[text]))
            for place, (text, label) in enumerate(zip(statements, labels, strict=True))
        ),
        instance=WORLD,
    )


@dataclass
class Played:
    model: Recorder
    records: list[LabelsRecord]
    sent: list[int]
    """How many requests had been sent after each turn."""


def reply(request: Request, unreadable: bool) -> str:
    """Give the labels `WRONG` in the requested shape, and read sentences as they are."""
    text = request.messages[-1].content
    if request.purpose.startswith("extract"):
        sentence = text.rsplit("Sentence: ", 1)[-1].splitlines()[0]
        type, args = read(sentence)
        return json.dumps({"meaning": sentence, "constraints": [{"type": type, "args": args}]})
    if unreadable:
        return "I would rather not say."
    asked = re.findall(r"^(q\d+): ", text, re.MULTILINE)
    return json.dumps({"answers": {id: {"label": WRONG[id], "confidence": 0.5} for id in asked}})


async def play(
    name: str, way: WayOfAsking, formal: Formal, case: Case | None = None, unreadable: bool = False
) -> Played:
    case = case or make_case()
    model = Recorder(lambda request: reply(request, unreadable))
    session = QuerySession(case, model=model, method=METHODS[name], way_of_asking=way, formal=formal)
    questions = [Question(query.id, query.text, query.formula) for query in case.queries]
    played = Played(model, [], [])
    for turn in [questions] if way == "bundle" else [[question] for question in questions]:
        played.records.append(await session.turn(turn))
        played.sent.append(len(model.requests))
    return played


@pytest.mark.parametrize("unreadable", [False, True], ids=["wrong", "unreadable"])
@pytest.mark.parametrize(("way", "formal"), WAYS)
@pytest.mark.parametrize("name", METHODS)
async def test_no_value_of_a_witness(name: str, way: WayOfAsking, formal: Formal, unreadable: bool) -> None:
    played = await play(name, way, formal, unreadable=unreadable)
    assert not [prompt for prompt in played.model.prompts if SECRETS.search(prompt)]
    assert not [request for request in played.model.requests if SECRETS.search(str(request.schema))]
    if METHODS[name].answerer != "model":
        assert all(request.purpose.startswith("extract") for request in played.model.requests)


@pytest.mark.parametrize(("way", "formal"), WAYS)
@pytest.mark.parametrize("name", ASKING)
async def test_gold_labels_change_no_prompt(name: str, way: WayOfAsking, formal: Formal) -> None:
    played = await play(name, way, formal)
    other = await play(name, way, formal, replace(make_case(labels=RIGHT[::-1]), id="other"))
    assert played.model.prompts == other.model.prompts
    schemas = [[request.schema for request in each.model.requests] for each in (played, other)]
    assert schemas[0] == schemas[1]


@pytest.mark.parametrize("way", get_args(WayOfAsking))
@pytest.mark.parametrize("name", ASKING)
async def test_gold_formulas_change_no_prompt_where_the_model_formalizes(name: str, way: WayOfAsking) -> None:
    played = await play(name, way, "llm")
    assert all(not event.reason or "undecided" not in event.reason for r in played.records for event in r.events)
    other = await play(name, way, "llm", make_case(gold="Ann has code 107."))
    assert played.model.prompts == other.model.prompts


@pytest.mark.parametrize("formal", get_args(Formal))
@pytest.mark.parametrize("name", ASKING)
async def test_later_queries_change_no_earlier_prompt(name: str, formal: Formal) -> None:
    played = await play(name, "one", formal)
    other = await play(name, "one", formal, make_case([*STATEMENTS[:3], "Ann has code 124.", *STATEMENTS[4:]]))
    assert played.sent[2] == other.sent[2]
    assert played.model.prompts[: played.sent[2]] == other.model.prompts[: played.sent[2]]


@pytest.mark.parametrize("formal", get_args(Formal))
@pytest.mark.parametrize("name", ASKING)
async def test_what_is_believed_is_shown_and_nothing_of_what_was_given_up(name: str, formal: Formal) -> None:
    played = await play(name, "one", formal)
    gone = [event for record in played.records for event in record.events if event.kind in ("set_aside", "rejected")]
    assert bool(gone) == (METHODS[name].policy in SCREENED), "the conversation must have something to give up"
    said = dict(zip(WRONG, STATEMENTS, strict=True))
    for turn, record in enumerate(played.records[1:], start=1):
        believed = played.records[turn - 1].holds
        lines = [said[id] if WRONG[id] == "ENTAILED" else f"Not the case: {said[id]}" for id in believed]
        for request in played.model.requests[played.sent[turn - 1] : played.sent[turn]]:
            if request.purpose != "answer":
                continue
            text = request.messages[-1].content
            shown = text[text.index(BELIEFS) + len(BELIEFS) : text.index(QUERIES["labels"])].split("\n- ")[1:]
            assert [line.strip() for line in shown] == (lines or ["nothing yet"]), record.turn
    reasons = {event.reason for event in gone if event.reason}
    assert not [prompt for prompt in played.model.prompts for reason in reasons if reason in prompt]


@pytest.mark.parametrize(("way", "formal"), WAYS)
@pytest.mark.parametrize("name", [name for name in ASKING if METHODS[name].repairs])
async def test_repairs_hold_the_models_own_labels_and_quote_sentences(
    name: str, way: WayOfAsking, formal: Formal
) -> None:
    played = await play(name, way, formal)
    repairs = [r.messages[-1].content for r in played.model.requests if r.purpose == "repair"]
    assert repairs
    sentences = {*PREMISES, *STATEMENTS, *(f"Not the case: {text}" for text in STATEMENTS)}
    for text in repairs:
        listed = dict(re.findall(r"(q\d) ([A-Z]+)", text.split("Your answers were: ")[1].splitlines()[0]))
        assert listed and listed.items() <= WRONG.items()
        _, quoted, conflict = text.partition("These cannot all be true together:\n")
        assert bool(quoted) == (METHODS[name].feedback == "conflict")
        lines = [line[2:].removesuffix(" (your answer)") for line in conflict.splitlines() if line.startswith("- ")]
        assert set(lines) <= sentences
