"""Read results of tau2: a document with `simulations`, each with its messages."""

from __future__ import annotations

from typing import Any

from holdtrue.errors import RecordError
from holdtrue.fields import expect
from holdtrue.guard.log_formats.log_format import Conversations, LogFormat, Values, keys_of


def _read(values: Values) -> Conversations:
    for where, value in values:
        for place, own in enumerate(expect(value, dict, where).get("simulations") or [{}]):
            at = f"{where}.simulations[{place}]"
            if not isinstance(own, dict) or not own.get("messages"):
                yield RecordError(f"{at}: messages is missing; {keys_of(own or value)}")
                continue
            reward = (own.get("reward_info") or {}).get("reward")
            named = {"id": str(own.get("id") or place), "task": own.get("task_id"), "trial": own.get("trial") or 0}
            yield {**{key: each for key, each in own.items() if key != "reward_info"}, **named, "reward": reward}


def _knows(value: Any) -> bool:
    return isinstance(value, dict) and ("simulations" in value or {"info", "tasks"} <= value.keys())


TAU2 = LogFormat("tau2", "results of tau2, with simulations", _knows, _read)
