"""Models that fail on purpose: for measuring what holds when the faults are known."""
