from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.kinds.labels.prompts import WORDING, Words
from holdtrue.kinds.labels.replies import read_labels
from holdtrue.record import Label
from tests.patience import no_hang

E, C, U = Label.ENTAILED, Label.CONTRADICTED, Label.UNKNOWN
IDS = ("q0", "q1", "q2")
GOOD = {
    "answers": {
        "q0": {"label": "ENTAILED", "confidence": 0.9},
        "q1": {"label": "CONTRADICTED", "confidence": 0.4},
        "q2": {"label": "UNKNOWN", "confidence": 1},
    }
}


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(GOOD),
        json.dumps(GOOD["answers"]),
        json.dumps({"result": GOOD}),
        f"- q0: it seems UNKNOWN\n\n```json\n{json.dumps(GOOD, indent=2)}\n```\nI hope that helps!",
        f"<think>{{'q0': 'UNKNOWN'}}</think>{json.dumps(GOOD)}",
        # A draft before the decision, and a template after it.
        f"""{{"q0": "UNKNOWN", "q1": "UNKNOWN"}} No: {json.dumps(GOOD)} in the shape {{"q0": "<label>"}}""",
        json.dumps([{"id": id, **answer} for id, answer in GOOD["answers"].items()]),
        json.dumps({"answers": [{"query_id": id, **answer} for id, answer in GOOD["answers"].items()]}),
        "".join(f'{{"{id}": {json.dumps(answer)}}}\n' for id, answer in GOOD["answers"].items()),
        json.dumps({id: [answer["label"], answer["confidence"]] for id, answer in GOOD["answers"].items()}),
        "{'q0': {'answer': 'entailed', 'Confidence': '90%'}, ' Q1 ': {'Label': 'false', 'confidence': '0.4'}, "
        "'q2': {'label': 'Uncertain', 'probability': 100,},}",
        '{"q0": {"label": "True", "confidence": 90}, "q1": {"verdict": "Contradiction.", "confidence": ".4"}, '
        '"q2": {"label": "UNKNOWN (no premise says so)", "confidence": 1.0}, "q9": "ENTAILED"}',
        '{"q0": {"label": true, "confidence": 0.9}, "q1": {"label": "NO", "confidence": "40 %"}, '
        '"q2": {"label": "Cannot be determined", "confidence": "100"}}',
    ],
)
def test_labels_are_read_in_any_usual_form(text: str) -> None:
    read = read_labels(text, IDS, "labels")
    assert read.labels == {"q0": E, "q1": C, "q2": U}
    assert read.confidence == pytest.approx({"q0": 0.9, "q1": 0.4, "q2": 1.0})
    assert read.missing == ()


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ('{"q0": "ENTAILED"}', {"q0": E}),
        ('{"q0": "not entailed", "q1": "ENTAILED | CONTRADICTED | UNKNOWN", "q2": null}', {}),
        ('{"q0": "ENTAILED", "q0": "UNKNOWN", "q1": "ENTAILED", "q1": "TRUE"}', {"q1": E}),
        ('{"q0": {"label": "ENTAILED", "label": "UNKNOWN"}}', {}),
        ('[{"id": "q0", "label": "YES"}, {"id": "q0", "label": "NO"}]', {}),
        # Two labels in the later piece leave nothing of the earlier one.
        ('{"q0": "ENTAILED"} {"q0": "ENTAILED", "q0": "UNKNOWN"}', {}),
        ('{"q0": 1, "q1": ["ENTAILED"], "q2": {"q0": "ENTAILED"}}', {}),
        ('{"label": "ENTAILED"}', {}),
        ("ENTAILED", {}),
        ("", {}),
    ],
)
def test_what_is_not_clear_is_missing(text: str, labels: dict[str, Label]) -> None:
    read = read_labels(text, IDS, "labels")
    assert read.labels == labels
    assert read.missing == tuple(id for id in IDS if id not in labels)
    assert read.confidence == {}


@pytest.mark.parametrize(
    ("text", "label", "confidence"),
    [
        ('{"label": "NO", "confidence": 0.5}', C, 0.5),
        ('{"answers": {"label": "no", "confidence": 0.5}}', C, 0.5),
        ('{"answers": [{"answer": "no"}]}', C, None),
        ('{"answer": "Yes"}', E, None),
        ("yes", E, None),
        ("  **Unknown.**\n", U, None),
        ("False", C, None),
        ("No, the gate cannot be open.", C, None),
        ("NO (confidence 0.8)", C, 0.8),
        ("Confidence: 80%\nAnswer: NO", C, 0.8),
        ("The gate is not locked, so the lamp is on.\nAnswer: YES\nConfidence: 0.75.", E, 0.75),
        ("P1 settles it [P1].\n\nThe answer is YES!", E, None),
        ("I cannot say YES", None, None),
        ("The lamp isn't on: it is not the case that NO", None, None),
        ("Some reasons.\nSo it must be true", None, None),
        ('{"q7": {"label": "YES"}}', None, None),
        ('{"id": "q7", "label": "YES"}', None, None),
        ('{"answers": {"q7": {"label": "YES", "confidence": 0.8', None, None),
        ('{"label": "YES", "label": "NO"}', None, None),
    ],
)
def test_one_query_may_be_answered_without_its_id(text: str, label: Label | None, confidence: float | None) -> None:
    read = read_labels(text, ("q3",), "yes_no")
    assert read.labels == ({"q3": label} if label else {})
    assert read.confidence == ({"q3": confidence} if confidence is not None else {})
    assert read.missing == (() if label else ("q3",))


@pytest.mark.parametrize(
    "sure", ["-1", "101", '"high"', "true", "NaN", "Infinity", '"1e999"', "[1]", "null", '""', "9" * 400]
)
def test_odd_confidences_are_none(sure: str) -> None:
    read = read_labels(f'{{"q0": {{"label": "ENTAILED", "confidence": {sure}}}}}', ("q0",), "labels")
    assert read.labels == {"q0": E}
    assert read.confidence == {}


@pytest.mark.parametrize("words", ["labels", "yes_no"])
def test_every_label_is_read_by_the_name_that_was_asked_for(words: Words) -> None:
    for label, name in WORDING[words].items():
        assert read_labels(f"I looked at it.\nSo: {name}", ("q",), words).labels == {"q": label}
        assert read_labels(json.dumps({"q": name, "r": name}), ("q", "r"), words).labels == {"q": label, "r": label}


PARTS = st.sampled_from(
    ['{"answers": ', "{", "}", "[", "]", '"q0"', "q1", ":", ",", '"label"', '"ENTAILED"', "UNKNOWN", "NO",
     '"confidence"', "0.9", "90%", "1e400", '"id"', "<think>", "</think>", "\\", "'", '"', "\n", "null", "\ud800",
     "\x00", "not ", " "]
)  # fmt: skip


@given(st.one_of(st.text(), st.lists(PARTS, max_size=40).map("".join)), st.sampled_from([(), ("q0",), IDS]))
@settings(deadline=None, max_examples=300)
def test_reading_never_raises(text: str, ids: tuple[str, ...]) -> None:
    for words in ("labels", "yes_no"):
        read = read_labels(text, ids, "labels" if words == "labels" else "yes_no")
        assert set(read.labels) | set(read.missing) == set(ids)
        assert not set(read.labels) & set(read.missing)
        assert set(read.confidence) <= set(read.labels)
        assert all(0 <= sure <= 1 for sure in read.confidence.values())


@given(st.integers(0, 200), st.integers(1, 20))
@settings(deadline=None, max_examples=200)
def test_a_reply_with_a_hole_gives_no_label_that_it_did_not_have(start: int, length: int) -> None:
    """A hole shorter than one answer cannot move a label to another query."""
    whole = json.dumps(GOOD)
    read = read_labels(whole[:start] + whole[start + length :], IDS, "labels")
    assert read.labels.items() <= {"q0": E, "q1": C, "q2": U}.items()


@pytest.mark.parametrize(
    "piece",
    ["{", "[", "a", "a1", "confidence ", "confidence 0.9 ", '{"q0": ', '{"q0": "YES"} ', '"q0": "YES", ', "n't ",
     "no\n", "(,; "],
)  # fmt: skip
def test_long_texts_are_read_in_linear_time(piece: str) -> None:
    text = piece * (200_000 // len(piece))  # quadratic work on that much would take many minutes
    with no_hang():
        for ids in (("q0",), IDS):
            read_labels(text, ids, "yes_no")
