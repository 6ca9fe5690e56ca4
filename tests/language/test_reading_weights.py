"""Weights are read back as they were written, and what is no weight is refused."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from holdtrue.errors import InputError
from holdtrue.language.extract import LlmExtractor
from holdtrue.language.reading import MessageContext
from holdtrue.language.reading_weights import read_reading_weights, shipped_reading_weights
from holdtrue.world.registry import BUILTIN
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


@pytest.mark.parametrize("name", [*BUILTIN, "rota"])
@pytest.mark.parametrize("wording", ["{0} needs {1} before it can start", "{0} works before {1}"])
async def test_no_name_of_a_domain_changes_a_reading(name: str, wording: str) -> None:
    """Sentences as the package's own domains are spoken of, in a user's domain by the name of one of them."""
    types = [replace(own, sentence=wording) if own.name == "before" else own for own in ROTA.constraint_types]
    read = []
    for called in (name, "another"):
        week = replace(ROTA, name=called, constraint_types=types).instance(["Audit", "Demo"])
        for sentence in ("Audit has to be over before Demo starts", "Demo waits for Audit", "Audit comes first"):
            reader = LlmExtractor(Channel(lambda rule: -20.0 - len(rule) % 3))
            read.append(await reader.read(week, sentence, MessageContext()))
    assert [own.readings for own in read[:3]] == [own.readings for own in read[3:]]


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
