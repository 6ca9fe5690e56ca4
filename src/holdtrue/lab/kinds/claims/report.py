"""Several runs about claims, held against each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from holdtrue.lab.kinds.claims.beside import beside_claims
from holdtrue.lab.kinds.claims.comparison import ClaimComparison, compare_claims
from holdtrue.lab.kinds.claims.perturbed import Perturbed, perturbed
from holdtrue.lab.kinds.claims.row import ClaimRow
from holdtrue.lab.kinds.claims.run import ClaimRun, read_claim_run
from holdtrue.lab.kit.groups import Names, group
from holdtrue.lab.kit.runs import Runs
from holdtrue.lab.kit.variants import tell_apart

_AGREEMENT = (
    "That samples, judges or models agree is no proof that they are right: what is misread once is often misread "
    "alike every time."
)
_ORACLE = (
    "Rows marked as oracle were given formulas or names that people wrote: they tell what checking is worth where "
    "nothing is misread, and are no result of a model alone. What other rows of such runs have verified was measured "
    "with these too."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimReport(Runs[ClaimRow]):
    """Several runs side by side, and what comes of holding them against each other.

    `caution` is what a verified share and a score are worth, and how the control scores that says nothing.
    """

    runs: tuple[ClaimRun, ...]
    comparisons: tuple[ClaimComparison, ...]
    perturbed: tuple[Perturbed, ...]
    caution: str

    @property
    def remarks(self) -> tuple[str, ...]:
        oracle = any(row.arm.extractor.startswith("gold") for group in self.groups for row in group.whole)
        return (self.caution, _AGREEMENT, *((_ORACLE,) if oracle else ()))

    def to_json(self) -> dict[str, Any]:
        """Everything, for programs."""
        return {
            "schema": 1,
            "suite": self.suite,
            "remarks": list(self.remarks),
            "runs": [run.to_json() for run in self.runs],
            "comparisons": [asdict(each) for each in self.comparisons],
            "perturbed": [each.to_json() for each in self.perturbed],
        }


def read_claim_report(suite: str, folders: Sequence[Path]) -> ClaimReport:
    """Read, measure and compare the runs of this suite in these folders; a folder that is named twice is read once.

    Raises what `read_claim_run` and `tell_apart` raise.
    """
    runs = tell_apart([read_claim_run(folder) for folder in dict.fromkeys(folders)])
    rows = [row for run in runs for row in run.rows]
    names = Names(
        ((run.folder, [row.arm for row in run.rows]) for run in runs),
        titles={row.arm: row.title for row in rows if row.domain is None},
    )
    groups = group([(run.folder, run.rows) for run in runs], names)
    claims = [run.compared() for run in runs]
    return ClaimReport(
        suite=suite,
        runs=runs,
        names=names,
        groups=groups,
        comparisons=compare_claims(claims),
        perturbed=perturbed(claims),
        caution=beside_claims(groups),
        controls=frozenset().union(*(run.controls for run in runs)),
    )
