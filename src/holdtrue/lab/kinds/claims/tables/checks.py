"""How sentences became formulas, and what was found where claims are held together."""

from __future__ import annotations

from collections.abc import Iterator

from holdtrue.figures.cells import coverage, divide, percent
from holdtrue.figures.table import MODEL, Column, Table, make_table
from holdtrue.lab.kinds.claims.report import ClaimReport
from holdtrue.lab.kinds.claims.row import ClaimRow
from holdtrue.lab.kinds.claims.tables.columns import ACCURACY, CLAIMS, alone, counts, share
from holdtrue.lab.kit.by_row import METHOD, line_by_row

_AGREEMENT = "That samples agree is no proof that they are right."


def funnel(report: ClaimReport) -> Table:
    """What became of the claims that were for the solver, step by step."""
    return line_by_row(
        report,
        "funnel",
        "From claims to verdicts",
        "For the solver: of all claims; everything else is percent of these. Readable: at least one sample could be "
        "read. Agreed: the largest set of samples that say the same is the only one so large, and more than half. "
        "Retold: a formula was told in words again, aligned: these words bring enough of the claim back. Accepted: "
        "there is a formula in the end, corrected: one that replaced another. Verified, to judges, unknown and "
        f"inconsistent context exclude each other, and are all of them. {_AGREEMENT} (VERGE, table 11.)",
        {
            **ACCURACY,
            **alone("for the solver", lambda row: row.funnel.routed),
            Column("of claims"): lambda row: coverage(row.funnel.routed.hits, row.funnel.routed.of),
            **alone("read\u00adable", lambda row: row.funnel.readable),
            **alone("agreed", lambda row: row.funnel.agreed),
            **alone("retold", lambda row: row.funnel.retold),
            Column("aligned, of retold %"): lambda row: percent(
                divide(row.funnel.aligned.hits, row.funnel.retold.hits)
            ),
            **alone("ac\u00adcepted", lambda row: row.funnel.accepted),
            **alone("cor\u00adrected", lambda row: row.funnel.corrected),
            **share("veri\u00adfied", lambda row: row.funnel.verified),
            **alone("to judges", lambda row: row.funnel.fallback),
            **alone("unknown", lambda row: row.funnel.unknown),
            **alone("incon\u00adsistent con\u00adtext", lambda row: row.funnel.inconsistent),
        },
    )


def agreement(report: ClaimReport) -> Table:
    """Do the formulas of one claim say the same?"""
    return line_by_row(
        report,
        "agreement",
        "Agreement of samples",
        "Pairs of formulas that were drawn for one claim, each counted in the first that applies: the same tree; "
        "proved equivalent; equivalent with names of another spelling. Pairs with one that could not be read are among "
        f"them. {_AGREEMENT}",
        {
            **ACCURACY,
            **share("same tree", lambda row: row.agreements.same_tree),
            **share("equi\u00advalent", lambda row: row.agreements.equivalent),
            **share("aligned", lambda row: row.agreements.aligned),
            **counts("pairs", lambda row: row.agreements.same_tree.of),
            **CLAIMS,
        },
    )


def contexts(report: ClaimReport) -> Table:
    """What became of the premises."""
    return line_by_row(
        report,
        "contexts",
        "Premises as they were formalized",
        "Inconsistent: the premises of a question cannot all hold as they were read, and nothing can be proved from "
        "them; undecided: the time ran out. Of premises: read are those with a formula, clean those about which there "
        "is no alert besides, asked again those that were formalized anew because the premises clashed.",
        {
            **ACCURACY,
            **share("incon\u00adsistent", lambda row: row.contexts.inconsistent),
            **counts("unde\u00adcided", lambda row: row.contexts.unknown),
            **counts("con\u00adtexts", lambda row: row.contexts.contexts),
            **share("read", lambda row: row.contexts.read),
            **alone("clean", lambda row: row.contexts.clean),
            **alone("asked again", lambda row: row.contexts.refined),
            **counts("prem\u00adises", lambda row: row.contexts.premises),
        },
    )


def joint(report: ClaimReport) -> Table:
    """Claims one by one against claims together."""
    return line_by_row(
        report,
        "joint",
        "Claims together against claims one by one",
        "Decided: answers of which it was found out whether their claims can all hold. Conflict: of these, they "
        "cannot. Unseen: they cannot, and yet no claim is contradictory by itself. By bridges: of the unseen ones, "
        "there is no conflict without the axioms that were assumed; where that is not known, they do not count. "
        "(VERGE, appendix E.4.)",
        {
            **ACCURACY,
            **alone("de\u00adcided", lambda row: row.joint.decided),
            **counts("an\u00adswers", lambda row: row.joint.decided.of),
            **share("conflict", lambda row: row.joint.conflict),
            **share("unseen", lambda row: row.joint.disagrees),
            **alone("by bridges", lambda row: row.joint.artifact),
            **counts("of unseen", lambda row: row.joint.artifact.of),
        },
    )


def gates(report: ClaimReport) -> Table:
    """Which gate turned claims away."""
    return make_table(
        "gates",
        "Why claims got no formula",
        "Percent of the claims for the solver. Unread: no sample could be read; consensus: samples do not agree; round "
        "trip: the formula says something else; meaning: it can be read, and not be used.",
        [MODEL, METHOD, Column("gate", words=True), Column("turned away %"), Column("of claims")],
        [
            (
                group.label,
                report.names.method(row.arm),
                gate.replace("_", " "),
                percent(divide(times, row.funnel.routed.hits)),
                coverage(times, row.funnel.routed.hits),
            )
            for group in report.groups
            for row in group.whole
            for gate, times in row.funnel.refused.items()
        ],
    )


def alerts(report: ClaimReport) -> Table:
    """What is wrong with formulas, by kind."""
    return make_table(
        "alerts",
        "Alerts by kind",
        "Faults of what the model wrote, each told where it was found: of vocabularies and premises, and of the claims "
        "of answers that were delivered. A faulty formula is never used.",
        [MODEL, METHOD, Column("alert", words=True), Column("prem\u00adises"), Column("claims")],
        [
            (group.label, report.names.method(row.arm), *line)
            for group in report.groups
            for row in group.whole
            for line in _alerts(row)
        ],
    )


def _alerts(row: ClaimRow) -> Iterator[tuple[str, str, str]]:
    found = row.contexts
    for kind in sorted({*found.alerts, *found.claim_alerts}):
        yield kind.replace("_", " "), str(found.alerts.get(kind, 0)), str(found.claim_alerts.get(kind, 0))
