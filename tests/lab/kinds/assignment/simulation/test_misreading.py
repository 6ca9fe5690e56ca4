from __future__ import annotations

from collections.abc import Sequence

import pytest

from holdtrue.logic.evaluate import evaluate
from holdtrue.world.instance import Constraint, Instance
from holdtrue_lab.kinds.assignment.simulation.misreading import Reader, Understood
from holdtrue_lab.kinds.assignment.simulation.names import READING_FAULTS, read_name
from holdtrue_lab.kinds.assignment.simulation.world import World
from tests.lab.kinds.assignment.simulation.test_world import SMALL, assignments

SENTENCES: dict[str, Sequence[str]] = {
    "seating": (
        "Ann must sit next to Bob",
        "Ann sits immediately left of Bob",
        "Cy must sit at position 2",
        "Ann and Bob must have at least 0 seats between them",
        "Ann and Bob must sit on opposite sides of the table",
    ),
    "scheduling": (
        "Docs must happen before QA",
        "Docs has duration 2",
        "QA must start between time slots 1 and 4",
        "Docs and QA cannot be simultaneous",
        "There must be at least 1 slots between QA and Docs",
    ),
    "logic_grid": (
        "Ann is assigned Blue in category color",
        "Ann is not assigned Red in category color",
        "Ann's color value comes before Cy's color value",
        "Ann has a different color than Bob",
    ),
}
CASES = [(instance, sentence) for instance in SMALL for sentence in SENTENCES[instance.domain.name]]


def read(instance: Instance, sentence: str, name: str) -> Understood:
    (understood,) = Reader(World(instance), read_name(name)).read(sentence)
    return understood


def meaning(instance: Instance, made: Sequence[Constraint]) -> list[bool]:
    """Under which assignments all of `made` hold, by trying all."""
    formulas = [instance.formula(constraint) for constraint in made]
    return [all(evaluate(formula, values) for formula in formulas) for values in assignments(instance)]


@pytest.mark.parametrize(("instance", "sentence"), CASES)
@pytest.mark.parametrize("kind", READING_FAULTS)
def test_a_fault_is_named_exactly_where_it_changes_the_meaning(instance: Instance, sentence: str, kind: str) -> None:
    understood = read(instance, sentence, f"sim/{kind}:1")
    true, said = meaning(instance, [understood.true]), meaning(instance, understood.reported)
    if understood.fault is None:
        assert understood.reported == (understood.true,)
        return
    assert understood.fault == kind
    assert said != true
    match kind:
        case "drop":
            assert understood.reported == ()
        case "flip":
            assert understood.reported[0].args[:2] == understood.true.args[1::-1]
        case "add":
            assert understood.reported[0] == understood.true
            assert any(said)
        case "contradict":
            assert understood.reported[0] == understood.true
            assert not any(said)
            assert any(meaning(instance, understood.reported[1:]))


def test_faults_strike_wherever_they_can() -> None:
    struck = {
        kind: [sentence for instance, sentence in CASES if read(instance, sentence, f"sim/{kind}:1").fault]
        for kind in READING_FAULTS
    }
    # What is always true cannot be dropped to any effect.
    empty = {
        "Ann and Bob must have at least 0 seats between them",
        "QA must start between time slots 1 and 4",
        "Ann has a different color than Bob",
    }
    assert set(struck["drop"]) == {sentence for _, sentence in CASES} - empty
    assert struck["flip"] == [
        "Ann sits immediately left of Bob",
        "Docs must happen before QA",
        "Ann's color value comes before Cy's color value",
    ]
    # Nothing clashes with a fixed place or time but other numbers, and those the sentence does not name.
    assert len(struck["add"]) >= 9
    assert len(struck["contradict"]) >= 7


@pytest.mark.parametrize("kind", ["add", "contradict"])
def test_what_is_read_into_a_sentence_uses_its_own_words(kind: str) -> None:
    for instance, sentence in CASES:
        understood = read(instance, sentence, f"sim/{kind}:1")
        assert all({*understood.true.args}.issuperset(extra.args) for extra in understood.reported)


def test_the_rate_is_the_share_of_sentences_struck() -> None:
    table = SMALL[0]
    sentence = "Ann must sit next to Bob"
    struck = sum(read(table, sentence, f"sim/drop:0.3@{seed}").fault == "drop" for seed in range(1, 301))
    # Six standard deviations of a binomial count around 90 are 48.
    assert abs(struck - 90) < 48
    assert read(table, sentence, "sim/drop:0").fault is None


def test_the_first_fault_that_can_strike_does() -> None:
    table = SMALL[0]
    assert read(table, "Ann must sit next to Bob", "sim/flip:1+drop:1").fault == "drop"
    assert read(table, "Ann sits immediately left of Bob", "sim/flip:1+drop:1").fault == "flip"


def test_a_sentence_is_always_read_the_same_way() -> None:
    table = SMALL[0]
    reader = Reader(World(table), read_name("sim/add:0.5+drop:0.5"))
    message = "Ann must sit next to Bob. Also, Cy must sit at position 2."
    alone = [*reader.read("Cy must sit at position 2"), *reader.read("Ann must sit next to Bob")]
    assert reader.read(message) == alone[::-1]
