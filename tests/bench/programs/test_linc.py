"""Programs with Prover9's verdicts are compared with verdicts of holdtrue; each difference has a reason."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from bench.programs.__main__ import main
from bench.programs.linc import (
    ERROR,
    Compared,
    compare,
    decide,
    load_linc,
    show_linc,
)
from bench.programs.open_sorts import decide_openly
from holdtrue.errors import FormulaError
from holdtrue_claims.claim_record import ClaimVerdict
from holdtrue_claims.fol.notation import read_fol
from holdtrue_claims.fol.syntax import Sentence
from holdtrue_lab.kinds.claims.notations.nltk_notation import read_nltk
from tests.data import DATA

LINC = DATA / "linc" / "folio_gpt35_8shot.jsonl"
needs_linc = pytest.mark.skipif(not LINC.is_file(), reason="LINC's programs are not beside the repository")
DIFFERENT = {"12/0", "93/0", "118/1"}
INCONSISTENT = {"29/0", "62/0", "62/1", "80/1", "91/1", "117/2", "118/2", "154/1", "172/2"}
ONLY_AS_NAMES_DIFFER = {"118/2"}


def sentence(text: str) -> Sentence:
    found = read_nltk(text).sentence
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("premises", "conclusion", "verdict"),
    [
        (["all x. (Dog(x) -> Barks(x))", "Dog(Rex)"], "Barks(Rex)", ClaimVerdict.ENTAILED),
        (["all x. (Dog(x) -> -Barks(x))", "Dog(Rex)"], "Barks(Rex)", ClaimVerdict.CONTRADICTORY),
        (["Dog(Rex)"], "Barks(Rex)", ClaimVerdict.POSSIBLE),
        (["Dog(Rex)", "-Dog(Rex)"], "Barks(Rex)", ClaimVerdict.INCONSISTENT_CONTEXT),
        (["exists x. (Dog(x) & x != Rex)", "Dog(Rex)"], "all x. Dog(x)", ClaimVerdict.POSSIBLE),
        (["all x. (Dog(x) <-> -Cat(x))", "Dog(Rex) | $F"], "-Cat(Rex) & $T", ClaimVerdict.ENTAILED),
    ],
)
def test_both_engines_give_the_verdict(premises: list[str], conclusion: str, verdict: ClaimVerdict) -> None:
    said = [sentence(text) for text in premises]
    assert decide(said, sentence(conclusion)) is verdict
    assert decide_openly(said, sentence(conclusion)) is verdict


def test_names_may_be_of_one_thing_where_that_is_asked_for() -> None:
    said = [sentence("Rex = Bello"), sentence("Dog(Bello)")]
    assert decide_openly(said, sentence("Dog(Rex)"), distinct=False) is ClaimVerdict.ENTAILED
    assert decide(said, sentence("Dog(Rex)")) is ClaimVerdict.ENTAILED


def test_functions_to_things_are_decided() -> None:
    said = [sentence("all x. Old(mother(x))"), sentence("Ann = mother(Bob)")]
    assert decide(said, sentence("Old(Ann)")) is decide_openly(said, sentence("Old(Ann)")) is ClaimVerdict.ENTAILED


def test_what_is_no_sentence_of_things_has_no_verdict() -> None:
    order = read_fol("age(ann) < 3").sentence
    assert order is not None
    with pytest.raises(FormulaError, match="Compare"):
        decide_openly([], order)


def written(folder: Path, *records: dict[str, object]) -> Path:
    path = folder / "programs.jsonl"
    own = {"problem": 1, "premises": ["all x. (A(x) -> B(x))", "A(Rex)"], "conclusion": "B(Rex)", "prover9": "True"}
    lines = [json.dumps({**own, "sample": place, **record}) for place, record in enumerate(records)]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_each_difference_has_its_reason(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(
        tmp_path,
        {},
        {"prover9": "Uncertain"},
        {"conclusion": "B(Tom)", "prover9": "False"},
        {"conclusion": "B(Rex) &", "prover9": "True"},
        {"conclusion": "A(x)", "prover9": "False"},
        {"premises": ["A(Rex)", "Rex = Tom"], "prover9": "Uncertain"},
        {"premises": ["A(Rex)", "-A(Rex)", "Tom = Rex"], "prover9": "True"},
        {"premises": ["A(A)"], "prover9": "Error"},
        {"premises": ["A(f(Rex))", "C(Rex)", "all x. -A(f(x))"], "prover9": "True"},
        {"premises": ["A(f(Rex))"], "conclusion": "A(Rex)", "prover9": "True"},
    )
    main([str(tmp_path)])
    out = capsys.readouterr().out
    assert path.name in out
    assert "10 programs, 9 with a verdict of Prover9: 2 the same, 2 with an inconsistent context, 5 different" in out
    assert "1/1: Prover9 Uncertain, here entailed: entailed by P1 P2" in out
    assert "1/2: Prover9 False, here possible: two situations that keep all premises differ in the conclusion" in out
    assert "1/3: Prover9 True, here none: not read: the text ends where something has to follow ('B(Rex) &', 8)" in out
    assert "1/4: Prover9 False, here possible: no quantifier binds the variable x" in out
    assert "1/6: Prover9 True, here inconsistent_context: P1 P2 clash" in out
    assert "1/8: Prover9 True, here inconsistent_context: P1 P3 clash\n" in out
    assert "1/9: Prover9 True, here possible: two situations that keep all premises differ in the conclusion" in out
    assert "alerts here (programs): {'name_clash': 1}" in out


@needs_linc
def test_every_program_is_read_or_has_an_alert() -> None:
    programs = load_linc(LINC)
    assert len(programs) == 546
    unread = [one for one in programs if None in one.sentences.values()]
    assert all(one.alerts for one in unread)
    assert {one.id for one in unread if one.prover9 != ERROR} == {"12/0"}


def checked(compared: list[Compared]) -> Counter[str]:
    """Return the numbers of programs with Prover9's verdict, by verdict; every other one must have a reason."""
    decided = [one for one in compared if one.program.prover9 != ERROR]
    for one in decided:
        if not one.same:
            assert one.reason
            known = INCONSISTENT if one.ours is ClaimVerdict.INCONSISTENT_CONTEXT else DIFFERENT
            assert one.program.id in known
            assert ("only as names" in one.reason) == (one.program.id in ONLY_AS_NAMES_DIFFER)
    return Counter(one.program.prover9 for one in decided if one.same)


@needs_linc
def test_a_sample_has_the_verdicts_of_prover9() -> None:
    found = checked(compare(load_linc(LINC)[::10]))
    assert found.total() >= 38


@needs_linc
@pytest.mark.slow
def test_all_verdicts_are_those_of_prover9_but_for_those_that_are_listed() -> None:
    compared = compare(load_linc(LINC))
    show_linc(compared)
    assert checked(compared) == {"True": 84, "False": 58, "Uncertain": 258}


@needs_linc
@pytest.mark.slow
def test_open_sorts_agree_with_named_things_and_two_more() -> None:
    programs = [one for one in load_linc(LINC) if one.prover9 != ERROR]
    open_verdicts = {one.program.id: one.ours for one in compare(programs, decide_openly)}
    assert open_verdicts == {one.program.id: one.ours for one in compare(programs)}
