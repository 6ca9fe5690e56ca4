"""Cases in the card's form, whose formal part is a comment: a model formalizes them, and every set metric is
measured.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from holdtrue.budget import Budget
from holdtrue.cli.main import app
from holdtrue.conversation.query_session import QuerySession
from holdtrue.errors import SessionError, SettingsError
from holdtrue.kinds.labels.case import Case
from holdtrue.kinds.labels.method import LABEL_PRESETS
from holdtrue.record import Label
from holdtrue.solving.explain.classification import label_of
from holdtrue_claims.conversation.case_reading import read_case
from holdtrue_lab.kinds.labels.entry import LabelEntry
from holdtrue_lab.kinds.labels.metrics import MEASURE as measure_labels
from holdtrue_lab.kinds.labels.playing import LabelPlayer, LabelPlaying, LabelSettings
from holdtrue_lab.suites.cross_query.files import read_cases
from tests.lab.kit.plans import plan_for
from tests.lab.kit.told import told
from tests.lab.suites.cross_query.carded import (
    FORMULAS,
    PEOPLE,
    PREMISES,
    labels,
    reading_model,
    record,
    seatings,
    truths,
)
from tests.recorder import Recorder
from tests.slow import first_of

ASKED = (
    "Alice sits next to Bob.",
    "Charlie sits next to Eve.",
    "Diana sits next to Eve.",
    "Alice sits next to Eve.",
    "Bob sits next to Eve.",
    "Charlie sits next to Diana.",
    "Alice sits next to Charlie.",
    "Charlie sits at position 3.",
)
METHODS = ("direct", "maxsat_repair", "check_repair", "always_unknown", "one_model", "solver_only")
GOLD = {f"q{place}": labels()[text] for place, text in enumerate(ASKED)}
WRONG = {**GOLD, "q3": "ENTAILED", "q6": "ENTAILED", "q7": "ENTAILED"}
# Decided statements are labelled UNKNOWN, which the other labels rule out without contradicting a commitment.
MIXED = {**GOLD, "q1": "UNKNOWN", "q4": "UNKNOWN"}
_TURNED = {"ENTAILED": "CONTRADICTED", "CONTRADICTED": "ENTAILED"}
CLASHING = {id: _TURNED.get(label, label) for id, label in GOLD.items()}


def carded(*texts: str) -> Case:
    [case] = read_cases({"cases": [record(*(texts or ASKED))]}, "card")
    return case


async def played(
    case: Case, model: Recorder, methods: Sequence[str] = METHODS, *, formal: str = "llm"
) -> tuple[Mapping[str, Any], list[LabelEntry]]:
    """Return the rows of a run by method, and its entries."""
    plan = plan_for("cross_query", [case], [LABEL_PRESETS[name] for name in methods], model=model.name, formal=formal)
    entries = [
        LabelEntry("cross_query", case.id, case.domain, name, 1, 1, turn.record, turn.score, turn.problem_lines)
        for name in methods
        async for turn in LabelPlayer(plan).play(case, LABEL_PRESETS[name], model)
    ]
    rows = measure_labels(entries).rows
    return {row.arm.method: told(row) for row in rows if row.domain is None}, entries


def test_the_card_s_labels() -> None:
    assert len(seatings()) == 20
    truth = labels()
    by_label = {label: [text for text, own in truth.items() if own == label] for label in ("ENTAILED", "CONTRADICTED")}
    assert by_label["ENTAILED"] == [ASKED[0], ASKED[1], ASKED[2]]
    assert by_label["CONTRADICTED"] == [ASKED[3], ASKED[4], ASKED[5]]
    assert sum(label == "UNKNOWN" for label in truth.values()) == 4 + 5


async def test_every_label_of_the_card_is_proved_again() -> None:
    truth = labels()
    case = carded(*truth)
    assert not case.theory and all(query.formula is None for query in case.queries)
    read = (await read_case(case, reading_model({}), budget=Budget(timeout_s=60))).case
    engine = read.make_engine(read.variables, read.theory.values())
    for query in read.queries:
        assert query.formula is not None
        assert label_of(engine, {}, query.formula, Budget(timeout_s=60)) is Label(truth[query.text]), query.text


def fits(labels: Mapping[str, str], **more: str) -> bool:
    """Return whether some seating satisfies the commitments of these labels, by brute force."""
    true, said = truths(), {**labels, **more}
    commits = [(true[ASKED[int(id[1:])]], label) for id, label in said.items() if label != "UNKNOWN"]
    return any(all(held[at] == (label == "ENTAILED") for held, label in commits) for at in range(20))


def fewest(labels: Mapping[str, str]) -> int:
    """Return the least number of labels whose removal makes the others consistent."""
    sizes = (len(gone) for size in range(9) for gone in combinations(labels, size) if fits(_but(labels, gone)))
    return next(sizes)


def _but(labels: Mapping[str, str], gone: Sequence[str]) -> dict[str, str]:
    return {id: label for id, label in labels.items() if id not in gone}


@pytest.mark.parametrize(
    "given", first_of([CLASHING, WRONG, GOLD, MIXED], 1), ids=["clashing", "wrong", "gold", "mixed"]
)
async def test_every_set_metric_is_as_brute_force_has_it(given: Mapping[str, str]) -> None:
    rows, _ = await played(carded(), reading_model(given))
    direct, repaired, sets = rows["direct"], rows["maxsat_repair"], rows["direct"].sets
    consistent = fits(given)
    open_ = [id for id, label in given.items() if label == "UNKNOWN"]
    left = all(fits(given, **{id: side}) for id in open_ for side in ("ENTAILED", "CONTRADICTED"))
    kept: dict[str, str] = {}
    for id, label in given.items():
        kept |= {id: label} if fits(kept, **{id: label}) else {}
    prefixes = [fits(dict(list(given.items())[: place + 1])) for place in range(8)]
    assert direct.accuracy.hits == sum(given[id] == GOLD[id] for id in GOLD)
    assert (sets.formal.hits, sets.formal.of, sets.consistent.of, sets.epistemic.of) == (8, 8, 1, 1)
    assert (sets.consistent.hits, sets.epistemic.hits) == (consistent, consistent and left)
    assert (sets.prefix.value, sets.cost.value) == (sum(prefixes) / 8, fewest(given))
    assert (sets.density.hits, sets.density.of) == (8 - len(kept), 8)
    assert (repaired.sets.consistent.hits, repaired.sets.cost.value) == (1, 0)
    assert repaired.sets.edits.value == fewest(given)
    assert rows["always_unknown"].sets.consistent.hits == rows["one_model"].sets.consistent.hits == 1
    assert (rows["solver_only"].accuracy.hits, rows["solver_only"].sets.epistemic.hits) == (8, 1)
    for row in rows.values():
        assert (row.formulas_of, row.oracle, row.title) == ("model", False, row.arm.method)
        assert row.formulas.settled.hits == row.formulas.right.hits == 8


async def test_reading_a_case_counts_for_methods_that_use_it() -> None:
    rows, entries = await played(carded(), reading_model(WRONG), ("direct", "maxsat_repair"))
    assert {entry.record.reader for entry in entries} == {"llm"}
    calls = 2 + len(PREMISES) + len(ASKED)
    found = {entry.method: (len(entry.record.extraction), len(entry.record.measuring)) for entry in entries}
    assert found == {"direct": (0, calls), "maxsat_repair": (calls, 0)}
    assert rows["maxsat_repair"].overhead.calls.per_case.value == 1 + calls


@pytest.mark.slow
async def test_formulas_that_prove_other_labels_are_trusted_less_and_change_no_prompt() -> None:
    turned = {**FORMULAS, ASKED[0]: f"not {FORMULAS[ASKED[0]]}"}
    model, usual = reading_model(WRONG, turned), reading_model(WRONG)
    rows, _ = await played(carded(), model, ("check_repair",))
    await played(carded(), usual, ("check_repair",))
    assert (rows["check_repair"].formulas.right.hits, rows["check_repair"].formulas.right.of) == (7, 8)
    # The same sentences, under other labels in the file: nothing that a model hears is another.
    other = replace(carded(), queries=tuple(replace(each, label=Label.UNKNOWN) for each in carded().queries))
    again = reading_model(WRONG, turned)
    rows, _ = await played(other, again, ("check_repair",))
    assert rows["check_repair"].formulas.right.hits < 7
    assert again.prompts == model.prompts != usual.prompts


@pytest.mark.parametrize(
    ("formulas", "reason"),
    [
        ({**FORMULAS, PREMISES[3]: f"not {FORMULAS[PREMISES[2]]}"}, "the premises cannot all hold"),
        ({**FORMULAS, ASKED[6]: "?"}, "cannot stand here"),
    ],
)
async def test_what_formulas_cannot_settle_is_counted_and_told(formulas: Mapping[str, str], reason: str) -> None:
    rows, [entry] = await played(carded(), reading_model(WRONG, formulas), ("maxsat_repair",))
    row = rows["maxsat_repair"]
    clashing = "cannot all" in reason
    assert (row.sets.formal.hits, row.sets.formal.of) == (0 if clashing else 7, 8)
    assert row.sets.consistent.of == (0 if clashing else 1)
    assert row.formulas_of == ("none" if clashing else "model")
    told = [reading for reading in entry.record.readings if reading.status == "rejected"]
    assert len(told) == (12 if clashing else 1) and all(reason in (each.reason or "") for each in told)


async def test_without_a_model_s_formulas_no_row_is_an_oracle_s() -> None:
    rows, _ = await played(carded(), reading_model(WRONG), formal="gold")
    for row in rows.values():
        assert row.sets.consistent.of == row.sets.formal.hits == 0
        assert (row.formulas_of, row.oracle) == ("none", False)


async def test_formulas_of_a_file_are_an_oracle_s() -> None:
    names = [f"seat_{name}" for name in PEOPLE]
    lines = [f"(declare-const {name} Int)" for name in names]
    lines += [f"(assert (and (>= {name} 0) (<= {name} 4)))" for name in names]
    told = {**record(*ASKED), "formal_representation": "\n".join(lines)}
    [case] = read_cases({"cases": [told]}, "card")
    rows, _ = await played(case, reading_model(WRONG), ("direct", "maxsat_repair"), formal="gold")
    assert {row.formulas_of for row in rows.values()} == {"file"}
    assert rows["maxsat_repair"].title == "maxsat_repair (oracle premises)" and not rows["direct"].oracle


def test_a_run_says_what_will_be_missing(tmp_path: Path) -> None:
    place = tmp_path / "benchmark_dev_v2.json"
    place.write_text(json.dumps({"cases": [record(*ASKED)]}))
    words = ["run", "cross_query", "--cases", f"{place}", "--model", "sim/labels", "--method", "direct", "-q"]
    result = CliRunner().invoke(app, [*words, "--out", f"{tmp_path / 'run'}"])
    assert result.exit_code == 0, result.output
    assert "1 of 1 cases have no formulas" in result.stderr and "--formal llm" in result.stderr
    [note] = LabelPlaying().notes([carded()], LabelSettings())
    assert "set consistency" in note
    assert not LabelPlaying().notes([carded()], LabelSettings(formal="llm"))


def test_sentences_of_an_undeclared_world_are_not_read_one_by_one() -> None:
    with pytest.raises(SettingsError, match="have the whole case read"):
        QuerySession(carded(), model=reading_model({}), formal="llm")


async def test_a_session_about_written_formulas_is_not_saved(tmp_path: Path) -> None:
    model: Any = reading_model(WRONG)
    session = QuerySession(carded(), model=model, written=await read_case(carded(), model))
    with pytest.raises(SessionError, match="read the case again"):
        session.save(tmp_path / "session.json")
