"""Sentences of three domains, written by people's imagination alone, with what they commit to.

The files were written one after the other, most of them to measure a reader that had not seen them; all of them then
became what the weights of readings are fitted on.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

from holdtrue.language.candidate_constraints import candidates
from holdtrue.language.respelling import respell
from holdtrue.world.instance import Instance
from holdtrue.world.registry import find_domain

FILE = Path(__file__).parent / "data" / "development_sentences.jsonl"
ITEMS: list[dict[str, Any]] = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]


def instance_of(item: dict[str, Any]) -> Instance:
    return Instance(find_domain(item["domain"]), item["entities"], item["context"])


def test_what_they_commit_to_can_be_said_in_their_instances() -> None:
    for item in ITEMS:
        instance = instance_of(item)
        for type, *args in item["gold"]:
            assert instance.constraint(type, args).type == type
    assert Counter(item["kind"] for item in ITEMS) == {"single": 360, "hedged": 150, "multi": 90, "odd": 90}


def test_the_later_files_fit_their_instances_too() -> None:
    for name, number in (
        ("second_sentences.jsonl", 556),
        ("third_sentences.jsonl", 573),
        ("fourth_sentences.jsonl", 378),
        ("fifth_sentences.jsonl", 1080),
        ("sixth_sentences.jsonl", 474),
        ("seventh_sentences.jsonl", 576),
        ("turn_sentences.jsonl", 135),
        ("remark_sentences.jsonl", 210),
    ):
        items = [json.loads(line) for line in (FILE.parent / name).read_text(encoding="utf-8").splitlines()]
        assert len({(item["domain"], item["id"]) for item in items}) == number
        for item in items:
            instance = instance_of(item)
            made = [instance.constraint(type, args) for type, *args in (*item["gold"], *item["before"])]
            assert len(made) == len(item["gold"]) + len(item["before"])


def test_nearly_all_that_single_sentences_state_is_among_what_is_scored() -> None:
    found = 0
    single = [item for item in ITEMS if item["kind"] == "single"]
    for item in single:
        instance = instance_of(item)
        (gold,) = (instance.canonical(instance.constraint(type, args)) for type, *args in item["gold"])
        found += candidates(instance, respell(instance, item["message"]).text.rstrip(".!")).hold(instance, gold)
    assert found / len(single) > 0.9
