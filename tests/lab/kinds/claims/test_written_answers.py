from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from holdtrue.errors import RecordError
from holdtrue_claims.kind.prompts.questions import Answer
from holdtrue_lab.kinds.claims.written_answers import load_answers
from holdtrue_lab.suites.verge.files import load_verge
from tests.data import DATA

WRITTEN = DATA / "llm_formalizations"
MODEL = "NousResearch-Meta-Llama-3-70B-GGUF"


def write(tmp_path: Path, *records: object) -> Path:
    path = tmp_path / "answers.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def test_both_forms_are_read_and_the_gold_answer_is_not(tmp_path: Path) -> None:
    reasoned = {"id": "one", "answer": "C", "predicted_reasoning": "So it is true.", "predicted_answer": "A"}
    plain = {"id": "two", "answer": "It is false.", "option": "B"}
    assert load_answers(write(tmp_path, reasoned, plain, {"id": "three", "answer": "No."})) == {
        "one": Answer("So it is true.", "A"),
        "two": Answer("It is false.", "B"),
        "three": Answer("No."),
    }


@pytest.mark.parametrize(
    ("text", "option"), [("(B)", "B"), (" C. ", "C"), ("None", None), ("A and C", None), ("", None), ("b", None)]
)
def test_only_a_letter_is_an_option(tmp_path: Path, text: str, option: str | None) -> None:
    path = write(tmp_path, {"id": "one", "predicted_reasoning": "", "predicted_answer": text})
    assert load_answers(path)["one"].option == option


@pytest.mark.parametrize(
    ("records", "message"),
    [
        ([], "no answers"),
        ([{"answer": "Yes."}], "line 1: id is missing"),
        ([{"id": "one"}], "line 1: answer is missing"),
        ([{"id": "one", "answer": 3}], "line 1.answer: a text is needed"),
        ([{"id": "one", "answer": "a"}, {"id": "one", "answer": "b"}], "line 2: id: 'one' is there twice"),
        (["Yes."], "line 1: an object is needed"),
    ],
)
def test_what_is_no_answer_is_named(tmp_path: Path, records: list[object], message: str) -> None:
    with pytest.raises(RecordError, match=message):
        load_answers(write(tmp_path, *records))


@pytest.mark.skipif(not WRITTEN.exists(), reason="what models wrote is not beside the repository")
@pytest.mark.parametrize(
    ("name", "file", "answered", "chosen", "right"),
    [
        ("FOLIO", "folio/folio-validation-shared.jsonl", 96, 94, 60),
        ("LogicalDeduction", "logical_deduction/shared.json", 150, 148, 69),
        ("ProofWriter", "proofwriter/dev.json", 300, 294, 166),
    ],
)
@pytest.mark.slow
def test_real_answers_belong_to_the_items(name: str, file: str, answered: int, chosen: int, right: int) -> None:
    path = WRITTEN / f"llama3_CoT_{name}_dev_{MODEL}.json"
    answers = load_answers(path)
    items = {item.id: item for item in load_verge(DATA / file)}
    assert len(answers) == answered and answers.keys() <= items.keys()
    for record in json.loads(path.read_text(encoding="utf-8")):
        item = items[record["id"]]
        # An id is of the same question, and its gold answer the same.
        assert record["question"].endswith(item.statement or item.question) and record["answer"] == item.answer
    found = Counter(answer.option == items[id].answer for id, answer in answers.items() if answer.option)
    print(f"\n{name}: {sum(found.values())} of {answered} answers with a letter, {found[True]} of them right")
    assert (sum(found.values()), found[True]) == (chosen, right)
