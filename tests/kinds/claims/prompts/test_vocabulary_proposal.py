"""Words for a text: what is asked, what is made of the reply, and that a known vocabulary only grows."""

from __future__ import annotations

import asyncio
import json

from hypothesis import given, settings

from holdtrue.kinds.claims.prompts.vocabulary_proposal import propose_vocabulary, read_words
from holdtrue.language.asking import Asking
from holdtrue.logic.fol.notation import read_fol
from holdtrue.logic.fol.syntax import Holds
from holdtrue.logic.fol.vocabulary import ANY, Entity, Function, Predicate, Vocabulary
from holdtrue.models.chat import Request
from holdtrue.models.scripted import ScriptModel
from tests.kinds.claims.prompts.test_entities import json_values

BOATS = Vocabulary((Entity("Swan", "boat"), Entity("Gull", "boat"), Entity("Ann", "person")))


def words(predicates: object = (), functions: object = (), vocabulary: Vocabulary = BOATS) -> Vocabulary:
    return read_words(json.dumps({"functions": functions, "predicates": predicates}), vocabulary)


def rank(**changed: object) -> dict[str, object]:
    whole = {"meaning": "rank of x, 1 is first", "name": "Rank", "of": "boat", "low": 1, "high": 2, "distinct": True}
    return {**whole, **changed}


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


def test_which_thing_something_is_needs_no_predicate() -> None:
    assert (
        words([{"meaning": "x is Ann", "name": "IsAnn"}, {"meaning": "x is the Swan boat", "name": "S"}]).predicates
        == ()
    )


def test_a_quality_that_a_name_has_a_word_of_is_kept() -> None:
    code = Vocabulary((Entity("SmokeTest", "function"), Entity("RedBoat", "boat")))
    proposed = [("x is a test", "Test"), ("x is a boat", "Boat"), ("x is red", "Red"), ("x is the smoke test", "S")]
    found = words([{"meaning": meaning, "name": name} for meaning, name in proposed], vocabulary=code)
    # A boat is what has that sort, and only the red one of the boats is red.
    assert [predicate.name for predicate in found.predicates] == ["Test"]


def test_an_order_is_said_by_its_function_alone() -> None:
    before = [{"meaning": "x came before y", "name": "Before"}]
    assert words(before, [rank()]).predicates == ()
    assert [predicate.name for predicate in words(before).predicates] == ["Before"]


def test_a_number_is_no_predicate() -> None:
    assert words([{"meaning": "x is 12", "name": "12"}]).predicates == ()


def test_functions_are_of_a_sort_that_there_is() -> None:
    assert words(functions=[rank()]).functions == (Function("rank", ("boat",), 1, 2, True, "rank of x, 1 is first"),)
    assert words(functions=[rank(of="Boats")]).functions[0].sorts == ("boat",)
    assert words(functions=[rank(of="car")]).functions[0].sorts == (ANY,), "cars may come later"
    assert words(functions=[rank()], vocabulary=Vocabulary()).functions[0].sorts == (ANY,)


def test_bounds_that_cannot_be() -> None:
    assert words(functions=[rank(low=4, high=1)]).functions[0].low == 1
    assert words(functions=[rank(low="1")]).functions == ()
    assert words(functions=[rank(high=10**12)]).functions == ()
    # Two boats cannot have different numbers where there is one number.
    assert not words(functions=[rank(high=1)]).functions[0].distinct


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
    assert alerts == ["name_clash"]
    assert "Mast(x): x has a mast" in request.messages[-1].content


def test_nothing_usable_leaves_the_things() -> None:
    assert propose("I cannot.", BOATS.entities, None)[:2] == (BOATS, [])


@given(json_values)
@settings(max_examples=40, deadline=None)
def test_reading_never_fails_and_names_can_be_read(value: object) -> None:
    item = {"name": value, "meaning": value, "of": value, "low": 1, "high": 3, "distinct": True}
    for items in ([item], value):
        for predicate in words(items, items).predicates:
            assert isinstance(read_fol(f"{predicate.name}(Ann)").sentence, Holds)
