"""In the scripted dialogues every drift contradicts exactly the named statements, and nothing else is contradictory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest

from holdtrue.budget import Budget
from holdtrue.errors import RecordError
from holdtrue.logic.formula import Formula
from holdtrue.solving.result import Satisfiable
from holdtrue_claims.claim_record import ClaimVerdict, JointVerdict
from holdtrue_claims.fol.meaning import state
from holdtrue_claims.fol.signature import signature
from holdtrue_claims.kind.context import Context
from holdtrue_claims.kind.entailment import verify_claim
from holdtrue_claims.kind.joint_check import verify_joint
from holdtrue_lab.kinds.claims.dialogue import Dialogue, DialogueTurn, Statement, read_dialogue
from holdtrue_lab.kinds.claims.simulation.world import dialogue_world
from holdtrue_lab.suites.verge.dialogues.study import load_dialogues
from tests.lab.suites.verge.dialogues.earlier_statements import earlier_statements
from tests.slow import first_of

DIALOGUES = load_dialogues()
TURNS = [(each, number) for each in DIALOGUES for number in range(1, len(each.turns) + 1)]
turns = pytest.mark.parametrize(
    ("dialogue", "number"), first_of(TURNS, 19), ids=[f"{each.id}-{number}" for each, number in TURNS]
)


class World:
    """A turn as logic: the statements before its answer, and the answer's claims."""

    def __init__(self, dialogue: Dialogue, number: int) -> None:
        self.vocabulary = dialogue.vocabulary
        self.earlier = self._formulas(earlier_statements(dialogue, number))
        self.claims = self._formulas(dialogue.turns[number - 1].claims)
        self.context = self.without()

    def without(self, *ids: str) -> Context:
        premises = {id: formula for id, formula in self.earlier.items() if id not in ids}
        return Context(premises, self.vocabulary, Budget(timeout_s=30.0))

    def _formulas(self, statements: Mapping[str, Statement]) -> dict[str, Formula]:
        return {id: state(each.sentence, self.vocabulary) for id, each in statements.items()}


def statements(dialogue: Dialogue) -> Iterator[Statement]:
    yield from dialogue.context
    for turn in dialogue.turns:
        yield from (*turn.stated, *turn.claims.values())


def turn_of(dialogue: Dialogue, number: int) -> DialogueTurn:
    return dialogue.turns[number - 1]


def test_there_is_as_much_as_promised() -> None:
    topics = [each.topic for each in DIALOGUES]
    assert len({each.id for each in DIALOGUES}) == 10
    assert {topic: topics.count(topic) for topic in topics} == {"code": 3, "policy": 3, "travel": 4}
    assert all(4 <= len(each.turns) <= 7 for each in DIALOGUES)
    late = [turn for each in DIALOGUES for turn in each.turns[2:]]
    assert 0.45 <= sum(bool(turn.drifts) for turn in late) / len(late) <= 0.6
    assert not any(turn.drifts for each in DIALOGUES for turn in each.turns[:2])
    every = [drift for turn in late for drift in turn.drifts]
    near = [id for each in DIALOGUES for turn in each.turns for id in turn.near]
    assert len(near) >= len(every) >= 20
    many = [drift for drift in every if sum(not id.startswith("P") for id in drift.against) > 1]
    assert len(many) >= 6 and sum(len(drift.claims) > 1 for drift in every) >= 3


@turns
def test_each_drift_clashes_with_just_what_it_says(dialogue: Dialogue, number: int) -> None:
    world, turn = World(dialogue, number), turn_of(dialogue, number)
    assert isinstance(world.context.status, Satisfiable)
    alone = {drift.claims[0]: drift.against for drift in turn.drifts if len(drift.claims) == 1}
    found = {id: verify_claim(world.context, claim) for id, claim in world.claims.items()}
    wrong = {id: each for id, each in found.items() if each.verdict is ClaimVerdict.CONTRADICTORY}
    assert {id: (each.premises, each.minimal) for id, each in wrong.items()} == {
        id: (against, True) for id, against in alone.items()
    }
    rest = {id: claim for id, claim in world.claims.items() if id not in alone}
    joint = verify_joint(world.context, rest)
    together = [(*drift.against, *drift.claims) for drift in turn.drifts if len(drift.claims) > 1]
    assert joint.verdict is (JointVerdict.CONFLICT if together else JointVerdict.CONSISTENT)
    assert not together or together == [joint.conflict]


@turns
def test_nothing_else_explains_a_drift(dialogue: Dialogue, number: int) -> None:
    # Removing any part removes the clash. So every explanation has all parts, and this is the only minimal one.
    world = World(dialogue, number)
    for drift in turn_of(dialogue, number).drifts:
        assert any(not id.startswith(("P", f"U{number}.")) for id in drift.against)
        claims = {id: world.claims[id] for id in drift.claims}
        for id in drift.against:
            assert verify_joint(world.without(id), claims).verdict is JointVerdict.CONSISTENT


@turns
def test_near_misses_touch_what_was_said_and_fit_it(dialogue: Dialogue, number: int) -> None:
    world, turn = World(dialogue, number), turn_of(dialogue, number)
    earlier = signature(each.sentence for each in earlier_statements(dialogue, number).values())
    for id in turn.near:
        named = signature([turn.claims[id].sentence])
        assert {*earlier.predicates, *earlier.functions} & {*named.predicates, *named.functions}
        assert verify_claim(world.context, world.claims[id]).verdict in (ClaimVerdict.ENTAILED, ClaimVerdict.POSSIBLE)
        assert not any(id in drift.claims for drift in turn.drifts)


def test_what_is_no_dialogue_is_named() -> None:
    good = {"id": "d", "topic": "t", "vocabulary": {"predicates": []}, "context": [], "turns": []}
    turn = {"user": "Hi.", "assistant": "Hi.", "stated": [], "claims": [["It rains.", "Rain"]]}
    assert read_dialogue({**good, "turns": [turn]}, "d").turns[0].claims["C1"].text == "It rains."
    known = read_dialogue({**good, "turns": [{**turn, "sentences": [["Rain falls.", "Rain"]]}]}, "d")
    assert dialogue_world(known).known["rain falls"].sentence == known.turns[0].claims["C1"].sentence
    for bad, says in [
        ([], "an object is needed"),
        ({**good, "turns": [{**turn, "claims": [["It rains."]]}]}, r"d.turns\[0\].claims\[0\]: a sentence and its"),
        ({**good, "turns": [{**turn, "claims": [["It rains.", "Rain("]]}]}, "a sentence and its formula"),
        ({**good, "turns": [{**turn, "near": ["C2"]}]}, "there is no claim 'C2'"),
        ({**good, "vocabulary": []}, "d.vocabulary: an object is needed"),
    ]:
        with pytest.raises(RecordError, match=says):
            read_dialogue(bad, "d")
