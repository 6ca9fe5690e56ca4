"""The prose of the docs, of the README and of docstrings of public names keeps to a few plain rules.

The rules are whole sentences of at most 22 words, about 13 on average, and no `what` as a noun ("what was said").
A word is a run of letters or digits. Code in backticks is one word, and so is a list of such codes.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.test_surface import declared_names

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
DOCSTRINGS = Figures(nouns=20.0, mean=15.0, too_long=0.1)  # as they stand; each may only fall

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
    """The docstrings of all public names, and of the public methods and properties of public classes."""
    homes = {(home, name) for names in declared_names().values() for name, home in names.items()}
    values = [getattr(import_module(home), name) for home, name in sorted(homes)]
    own = [value for value in values if inspect.isclass(value) or inspect.isfunction(value)]
    own += [part for value in own if inspect.isclass(value) for key, part in vars(value).items() if key[0] != "_"]
    return [text for value in own if (text := inspect.getdoc(value)) and not isinstance(value, str | int | float)]


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
