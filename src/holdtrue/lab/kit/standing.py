"""How far a run is whose rows do not count everything that it plays: changed forms of problems have none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from holdtrue.lab.kit.entry import Entry, FailureEntry


class Standing:
    """Problems under methods, by what passes by; changed forms of other problems too."""

    def __init__(self) -> None:
        self._played: dict[tuple[str, str], set[int]] = {}
        self._turns: dict[tuple[str, str], int] = {}
        self._failures: set[tuple[str, str, int]] = set()

    def watch(self, entries: Iterable[Entry]) -> Iterator[Entry]:
        """The entries as they come."""
        for entry in entries:
            if isinstance(entry, FailureEntry):
                self._failures.add((entry.problem, entry.method, entry.turn))
            else:
                self._played.setdefault((entry.problem, entry.method), set()).add(entry.turn)
                self._turns[entry.problem, entry.method] = entry.turns
            yield entry

    @property
    def begun(self) -> bool:
        return bool(self._played or self._failures)

    @property
    def failed(self) -> set[tuple[str, str]]:
        """A turn that failed may have been tried again."""
        return {
            (problem, method)
            for problem, method, turn in self._failures
            if turn not in self._played.get((problem, method), ())
        }

    def finished(self, methods: Iterable[str]) -> int:
        """How many conversations have all their turns, of those with one of these methods."""
        wanted = set(methods)
        return sum(len(self._played[key]) == turns for key, turns in self._turns.items() if key[1] in wanted)
