"""Let the presets that draw several answers draw another number of them, under a name that tells the number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from holdtrue.errors import SettingsError
from holdtrue.lab.kit.playing import Playing


def draw_samples(playing: Playing[Any, Any], methods: Sequence[Any], samples: int | None) -> Sequence[Any]:
    """Return the methods, where each preset that draws several answers for a vote draws so many of them.

    With another number than its own a preset is another method: it is called `self_consistency_20`, say, and its
    settings are kept with the run. Methods of one's own stay as they were declared. Raises `SettingsError` for a number
    below 1, and if no preset among the methods draws several answers; None changes nothing.
    """
    if samples is None:
        return methods
    if samples < 1:
        raise SettingsError(f"samples must be at least 1, got {samples}")
    drawing = {each.name for each in methods if playing.draws_samples(each)}
    presets = {name for name in drawing if name in playing.presets}
    if not presets:
        raise SettingsError(f"samples: {_nothing_to_set(playing, methods, drawing)}")
    return [_drawing(each, samples) if each.name in presets else each for each in methods]


def _drawing(method: Any, samples: int) -> Any:
    return method if method.samples == samples else replace(method, name=f"{method.name}_{samples}", samples=samples)


def _nothing_to_set(playing: Playing[Any, Any], methods: Sequence[Any], drawing: set[str]) -> str:
    if drawing:
        return f"{', '.join(sorted(drawing))} say by themselves how many answers they draw, as methods of one's own do"
    known = [preset.name for preset in playing.presets.values() if playing.draws_samples(preset)]
    advice = f"; there is {', '.join(known)}" if known else f": {playing.samples_help}"
    return f"none of {', '.join(each.name for each in methods)} draws several answers for a vote{advice}"
