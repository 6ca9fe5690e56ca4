"""FOLIO's gold formulas give the gold labels, except where an independent audit says that they do not."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from holdtrue.errors import RecordError
from holdtrue.record import Label
from holdtrue_claims.fol.notation import read_fol, write_fol
from holdtrue_lab.suites.verge.folio import FolioRecord
from tests.data import DATA
from tests.lab.suites.verge.folio_verdict import derived, proved
from tests.lab.suites.verge.records import alerts, complete, load_folio, readings

FOLIO = DATA / "folio"
needs_folio = pytest.mark.skipif(not FOLIO.is_dir(), reason="the FOLIO records are not beside the repository")
AUDITED = {"True": Label.ENTAILED, "False": Label.CONTRADICTED, "Uncertain": Label.UNKNOWN, None: None}
WRONG_GOLD = {5, 27, 29}
UNPARSED = {87}


@pytest.fixture(scope="module")
def validation() -> list[FolioRecord]:
    return load_folio(FOLIO / "folio-validation-shared.jsonl")


@needs_folio
def test_the_audit_is_reproduced_and_sound_gold_formulas_give_the_gold_label(validation: list[FolioRecord]) -> None:
    audit = {row["index"]: row for row in json.loads((FOLIO / "validation_z3_audit.json").read_text(encoding="utf-8"))}
    assert {record.index for record in validation} == set(audit)
    table: Counter[tuple[str, str, str]] = Counter()
    for record in validation:
        row = audit[record.index]
        found = derived(record)
        table[(record.label, str(found), str(AUDITED[row["z3_uf"]]))] += 1
        assert found == AUDITED[row["z3_uf"]] == AUDITED[row["z3_finite2"]], record.index
        assert _repaired(record) == row["paren_repaired"], record.index
        assert _unparsed(record) == row["unparsed"], record.index
        if record.index not in WRONG_GOLD | UNPARSED:
            assert found == record.label, record.index
    assert {record.index for record in validation if derived(record) != record.label} == WRONG_GOLD | UNPARSED
    print("\ngold           from formulas  by the audit   records")
    for (gold, found, audited), count in sorted(table.items()):
        print(f"{gold:14} {found:14} {audited:14} {count:7}")


@needs_folio
def test_two_fresh_things_are_enough_and_fewer_are_not(validation: list[FolioRecord]) -> None:
    two = [derived(record) for record in validation]
    alike = [
        sum(derived(record, fresh) == label for record, label in zip(validation, two, strict=True))
        for fresh in (3, 1, 0)
    ]
    assert alike == [96, 94, 78]


@needs_folio
def test_what_holds_of_things_of_any_number_is_what_two_without_a_name_show(validation: list[FolioRecord]) -> None:
    labels = [(record.index, proved(record), derived(record)) for record in validation]
    assert [each for each in labels if each[1] not in (None, each[2])] == []
    unproved = [index for index, label, other in labels if label is None and other is not None]
    print(f"\n{len(labels)} records; without a proof, or with a name of two uses: {unproved}")
    assert unproved == []


@needs_folio
@pytest.mark.parametrize(
    ("name", "formulas", "unread", "repaired"),
    [("folio-train.jsonl", 5239, 22, 27), ("folio-validation-shared.jsonl", 603, 1, 5)],
)
def test_every_formula_is_read_or_reported(name: str, formulas: int, unread: int, repaired: int) -> None:
    records = load_folio(FOLIO / name)
    reads = [read for record in records for read in readings(record)]
    kinds = Counter(alert.kind for record in records for alert in alerts(record))
    with_alerts = Counter(kind for record in records for kind in {alert.kind for alert in alerts(record)})
    print(f"\n{name}: {len(records)} records, {len(reads)} formulas; alerts by kind (records): ")
    print({kind: f"{count} ({with_alerts[kind]})" for kind, count in sorted(kinds.items())})
    for read in {read.alerts[-1].text: read for read in reads if read.sentence is None}.values():
        print(f"  {read.alerts[-1].message}: {read.alerts[-1].text!r}")
    assert len(reads) == formulas
    assert sum(read.sentence is None for read in reads) == unread == kinds["unparsed"]
    assert kinds["brackets_repaired"] == repaired
    for sentence in {read.sentence for read in reads if read.sentence is not None}:
        assert read_fol(write_fol(sentence)).sentence == sentence


def _repaired(record: FolioRecord) -> bool:
    return any(alert.kind == "brackets_repaired" for alert in alerts(record))


def _unparsed(record: FolioRecord) -> list[str]:
    return [alert.text for alert in alerts(record) if alert.kind == "unparsed"]


LINE = {
    "index": 7,
    "premises": ["All dogs bark.", "Rex is a dog.", "Dogs like a cat."],
    "premises-FOL": ["∀x (Dog(x) → Bark(x))", "Dog(rex)", "Dogs(y) ∧ Bark(y, cat)"],
    "conclusion": "Rex barks.",
    "conclusion-FOL": "Bark(rex))",
    "label": "True",
}


def written(folder: Path, **changes: object) -> Path:
    path = folder / "folio.jsonl"
    path.write_text(json.dumps({**LINE, **changes}), encoding="utf-8")
    return path


def test_a_record_and_its_alerts(tmp_path: Path) -> None:
    (record,) = load_folio(written(tmp_path))
    assert (record.index, record.label, complete(record)) == (7, Label.ENTAILED, True)
    assert record.claim is not None and record.claim.sentence == read_fol("Bark(rex)").sentence
    assert [alert.kind for alert in alerts(record)] == [
        "free_variable",
        "brackets_repaired",
        "arity_clash",
        "name_clash",
    ]
    (sound,) = load_folio(written(tmp_path, **{"premises-FOL": LINE["premises-FOL"][:2]}))  # type: ignore[index]
    assert derived(sound) == Label.ENTAILED


def test_what_cannot_be_read_is_no_sentence(tmp_path: Path) -> None:
    (record,) = load_folio(written(tmp_path, **{"premises-FOL": ["Dog(rex), Dog(bo)", "Dog(bo)"]}))
    assert not complete(record)
    assert [read.sentence for read in record.sentences] == [None, read_fol("Dog(bo)").sentence]
    assert derived(record) is None
    (without,) = load_folio(written(tmp_path, **{"conclusion-FOL": None}))
    assert without.claim is None and len(readings(without)) == 3


def test_a_malformed_line_is_refused_with_its_place(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"line 1\.label: 'Maybe' is none of True, False"):
        load_folio(written(tmp_path, label="Maybe"))
    with pytest.raises(RecordError, match="conclusion: a text is needed"):
        load_folio(written(tmp_path, conclusion=3))
