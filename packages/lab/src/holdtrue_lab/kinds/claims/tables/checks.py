"""Report tables about the check of claims: how sentences became formulas, and whether an answer's claims fit together.

`funnel`, `retold`, `fates`, `gates` and `agreement` follow claims on their way to a formula and a verdict, `contexts`
and `premises` tell of premises, `joint` compares the check of all claims at once with that of single ones, and `alerts`
counts faults of what the model wrote.
"""

from __future__ import annotations

from collections.abc import Iterator

from holdtrue_lab.figures.cells import coverage, divide, percent
from holdtrue_lab.figures.table import Column
from holdtrue_lab.kinds.claims.row import ClaimRow
from holdtrue_lab.kinds.claims.tables import ACCURACY, CLAIMS, ROW
from holdtrue_lab.kit.tables import BY_METHOD, ReportTable, by_part

_AGREEMENT = "That samples agree is no proof that they are right."

funnel = ReportTable[ClaimRow](
    "funnel",
    "From claims to formulas",
    "For the solver: of all claims; everything else but accuracy, which is of questions, is percent of these. "
    "Accepted: there is a formula in the end, "
    "corrected: one that replaced another.",
    BY_METHOD,
    {
        **ACCURACY,
        **ROW.alone("for the solver", lambda row: row.funnel.routed),
        Column("of claims"): lambda row: coverage(row.funnel.routed.hits, row.funnel.routed.of),
        **ROW.alone("read\u00adable", lambda row: row.funnel.readable),
        **ROW.alone("agreed", lambda row: row.funnel.agreed),
        **ROW.alone("ac\u00adcepted", lambda row: row.funnel.accepted),
        **ROW.alone("cor\u00adrected", lambda row: row.funnel.corrected),
    },
    "Readable: at least one sample could be read. Agreed: the largest set of samples that say the same is the only one "
    f"so large, and more than half. {_AGREEMENT} (VERGE, table 11.)",
)

retold = ReportTable[ClaimRow](
    "retold",
    "Formulas that were told in words again",
    "Retold: a formula was told in words again, in percent of the claims for the solver. Aligned: these words bring "
    "enough of the claim back.",
    BY_METHOD,
    {
        **ACCURACY,
        **ROW.alone("retold", lambda row: row.funnel.retold),
        Column("aligned, of retold %"): lambda row: percent(divide(row.funnel.aligned.hits, row.funnel.retold.hits)),
        Column("of claims"): lambda row: coverage(row.funnel.routed.hits, row.funnel.routed.of),
    },
)

fates = ReportTable[ClaimRow](
    "fates",
    "From formulas to verdicts",
    "Percent of the claims for the solver. Verified (entailed or contradictory), possible, to judges, unproved, "
    "assumed and unknown exclude each other; those of inconsistent contexts are missing to 100.",
    BY_METHOD,
    {
        **ACCURACY,
        **ROW.share("veri\u00adfied", lambda row: row.funnel.verified),
        **ROW.alone("pos\u00adsible", lambda row: row.funnel.possible),
        **ROW.alone("to judges", lambda row: row.funnel.fallback),
        **ROW.alone("un\u00adproved", lambda row: row.funnel.unproved),
        **ROW.alone("as\u00adsumed", lambda row: row.funnel.assumed),
        **ROW.alone("unknown", lambda row: row.funnel.unknown),
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
        **ROW.share("same tree", lambda row: row.agreements.same_tree),
        **ROW.share("equi\u00advalent", lambda row: row.agreements.equivalent),
        **ROW.share("aligned", lambda row: row.agreements.aligned),
        **ROW.count("pairs", lambda row: row.agreements.same_tree.of),
        **CLAIMS,
    },
    "Pairs with one that could not be read are among them. A sample that can change nothing is not drawn.",
)

contexts = ReportTable[ClaimRow](
    "contexts",
    "Contexts as they were formalized",
    "Inconsistent: the premises of a question cannot all hold as they were read, and nothing can be proved from them. "
    "Undecided: the time ran out.",
    BY_METHOD,
    {
        **ACCURACY,
        **ROW.share("incon\u00adsistent", lambda row: row.contexts.inconsistent),
        **ROW.count("unde\u00adcided", lambda row: row.contexts.unknown),
        **ROW.count("con\u00adtexts", lambda row: row.contexts.contexts),
    },
)

premises = ReportTable[ClaimRow](
    "premises",
    "Premises as they were formalized",
    "Percent of premises: read are those with a formula, clean those about which there is no alert besides. Asked "
    "again: those that were formalized anew because the premises clashed.",
    BY_METHOD,
    {
        **ACCURACY,
        **ROW.share("read", lambda row: row.contexts.read),
        **ROW.alone("clean", lambda row: row.contexts.clean),
        **ROW.alone("asked again", lambda row: row.contexts.refined),
        **ROW.count("prem\u00adises", lambda row: row.contexts.premises),
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
        **ROW.alone("de\u00adcided", lambda row: row.joint.decided),
        **ROW.count("an\u00adswers", lambda row: row.joint.decided.of),
        **ROW.share("conflict", lambda row: row.joint.conflict),
        **ROW.share("unseen", lambda row: row.joint.disagrees),
        **ROW.alone("by bridges", lambda row: row.joint.artifact),
        **ROW.count("of unseen", lambda row: row.joint.artifact.of),
    },
    "By bridges: of the unseen ones, there is no conflict without the axioms that were assumed; where that is not "
    "known, they do not count. (VERGE, appendix E.4.)",
)


def _gates(row: ClaimRow) -> Iterator[tuple[str, tuple[int, int]]]:
    return ((gate.replace("_", " "), (times, row.funnel.routed.hits)) for gate, times in row.funnel.refused.items())


gates = ReportTable[tuple[int, int]](
    "gates",
    "Why claims got no formula",
    "Percent of the claims for the solver. Unread: no sample could be read; consensus: samples do not agree; round "
    "trip: the formula says something else; meaning: it can be read, and not be used; choice: another "
    "formula was chosen.",
    by_part("gate", _gates),
    {
        Column("turned away %"): lambda found: percent(divide(*found)),
        Column("of claims"): lambda found: coverage(*found),
    },
)


def _alerts(row: ClaimRow) -> Iterator[tuple[str, tuple[int, int]]]:
    found = row.contexts
    for kind in sorted({*found.alerts, *found.claim_alerts}):
        yield kind.replace("_", " "), (found.alerts.get(kind, 0), found.claim_alerts.get(kind, 0))


alerts = ReportTable[tuple[int, int]](
    "alerts",
    "Alerts by kind",
    "Faults of what the model wrote, each told where it was found: of vocabularies and premises, and of the claims "
    "of answers that were delivered. A faulty formula is never used.",
    by_part("alert", _alerts),
    {Column("prem\u00adises"): lambda found: str(found[0]), Column("claims"): lambda found: str(found[1])},
)
