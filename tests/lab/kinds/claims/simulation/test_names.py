"""Names of simulated reasoners."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

from holdtrue_lab.kinds.claims.simulation.names import ClaimCharacter


def test_the_page_about_claims_names_every_rate() -> None:
    page = (Path(__file__).parents[5] / "docs" / "claims.md").read_text(encoding="utf-8")
    table = page[page.index("| rate |") : page.index("Without any of the last six rates")]
    rates = re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)
    assert sorted(rates) == sorted(field.name for field in fields(ClaimCharacter) if field.name != "seed")
