"""All settings of all suites, with what shows each of them, or why nothing does."""

from __future__ import annotations

from tests.lab.knobs import assignment, claims, decisions, labels, readings, search
from tests.lab.knobs.knob import Entry, Knob

ENTRIES: dict[str, tuple[Entry, ...]] = {
    **assignment.ENTRIES,
    **labels.ENTRIES,
    **search.ENTRIES,
    **claims.ENTRIES,
    **decisions.ENTRIES,
    **readings.ENTRIES,
}
KNOBS = list(dict.fromkeys(entry for entries in ENTRIES.values() for entry in entries if isinstance(entry, Knob)))
