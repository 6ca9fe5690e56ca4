"""Names are found in a text, with any characters in them, and are returned in the spelling of the instance."""

from __future__ import annotations

import gc
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdtrue.language import english_patterns
from holdtrue.language.names import cached_per_instance, names_of
from holdtrue.language.readers import TemplateExtractor
from holdtrue.language.reading import MessageContext
from holdtrue.language.respelling import Respelled, respell
from holdtrue.world.instance import Instance
from holdtrue.world.seating import SEATING
from tests.language.changes_by_name import AGENDA

NAMES = names_of(
    AGENDA.instance(["One-on-one", "Design Review", "Review", "O'Neill's", "C++", "Drop", "Dr. No", "Yahoo!"])
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("the one\u2010on\u2011one", ["One-on-one"]),
        ("design   review and review", ["Design Review", "Review"]),
        ("O\u2019Neill\u2019s and Review's", ["O'Neill's", "Review"]),
        ("C++, not C+ and not C", ["C++"]),
        ("pre-Review, Review-2, Reviews", []),
        ("about Dr. No.", ["Dr. No"]),
        ("Yahoo", ["Yahoo!"]),
    ],
)
def test_a_name_is_found_as_it_is_written_and_nothing_like_it(text: str, found: list[str]) -> None:
    assert [one.name for one in NAMES.find(text)] == found


def test_a_name_that_is_a_word_is_one_where_it_is_written_so() -> None:
    assert [one.name for one in NAMES.find("Drop the Review", words_too=False)] == ["Review"]
    assert [one.name for one in NAMES.find("Drop is off", words_too=False)] == ["Drop"]
    assert [one.name for one in NAMES.find("please drop Review", words_too=False)] == ["Review"]


def test_hidden_names_come_back_as_the_instance_spells_them() -> None:
    hidden = NAMES.hide("Move 'design review' to day 3")
    assert "review" not in hidden.text and hidden.restore(hidden.text) == "Move Design Review to day 3"


def test_likely_names_are_those_that_share_a_word_or_nearly_all_letters() -> None:
    assert NAMES.alike("Desing Review")[0] == "Design Review" and NAMES.alike("Gala") == ()


TABLE = SEATING.instance(["Joaqu\u00edn", "\u00c9mile", "Katarzyna", "Ann", "Bob"])


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("put Joaquin by bob", "put Joaqu\u00edn by bob"),
        ("emile's right is Bob", "\u00c9mile's right is Bob"),
        *((same, same) for same in ("the anns", "bobs chair", "a boob job", "kat: seat 2, Bob")),
    ],
)
def test_accents_are_certain_and_other_words_stay(said: str, meant: str) -> None:
    assert respell(TABLE, said) == Respelled(meant, {})


@pytest.mark.parametrize("said", ["Katarzna", "Katarzyan", "Kattarzyna", "Katarzina", "Kat"])
def test_a_typing_error_and_a_nickname_are_guesses(said: str) -> None:
    assert respell(TABLE, f"{said}: seat 2") == Respelled("Katarzyna: seat 2", {"Katarzyna": said})
    assert respell(TABLE, f"{said} by joaquin", guess=False).text == f"{said} by Joaqu\u00edn"


async def test_a_guess_makes_a_reading_doubtful_and_an_accent_does_not() -> None:
    said = "Joaquin must sit next to Bob. Kat must sit next to Bob."
    read = await TemplateExtractor().read(TABLE, said, MessageContext())
    doubt = ("doubtful", "'Kat' was taken for 'Katarzyna'")
    assert [(one.status, one.reason) for one in read.readings] == [("accepted", None), doubt]


@given(st.text(max_size=60))
def test_only_names_change(message: str) -> None:
    found = respell(TABLE, message).text
    assert found == message or any(name in found for name in TABLE.entities)


def test_what_is_kept_goes_with_its_instance() -> None:
    gone: list[str] = []

    class Result:
        def __del__(self) -> None:
            gone.append("gone")

    @cached_per_instance
    def make(instance: Instance) -> Result:
        return Result()

    instance = SEATING.instance(["A", "B"])
    make(instance)
    del instance
    gc.collect()
    assert gone == ["gone"]


def test_each_name_of_the_table_is_asked_for_and_compiles() -> None:
    table = english_patterns._table()
    code = "".join(path.read_text(encoding="utf-8") for path in Path(english_patterns.__file__).parent.rglob("*.py"))
    asked = set(re.findall(r"[\"']([a-z_]+\.[a-z_]+)[\"']", code))
    inside = {
        name for lines in table.values() for line in lines for name in re.findall(r"\{([a-z_]+\.[a-z_]+)\}", line)
    }
    assert set(table) <= asked | inside and inside <= set(table)
    assert all(english_patterns.english(name) for name in table if not name.startswith("everyday."))
    text = Path(english_patterns.__file__).with_name("english.txt").read_text(encoding="utf-8")
    assert not any(line.endswith(" ") for line in text.splitlines())
