"""This module makes the plan of a run from problems, methods and settings of any kind of answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from holdtrue.errors import SettingsError
from holdtrue.language.retries import check_retries
from holdtrue.models.sampling import Sampling
from holdtrue_lab.kit.plan import AnyMethod, Order, Plan, check_choice, hash_contents, version
from holdtrue_lab.kit.playing import Playing, describe_method, is_preset
from holdtrue_lab.kit.settings import RunSettings
from holdtrue_lab.kit.suite import Suite


def draw_samples(playing: Playing[Any, Any], methods: Sequence[Any], samples: int | None) -> Sequence[Any]:
    """Return the methods, with `samples` answers for each preset that votes over several answers.

    A preset with a changed number gets a new name, such as `self_consistency_20`. The user's own methods stay
    unchanged. If `samples` is None, nothing changes. Raises `SettingsError` if `samples` is below 1 or no preset votes.
    """
    if samples is None:
        return methods
    if samples < 1:
        raise SettingsError(f"samples must be at least 1, got {samples}")
    drawing = {each.name for each in methods if playing.draws_samples(each)}
    presets = {name for name in drawing if name in playing.presets}
    if not presets:
        raise SettingsError(f"samples: {_nothing_to_set(playing, methods, drawing)}")
    return [
        replace(each, name=f"{each.name}_{samples}", samples=samples)
        if each.name in presets and each.samples != samples
        else each
        for each in methods
    ]


def _nothing_to_set(playing: Playing[Any, Any], methods: Sequence[Any], drawing: set[str]) -> str:
    if drawing:
        return f"{', '.join(sorted(drawing))} say by themselves how many answers they draw, as methods of one's own do"
    known = [preset.name for preset in playing.presets.values() if playing.draws_samples(preset)]
    advice = f"; there is {', '.join(known)}" if known else f": {playing.samples_help}"
    return f"none of {', '.join(each.name for each in methods)} draws several answers for a vote{advice}"


def make_plan(
    suite: Suite,
    problems: Sequence[Any],
    methods: Sequence[AnyMethod],
    settings: Any = None,
    *,
    source: str,
    model: str,
    base_url: str | None = None,
    sampling: Sampling | None = None,
    written_answers: Mapping[str, Any] | None = None,
    samples: int | None = None,
    limit: int | None = None,
    max_connections: int = 8,
    token_limit: int | None = None,
) -> Plan:
    """Return the plan to play the first `limit` of `problems` under each of `methods`.

    Domains alternate, so that a limited run has a fair share of each. `limit` counts original problems; each is played
    with all of its changed forms (problems made by changing it). `settings` are those of the suite's kind of answer, or
    None for its defaults. `written_answers` maps problem ids to answers that were written earlier. `samples` is the
    number of answers that voting presets draw (`draw_samples`). Raises `SettingsError` if nothing is left to do, a name
    occurs twice, or a setting does not fit.
    """
    playing = suite.kind.playing()
    settings = playing.settings() if settings is None else settings
    methods = playing.choose_methods(draw_samples(playing, methods, samples), settings)
    names = tuple(method.name for method in methods)
    presets = playing.presets.values()
    own = {method.name: describe_method(method) for method in methods if not is_preset(method, presets)}
    prepared = playing.prepare(Order(suite.name, problems, methods, settings, model, written_answers))
    dealt = [each for family in prepared.families for each in family]
    check_choice(playing.problem, [each.id for each in dealt], names, limit, max_connections)
    sampling = sampling or playing.sampling
    for method in prepared.methods:
        check_retries(method, sampling)
    run = RunSettings(
        suite=suite.name,
        source=source,
        problems=len(dealt),
        problems_sha256=hash_contents(map(playing.describe_problem, dealt)),
        model=model,
        base_url=base_url,
        protocol=prepared.protocol,
        extractor=prepared.extractor,
        **asdict(sampling),
        methods=names,
        own_methods=own,
        limit=limit,
        max_connections=max_connections,
        token_limit=token_limit,
        holdtrue=version(),
        play=prepared.play,
    )
    chosen = tuple(each for family in prepared.families[:limit] for each in family)
    lengths = tuple(map(prepared.length, chosen))
    return Plan(chosen, prepared.methods, sampling, run, lengths, settings, written_answers or {})
