"""What a run about queries is to do: which cases under which methods."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import get_args

from holdtrue.conversation.query_session import Asking, Formal
from holdtrue.errors import SettingsError
from holdtrue.kinds.labels.case import Case
from holdtrue.kinds.labels.method import LABEL_PRESETS, LabelMethod
from holdtrue.lab.kinds.labels.setup import is_dialogue
from holdtrue.lab.kit.plan import Plan, check_choice, deal, hash_contents, version
from holdtrue.lab.kit.settings import RunSettings, one_of
from holdtrue.models.sampling import Sampling

ASKED: tuple[Asking, ...] = get_args(Asking)
FORMAL: tuple[Formal, ...] = get_args(Formal)


def make_label_plan(
    cases: Sequence[Case],
    methods: Sequence[LabelMethod],
    *,
    source: str,
    model: str,
    base_url: str | None = None,
    asked: str = "bundle",
    formal: str = "gold",
    sampling: Sampling | None = None,
    limit: int | None = None,
    max_connections: int = 8,
    token_limit: int | None = None,
) -> Plan:
    """The plan to play the first `limit` of `cases` under each of `methods`.

    `asked`: a case's queries `one` at a time, or as one `bundle`. `formal`: its sentences as formulas are the suite's
    own (`gold`), or those that the model makes of them (`llm`). Cases are dealt out over the domains in turn. Raises
    `SettingsError` where nothing is left to do, or something is named twice or does not fit.
    """
    names = tuple(method.name for method in methods)
    check_choice("case", [case.id for case in cases], names, limit, max_connections)
    dealt, sampling, suite = deal(cases), sampling or Sampling(), cases[0].suite
    if is_dialogue(suite):
        asked = "one"
    if formal == "llm" and any(case.instance is None for case in dealt):
        raise SettingsError("these cases cannot be formalized by a model: nothing says what their worlds are made of")
    settings = RunSettings(
        suite=suite,
        source=source,
        problems=len(dealt),
        problems_sha256=digest_cases(dealt),
        model=model,
        base_url=base_url,
        protocol=one_of("way of asking", asked, ASKED),
        extractor=one_of("kind of formulas", formal, FORMAL),
        **asdict(sampling),
        methods=names,
        own_methods={m.name: asdict(m) for m in methods if LABEL_PRESETS.get(m.name) != m},
        limit=limit,
        max_connections=max_connections,
        token_limit=token_limit,
        holdtrue=version(),
    )
    chosen = dealt[:limit]
    lengths = tuple(1 if settings.protocol == "bundle" else len(case.queries) for case in chosen)
    return Plan(chosen, tuple(methods), sampling, settings, lengths)


def digest_cases(cases: Iterable[Case]) -> str:
    """A hash of all in the cases that can change a result."""
    return hash_contents(
        [
            [case.id, case.suite, case.domain, case.subdomain, case.entities],
            [[premise.text, str(premise.formula)] for premise in case.premises],
            [str(law) for law in case.laws],
            [[query.id, query.text, query.label, str(query.formula)] for query in case.queries],
        ]
        for case in cases
    )
