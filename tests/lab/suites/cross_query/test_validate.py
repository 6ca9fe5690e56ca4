from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from holdtrue.budget import UNLIMITED
from holdtrue.errors import RecordError
from holdtrue.record import Label
from holdtrue_lab.suites.cross_query.files import FULL, benchmark_files, write_benchmark
from holdtrue_lab.suites.cross_query.generate import generate
from holdtrue_lab.suites.cross_query.validate import Prover, Validation, validate
from tests.lab.suites.cross_query.toy import TOY

ROW = {"row": TOY}
THEORY = "(declare-const x Int)\n(assert (<= 1 x 5))\n(assert (> x 2))\n"
DOUBLING = "".join(f"(define-fun f{n + 1} ((x Int)) Int (+ (f{n} (* x 3)) (f{n} (+ x {n}))))" for n in range(40))
DOUBLING = f"(define-fun f0 ((x Int)) Int (+ x 1)){DOUBLING}(declare-const y Int)(assert (= (f40 y) 7))"
QUANTIFIED = "(declare-const x Int)(assert (<= 1 x 5))(assert (forall ((x Int)) (exists ((y Int)) (= (* y y) x))))"
SQUARES = f"(declare-const x Int)(assert (<= 2 x 5))(assert {'(let ((x (* x x))) ' * 60}(< x 0){')' * 61}"


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("benchmark")
    write_benchmark(generate(7, {"relational": 5}, subdomains=ROW), folder, {})
    return {path.name: path.read_text("utf-8") for path in benchmark_files(folder)}


def _validate(texts: dict[str, str], folder: Path, spoil: Callable[[dict[str, Any]], object]) -> Validation:
    for name, text in texts.items():
        (folder / name).write_text(text, "utf-8")
    record = json.loads(texts[FULL])
    spoil(record)
    (folder / FULL).write_text(json.dumps(record), "utf-8")
    return validate(folder, subdomains=ROW)


def test_what_was_generated_is_valid(texts: dict[str, str], tmp_path: Path) -> None:
    found = _validate(texts, tmp_path, lambda record: None)
    assert (found.cases, found.proved, found.problems) == (5, found.queries, ())
    assert found.queries >= 25


def _query(record: dict[str, Any]) -> dict[str, Any]:
    """Return the first query that is UNKNOWN."""
    queries = record["cases"][0]["bundles"][0]["queries"]
    return next(query for query in queries if query["label"] == "UNKNOWN")


def _symbol(record: dict[str, Any]) -> str:
    return f"{record['cases'][0]['entities'][0]}.seat"


SPOILT: list[tuple[Callable[[dict[str, Any]], object], str]] = [
    (lambda r: _query(r).update(label="ENTAILED"), "the label is ENTAILED, and UNKNOWN is proved"),
    (lambda r: _query(r).update(formal=f"(<= 1 {_symbol(r)})"), "the label is UNKNOWN, and ENTAILED is proved"),
    (lambda r: _query(r).update(formal=f"(not {_query(r)['formal']})"), "formal is not what its constraint says"),
    (lambda r: _query(r).update(formal="(= moon 1)"), "formal: line 1, column 4: unknown variable 'moon'"),
    (lambda r: _query(r).update(formal="true) (assert false"), "formal: line 1"),
    (lambda r: r["cases"][0].update(formal_representation=DOUBLING), "and no definitions"),
    (lambda r: r["cases"][0].update(formal_representation=QUANTIFIED), "a formula has no quantifiers"),
    (lambda r: r["cases"][0].update(formal_representation=SQUARES), "parts without let, over 10000"),
    (lambda r: _query(r).update(formal=None), "formal: a text is needed, got None"),
    (lambda r: _query(r).update(depends_on=[]), "depends_on is []"),
    (lambda r: _query(r).update(interacts_with=[]), "interacts_with is []"),
    (lambda r: _query(r).update(query=r["cases"][0]["bundles"][0]["queries"][-2]["query"]), "two queries say"),
    (
        lambda r: r["cases"][0].update(formal_representation=r["cases"][0]["formal_representation"] + "(assert false)"),
        "the premises are impossible together",
    ),
    (lambda r: r["cases"][0].update(formal_representation="(asert)"), "formal_representation: line 1"),
    (lambda r: r["cases"][0].update(formal_representation="; all is well"), "nothing is asserted"),
    (lambda r: r["cases"][0]["cnf"].update(dimacs="p cnf 0 0"), "cnf is not what its constraints say"),
    (lambda r: r["cases"][0]["bundles"][0].update(num_queries=99), "num_queries is 99, and should be"),
    (lambda r: r["cases"][0].update(split="moon"), "split is 'moon', none of train, dev, test"),
    (lambda r: r["cases"].pop(), "num_cases is 5, and there are 4"),
    (lambda r: r["cases"].pop(), "benchmark_train_v2.json: case relational_row_0004 does not belong here"),
    (lambda r: r["cases"].append(r["cases"][0]), "the case relational_row_0000 is there twice"),
    (lambda r: r["statistics"].update(total_queries=1), "statistics.total_queries is 1, and should be"),
    (lambda r: r.pop("statistics"), "statistics.total_cases is None"),
    (lambda r: r.update(statistics=[]), "statistics.total_cases is None"),
    (lambda r: _query(r).update(reasoning="Because."), "benchmark_train_v2.json: cases differ from those in"),
    (lambda r: r["cases"][0]["bundles"][0]["queries"].__delitem__(slice(4, None)), "4 queries, not 5 to 8"),
]


@pytest.mark.parametrize(("spoil", "words"), SPOILT)
def test_what_is_wrong_is_told_with_its_place(
    texts: dict[str, str], tmp_path: Path, spoil: Callable[[dict[str, Any]], object], words: str
) -> None:
    problems = _validate(texts, tmp_path, spoil).problems
    assert any(words in problem for problem in problems), problems
    assert all("relational_row_000" in problem or "benchmark_" in problem for problem in problems)


def test_a_label_that_is_wrong_is_not_counted_as_proved(texts: dict[str, str], tmp_path: Path) -> None:
    found = _validate(texts, tmp_path, lambda record: _query(record).update(label="CONTRADICTED"))
    assert found.proved == found.queries - 1


def test_a_split_that_is_not_there_is_told(texts: dict[str, str], tmp_path: Path) -> None:
    found = _validate({name: text for name, text in texts.items() if "dev" not in name}, tmp_path, lambda record: None)
    assert [problem.endswith("cannot be read: No such file or directory") for problem in found.problems] == [True]


def test_published_cases_have_nothing_to_prove_labels_from(texts: dict[str, str], tmp_path: Path) -> None:
    def bare(record: dict[str, Any]) -> None:
        for case in record["cases"]:
            del case["setting"]
            for query in case["bundles"][0]["queries"]:
                del query["formal"]

    found = _validate(texts, tmp_path, bare)
    assert found.proved == 0
    assert "relational_row_0000: its queries have no formal, so that no label can be proved again" in found.problems


def test_no_benchmark_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="cannot be read"):
        validate(tmp_path)


@pytest.mark.parametrize(
    ("statement", "label"),
    [
        ("(>= x 3)", Label.ENTAILED),
        ("(= x 2)", Label.CONTRADICTED),
        ("(= x 4)", Label.UNKNOWN),
        ("true", Label.ENTAILED),
    ],
)
def test_labels_are_proved_from_text(statement: str, label: Label) -> None:
    assert Prover(THEORY, UNLIMITED).label(statement) is label
