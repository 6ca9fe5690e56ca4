"""Which words of a text name single things, and which are new."""

from __future__ import annotations

import pytest

from holdtrue.kinds.claims.prompts.name_detection import Naming, new_names, written_names
from holdtrue.logic.fol.vocabulary import ANY, Entity, Function, Predicate, Vocabulary
from tests.patience import no_hang


@pytest.mark.parametrize(
    "text, names",
    [
        ("We call load_config from src/config.py.", ["load_config", "src/config.py", "config.py"]),
        ("Use api_v2, parseFile and http2.", ["api_v2", "parseFile", "http2"]),
        ("Open `main` and the \u201cnight owl\u201d, or 'Lark'.", ["main", "night owl", "Lark"]),
        ("He/she said e.g. \"I will be there in an hour\", and/or 'x' didn't.", ["x"]),
        ("Ann's and Bob's dogs don't bark at 10 p.m. on the 3rd.", []),
    ],
)
def test_names_as_they_are_written(text: str, names: list[str]) -> None:
    assert written_names(text) == names


@pytest.mark.parametrize(
    "text, name, sort",
    [
        ("The hotel costs 540 euros.", "Hotel", "expense"),
        ("They visit the museum.", "Museum", "place"),
        ("Nobody touches the beta server.", "BetaServer", ANY),
        ("load_config is old.", "LoadConfig", "function"),
        ("main calls load_config.", "Main", "function"),
        ("run_tests calls validate.", "Validate", "function"),
        ("api does not import payments.", "Payments", "module"),
        ("It is defined in the module settings.", "Settings", "module"),
        ("Only people who are certified have access to production.", "Production", "system"),
        ("Nora works in support.", "Support", "team"),
        ("Payments imports invoices.", "Payments", "module"),
        ("James is tall. Nobody else is.", "James", "person"),
    ],
)
def test_single_things(text: str, name: str, sort: str) -> None:
    assert Naming(text).names(Entity(name, sort))


@pytest.mark.parametrize(
    "text, name",
    [
        ("The hotel is full. Every hotel has a pool.", "Hotel"),
        ("The hotel is full. Hotels have pools.", "Hotel"),
        ("The hotel is full, and a big hotel opens.", "Hotel"),
        ("The hotels are full.", "Hotels"),
        ("The student who comes first wins.", "Student"),
        ("The head of a school waits.", "Head"),
        ("Anna waits in the garden.", "Garden"),
        ("The newest costs more.", "Newest"),
        ("Anna is at home.", "Home"),
        ("Anna wants to swim.", "Swim"),
        ("Anna lives in peace and has a peace.", "Peace"),
        ("handler is deprecated.", "Deprecated"),
        ("Musicians always practise.", "Musicians"),
        ("The hotel is full.", "Server"),
        ("The beta server is down.", "AlphaServer"),
    ],
)
def test_kinds_places_and_qualities_are_none(text: str, name: str) -> None:
    assert not Naming(text).names(Entity(name))


def test_what_was_told_earlier_shows_names_and_kinds() -> None:
    hotel = Entity("Hotel", "expense")
    assert Naming("The hotel is full.").names(hotel)
    assert not Naming("The hotel is full.", "Hotels have pools.").names(hotel)
    assert Naming("Cli calls parse_config.", "Well, first: cli calls parse_config.").names(Entity("Cli", "function"))
    assert not Naming("Nobody waits.", "The hotel is full. main calls run_tests.").names(hotel)


WORDS = Vocabulary(
    (Entity("Mia", "person"), Entity("LoadConfig", "function")),
    (Predicate("German", (ANY,), "x is German"),),
    (Function("cost", (ANY,), 0, 9, meaning="cost of x in euros"),),
)


@pytest.mark.parametrize(
    "text, names",
    [
        ("Mia's dog is German. load_config costs nothing.", ()),
        ("Therefore Mia waits. If Mia waits, it rains. Nobody waits. Dogs bark. There is a way.", ()),
        ("The answer is unknown. The statement is true. The first one is the last.", ()),
        ("They drive to Geilo.", ("Geilo",)),
        ("Seaview allows dogs.", ("Seaview",)),
        ("run_tests calls load_config.", ("run_tests",)),
        ("They visit the belfry last.", ("belfry",)),
        ("The city is near Lisbon.", ()),
    ],
)
def test_new_names(text: str, names: tuple[str, ...]) -> None:
    assert new_names(WORDS, text, "Lisbon is a city.") == names


@pytest.mark.parametrize("text", ["the answer is clear to teams. " * 3000, "a" * 20_000, "aB_" * 5000])
def test_long_texts_take_no_long_time(text: str) -> None:
    with no_hang():
        new_names(Vocabulary(), text, "")
