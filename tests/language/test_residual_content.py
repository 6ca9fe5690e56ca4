"""A sentence that a domain cannot express is not accepted, and plain statements stay plain."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.reading import load_sentences
from holdtrue.conversation.session import Session
from holdtrue.language.candidate_constraints import candidates
from holdtrue.language.extract import LlmExtractor
from holdtrue.language.readers import TemplateExtractor
from holdtrue.language.reading import ActiveCommitment, MessageContext, Reading
from holdtrue.language.residual_content import DOUBTFUL_AT_MOST, hold_to_words, words_not_carried
from holdtrue.language.sentences import is_question
from holdtrue.models.scripted import ScriptModel
from holdtrue.world.domain import AttributeName, ConstraintType, Entity, Integer, ValueOf
from holdtrue.world.instance import Arg, Constraint, Instance
from holdtrue.world.registry import BUILTIN
from holdtrue_lab.suites.drift.phrasing import BANKS, OPENERS, fill
from tests.language.rota import WEEK
from tests.language.test_no_test_phrases import OWN
from tests.language.unsayable_cases import Case, is_accepted, load_cases, make_instance
from tests.slow import first_of

CASES = load_cases(Path(__file__).parent / "data" / "unsayable.jsonl")
ORDINARY_NAMES = ["Will", "May", "Chance", "Maybe Baby", "Art or Craft", "If Only"]
TABLE = make_instance({"setting": "seating", "names": ["Ann", "Bob", "Cy", "May", "Will"]})


def left(instance: Instance, sentence: str, type: str, *args: Arg) -> dict[str, str]:
    """Return the words left over of a sentence, by kind."""
    found = words_not_carried(instance, sentence, instance.constraint(type, args))
    return {one.kind: one.words for one in found}


# --- many sentences ------------------------------------------------------------------------------------------


def share(cases: list[Case]) -> float:
    return sum(is_accepted(case.after) for case in cases) / len(cases)


def test_what_a_model_read_is_hardly_ever_accepted_where_the_domain_cannot_say_it() -> None:
    unsayable = [case for case in CASES if not case.plain]
    assert len(unsayable) == 200 and sum(is_accepted(case.before) for case in unsayable) > 150
    assert share(unsayable) <= 0.02


@pytest.mark.parametrize("setting", ["seating", "scheduling", "logic_grid", "agenda", "rooms"])
def test_what_a_model_read_in_plain_sentences_stays_accepted(setting: str) -> None:
    plain = [case for case in CASES if case.plain and case.setting == setting and is_accepted(case.before)]
    assert len(plain) >= 30 and share(plain) >= 0.97


def test_whatever_a_reader_finds_in_an_unsayable_sentence_leaves_words_over() -> None:
    """Every constraint that the names of the sentence allow is tried, not only the reading of one model."""
    missed, checked = [], 0
    for case in CASES:
        if case.plain or is_question(case.sentence):
            continue
        for type, lists in candidates(case.instance, case.sentence.rstrip(".")).part.items():
            for args in lists:
                checked += 1
                if not words_not_carried(case.instance, case.sentence.rstrip("."), Constraint(type, args)):
                    missed.append((case.id, type, args))
    assert checked > 1000 and len(missed) <= 3, missed


def test_every_rejection_and_doubt_names_the_words() -> None:
    for case in CASES:
        for reading in case.after:
            if reading.reason and "does not say" in reading.reason and "denies anything" not in reading.reason:
                quoted = reading.reason.split('"')[1]
                assert quoted.casefold().rstrip(".?") in case.sentence.casefold().replace("\u2019", "'")


def _arguments(instance: Instance, kind: ConstraintType, shift: int) -> list[Arg]:
    names = iter([*instance.entities[shift:], *instance.entities[:shift]])
    args: list[Arg] = []
    for argument in kind.arguments:
        match argument:
            case Entity():
                args.append(next(names))
            case Integer():
                integers = sum(isinstance(arg, int) for arg in args)
                args.append(min(instance.bound(argument.high), 1 + shift + integers))
            case AttributeName():
                args.append(list(instance.attributes)[shift % len(instance.attributes)])
            case ValueOf():
                args.append(str(instance.attributes[argument.attribute_in(args)].sort).split(", ")[0].strip("{"))
    return args


def _shipped(names: list[str]) -> Iterator[tuple[Instance, str, Constraint]]:
    """Yield every wording of the built-in domains with these names, and its constraint."""
    for domain, bank in BANKS.items():
        own = names[:4] if domain == "logic_grid" else names
        instance = BUILTIN[domain].instance(own, {"table_shape": "rectangular"} if domain == "seating" else {})
        for kind in instance.types.values():
            for shift in range(3):
                args = _arguments(instance, kind, shift)
                if domain == "logic_grid" and len(args) == 3 and args[1] in instance.attributes:
                    args[2] = instance.context["categories"][args[1]][shift]
                stated = instance.constraint(kind.name, args)
                for phrasing in bank[kind.name]:
                    for spelled in (True, False):
                        text = fill(phrasing, instance, kind.name, instance.canonical(stated).args, spelled=spelled)
                        yield instance, text, stated
                for wording in (kind.sentence, *kind.wordings):
                    yield instance, wording.format(*args), stated


@pytest.mark.parametrize(
    "names",
    first_of(
        [ORDINARY_NAMES, ["Ann", "Bob", "Cy", "Dee", "Eve", "Flo"], [f"Not {n}" for n in ("A", "B", "C", "D")]], 1
    ),
)
def test_no_shipped_phrasing_leaves_anything_over(names: list[str]) -> None:
    samples = [(i, opener + text, made) for (i, text, made), opener in zip(_shipped(names), cycle(("", *OPENERS)))]
    assert len(samples) > 500
    assert [(text, found) for i, text, made in samples if (found := words_not_carried(i, text, made))] == []


def test_few_of_our_own_paraphrases_are_doubted() -> None:
    sentences = load_sentences(OWN / "sentences.jsonl", OWN / "problems")
    doubted = [one.text for one in sentences if words_not_carried(one.instance, one.text.rstrip("."), *one.gold)]
    assert len(sentences) == 270 and len(doubted) <= 6, doubted


# --- kinds of words ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sentence", "kind", "words"),
    [
        ("Ann sits next to Bob or Cy", "alternative", "or"),
        ("Ann sits next to Bob, if Cy agrees", "condition", "if"),
        ("Unless it rains, Ann sits next to Bob", "condition", "unless"),
        ("Ann maybe sits next to Bob", "hedge", "maybe"),
        ("Ann hardly ever sits next to Bob", "hedge", "hardly ever"),
        ("Ideally Ann sits next to Bob", "hedge", "ideally"),
        ("Cy thinks Ann sits next to Bob", "report", "Cy thinks"),
        ("My boss wants Ann next to Bob", "report", "my boss wants"),
        ("According to the list, Ann sits next to Bob", "report", "according to"),
        ("Ann used to sit next to Bob", "past", "used to"),
        ("Imagine Ann next to Bob", "past", "imagine"),
        ("Ann sits closer to Bob than to Cy", "name", "Cy"),
        ("Ann does not sit next to Bob", "negation", "not"),
        ("Ann doesn't have to sit next to Bob", "negation", "doesn't"),
        ("Everyone but Ann sits next to Bob", "quantity", "everyone"),
        ("Should Ann sit next to Bob?", "question", "?"),
        ("May Ann sit next to Bob?", "question", "?"),
    ],
)
def test_words_of_each_kind_are_left_over(sentence: str, kind: str, words: str) -> None:
    found = left(TABLE, sentence, "adjacent", "Ann", "Bob")
    assert found.get(kind) == words


def test_names_that_are_ordinary_words_are_names() -> None:
    assert left(TABLE, "May will sit next to Will", "adjacent", "May", "Will") == {}
    assert left(TABLE, "Ann may sit next to Bob", "adjacent", "Ann", "Bob") == {"hedge": "may"}
    club = BUILTIN["scheduling"].instance(["Art or Craft", "Maybe Baby"])
    assert left(club, "Have Maybe Baby over before Art or Craft begins", "before", "Maybe Baby", "Art or Craft") == {}
    assert "hedge" in left(club, "Maybe Baby is maybe before Art or Craft", "before", "Maybe Baby", "Art or Craft")


# --- checked readings -----------------------------------------------------------------------------------------


def test_what_is_certainly_something_else_is_rejected_and_the_rest_is_doubtful() -> None:
    stated = Reading("", "accepted", TABLE.constraint("adjacent", ["Ann", "Bob"]), 0.98)
    (rejected,) = hold_to_words(TABLE, "Ann sits next to Bob or Cy", [stated])
    assert (rejected.status, rejected.constraint) == ("rejected", None)
    assert rejected.reason == '"or" is an alternative, which "Ann must sit next to Bob" does not say'
    (doubtful,) = hold_to_words(TABLE, "Ann probably sits next to Bob", [stated])
    assert (doubtful.status, doubtful.confidence) == ("doubtful", DOUBTFUL_AT_MOST)
    assert doubtful.constraint == stated.constraint and '"probably"' in (doubtful.reason or "")


async def test_a_sentence_in_the_domains_wording_is_held_back_by_the_next() -> None:
    read = await TemplateExtractor().read(
        WEEK, "Ann works on day 2. Unless Bob objects. Cy works on day 3.", MessageContext()
    )
    assert [one.status for one in read.readings] == ["rejected", "rejected", "accepted"]


def _reply(type: str, *args: Arg) -> str:
    return json.dumps({"constraints": [{"type": type, "args": list(args)}]})


async def test_a_session_commits_to_nothing_it_cannot_say() -> None:
    model = ScriptModel(lambda request: _reply("on_day", "Ann", 2) if "extract" in request.purpose else "{}")
    session = Session(WEEK, model=model, method="direct", extractor=LlmExtractor(model))
    record = await session.turn("Ann works on day 2 or on day 3.")
    assert not session.ledger.active
    assert [(one.status, "or" in (one.reason or "")) for one in record.readings] == [("rejected", True)]


NAMED = st.sampled_from(["Ann", "Bob", "Cy", "Dee"])


@given(st.text(max_size=60), st.text(max_size=60), NAMED, st.integers(1, 5))
@settings(deadline=None, max_examples=100)
def test_no_text_makes_the_check_raise_or_name_words_that_are_not_there(
    before: str, after: str, name: str, day: int
) -> None:
    sentence = f"{before} {name} works on day {day} {after}"
    for one in words_not_carried(WEEK, sentence, WEEK.constraint("on_day", [name, day])):
        assert isinstance(one.words, str)
    held = ActiveCommitment("C001", WEEK.constraint("on_day", [name, day]), 1)
    (read,) = hold_to_words(WEEK, sentence, [Reading(sentence, "accepted", held.constraint)])
    assert read.status == "accepted" or read.reason


@given(
    st.sampled_from(["maybe", "perhaps", "probably", "I guess", "if Bob agrees", "or not"]), NAMED, st.integers(1, 5)
)
@settings(deadline=None)
def test_no_hedge_behind_a_plain_sentence_is_accepted(aside: str, name: str, day: int) -> None:
    stated = WEEK.constraint("on_day", [name, day])
    assert words_not_carried(WEEK, f"{name} works on day {day}", stated) == ()
    assert words_not_carried(WEEK, f"{name} works on day {day}, {aside}", stated)
