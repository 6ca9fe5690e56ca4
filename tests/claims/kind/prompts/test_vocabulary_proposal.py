"""Tests of proposing a vocabulary for a text: the prompt, the reply, and that a known vocabulary only grows."""

from __future__ import annotations

import asyncio
import json

from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.language.asking import Asking
from holdtrue.models.chat import Request
from holdtrue.models.scripted import ScriptModel
from holdtrue_claims.fol.notation import read_fol
from holdtrue_claims.fol.syntax import Holds
from holdtrue_claims.fol.vocabulary import ANY, Entity, Function, Predicate, Vocabulary
from holdtrue_claims.kind.prompts.vocabulary_proposal import MOST, propose_vocabulary, read_words, words_json
from tests.claims.kind.prompts.test_entities import json_values

BOATS = Vocabulary((Entity("Swan", "boat"), Entity("Gull", "boat"), Entity("Ann", "person")))


def words(
    predicates: object = (), functions: object = (), vocabulary: Vocabulary = BOATS, text: str = ""
) -> Vocabulary:
    return read_words(json.dumps({"functions": functions, "predicates": predicates}), vocabulary, text)[0]


def lost(predicates: object = (), functions: object = (), text: str = "") -> list[tuple[str, str]]:
    reply = json.dumps({"functions": functions, "predicates": predicates})
    return [(alert.message.partition(" is left out")[0], alert.text) for alert in read_words(reply, BOATS, text)[1]]


def rank(**changed: object) -> dict[str, object]:
    return {"meaning": "rank of x, 1 is first", "name": "Rank", "of": ["boat"], "is": "whole", **changed}


def test_arguments_are_the_variables_of_the_meaning() -> None:
    proposed = [
        ("x is a dancer", "dancer"),
        ("x shows y to z", "Shows to"),
        ("it rains", "Rains"),
        ("x sees z", "Sees"),
    ]
    found = words([{"meaning": meaning, "name": name} for meaning, name in proposed])
    assert found.predicates == (
        Predicate("Dancer", (ANY,), "x is a dancer"),
        Predicate("ShowsTo", (ANY,) * 3, "x shows y to z"),
        Predicate("Rains", (), "it rains"),
        Predicate("Sees", (ANY, ANY), "x sees y"),
    )


@given(
    st.text("abcxyz ,:'-%", min_size=1).filter(str.strip),
    st.text("ABCabc12().:", min_size=1).filter(str.strip),
    st.lists(st.sampled_from(["boat", "thing", "sea_port"]), max_size=3),
    st.none() | st.sampled_from(["kg", "whole", "date", "whole day", "mg/kg"]),
)
def test_a_line_that_proposes_a_word_is_read_as_it_was_written(
    meaning: str, name: str, of: list[str], result: str | None
) -> None:
    own = Function(name, tuple(of), meaning=meaning, result=result or "whole")
    word = words_json(Vocabulary(functions=(own,)))["functions"][0]
    item = {"meaning": meaning, "name": name, "of": of, "is": own.result}
    assert word == item or read_words(json.dumps({"functions": [word]}), BOATS) == read_words(
        json.dumps({"functions": [item]}), BOATS
    )


def test_words_are_proposed_as_lines() -> None:
    found = words(["x picks up y: PicksUp(person, boat)", "it rained: Rained()"], ["weight of x: weight(boat) kg"])
    assert found.predicates == (
        Predicate("PicksUp", ("person", "boat"), "x picks up y"),
        Predicate("Rained", (), "it rained"),
    )
    assert found.functions == (Function("weight", ("boat",), meaning="weight of x", result="kg"),)
    assert words_json(found)["predicates"] == ["x picks up y: PicksUp(person, boat)", "it rained: Rained()"]
    assert words(["x is no line", "", "(", 3, None], [":", "weight of x: weight(boat"]) == Vocabulary()


def test_a_function_has_the_arguments_that_its_meaning_speaks_of() -> None:
    (price,) = words((), ["price of x: price(boat, person) EUR"]).functions
    assert price.sorts == ("boat",)
    (points,) = words((), ["points of a boat: points(boat) whole"]).functions
    assert points.sorts == ("boat",)


async def test_a_text_has_no_more_predicates_than_words() -> None:
    asked: list[Request] = []

    def reply(request: Request) -> str:
        asked.append(request)
        return '{"functions":[],"predicates":["x is old: Old(boat)"]}'

    await propose_vocabulary(Asking(ScriptModel(reply)), "The Swan is an old boat.")
    (request,) = asked
    assert request.schema is not None and request.frame == len(request.messages) - 1
    assert request.schema["properties"]["predicates"]["maxItems"] == 3


def test_which_thing_something_is_needs_no_predicate() -> None:
    proposed = [{"meaning": "x is Ann", "name": "IsAnn"}, {"meaning": "x is the Swan boat", "name": "S"}]
    assert words(proposed).predicates == ()
    assert lost(proposed, text="Ann is here. The Swan sank.") == [("IsAnn", "Ann is here."), ("S", "")]


def test_a_predicate_named_like_a_sort_or_a_part_of_a_name_is_kept() -> None:
    code = Vocabulary((Entity("SmokeTest", "function"), Entity("RedBoat", "boat"), Entity("Ida", "nurse")))
    proposed = [("x is a test", "Test"), ("x is a boat", "Boat"), ("x is red", "Red"), ("x is a nurse", "Nurse")]
    found = words([{"meaning": meaning, "name": name} for meaning, name in proposed], vocabulary=code)
    assert [predicate.name for predicate in found.predicates] == ["Test", "Boat", "Red", "Nurse"]


def test_arguments_and_values_have_sorts() -> None:
    vocabulary = Vocabulary((Entity("Ann", "guest"), Entity("Order4711", "order")))
    text = "Ann ordered. A courier brings parcels within 30 days."
    found = words(
        [{"meaning": "x brings y to z", "name": "Brings", "of": ["couriers", "parcel", "guests"]}],
        [
            {"meaning": "weight of x", "name": "weight", "of": ["order"], "is": "kg"},
            {"meaning": "the courier of x", "name": "courierOf", "of": ["Order"], "is": "guest"},
            {"meaning": "how long it took", "name": "took", "of": [], "is": "days"},
            {"meaning": "points of x in y", "name": "points", "of": ["guest", "ship"], "is": "points"},
            {"meaning": "price", "name": "price", "of": ["order"], "is": "euros"},
        ],
        vocabulary,
        text,
    )
    assert found.predicates[0].sorts == ("courier", "parcel", "guest")
    assert [(own.sorts, own.result) for own in found.functions] == [
        (("order",), "kg"),
        (("order",), "guest"),
        ((), "day"),
        (("guest", ANY), "point"),
        (("order",), "EUR"),
    ]
    assert all(own.low is None and own.high is None and not own.distinct for own in found.functions)


def test_values_of_a_word_that_may_name_things_or_a_unit_are_told() -> None:
    known = Vocabulary((Entity("Ann", "guest"), Entity("Monday", "day")))

    def told(result: str, *predicates: object, text: str = "") -> list[str]:
        asked = {"meaning": "f of x", "name": "f", "of": ["guest"], "is": result}
        reply = json.dumps({"functions": [asked], "predicates": predicates})
        return [alert.message for alert in read_words(reply, known, text)[1] if alert.kind == "sort_clash"]

    assert told("couriers") == ["the values of f are amounts in a unit courier, since no thing is named as one"]
    assert told("days") == ["the values of f are things named as day, and no amounts or dates"]
    # The text counts in it; it is a sort of an argument; things are named so; it can be nothing else.
    assert told("points", text="Ann has 3 points.") == []
    assert told("courier", {"meaning": "x sleeps", "name": "Sleeps", "of": ["courier"]}, text="A courier came.") == []
    assert [told(result) for result in ("guest", "kg", "EUR(2)", "whole", "number", "thing", "date")] == [[]] * 7


def test_names_that_are_used_in_two_ways_are_kept_apart() -> None:
    proposed = [
        {"meaning": "x opens", "name": "Opens"},
        {"meaning": "x opens y", "name": "Opens"},
        {"meaning": "x has a rank", "name": "Rank"},
    ]
    assert [own.name for own in words(proposed, [rank()]).predicates] == ["Opens", "Opens2", "IsRank"]


def test_what_is_left_out_is_told_with_its_sentences() -> None:
    proposed = [
        {"meaning": "x sleeps", "name": "Sleeps"},
        {"meaning": "x is 12", "name": "12"},
        {"meaning": "x sleep", "name": "Sleep"},
    ]
    found = lost(proposed, text="Ann does not sleep. Bob sleeps.")
    assert [name for name, _ in found] == ["12", "Sleep"]
    assert found[1][1] == "Ann does not sleep. Bob sleeps."
    many = [{"meaning": f"x is q{number}", "name": f"Q{number}"} for number in range(MOST + 3)]
    assert [name for name, _ in lost(many)] == [f"Q{number}" for number in range(MOST, MOST + 3)]


def test_an_order_is_said_by_its_function_alone() -> None:
    before = [{"meaning": "x came before y", "name": "Before"}]
    assert words(before, [rank()]).predicates == ()
    assert lost(before, [rank()], "The Swan came before the Gull.") == [("Before", "The Swan came before the Gull.")]
    assert [predicate.name for predicate in words(before).predicates] == ["Before"]


def propose(
    reply: str, entities: tuple[Entity, ...], known: Vocabulary | None
) -> tuple[Vocabulary, list[str], Request]:
    requests: list[Request] = []

    def answer(request: Request) -> str:
        requests.append(request)
        return reply

    vocabulary, alerts = asyncio.run(
        propose_vocabulary(Asking(ScriptModel(answer)), "A text.", "Why?", entities, known)
    )
    return vocabulary, [alert.kind for alert in alerts], requests[0]


def test_given_things_are_used_as_they_are() -> None:
    reply = json.dumps({"functions": [rank()], "predicates": [{"meaning": "x is old", "name": "Old"}]})
    vocabulary, alerts, request = propose(reply, BOATS.entities, None)
    assert vocabulary.entities == BOATS.entities
    assert [predicate.name for predicate in vocabulary.predicates] == ["Old"]
    assert [function.name for function in vocabulary.functions] == ["rank"]
    assert alerts == []
    assert request.messages[-1].content.endswith("Text: A text. Why?")


def test_a_known_vocabulary_only_grows() -> None:
    known = Vocabulary(BOATS.entities, (Predicate("Mast", (ANY,), "x has a mast"),))
    proposed = [{"meaning": "x has masts", "name": "Masts"}, {"meaning": "x is new", "name": "New"}]
    vocabulary, alerts, request = propose(json.dumps({"predicates": proposed}), (Entity("Bob", "person"),), known)
    assert vocabulary.entities == (*known.entities, Entity("Bob", "person"))
    assert vocabulary.predicates == (*known.predicates, Predicate("New", (ANY,), "x is new"))
    assert alerts == ["dropped"]
    assert "Mast(x): x has a mast" in request.messages[-1].content


def test_nothing_usable_leaves_the_things() -> None:
    assert propose("I cannot.", BOATS.entities, None)[:2] == (BOATS, [])


@given(json_values)
@settings(max_examples=40, deadline=None)
def test_reading_never_fails_and_names_can_be_read(value: object) -> None:
    item = {"name": value, "meaning": value, "of": value, "is": value}
    for items in ([item], value):
        for predicate in words(items, items).predicates:
            assert isinstance(read_fol(f"{predicate.name}(Ann)").sentence, Holds)
