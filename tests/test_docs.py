"""The examples in docstrings run, and prose keeps to its rules."""

from __future__ import annotations

import ast
import doctest
import importlib
import inspect
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from pkgutil import resolve_name
from typing import NamedTuple

import pytest

from tests.test_house import SOURCES, nodes, trees
from tests.test_surface import declared_names

REFERENCE = Path(__file__).parent.parent / "docs" / "reference"
QUESTION = re.compile(r"(?:What|How|Where|When|Which|Who|Whether|Why|Whose)\b")


def modules_with_examples() -> list[str]:
    """The names of all modules with lines that begin with `>>>`; no module is imported."""
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


ROOT = Path(__file__).resolve().parents[1]
LONGEST = 22
"""Words that a sentence has at most."""


class Figures(NamedTuple):
    """Figures of a text, or limits: nouns `what` in 1,000 words, mean words of a sentence, share of those too long."""

    nouns: float
    mean: float
    too_long: float


DOCS = Figures(nouns=1.0, mean=13.0, too_long=0.0)
README = Figures(nouns=1.0, mean=13.0, too_long=0.0)
DOCSTRINGS = Figures(nouns=1.0, mean=13.0, too_long=0.0)

DETERMINED = re.compile(r"what (?:kinds?|sorts?|part|form|order|share|number|time|day|else|if)\b", re.IGNORECASE)
"""Before such a word `what` is no noun."""
END = re.compile(r"(?<=[.!?])[\"')*_]*\s+(?=[\"'(*_\[]*(?:[A-Z0-9]|holdtrue))")
WORD = re.compile(r"[^\W_]+(?:['’.,:/_-][^\W_]+)*")


def pieces(text: str) -> Iterator[str]:
    """The paragraphs, items of lists and cells of tables of a Markdown text; headings, code and HTML are none."""
    text = re.sub(r"^```.*?^```$|<!--.*?-->|^:::.*?$|^    .*?$", "\n", text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"^#.*$|^>>> .*$", "\n", text, flags=re.MULTILINE)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"``.+?``|`[^`]+`", "Code", text)
    text = re.sub(r"Code(?:,? (?:and |or )?Code|, Code)+", "Code", text)
    for block in re.split(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) |\|)", text):
        if block.lstrip().startswith("|"):
            yield from (cell.strip() for cell in re.split(r"(?<!\\)\|", block))
        else:
            yield " ".join(block.split())


def sentences(text: str) -> Iterator[list[str]]:
    """The words of each sentence, without pieces of fewer than three words, such as numbers in cells."""
    for piece in pieces(text):
        for sentence in END.split(piece):
            words = WORD.findall(sentence)
            if len(words) >= 3:
                yield words


def nouns(text: str) -> list[str]:
    """Each `what` in a Markdown text, headings included, that stands for a thing, with the words after it.

    It is none in a sentence that ends with a question mark, and before a noun that it determines ("what kind").
    """
    text = re.sub(r"\]\([^)]*\)", "]", text)
    plain = re.sub(r"^```.*?^```$|`[^`\n]+`", "Code", text, flags=re.DOTALL | re.MULTILINE)
    found = []
    for sentence in re.findall(r"[^.?!|\n]*(?:\n(?!\s*[-*|#\n])[^.?!|\n]*)*[.?!|]?", plain):
        if not sentence.endswith("?"):
            for match in re.finditer(r"\bwhat\b", sentence, re.IGNORECASE):
                if not DETERMINED.match(sentence, match.start()):
                    found.append(" ".join(sentence[match.start() :].split()[:5]))
    return found


def measure(texts: Iterable[str]) -> tuple[Figures, list[str]]:
    """Return the figures of the texts together, and each sentence that is too long."""
    texts = list(texts)
    lengths = [words for text in texts for words in sentences(text)]
    count = sum(map(len, lengths))
    long = [" ".join(words) for words in lengths if len(words) > LONGEST]
    found = sum(len(nouns(text)) for text in texts)
    return Figures(1000 * found / count, count / len(lengths), len(long) / len(lengths)), long


def docs() -> list[str]:
    return [path.read_text(encoding="utf-8") for path in sorted((ROOT / "docs").rglob("*.md"))]


def docstrings() -> list[str]:
    """Every docstring of the packages, of private names and of attributes too, without its indent."""
    texts = [
        node.value.value
        for _, tree in trees()
        for node in nodes(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    ]
    assert len(texts) > 5000, "the docstrings are found"
    # A line with a gap is a row of a table or of a tree, and no sentence.
    return [re.sub(r"^.*\S {3,}\S.*$", "", inspect.cleandoc(text), flags=re.MULTILINE) for text in texts]


@pytest.mark.parametrize(
    ("texts", "limits"),
    [(docs(), DOCS), ([(ROOT / "README.md").read_text(encoding="utf-8")], README), (docstrings(), DOCSTRINGS)],
    ids=["docs", "readme", "docstrings"],
)
def test_prose_keeps_to_the_rules(texts: list[str], limits: Figures) -> None:
    figures, long = measure(texts)
    over = [name for name, limit in limits._asdict().items() if getattr(figures, name) > limit]
    assert not over, (figures, limits, long[:20], [each for text in texts for each in nouns(text)][:40])


def test_a_noun_is_told_from_a_question_and_a_determiner() -> None:
    text = "What holds? Say what was said, and what kind it is.\n\nIt is what it is; is it what\nyou want?"
    assert nouns(text) == ["what was said, and what"]
    figures, long = measure(["One two three four. " + "Word " * 23])
    assert figures.mean == 13.5 and len(long) == 1
