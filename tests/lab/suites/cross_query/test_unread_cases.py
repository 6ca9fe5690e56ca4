"""Cases in the card's own form give set metrics, or one line that warns, whatever their symbols are named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from holdtrue.cli.main import app
from holdtrue_lab.kinds.labels.metrics import CONSISTENT
from holdtrue_lab.kit.registry import find_suite
from holdtrue_lab.kit.report import open_report
from holdtrue_lab.suites.cross_query import Source

PEOPLE = ("Alice", "Bob", "Charlie", "Diana", "Eve")
NAMINGS = {"pos_X": "pos_{}", "lower": "pos_{lower}", "seat": "seat_of_{}", "letters": "{first}"}


def card(naming: str) -> dict[str, object]:
    """The example of the data-set card, with its formal representation under other names of symbols."""
    names = {own: naming.format(own, lower=own.lower(), first=own[0]) for own in PEOPLE}
    lines = ["; Seating: 5 people, circular", f"; Variables: {naming} in [0, 4]"]
    lines += [f"(declare-const {own} Int)(assert (and (<= 0 {own}) (<= {own} 4)))" for own in names.values()]
    lines.append(f"(assert (distinct {' '.join(names.values())}))")
    gap = "(- {} {})".format(names["Alice"], names["Bob"])
    lines.append(f"(assert (or (= {gap} 1) (= {gap} (- 1)) (= {gap} 4) (= {gap} (- 4))))")
    query: dict[str, object] = {
        "query_id": "q0",
        "query": "Must Alice always be seated next to Bob?",
        "label": "ENTAILED",
    }
    query |= {"reasoning": "It is a premise.", "query_type": "adj_forced", "depends_on": []}
    return {
        "id": "rel_seating_0042",
        "domain": "relational",
        "subdomain": "seating_arrangement",
        "logic_type": "propositional",
        "premises": ["There are 5 people seated at a circular table.", "Alice must sit directly next to Bob."],
        "formal_representation": "\n".join(lines),
        "entities": [*PEOPLE],
        "bundles": [{"bundle_id": "bundle_0", "num_queries": 1, "queries": [query]}],
    }


@pytest.mark.parametrize("naming", NAMINGS)
def test_a_card_gives_set_metrics_or_one_warning(naming: str, tmp_path: Path) -> None:
    record = {"cases": [card(NAMINGS[naming])], "num_cases": 1, "num_bundles": 1}
    (tmp_path / "benchmark_full_v2.json").write_text(json.dumps(record))
    loaded = find_suite("cross_query").load(Source(tmp_path), seed=1, model="sim/perfect")
    script = tmp_path / "script.json"
    script.write_text('[{"match": "", "text": "UNKNOWN"}]')
    command = [
        "run",
        "cross_query",
        "--cases",
        str(tmp_path),
        "--model",
        f"script/{script}",
        "--method",
        "always_unknown",
    ]
    done = CliRunner().invoke(app, [*command, "--out", str(tmp_path / "run"), "-q"])
    assert done.exit_code == 0, done.output
    row = open_report([tmp_path / "run"]).rows[0]
    decided = CONSISTENT(row).of
    assert (decided == 1 and not loaded.notes) or (decided == 0 and len(loaded.notes) == 1)
    assert done.stderr.count("are not known as formulas") == len(loaded.notes)
    assert decided or "oracle" not in row.title
