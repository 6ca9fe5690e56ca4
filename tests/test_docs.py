"""The examples in docstrings run, and say what they claim to say."""

from __future__ import annotations

import ast
import doctest
import importlib
import re
from pathlib import Path
from pkgutil import resolve_name

import pytest

from tests.test_house import SOURCES, nodes, trees
from tests.test_surface import declared_names

REFERENCE = Path(__file__).parent.parent / "docs" / "reference"
QUESTION = re.compile(r"(?:What|How|Where|When|Which|Who|Whether|Why|Whose)\b")


def modules_with_examples() -> list[str]:
    """The names of all modules with lines that begin with `>>>`; none is imported for that."""
    example = re.compile(r"^ *>>> ", re.MULTILINE)
    places = (
        path.relative_to(source.parent)
        for source in SOURCES
        for path in sorted(source.rglob("*.py"))
        if example.search(path.read_text(encoding="utf-8"))
    )
    return [".".join(place.with_suffix("").parts).removesuffix(".__init__") for place in places]


@pytest.mark.parametrize("name", modules_with_examples())
def test_examples_run(name: str) -> None:
    outcome = doctest.testmod(importlib.import_module(name), raise_on_error=False)
    assert outcome.failed == 0
    assert outcome.attempted > 0, "what looks like an example is found by those who run examples"


def test_the_known_examples_are_looked_at() -> None:
    assert set(modules_with_examples()) >= {"holdtrue.logic.formula", "holdtrue.world.domain"}


def test_no_docstring_begins_with_a_question_word() -> None:
    documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    docstrings = [
        (place, ast.get_docstring(node) or "")
        for place, tree in trees()
        for node in nodes(tree)
        if isinstance(node, documented)
    ]
    assert len(docstrings) > 1000, "the docstrings are found"
    half = [f"{place}: {text.splitlines()[0]}" for place, text in docstrings if QUESTION.match(text)]
    assert half == [], "say what it is or does in a sentence: 'Return whether ...', 'A `Route` says who ...'"


def test_the_reference_has_every_public_name_and_nothing_that_is_not_there() -> None:
    pages = "\n".join(page.read_text(encoding="utf-8") for page in REFERENCE.glob("*.md"))
    shown = set(re.findall(r"^::: (\S+)$", pages, re.MULTILINE))
    for name in shown:
        assert resolve_name(name) is not None
    missing = {
        f"{home}.{name}"
        for homes in declared_names().values()
        for name, home in homes.items()
        if not {home, f"{home}.{name}"} & shown
    }
    assert sorted(missing) == []
