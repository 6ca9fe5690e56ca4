"""The optional engine. Tests that need it are skipped if it is not installed."""

from __future__ import annotations

import pytest

from holdtrue.solving.route import cpsat_engine, has_cpsat

needs_cpsat = pytest.mark.skipif(not has_cpsat(), reason="CP-SAT is an extra and not installed: holdtrue[cpsat]")
CPSAT = pytest.param(cpsat_engine, id="cp-sat", marks=needs_cpsat)
