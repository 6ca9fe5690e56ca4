"""No phrase of the reading test set may teach, tune or test a reader inside the project.

Names, numbers and values are masked on both sides. Failures name indices of the project's own sentences only:
whoever reads them learns what to change without seeing the test set.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from holdtrue.domains.domain import ConstraintType
from holdtrue.domains.registry import BUILTIN
from tests.data import DRIFT, needs_data, read_jsonl

OWN = Path(__file__).parent / "paraphrases"
REWORDED = DRIFT / "reworded"
NUMBERS = re.compile(
    r"\d+|zero|one|two|three|four|five|six|seven|eight|nine|ten|first|second|third|fourth|fifth|sixth|seventh"
    r"|eighth|ninth|tenth"
)
WORD = re.compile(r"\w+")
NGRAM = 6


def _names(problem: dict[str, Any]) -> set[str]:
    values = [value for listed in problem.get("categories", {}).values() for value in listed]
    return {word.casefold() for name in [*problem["entities"], *values] for word in WORD.findall(name)}


def _mask(sentence: str, names: set[str]) -> tuple[str, ...]:
    masked = []
    for word in WORD.findall(sentence.casefold().replace("\u2019", "'").replace("'s", "")):
        if word in names or word.removesuffix("s") in names:
            masked.append("@")
        else:
            masked.append("#" if NUMBERS.fullmatch(word) else word)
    return tuple(masked)


def _ngrams(masked: tuple[str, ...]) -> set[tuple[str, ...]]:
    return {masked[start : start + NGRAM] for start in range(len(masked) - NGRAM + 1)}


def _kinds() -> Iterator[ConstraintType]:
    for domain in BUILTIN.values():
        yield from domain.constraint_types


def _templates() -> set[tuple[str, ...]]:
    return {_mask(re.sub(r"\{\d\}", "xx", kind.sentence), {"xx"}) for kind in _kinds()}


def _own() -> list[tuple[str, tuple[str, ...]]]:
    """Every sentence of the project that teaches or tests reading, with a name for it."""
    own: list[tuple[str, tuple[str, ...]]] = []
    for kind in _kinds():
        for index, example in enumerate(kind.examples):
            names = {str(arg).casefold() for arg in example.args if isinstance(arg, str)} - {
                "color",
                "pet",
                "profession",
            }
            own.append((f"{kind.name} example {index}", _mask(example.sentence, names)))
        own.append((f"{kind.name} definition", _mask(kind.definition, {"a", "b", "c", "e", "v", "g", "k", "t", "x"})))
        own += [
            (f"{kind.name} wording {index}", _mask(re.sub(r"\{\d\}", "xx", wording), {"xx"}))
            for index, wording in enumerate(kind.wordings)
        ]
    for file in ("sentences", "others"):
        for index, record in enumerate(read_jsonl(OWN / f"{file}.jsonl")):
            problem = json.loads((OWN / "problems" / f"{record['problem_id']}.json").read_text(encoding="utf-8"))
            own.append((f"{file} {index}", _mask(record["sentence"], _names(problem))))
    return own


def _test_set() -> list[tuple[str, ...]]:
    masked = []
    for record in read_jsonl(REWORDED / "sentences.jsonl"):
        problem = json.loads((REWORDED / "dev" / f"{record['problem_id']}.json").read_text(encoding="utf-8"))
        masked.append(_mask(record["sentence"], _names(problem)))
    return masked


def _union(masked: Iterable[tuple[str, ...]]) -> set[tuple[str, ...]]:
    return {ngram for sentence in masked for ngram in _ngrams(sentence)}


@needs_data
def test_no_own_sentence_is_a_sentence_of_the_test_set() -> None:
    foreign = set(_test_set())
    assert [name for name, masked in _own() if masked in foreign] == []


@needs_data
def test_no_own_sentence_shares_six_words_with_the_test_set() -> None:
    foreign = _union(_test_set()) - _union(_templates())
    assert [name for name, masked in _own() if _ngrams(masked) & foreign] == []


def test_masking_hides_names_and_numbers_alone() -> None:
    assert _mask("Ann's seat is 3, not the third", {"ann"}) == ("@", "seat", "is", "#", "not", "the", "#")
    assert len(_ngrams(("a", "b", "c", "d", "e", "f", "g"))) == 2
