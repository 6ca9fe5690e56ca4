"""All settings of all suites, with what shows each of them, or why nothing does."""

from __future__ import annotations

from holdtrue.models.chat import SOME_TAKE
from tests.lab.knobs import assignment, claims, decisions, labels, readings, search
from tests.lab.knobs.knob import Entry, Knob, Still

TAKEN = tuple(
    Still(f"Sampling.{name}", "no simulated model takes it, so that the run is refused") for name in SOME_TAKE
)
_ENTRIES: dict[str, tuple[Entry, ...]] = {
    **assignment.ENTRIES,
    **labels.ENTRIES,
    **search.ENTRIES,
    **claims.ENTRIES,
    **decisions.ENTRIES,
    **readings.ENTRIES,
}
ENTRIES = {suite: (*entries, *TAKEN) for suite, entries in _ENTRIES.items()}
KNOBS = list(dict.fromkeys(entry for entries in ENTRIES.values() for entry in entries if isinstance(entry, Knob)))
