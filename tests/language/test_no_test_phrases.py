"""Test that no phrase of the reading test set teaches, tunes or tests a reader inside the project, or is generated.

Generated sentences may not teach either, because reading them would only show memory. Names, numbers and values are
masked on both sides. A failure shows only indices of the project's sentences, so that its reader does not see the test
set.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from holdtrue.world.domain import AttributeName, ConstraintType, Integer
from holdtrue.world.logic_grid import DEFAULT_CATEGORIES
from holdtrue.world.registry import BUILTIN
from holdtrue_lab.kit.words import Number
from holdtrue_lab.suites.drift.phrasing import BANKS, CONNECTIVES, OPENERS
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


def _taught() -> list[tuple[str, tuple[str, ...]]]:
    """Yield every sentence of the domains that teaches reading, with a name for it."""
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
    return own


def _generated() -> list[tuple[str, tuple[str, ...]]]:
    """Yield every phrasing of generated problems, and their joining words, with a name for it.

    Categories are masked, as they are in templates and wordings, and named, as in examples and the test set.
    """
    own = [("joined", _mask(joined, set())) for joined in (*OPENERS, *CONNECTIVES)]
    for kind in _kinds():
        for index, phrasing in enumerate(next(bank[kind.name] for bank in BANKS.values() if kind.name in bank)):
            for category in ("xx", *DEFAULT_CATEGORIES):
                args = (
                    Number(3) if isinstance(argument, Integer) else category if argument == AttributeName() else "xx"
                    for argument in kind.arguments
                )
                own.append((f"{kind.name} phrasing {index}", _mask(phrasing.format(*args), {"xx"})))
    return own


def _own() -> list[tuple[str, tuple[str, ...]]]:
    """Yield every sentence of the project that teaches or tests reading, or is generated."""
    own = [*_taught(), *_generated()]
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


def _test_messages() -> list[tuple[str, ...]]:
    """Yield the messages of the reworded problems, which have more sentences than the file."""
    problems = [json.loads(path.read_text(encoding="utf-8")) for path in sorted((REWORDED / "dev").glob("*.json"))]
    return [_mask(turn["user_message"], _names(problem)) for problem in problems for turn in problem["turns"]]


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


@needs_data
def test_no_generated_sentence_shares_six_words_with_the_test_problems() -> None:
    foreign = _union(_test_messages()) - _union(_templates())
    assert foreign
    assert [name for name, masked in _generated() if _ngrams(masked) & foreign] == []


def test_no_generated_sentence_is_one_that_teaches() -> None:
    taught = {masked for _, masked in _taught()} | _templates()
    assert [name for name, masked in _generated() if masked in taught] == []


def test_no_generated_sentence_shares_six_words_with_one_that_teaches() -> None:
    taught = _union(masked for _, masked in _taught()) | _union(_templates())
    assert [name for name, masked in _generated() if _ngrams(masked) & taught] == []


def test_masking_hides_names_and_numbers_alone() -> None:
    assert _mask("Ann's seat is 3, not the third", {"ann"}) == ("@", "seat", "is", "#", "not", "the", "#")
    assert len(_ngrams(("a", "b", "c", "d", "e", "f", "g"))) == 2
