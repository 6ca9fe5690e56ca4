from __future__ import annotations

import json
from pathlib import Path

import pytest

from holdtrue.errors import InfrastructureError
from holdtrue.solving.certificate import Certificate, certificate, witness_certificate
from holdtrue.solving.certificate_files import write_certificate
from tests.solving.brute import AMPLE, VARIABLES, A
from tests.solving.drat import check

SOFT = {"C1": A >= 2, "C2": A < 2}


def refuted(sentence: str = "a is late") -> Certificate:
    made = certificate(VARIABLES, [], SOFT, ("C1", "C2"), {"C1": sentence}, AMPLE)
    assert isinstance(made, Certificate)
    return made


def test_a_refutation_is_three_files(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "proof"
    files = write_certificate(refuted(), folder)
    assert [file.name for file in files] == ["formula.cnf", "proof.drat", "map.json"]
    assert sorted(folder.iterdir()) == sorted(files)
    formula, proof, map = (file.read_text(encoding="utf-8") for file in files)
    assert check(formula, proof) >= 1
    last = json.loads(map)["parts"][-1]
    assert (last["id"], last["says"]) == ("C2", "(a < 2)")
    lines = formula.splitlines()
    assert lines[last["lines"][0] - 1 : last["lines"][1]] == ["-3 0"]


def test_a_witness_is_one_file(tmp_path: Path) -> None:
    witness = {"a": 3, "b": 0, "c": 1, "d": 4, "e": 2}
    made = witness_certificate(VARIABLES, [], {"C1": A >= 2}, witness, {})
    (file,) = write_certificate(made, tmp_path)
    assert file.name == "witness.json"
    assert json.loads(file.read_text(encoding="utf-8")) == made.to_json()


def test_words_that_no_encoding_can_hold_are_written_as_escapes(tmp_path: Path) -> None:
    formula, proof, map = write_certificate(refuted("half \ud83d of it\u2028p cnf 0 0"), tmp_path)
    text = formula.read_text(encoding="utf-8")
    assert "half \\ud83d of it p cnf 0 0" in text
    assert check(text, proof.read_text(encoding="utf-8")) >= 1
    assert "\\ud83d" in map.read_text(encoding="ascii")


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("", encoding="utf-8")
    with pytest.raises(InfrastructureError, match="taken"):
        write_certificate(refuted(), tmp_path / "taken")
