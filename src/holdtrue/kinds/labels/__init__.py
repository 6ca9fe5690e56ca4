"""Answers that label statements by premises: cases, methods, and the fields that their records add.

A `Case` has `Premise`s and may have `Query`s with their labels. `find_label_method` finds one of `LABEL_PRESETS` by
name. `label_outcome` gives the outcome of an answer from its verdict.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdtrue.namespace import namespace

if TYPE_CHECKING:
    from holdtrue.kinds.labels.case import Case as Case
    from holdtrue.kinds.labels.case import Premise as Premise
    from holdtrue.kinds.labels.case import Query as Query
    from holdtrue.kinds.labels.method import LABEL_PRESETS as LABEL_PRESETS
    from holdtrue.kinds.labels.method import LabelMethod as LabelMethod
    from holdtrue.kinds.labels.method import find_label_method as find_label_method
    from holdtrue.kinds.labels.record import LabelAttempt as LabelAttempt
    from holdtrue.kinds.labels.record import LabelOutcome as LabelOutcome
    from holdtrue.kinds.labels.record import LabelsDetail as LabelsDetail
    from holdtrue.kinds.labels.record import LabelsRecord as LabelsRecord
    from holdtrue.kinds.labels.record import label_outcome as label_outcome
else:
    __all__, __getattr__, __dir__ = namespace(
        __name__,
        {
            ".case": "Case Premise Query",
            ".method": "LabelMethod LABEL_PRESETS find_label_method",
            ".record": "LabelAttempt LabelOutcome LabelsDetail LabelsRecord label_outcome",
        },
    )
