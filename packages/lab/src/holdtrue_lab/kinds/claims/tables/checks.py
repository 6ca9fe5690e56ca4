"""Report tables about the check of claims: from sentences to formulas, from formulas to verdicts, and consistency."""

from __future__ import annotations

from holdtrue_lab.figures.cells import coverage, divide, percent
from holdtrue_lab.figures.table import Column
from holdtrue_lab.kinds.claims import metrics
from holdtrue_lab.kinds.claims.tables import ACCURACY, CLAIMS, ROW
from holdtrue_lab.kit.groups import FigureRow
from holdtrue_lab.kit.tables import BY_METHOD, Cells, ReportTable, alone, columns

_AGREEMENT = "That samples agree is no proof that they are right."
_OF_CLAIMS: Cells[FigureRow] = {
    Column("of claims"): lambda row: coverage(metrics.ROUTED(row).hits, metrics.ROUTED(row).of)
}

funnel = ReportTable[FigureRow](
    "funnel",
    "From claims to formulas",
    "For the solver: of all claims; everything else but accuracy, which is of questions, is percent of these. "
    "Accepted: there is a formula in the end, "
    "corrected: one that replaced another.",
    BY_METHOD,
    {
        **ACCURACY,
        **alone(metrics.ROUTED),
        **_OF_CLAIMS,
        **alone(metrics.READABLE, metrics.AGREED, metrics.FORMALIZED, metrics.CORRECTED),
    },
    "Readable: at least one sample could be read. Agreed: the largest set of samples that say the same is the only one "
    f"so large, and more than half. {_AGREEMENT} (VERGE, table 11.)",
)

retold = ReportTable[FigureRow](
    "retold",
    "Formulas that were told in words again",
    "Retold: a formula was told in words again, in percent of the claims for the solver. Aligned: these words bring "
    "enough of the claim back.",
    BY_METHOD,
    {
        **ACCURACY,
        **alone(metrics.RETOLD),
        Column("aligned, of retold %"): lambda row: percent(
            divide(metrics.ALIGNED(row).hits, metrics.RETOLD(row).hits)
        ),
        **_OF_CLAIMS,
    },
)

fates = ReportTable[FigureRow](
    "fates",
    "From formulas to verdicts",
    "Percent of the claims for the solver. Verified (entailed or contradictory), possible, to judges, unproved, "
    "assumed and unknown exclude each other; those of inconsistent contexts are missing to 100.",
    BY_METHOD,
    {
        **ACCURACY,
        **columns(metrics.TRIED_VERIFIED),
        **alone(
            metrics.TRIED_POSSIBLE,
            metrics.FALLBACKS,
            metrics.TRIED_UNPROVED,
            metrics.TRIED_ASSUMED,
            metrics.TRIED_UNKNOWN,
        ),
    },
    f"{_AGREEMENT} (VERGE, table 11.)",
)

agreement = ReportTable(
    "agreement",
    "Agreement of samples",
    "Pairs of formulas that were drawn for one claim, each counted in the first that applies: the same tree; "
    f"proved equivalent; equivalent with names of another spelling. {_AGREEMENT}",
    BY_METHOD,
    {
        **ACCURACY,
        **columns(metrics.SAME_TREE, metrics.EQUIVALENT, metrics.SAMPLES_ALIGNED),
        **ROW.count("pairs", lambda row: metrics.SAME_TREE(row).of),
        **CLAIMS,
    },
    "Pairs with one that could not be read are among them. A sample that can change nothing is not drawn.",
)

contexts = ReportTable[FigureRow](
    "contexts",
    "Contexts as they were formalized",
    "Inconsistent: the premises of a question cannot all hold as they were read, and nothing can be proved from them. "
    "Undecided: the time ran out.",
    BY_METHOD,
    {
        **ACCURACY,
        **columns(metrics.CONTEXTS_INCONSISTENT, metrics.CONTEXTS_UNKNOWN, metrics.CONTEXTS),
    },
)

premises = ReportTable[FigureRow](
    "premises",
    "Premises as they were formalized",
    "Percent of premises: read are those with a formula, clean those about which there is no alert besides. Asked "
    "again: those that were formalized anew because the premises clashed.",
    BY_METHOD,
    {
        **ACCURACY,
        **columns(metrics.READ),
        **alone(metrics.CLEAN, metrics.REFINED),
        **columns(metrics.PREMISES),
    },
)

joint = ReportTable(
    "joint",
    "Claims together against claims one by one",
    "Decided: answers of which it was found out whether their claims can all hold. Conflict: of these, they cannot; "
    "unseen: they cannot, and yet no claim is contradictory by itself.",
    BY_METHOD,
    {
        **ACCURACY,
        **alone(metrics.JOINT_DECIDED),
        **ROW.count("an\u00adswers", lambda row: metrics.JOINT_DECIDED(row).of),
        **columns(metrics.CONFLICT, metrics.DISAGREES),
        **alone(metrics.ARTIFACT),
        **ROW.count("of unseen", lambda row: metrics.ARTIFACT(row).of),
    },
    "By bridges: of the unseen ones, there is no conflict without the axioms that were assumed; where that is not "
    "known, they do not count. (VERGE, appendix E.4.)",
)
