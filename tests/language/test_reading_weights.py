"""Weights are read as they were written, and score a sentence by features that name nobody."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from holdtrue.errors import InputError
from holdtrue.language.candidate_constraints import candidates
from holdtrue.language.extract import LlmExtractor
from holdtrue.language.reading import MessageContext
from holdtrue.language.reading_weights import (
    commitment_features,
    phrasing_features,
    phrasing_score,
    read_reading_weights,
    shipped_reading_weights,
)
from holdtrue.logic.sorts import EnumSort
from holdtrue.world.instance import Constraint, Instance
from holdtrue.world.registry import BUILTIN, find_domain
from holdtrue.world.scheduling import SCHEDULING
from tests.lab.suites.drift.instances import INSTANCES
from tests.language.rota import ROTA
from tests.language.test_likelihood import Channel

OURS = shipped_reading_weights()


def test_what_was_written_is_read() -> None:
    assert read_reading_weights(json.dumps(OURS.to_json())) == OURS
    plain = replace(OURS, phrased=None, phrasings={})
    assert read_reading_weights(json.dumps(plain.to_json())) == plain


def test_a_domain_without_phrasings_is_chosen_for_without_them() -> None:
    assert all(OURS.choice_in(own) == (OURS.phrased, OURS.phrasings[own.fingerprint]) for own in BUILTIN.values())
    empty = replace(OURS, phrasings={ROTA.fingerprint: {}})
    assert OURS.choice_in(ROTA) == empty.choice_in(ROTA) == (OURS.choice, {})


def test_what_was_learned_belongs_to_what_a_domain_says_and_not_to_its_name() -> None:
    for name, own in BUILTIN.items():
        assert OURS.choice_in(replace(own, name="parties")) == OURS.choice_in(own)
        (first, *others), odd = own.constraint_types, f"{own.constraint_types[0].sentence}, once it is over"
        for changed in (others, [replace(first, sentence=odd), *others], [replace(first, name="odd"), *others]):
            assert OURS.choice_in(replace(own, constraint_types=changed)) == (OURS.choice, {}), name


# Each built-in domain with one of its sentences, or all of them, saying the opposite.
OTHERS = [(name, own.name) for name, domain in BUILTIN.items() for own in domain.constraint_types]
OTHERS += [(name, "") for name in BUILTIN]


@pytest.mark.parametrize(("name", "type"), OTHERS)
async def test_a_domain_by_the_name_of_a_built_in_one_is_read_by_its_own_words(name: str, type: str) -> None:
    built_in = next(own for own in INSTANCES if own.domain.name == name)
    kinds = [
        replace(own, sentence=f"it is wrong that {own.sentence}", wordings=(), examples=())
        if type in ("", own.name)
        else own
        for own in built_in.domain.constraint_types
    ]
    domain = replace(built_in.domain, constraint_types=kinds)
    assert OURS.choice_in(domain) == (OURS.choice, {})
    read = []
    for called in (name, "another"):
        instance = replace(domain, name=called).instance(built_in.entities, built_in.context)
        reader = LlmExtractor(Channel(lambda rule: -20.0 - len(rule) % 3))
        for kind in instance.types.values():
            made = next(each for each in stated(instance) if each.type == kind.name)
            for said in (instance.sentence(made), built_in.sentence(made)):
                read.append((said, (await reader.read(instance, said, MessageContext())).readings))
            [own] = read[-2][1]
            assert own.constraint is not None and instance.canonical(own.constraint) == instance.canonical(made)
    assert read[: len(read) // 2] == read[len(read) // 2 :]


def stated(instance: Instance) -> Iterator[Constraint]:
    """Yield a constraint of each type."""
    found = candidates(instance, " ".join([*instance.entities[:2], *instance.attributes, "left 2 3"]))
    yield from (Constraint(name, lists[0]) for name, lists in found.part.items())
    for attribute, own in instance.attributes.items():
        if isinstance(own.sort, EnumSort):
            args = (instance.entities[0], attribute, own.sort.labels[0])
            yield from (Constraint(name, args) for name in ("assign", "not_assign"))


@pytest.mark.parametrize(
    "change",
    [
        {"committed": {"words": 1.0}},
        {"committed": {"bias": float("nan")}},
        {"committed": {"bias": 10**400}},
        {"settled": 90},
        {"accepted": -1},
        {"phrasings": ["seating"]},
        {"choice": {}},
    ],
    ids=str,
)
def test_what_is_no_weight_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="no weights of sentences"):
        read_reading_weights(json.dumps({**OURS.to_json(), **change}))


TABLE = Instance(find_domain("seating"), ["Ann", "Bob", "Will"], {})
LEFT, RIGHT = Constraint("left_of", ("Ann", "Bob")), Constraint("left_of", ("Bob", "Ann"))
BESIDE = Constraint("adjacent", ("Ann", "Bob"))


def test_names_are_letters_in_the_order_of_the_arguments() -> None:
    said = "Ann's chair is left of Bob's"
    one, other = phrasing_features(TABLE, said, LEFT), phrasing_features(TABLE, said, RIGHT)
    assert {"left_of AB", "left_of AB | left", "AB | left", "left_of ^ A"} <= one and "left_of BA | left" in other
    assert not one & {"left_of BA", "left_of B A"} and one != other
    assert "adjacent EE" in phrasing_features(TABLE, said, BESIDE)
    assert one == phrasing_features(
        Instance(TABLE.domain, ["Cy", "Dee Lee"], {}),
        "Cy's chair is left of Dee Lee's",
        Constraint("left_of", ("Cy", "Dee Lee")),
    )


def test_one_name_that_begins_another_is_not_taken_for_it() -> None:
    teams = SCHEDULING.instance(["Team 1", "Team 10", "Design Review", "Demo"])
    made = Constraint("before", ("Team 1", "Team 10"))
    assert "before A _ B" in phrasing_features(teams, "Team 1 before Team 10", made)
    assert "before B _ A" in phrasing_features(teams, "Team 10 before Team 1", made)
    review = Constraint("before", ("Design Review", "Demo"))
    assert "before A _ B" in phrasing_features(teams, "review before Demo", review)


def test_a_denial_and_words_of_size_are_features_of_their_own() -> None:
    assert "adjacent #denied" in phrasing_features(TABLE, "Ann won't sit by Bob", BESIDE)
    assert "adjacent #plain" in phrasing_features(TABLE, "Ann sits by Bob", BESIDE)
    assert {"left_of AB | #more", "AB | #more"} <= phrasing_features(TABLE, "Ann comes after Bob", LEFT)
    assert "AB | denied #more" in phrasing_features(TABLE, "Ann never comes after Bob", LEFT)


def test_whether_a_sentence_commits_is_told_by_words_that_no_domain_has() -> None:
    found = commitment_features(TABLE, "Maybe Ann sits by Bob?", BESIDE)
    assert {"maybe", "^ maybe", "maybe E", "?", "E _ by"} <= found
    assert found == commitment_features(TABLE, "Maybe Bob sits by Will?", Constraint("adjacent", ("Bob", "Will")))


def test_a_score_is_the_sum_of_weights_by_the_root_of_all_features() -> None:
    assert phrasing_score({"a": 2.0, "b": 1.0, "c": 9.0}, frozenset({"a", "b", "x", "y"})) == 1.5
    assert phrasing_score({}, frozenset({"a"})) == phrasing_score({"a": 1.0}, frozenset()) == 0.0
