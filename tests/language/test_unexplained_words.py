"""Words that nothing explains, on sentences that 800 times say something else or just what the domain can say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from holdtrue.errors import ConstraintError
from holdtrue.language.candidate_constraints import candidates
from holdtrue.language.matching import match_sentence
from holdtrue.language.residual_content import words_not_carried
from holdtrue.language.unexplained_words import find_unexplained
from holdtrue.world.instance import Constraint, Instance
from tests.language.unsayable_cases import make_instance, setting_of

FILE = Path(__file__).parent / "data" / "unsayable_unread.jsonl"
LINES = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
TABLE = make_instance({"setting": "seating", "names": ["Ann", "Bob", "Cy"]})


def passing(instance: Instance, sentence: str) -> list[Constraint]:
    """Every constraint of what the sentence mentions that is held to say all of it, whatever a reader would choose."""
    made = []
    for kind, lists in candidates(instance, sentence).part.items():
        for args in lists:
            try:
                made.append(instance.constraint(kind, args))
            except ConstraintError:
                continue
    return [one for one in made if not words_not_carried(instance, sentence, one)]


@pytest.mark.slow
def test_what_a_domain_cannot_say_is_said_by_no_constraint_of_its_names() -> None:
    lines = [line for line in LINES if not line["plain"]][::4]
    found = [
        line["sentence"] for line in lines if passing(make_instance(setting_of(line)), line["sentence"].rstrip("."))
    ]
    assert len(lines) == 100
    assert len(found) <= 1, found


@pytest.mark.slow
def test_what_it_can_say_is_hardly_ever_doubted() -> None:
    doubted = []
    for line in (line for line in LINES if line["plain"]):
        instance = make_instance(setting_of(line))
        stated = [made for rule in line["rule"].split("; ") if (made := match_sentence(instance, rule)) is not None]
        assert stated, line
        if words_not_carried(instance, line["sentence"].rstrip("."), *stated):
            doubted.append(line["sentence"])
    assert len(doubted) <= 0.05 * 400, doubted


@pytest.mark.parametrize(
    ("text", "unexplained"),
    [
        ("E sits next to E", []),
        ("please seat E right beside E, the projector hums over there", []),  # a remark names nobody
        ("the brochure pictures E next to E", ["brochure", "pictures"]),
        ("E isn't next to E because flutes squeak", []),
    ],
)
def test_only_the_clause_that_names_what_was_read_is_looked_at(text: str, unexplained: list[str]) -> None:
    assert [text[start:end] for start, end in find_unexplained(TABLE, text)] == unexplained


def test_one_such_word_is_let_pass_and_the_owner_of_a_list_counts_twice() -> None:
    stated = TABLE.constraint("adjacent", ["Ann", "Bob"])
    assert not words_not_carried(TABLE, "Ann graciously sits next to Bob", stated)
    for sentence in ("The brochure pictures Ann next to Bob", "On the caterer's list Ann sits next to Bob"):
        found = words_not_carried(TABLE, sentence, stated)
        assert [one.kind for one in found] == ["unexplained"] and not found[0].certain, sentence
