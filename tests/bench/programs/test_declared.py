from __future__ import annotations

from bench.programs.declared import read_declared
from bench.programs.sections import Line
from holdtrue_claims.fol.alert import Alert


def test_the_first_declaration_counts() -> None:
    alerts: list[Alert] = []
    lines = [Line("Sees( x , y )", "x sees y"), Line("Rains()", ""), Line("Sees(x)", ""), Line("Raining", "")]
    assert read_declared(lines, alerts) == {"Sees": ("x", "y"), "Rains": ()}
    assert [(alert.kind, alert.text) for alert in alerts] == [("unparsed", "Raining")]
