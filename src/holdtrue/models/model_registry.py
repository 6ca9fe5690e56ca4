"""Models by name: `local/NAME`, `openai/NAME`, `script/FILE`, `replay/FILE`, and those of plugins."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from holdtrue.errors import SettingsError
from holdtrue.models.chat import ChatModel

PLUGINS = "holdtrue.models"
"""The entry-point group in which a package declares its factories: prefix = "module:factory"."""

Factory = Callable[[str, str | None], ChatModel]
"""A function that makes a model from the rest of its name and, for servers, the base URL."""


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """The options of a model on a server.

    One call has limits in seconds: `timeout_s` for a try, and `total_s` for all tries with their waits. `extra_body`
    has further fields of all requests that name none (`Request.extra_body`).
    """

    timeout_s: float | None = None
    total_s: float | None = None
    extra_body: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        for name in ("timeout_s", "total_s"):
            value = getattr(self, name)
            if value is not None and not 0 < value < math.inf:
                raise SettingsError(f"{name} must be a number of seconds above 0, not {value}")


def open_model(name: str, *, base_url: str | None = None, options: ServerOptions | None = None) -> ChatModel:
    """Open the model of that name. Raises `SettingsError` like `check_model_name`, and the errors of the backend.

    `options` are those of a model on a server; None gives the backend's own.
    """
    check_model_name(name)
    prefix, _, rest = name.partition("/")
    if base_url is not None and prefix in _SERVERLESS:
        raise SettingsError(f"{name} runs without a server, so it takes no base URL")
    given = {} if options is None else {key: own for key, own in asdict(options).items() if own is not None}
    if prefix == "openai":
        from holdtrue.models.openai_compatible import OpenAIModel

        return OpenAIModel(rest, base_url=base_url, **given)
    if given:
        raise SettingsError(f"{name} takes no {' and no '.join(given)}: only models of a server do")
    factory = _factories.get(prefix) or _plugged_in(prefix)
    return factory(rest, base_url)


def check_model_name(name: str) -> None:
    """Raise `SettingsError` if no model can have this name. Nothing is opened, and no plugin is loaded."""
    prefix, _, rest = name.partition("/")
    known = {"openai", *_factories, *entry_points(group=PLUGINS).names}
    if not rest or prefix not in known:
        kinds = ", ".join(f"{prefix}/..." for prefix in sorted(known))
        raise SettingsError(f"no model {name!r}: a model is named {kinds}")
    if prefix == "local" and not rest.endswith(".gguf"):
        from holdtrue.models.catalogue import find_model

        find_model(rest)


def _plugged_in(prefix: str) -> Factory:
    """Return the factory that an installed package declares for this prefix, and keep it."""
    for plugin in entry_points(group=PLUGINS, name=prefix):
        register(prefix, plugin.load())
    return _factories[prefix]


def register(prefix: str, factory: Factory) -> None:
    """Let names that begin with `prefix/` open models by `factory`."""
    _factories[prefix] = factory


def _local(rest: str, base_url: str | None) -> ChatModel:
    from holdtrue.models.catalogue import find_model_file, models_folder
    from holdtrue.models.local import LocalModel

    # The name has no folder, because it is part of the keys of call logs, which move between machines.
    frames = models_folder().parent / "frames"
    return LocalModel(find_model_file(rest), name=f"local/{Path(rest).name}", frames=frames)


def _script(rest: str, base_url: str | None) -> ChatModel:
    from holdtrue.models.scripted import load_script

    return load_script(Path(rest))


def _replay(rest: str, base_url: str | None) -> ChatModel:
    from holdtrue.models.replay import open_replay

    return open_replay(Path(rest))


_SERVERLESS = frozenset({"local", "script", "replay"})
_factories: dict[str, Factory] = {"local": _local, "script": _script, "replay": _replay}
