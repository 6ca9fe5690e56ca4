"""A forward checker of DRAT proofs that shares no code with the prover (Wetzler, Heule and Hunt, SAT 2014)."""

from __future__ import annotations


class Refused(Exception):
    """What is given refutes nothing; the message says where it fails."""


def check(dimacs: str, proof: str) -> int:
    """How many lemmas refute the formula, the last of them empty; raises `Refused`."""
    known = _Clauses()
    for clause in read_dimacs(dimacs):
        known.add(clause)
    lemmas = [read_clause(line) for line in proof.splitlines() if line.strip() and line[0] not in "cd"]
    for number, lemma in enumerate(lemmas, 1):
        if not (known.implies(lemma) or (lemma and known.resolves(lemma))):
            raise Refused(f"lemma {number} does not follow: {lemma}")
        if not lemma:
            return number
        known.add(lemma)
    raise Refused("the proof does not end with the empty clause")


def read_dimacs(text: str) -> list[list[int]]:
    """The clauses; raises `Refused` where they are not as many, or not over as many variables, as announced."""
    lines = [line for line in text.splitlines() if line.strip() and line[0] != "c"]
    match lines[0].split() if lines else []:
        case ["p", "cnf", variables, count]:
            clauses = [read_clause(line) for line in lines[1:]]
            if len(clauses) == int(count) and all(abs(x) <= int(variables) for clause in clauses for x in clause):
                return clauses
    raise Refused("the clauses are not those that a first line 'p cnf VARIABLES CLAUSES' announces")


def read_clause(line: str) -> list[int]:
    *literals, end = map(int, line.split())
    if end != 0 or 0 in literals:
        raise Refused(f"one clause a line, with 0 at its end and nowhere else: {line!r}")
    return list(dict.fromkeys(literals))


class _Clauses:
    """Clauses under unit propagation. The first two literals of each clause are watched."""

    def __init__(self) -> None:
        self.all: list[list[int]] = []
        self.true: set[int] = set()
        self.watching: dict[int, list[list[int]]] = {}
        self.refuted = False

    def add(self, clause: list[int]) -> None:
        self.all.append(clause)
        # These literals stay false, so they are watched last.
        own = sorted(clause, key=lambda literal: -literal in self.true)
        for literal in own[:2]:
            self.watching.setdefault(literal, []).append(own)
        if len(own) < 2 or -own[1] in self.true:
            conflict, _ = self._propagate(own[:1])
            self.refuted = self.refuted or conflict or not own

    def implies(self, lemma: list[int] | set[int]) -> bool:
        """Whether denying the lemma leads to a conflict by unit propagation (RUP)."""
        conflict, assumed = self._propagate([-literal for literal in lemma])
        self.true.difference_update(assumed)
        return conflict or self.refuted

    def resolves(self, lemma: list[int]) -> bool:
        """Whether all resolvents of the lemma on its first literal are implied (RAT)."""
        rivals = [clause for clause in self.all if -lemma[0] in clause]
        return all(self.implies({*lemma, *clause} - {-lemma[0]}) for clause in rivals)

    def _propagate(self, waiting: list[int]) -> tuple[bool, list[int]]:
        """Make literals true and propagate. Return whether they clash, and all literals that became true."""
        made: list[int] = []
        while waiting:
            literal = waiting.pop()
            if -literal in self.true:
                return True, made
            if literal not in self.true:
                self.true.add(literal)
                made.append(literal)
                waiting += [self._needs(clause, -literal) for clause in self.watching.pop(-literal, ())]
        return False, made

    def _needs(self, clause: list[int], false: int) -> int:
        """Return the literal that the clause now forces, since `false` is not: it watches another literal if it can."""
        if clause[0] == false:
            clause[:2] = *clause[1:2], false
        free = next((at for at in range(2, len(clause)) if -clause[at] not in self.true), None)
        if free is None or clause[0] in self.true:
            self.watching.setdefault(false, []).append(clause)
            return clause[0]
        clause[1], clause[free] = clause[free], false
        self.watching.setdefault(clause[1], []).append(clause)
        return -false  # which is true already
