"""The tables of a report about messages that are items by themselves: what was read of them, by what they are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from holdtrue.figures.table import MODEL
from holdtrue.lab.kinds.readings.row import ItemFigures
from holdtrue.lab.kit.tables import METHOD, Columns, Lines, ReportTable, by_part

_ITEM = Columns[ItemFigures]()
_CELLS = {
    **_ITEM.share("exact", lambda own: own.exact),
    **_ITEM.share("with doubtful", lambda own: own.with_doubtful),
    **_ITEM.share("accepted wrong", lambda own: own.wrong),
    **_ITEM.share("missed", lambda own: own.missed),
    **_ITEM.count("mes\u00adsages", lambda own: own.messages),
}


def _by_method(report: Any) -> Iterator[tuple[Sequence[str], ItemFigures]]:
    for group in report.groups:
        for row in group.whole:
            if row.items is not None:
                yield (group.label, report.names.method(row.arm)), row.items


messages = ReportTable[ItemFigures](
    "messages",
    "Messages",
    "Exact: messages of which just the constraints in gold were accepted; with doubtful: accepted or read in doubt. "
    "Accepted wrong: of the constraints that were accepted, those that are not in gold. Missed: of the constraints in "
    "gold, those in no reading.",
    Lines[ItemFigures]((MODEL, METHOD), _by_method),
    _CELLS,
    "{caution}",
)

doubt = ReportTable[ItemFigures](
    "doubt",
    "Readings in doubt",
    "Messages of which something was read in doubt; of the constraints that were read, those in doubt; of these, those "
    "in gold. Rejected: readings that were; taken back: commitments that a message was read to end, which gold does "
    "not judge.",
    messages.lines,
    {
        **_ITEM.share("mes\u00adsages in doubt", lambda own: own.in_doubt),
        **_ITEM.share("of readings", lambda own: own.doubtful),
        **_ITEM.share("of these right", lambda own: own.doubtful_right),
        **_ITEM.count("rejected", lambda own: own.rejected),
        **_ITEM.count("taken back", lambda own: own.taken_back),
    },
)


def _parts(by: str) -> Lines[ItemFigures]:
    return by_part(by, lambda row: ((own.name, own.figures) for own in row.item_parts if own.by == by))


message_kinds = ReportTable[ItemFigures](
    "message_kinds", "Kinds of messages", "As whoever wrote the messages calls them.", _parts("kind"), _CELLS
)
message_domains = ReportTable[ItemFigures](
    "message_domains", "Domains", "By the domain that the message is about.", _parts("domain"), _CELLS
)
message_styles = ReportTable[ItemFigures](
    "message_styles", "Styles", "As whoever wrote the messages calls them.", _parts("style"), _CELLS
)
