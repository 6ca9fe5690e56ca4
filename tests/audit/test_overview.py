"""What people look at of an audit is what its table says, and stands on a page of its own."""

from __future__ import annotations

import re
from collections import Counter
from itertools import groupby
from pathlib import Path

import pytest
from typer.testing import CliRunner

from holdtrue.audit.audit_run import in_process, plan_audit, run_audit
from holdtrue.audit.overview import MOST_EXAMPLES, as_page, look_at
from holdtrue.audit.shard_job import AuditSettings
from holdtrue.cli.main import app
from tests.audit.logs import log_of, row, write_lines
from tests.audit.test_audit_run import rows


@pytest.mark.parametrize("block", [500, 10**6])
def test_it_is_what_the_table_says_however_many_parts_it_has(tmp_path: Path, block: int) -> None:
    (tmp_path / "logs").mkdir()
    for name in "ab":
        write_lines(tmp_path / "logs" / f"{name}.jsonl", log_of(90))
    out = tmp_path / "out"
    run_audit(plan_audit([str(tmp_path / "logs")], AuditSettings(), str(out), block=block), str(out), in_process)
    found, table = look_at(str(out)), rows(out)
    assert found.outcomes == Counter(own["outcome"] for own in table) and found.turns == len(table)
    runs = [[own["outcome"] for own in turns] for _, turns in groupby(table, lambda own: own["conversation"])]
    broken = [own for own in runs if "drift" in own]
    assert (found.conversations, found.broken_conversations) == (len(runs), len(broken))
    assert found.first_broken == Counter(own.index("drift") + 1 for own in broken)
    assert [own["row"] for own in found.examples] == [own["row"] for own in table if own["outcome"] == "drift"][
        :MOST_EXAMPLES
    ]
    assert found.bad == 16 and len(found.sources) == 2 and len(found.bad_examples) == 16


def test_the_page_has_all_of_it_and_nothing_from_elsewhere(tmp_path: Path) -> None:
    hostile = {**row(2, broken=True), "id": "<script>alert(1)</script>"}
    log = write_lines(tmp_path / "log.jsonl", [*log_of(30), hostile])
    page = tmp_path / "page.html"
    given = ["audit", str(log), str(tmp_path / "out"), "--engine", "process", "--explain", "all", "--html", str(page)]
    assert CliRunner().invoke(app, given).exit_code == 1
    text = page.read_text(encoding="utf-8")
    assert (
        "Audit of 29 turns" in text
        and "Where conversations break first" in text
        and "Rows that could not be read" in text
    )
    assert "<script" not in text and "&lt;script&gt;" in text
    assert re.findall(r"(?:src|href)=", text) == [] and "http" not in text


def test_a_page_of_nothing_is_a_page(tmp_path: Path) -> None:
    assert "Audit of 0 turns" in as_page(look_at(str(tmp_path)), str(tmp_path))
