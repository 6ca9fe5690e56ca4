"""Tests of the named things of a text: the prompt, the entities that are accepted, and replies of any form."""

from __future__ import annotations

import asyncio
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.language.asking import Asking
from holdtrue.models.scripted import ScriptModel
from holdtrue_claims.fol.vocabulary import ANY, Entity, Predicate, Vocabulary
from holdtrue_claims.kind.prompts.entities import MOST, extract_entities, new_names, read_entities

OFFICE = (
    "All managers work remotely. If lunch is late, James Reed and the client of Acme-1 wait. Ida is tall. Clerks rest."
)
RACE = "In a race there were three boats: a red boat, a swift and the Gull. The swift won."


def found(text: str, *things: object) -> list[str]:
    return [entity.name for entity in read_entities(json.dumps({"things": things}), text)[0]]


def thing(name: str, sort: str = "person") -> dict[str, str]:
    return {"name": name, "sort": sort}


def test_the_model_is_asked_once() -> None:
    asking = Asking(ScriptModel(['{"things":[{"name":"James Reed","sort":"person"}]}']))
    assert asyncio.run(extract_entities(asking, OFFICE, "Does\nhe wait?")) == ((Entity("JamesReed", "person"),), ())
    assert [call.purpose for call in asking.calls] == ["entities"]


def test_proper_names_are_believed() -> None:
    assert found(OFFICE, thing("James"), thing("Ida"), thing("Acme1", "company")) == ["James", "Ida", "Acme1"]


def test_only_words_of_the_text_are_things() -> None:
    assert found(OFFICE, thing("Manager"), thing("Bert"), thing("Lunch"), thing("Client")) == ["Lunch", "Client"]


# A single I is the speaker, and no number.
NUMBERS = ("one first 1", "two second II 2", "three third III 3", "nine ninth IX 9", "twelve twelfth XII 12")


@given(st.sampled_from(NUMBERS), st.data())
def test_a_numbered_thing_is_named_by_any_form_of_its_number(forms: str, data: st.DataObject) -> None:
    said, named = (data.draw(st.sampled_from(forms.split())) for _ in range(2))
    text = f"The race has several legs. Leg {said} is long."
    assert found(text, thing(f"Leg{named[0].upper()}{named[1:]}", "leg")) != []
    others = {word for other in NUMBERS if other != forms for word in other.split()}
    other = data.draw(st.sampled_from(sorted(others)))
    assert found(text, thing(f"Leg{other[0].upper()}{other[1:]}", "leg")) == []


def test_accents_are_not_what_tells_things_apart_from_made_up_ones() -> None:
    assert found("The café is open, and Łukasz is in.", thing("Cafe"), thing("Zoe")) == ["Cafe"]


def test_listed_things_and_names_of_code_are_believed() -> None:
    boats = [thing("RedBoat", "boat"), thing("Swift", "boat"), thing("Gull", "boat")]
    assert found(RACE, *boats) == ["RedBoat", "Swift", "Gull"]
    code = "main calls load_config, which nobody in the module io_utils does. The hotel is full."
    names = ["Main", "LoadConfig", "IoUtils", "Hotel", "Hosts"]
    assert found(code, *map(thing, names)) == ["Main", "LoadConfig", "IoUtils", "Hotel"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Porto is far from Lisbon.", ("Porto",)),
        ("The hotel is full.", ()),
        ("Order 4711 calls load_config in Köln.", ("4711", "Köln", "Order", "load_config")),
    ],
)
def test_words_that_may_be_new_names(text: str, names: tuple[str, ...]) -> None:
    words = Vocabulary((Entity("Hotel", "place"),), (Predicate("Full", (ANY,), "the x is full"),))
    assert new_names(words, text, "Lisbon is a city.") == names


def test_names_that_look_like_one_are_one() -> None:
    assert found(OFFICE, thing("James"), thing("james"), thing("James ")) == ["James"]


def test_a_sort_is_one_word_or_none() -> None:
    things = [thing("James", "Tall Person"), {"name": "Ida"}, "Acme", 3, None, {"name": 5}]
    wanted = (Entity("James", "tall_person"), Entity("Ida", ANY), Entity("Acme", ANY))
    assert read_entities(json.dumps({"things": things}), OFFICE)[0] == wanted


def test_there_are_not_too_many() -> None:
    names = [f"N{number}" for number in range(MOST + 5)]
    kept, alerts = read_entities(json.dumps({"things": names}), " and ".join(["we", *names]))
    assert len(kept) == MOST
    assert [alert.message.split(" ")[0] for alert in alerts] == names[MOST:]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["name", "sort", "things"]), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(json_values, st.text(max_size=30))
@settings(max_examples=40, deadline=None)
def test_reading_never_fails(value: object, text: str) -> None:
    for reply in (text, json.dumps({"things": value}), json.dumps(value)):
        assert all(entity.name and entity.sort for entity in read_entities(reply, text)[0])
