"""What a run about queries is to do: which cases, and in which order."""

from __future__ import annotations

from collections.abc import Sequence

from holdtrue.errors import SettingsError
from holdtrue.kinds.labels.case import Case
from holdtrue.kinds.labels.method import LabelMethod
from holdtrue.lab.kinds.labels.settings import LabelSettings
from holdtrue.lab.kinds.labels.setup import is_dialogue
from holdtrue.lab.kit.plan import Prepared, deal


def prepare(suite: str, cases: Sequence[Case], methods: Sequence[LabelMethod], settings: LabelSettings) -> Prepared:
    """All cases, dealt out over the domains in turn; the questions of a dialogue are asked one at a time."""
    if settings.formal == "llm" and any(case.instance is None for case in cases):
        raise SettingsError("these cases cannot be formalized by a model: nothing says what their worlds are made of")
    asked = "one" if is_dialogue(suite) else settings.ask
    return Prepared(
        families=[(case,) for case in deal(cases)],
        methods=tuple(methods),
        length=lambda case: 1 if asked == "bundle" else len(case.queries),
        protocol=asked,
        extractor=settings.formal,
        play={"ask": asked, "formal": settings.formal},
    )


def describe_case(case: Case) -> object:
    """All in the case that can change a result."""
    return [
        [case.id, case.suite, case.domain, case.subdomain, case.entities],
        [[premise.text, str(premise.formula)] for premise in case.premises],
        [str(law) for law in case.laws],
        [[query.id, query.text, query.label, str(query.formula)] for query in case.queries],
    ]
